/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What events add to the plot of a run: strips with the modes of the automata that switched, and points for
 * plotted values that lasted only an instant. */
#include <math.h>
#include <string.h>

#include "api/run_events_impl.h"

#define MOST_STRIPS    6
#define MOST_FAULTS    6 /* with a strip */
#define MOST_CHANGES   (1 << 20)
#define MOST_PINNACLES 16384

/* ---- while it runs ------------------------------------------------------------------------------------ */

void hbg_api_run_bands_init(hbg_session *session, hbg_run_bands *bands) {
    const hbg_run_state *state = session->run;
    int32_t automata = state->system->automaton_count;
    bands->first = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    bands->now = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    for (int32_t i = 0; i < automata; i++) bands->first[i] = bands->now[i] = state->system->start_states[i];
}

/* One more place in an array; false if memory runs out. */
static bool make_room(hbg_run_bands *bands, void **items, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    int32_t more = *capacity * 2 + 64;
    void *place = hbg_base_memory_alloc(bands->memory, (size_t)more * size);
    bands->failed = bands->failed || place == NULL;
    if (!place) return false;
    if (count > 0) memcpy(place, *items, (size_t)count * size);
    hbg_base_memory_free(bands->memory, *items, (size_t)*capacity * size);
    *items = place;
    *capacity = more;
    return true;
}

static void add_change(hbg_run_bands *bands, hbg_run_change change) {
    void *items = bands->changes;
    bands->too_many = bands->too_many || bands->count == MOST_CHANGES;
    if (bands->too_many) return;
    if (!make_room(bands, &items, bands->count, &bands->capacity, sizeof change)) return;
    bands->changes = items;
    bands->changes[bands->count++] = change;
}

void hbg_api_run_add_pinnacle(hbg_run_events *events, int32_t plot, double t, double value) {
    hbg_run_bands *bands = &events->bands;
    void *items = bands->pinnacles;
    if (bands->pinnacle_count == MOST_PINNACLES ||
        !make_room(bands, &items, bands->pinnacle_count, &bands->pinnacle_capacity, sizeof *bands->pinnacles))
        return;
    bands->pinnacles = items;
    bands->pinnacles[bands->pinnacle_count++] = (hbg_run_pinnacle){t, value, plot};
}

void hbg_api_run_bands_take(hbg_run_events *events, const hbg_sim_event *event) {
    hbg_run_bands *bands = &events->bands;
    int32_t automata = events->state->system->automaton_count;
    for (int32_t k = 0; k < event->visit_count; k++) {
        const hbg_sim_visit *visit = &event->visits[k];
        if (visit->kind == HBG_RT_MYTHICAL) continue;
        for (int32_t i = 0; i < automata; i++) {
            if (bands->now[i] == visit->states[i]) continue;
            bands->now[i] = visit->states[i];
            if (!bands->begun && events->count == 0)
                bands->first[i] = visit->states[i]; // the start mode was mythical
            else
                add_change(bands, (hbg_run_change){event->t, i, visit->states[i]});
        }
        bands->begun = true;
    }
}

void hbg_api_run_bands_free(hbg_run_bands *bands) {
    hbg_base_memory_free(bands->memory, bands->changes, (size_t)bands->capacity * sizeof *bands->changes);
    hbg_base_memory_free(bands->memory, bands->pinnacles,
                         (size_t)bands->pinnacle_capacity * sizeof *bands->pinnacles);
    bands->changes = NULL;
    bands->pinnacles = NULL;
    bands->count = bands->capacity = bands->pinnacle_count = bands->pinnacle_capacity = 0;
}

/* ---- the plot ----------------------------------------------------------------------------------------- */

/* On states in full colour and off states pale, each kind with separate colours in the order of
 * declaration. */
static hbg_draw_band make_band(const hbg_run_state *state, int32_t automaton, int32_t index) {
    const hbg_automaton_state *states =
        &state->model->states.items[state->model->automata.items[automaton].first_state];
    hbg_draw_band band = {.label = state->system->automata[automaton].states[index],
                          .strong = states[index].on};
    for (int32_t i = 0; i < index; i++) band.colour += states[i].on == states[index].on;
    return band;
}

static void make_strip(hbg_session *session, const hbg_run_story *story, int32_t automaton, int32_t changes,
                       hbg_draw_strip *strip) {
    const hbg_run_bands *bands = &story->rows.events->bands;
    const hbg_rt_automaton *of = &story->state->system->automata[automaton];
    hbg_draw_band *list = HBG_NEW_ARRAY(&session->scratch, hbg_draw_band, changes + 1);
    int32_t count = 0, state = bands->first[automaton];
    double from = 0;
    for (int32_t i = 0; i <= bands->count; i++) {
        bool end = i == bands->count;
        if (!end && bands->changes[i].automaton != automaton) continue;
        double to = end ? story->result.t : bands->changes[i].t;
        list[count] = make_band(story->state, automaton, state);
        list[count].from = from;
        list[count++].to = to;
        if (end) break;
        from = to;
        state = bands->changes[i].state;
    }
    *strip = (hbg_draw_strip){of->name, list, count};
}

/* The next name of a list, without blanks around it; advances the list. Its size, 0 after the last. */
static size_t next_name(const char **list, const char **name) {
    *list += strspn(*list, ", ");
    *name = *list;
    size_t size = strcspn(*list, ",");
    *list += size;
    while (size > 0 && (*name)[size - 1] == ' ') size--;
    return size;
}

static bool is_named(const char *list, const char *automaton) {
    const char *name;
    size_t size;
    while ((size = next_name(&list, &name)) > 0)
        if (strlen(automaton) == size && memcmp(automaton, name, size) == 0) return true;
    return false;
}

hbg_status hbg_api_run_check_strips(hbg_session *session, const hbg_run_options *options) {
    const hbg_rt_description *system = session->run->system;
    const char *list = options->look.strips, *name;
    size_t size;
    if (!list || strcmp(list, "none") == 0) return HBG_OK;
    while ((size = next_name(&list, &name)) > 0) {
        const char *wanted = hbg_base_arena_copy(&session->scratch, name, size);
        hbg_nearest nearest;
        bool found = false;
        hbg_base_nearest_init(&nearest, wanted);
        for (int32_t i = 0; i < system->automaton_count && !found; i++) {
            found = strcmp(system->automata[i].name, wanted) == 0;
            hbg_base_nearest_offer(&nearest, system->automata[i].name);
        }
        if (found) continue;
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no automaton `%s` to show%s%s%s",
                                    wanted, nearest.best ? "; did you mean `" : "",
                                    nearest.best ? nearest.best : "", nearest.best ? "`?" : "");
    }
    return HBG_OK;
}

/* The part of a strip that is in the window. */
static void crop_strip(hbg_session *session, const hbg_api_look *look, hbg_draw_strip *strip) {
    hbg_draw_band *bands = HBG_NEW_ARRAY(&session->scratch, hbg_draw_band, strip->band_count + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < strip->band_count; i++) {
        hbg_draw_band band = strip->bands[i];
        if (band.to < look->from || band.from > look->to) continue;
        band.from = fmax(band.from, look->from);
        band.to = fmin(band.to, look->to);
        bands[count++] = band;
    }
    strip->bands = bands;
    strip->band_count = count;
}

int32_t hbg_api_run_make_strips(hbg_session *session, const hbg_run_story *story, hbg_draw_strip **strips,
                                int32_t *left_out) {
    const hbg_run_events *events = story->rows.events;
    *left_out = 0;
    *strips = HBG_NEW_ARRAY(&session->scratch, hbg_draw_strip,
                            MOST_STRIPS + MOST_FAULTS + story->state->system->automaton_count);
    int32_t faults = hbg_api_run_make_fault_strips(session, story, MOST_FAULTS, *strips), count = faults;
    if (!events || !events->bands.now) return count;
    const hbg_run_bands *bands = &events->bands;
    int32_t automata = story->state->system->automaton_count;
    int32_t *changes = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    for (int32_t i = 0; i < bands->count; i++) changes[bands->changes[i].automaton]++;
    const char *wanted = story->options->look.strips;
    for (int32_t i = 0; i < automata; i++) {
        if (wanted ? !is_named(wanted, story->state->system->automata[i].name) : changes[i] == 0) continue;
        if ((wanted || count < MOST_STRIPS + faults) && !bands->too_many)
            make_strip(session, story, i, changes[i], &(*strips)[count++]);
        else
            (*left_out)++;
    }
    for (int32_t i = 0; i < count; i++) crop_strip(session, &story->rows.look, &(*strips)[i]);
    return count;
}

void hbg_api_run_put_pinnacles(hbg_session *session, const hbg_run_story *story, hbg_draw_series *series) {
    const hbg_run_events *events = story->rows.events;
    if (!events) return;
    const hbg_run_bands *bands = &events->bands;
    for (int32_t plot = 0; plot < story->state->plot_count && bands->pinnacle_count > 0; plot++) {
        hbg_draw_point *points = HBG_NEW_ARRAY(&session->scratch, hbg_draw_point, bands->pinnacle_count);
        for (int32_t i = 0; i < bands->pinnacle_count; i++)
            if (bands->pinnacles[i].plot == plot && bands->pinnacles[i].t >= story->rows.look.from &&
                bands->pinnacles[i].t <= story->rows.look.to)
                points[series[plot].pinnacle_count++] =
                    (hbg_draw_point){bands->pinnacles[i].t, bands->pinnacles[i].value};
        series[plot].pinnacles = points;
    }
}
