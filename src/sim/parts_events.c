/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One event from the reports of several parts about one instant, as a search over all of them would have
 * reported it (semantics, section 6): parts go through their searches side by side. In each search every part
 * takes its own modes, one at a time, and a part that has found its real mode waits in it until the last one
 * has; then all commit together. */
#include <string.h>

#include "sim/parts_impl.h"

enum { VISITS = 64 };

typedef struct {           /* a mode of a part; its values are in the pools */
    int32_t search, index; /* which search of the instant, and which mode in it */
    hbg_rt_mode_kind kind;
    double lost, doubt;
    int32_t states, x, bonds, bond_count, why;
} record;

typedef struct { /* a part that has reported something */
    const hbg_sim_part_run *part;
    int32_t first, count; /* records */
    int32_t next;         /* to be merged */
    int32_t searches;
} teller;

struct hbg_sim_merger {
    hbg_sim_schedule *schedule;
    HBG_VEC(record) records;
    HBG_VEC(teller) tellers;
    HBG_VEC(int32_t) numbers; /* automaton states before and after, bonds */
    HBG_VEC(double) values;   /* energies before and after, areas */
    HBG_VEC(char) texts;
    HBG_VEC(int32_t) roots;
    HBG_VEC(int32_t) inputs;
    hbg_sim_event event;
    bool at_start, told;
    char words[HBG_RT_WORDS], rest[200];
    double *energy, *sizes;   /* by storage of a part; by state of the whole */
    int32_t action, override; /* the next one of each */
    /* the modes of the whole */
    hbg_sim_visit visits[VISITS];
    int32_t *states[VISITS][2];
    double *x[VISITS][2], *area[VISITS][2];
    int32_t *bonds[VISITS];
    char *why[VISITS];
};

enum { WHY = 400 };

/* ---- preparation -------------------------------------------------------------------------------------- */

static void make_visit(hbg_sim_merger *merger, int i) {
    hbg_arena *arena = merger->schedule->arena;
    const hbg_rt_description *system = merger->schedule->system;
    for (int side = 0; side < 2; side++) {
        merger->states[i][side] = HBG_NEW_ARRAY(arena, int32_t, system->automaton_count + 1);
        merger->x[i][side] = HBG_NEW_ARRAY(arena, double, system->state_count + 1);
        merger->area[i][side] = HBG_NEW_ARRAY(arena, double, system->bond_count + 1);
    }
    merger->bonds[i] = HBG_NEW_ARRAY(arena, int32_t, system->bond_count + 1);
    merger->why[i] = HBG_NEW_ARRAY(arena, char, WHY);
}

hbg_sim_merger *hbg_sim_merger_new(hbg_sim_schedule *schedule) {
    hbg_sim_merger *merger = HBG_NEW(schedule->arena, hbg_sim_merger);
    int32_t storages = 0;
    merger->schedule = schedule;
    for (int32_t i = 0; i < schedule->count; i++)
        if (schedule->parts[i].map->system->storage_count > storages)
            storages = schedule->parts[i].map->system->storage_count;
    merger->energy = HBG_NEW_ARRAY(schedule->arena, double, 3 * storages + 1);
    merger->sizes = HBG_NEW_ARRAY(schedule->arena, double, schedule->system->state_count + 1);
    return merger;
}

void hbg_sim_merger_begin(hbg_sim_merger *merger, double t, bool at_start) {
    merger->records.count = merger->tellers.count = merger->numbers.count = merger->values.count = 0;
    merger->texts.count = merger->roots.count = merger->inputs.count = 0;
    merger->event = (hbg_sim_event){.t = t, .words = "", .sizes = merger->sizes};
    merger->at_start = at_start;
    merger->told = false;
}

/* ---- reports of a part -------------------------------------------------------------------------------- */

/* The share of a loss that is rounding; the part is between two steps and can compute it. */
static double doubt_of(hbg_sim_merger *merger, const hbg_rt_engine *engine, const hbg_sim_visit *visit) {
    const double *states[] = {visit->x, visit->x_plus, engine->field.size};
    int32_t count = engine->system->storage_count;
    double *energy = merger->energy;
    for (int i = 0; i < 3; i++)
        if (hbg_rt_energies(engine->instance, engine->t, states[i], energy + i * count) != HBG_RT_OK)
            return 0;
    return hbg_sim_loss_rounding(count, energy, energy + count, energy + 2 * (ptrdiff_t)count);
}

static void keep_visit(hbg_sim_merger *merger, const hbg_rt_engine *engine, const hbg_sim_visit *visit,
                       record *made) {
    hbg_arena *arena = merger->schedule->arena;
    const hbg_rt_description *system = engine->system;
    made->kind = visit->kind;
    made->lost = visit->lost;
    if (visit->lost != 0) made->doubt = doubt_of(merger, engine, visit);
    made->states = merger->numbers.count;
    for (int32_t i = 0; i < system->automaton_count; i++) HBG_PUSH(arena, merger->numbers, visit->before[i]);
    for (int32_t i = 0; i < system->automaton_count; i++) HBG_PUSH(arena, merger->numbers, visit->states[i]);
    made->x = merger->values.count;
    for (int32_t i = 0; i < system->state_count; i++) HBG_PUSH(arena, merger->values, visit->x[i]);
    for (int32_t i = 0; i < system->state_count; i++) HBG_PUSH(arena, merger->values, visit->x_plus[i]);
    made->bonds = merger->numbers.count;
    made->bond_count = visit->bond_count;
    for (int32_t i = 0; i < visit->bond_count; i++) {
        int32_t bond = visit->bonds[i];
        HBG_PUSH(arena, merger->numbers, bond);
        HBG_PUSH(arena, merger->values, visit->effort[bond]);
        HBG_PUSH(arena, merger->values, visit->flow[bond]);
    }
    made->why = merger->texts.count;
    for (const char *c = hbg_rt_visit_why(visit); *c; c++) HBG_PUSH(arena, merger->texts, *c);
    HBG_PUSH(arena, merger->texts, '\0');
}

static void keep_verdict(hbg_sim_merger *merger, const hbg_sim_event *event) {
    if (event->verdict != HBG_RT_FINE && merger->event.verdict == HBG_RT_FINE) {
        merger->event.verdict = event->verdict;
        memcpy(merger->words, event->words, strnlen(event->words, sizeof merger->words - 1) + 1);
        merger->words[sizeof merger->words - 1] = '\0';
        merger->event.words = merger->words;
    }
    if (event->rest && !merger->event.rest) {
        memcpy(merger->rest, event->rest, strnlen(event->rest, sizeof merger->rest - 1) + 1);
        merger->rest[sizeof merger->rest - 1] = '\0';
        merger->event.rest = merger->rest;
    }
}

static teller *teller_of(hbg_sim_merger *merger, const hbg_sim_part_run *part) {
    if (merger->tellers.count == 0 || merger->tellers.items[merger->tellers.count - 1].part != part) {
        teller made = {.part = part, .first = merger->records.count};
        HBG_PUSH(merger->schedule->arena, merger->tellers, made);
    }
    return &merger->tellers.items[merger->tellers.count - 1];
}

/* Sliding of a part is a separate event: nothing switches there. */
static void tell_slide(hbg_sim_merger *merger, const hbg_sim_event *event) {
    const hbg_sim_options *options = merger->schedule->options;
    hbg_sim_event told = {.t = event->t, .words = "", .slide = event->slide, .sizes = merger->sizes};
    if (!options->verdicts_only) options->event(options->context, &told);
}

void hbg_sim_merger_take(hbg_sim_schedule *schedule, const hbg_sim_event *event) {
    hbg_sim_merger *merger = schedule->merger;
    if (event->slide) {
        tell_slide(merger, event);
        return;
    }
    hbg_sim_part_run *part = schedule->current;
    hbg_arena *arena = schedule->arena;
    int32_t base = 0;
    merger->event.lost += event->lost;
    merger->event.planned = merger->event.planned || event->planned;
    keep_verdict(merger, event);
    if (schedule->options->verdicts_only && event->verdict == HBG_RT_FINE) return;
    merger->told = true;
    for (int32_t i = 0; i < event->root_count; i++) {
        int32_t root = part->root_first + event->roots[i];
        HBG_PUSH(arena, merger->roots, root);
    }
    for (int32_t i = 0; i < part->map->system->state_count; i++)
        merger->sizes[part->map->states[i]] =
            fmax(event->sizes[i], event->contributions ? event->contributions[i] : 0);
    teller *of = teller_of(merger, part);
    for (int32_t i = 0; i < event->visit_count; i++) {
        const hbg_sim_visit *visit = &event->visits[i];
        record made = {.search = of->searches, .index = visit->order - base};
        keep_visit(merger, part->engine, visit, &made);
        HBG_PUSH(arena, merger->records, made);
        of->count++;
        if (visit->kind == HBG_RT_MYTHICAL) continue;
        base = visit->order;
        of->searches++;
    }
}

/* ---- a mode of the whole ------------------------------------------------------------------------------ */

/* The mode of a part while the others are in mode `index` of a search; NULL: the mode before. */
static const record *record_at(const hbg_sim_merger *merger, const teller *of, int32_t search,
                               int32_t index) {
    const record *found = NULL;
    for (int32_t i = of->first + of->next; i < of->first + of->count; i++) {
        const record *own = &merger->records.items[i];
        if (own->search != search || own->index > index) break;
        found = own;
    }
    return found;
}

static void add_why(hbg_sim_merger *merger, int32_t place, const record *of) {
    char *why = merger->why[place];
    size_t used = strlen(why), size = strlen(merger->texts.items + of->why);
    if (size == 0 || used + size + 3 > WHY) return;
    if (used > 0) {
        memcpy(why + used, "; ", 2);
        used += 2;
    }
    memcpy(why + used, merger->texts.items + of->why, size + 1);
}

static void put_record(hbg_sim_merger *merger, int32_t place, const teller *by, const record *of,
                       int32_t index) {
    const hbg_sim_part *map = by->part->map;
    hbg_sim_visit *visit = &merger->visits[place];
    int32_t automata = map->system->automaton_count, states = map->system->state_count;
    const int32_t *before = merger->numbers.items + of->states, *after = before + automata;
    const double *x = merger->values.items + of->x, *areas = x + 2 * (ptrdiff_t)states;
    for (int32_t i = 0; i < automata; i++) {
        merger->states[place][0][map->automata[i]] = of->index == index ? before[i] : after[i];
        merger->states[place][1][map->automata[i]] = after[i];
    }
    for (int32_t i = 0; i < states; i++) {
        merger->x[place][0][map->states[i]] = x[i];
        merger->x[place][1][map->states[i]] = x[states + i];
    }
    for (int32_t i = 0; i < of->bond_count; i++) {
        int32_t bond = map->bonds[merger->numbers.items[of->bonds + i]];
        merger->bonds[place][visit->bond_count++] = bond;
        merger->area[place][0][bond] = areas[2 * i];
        merger->area[place][1][bond] = areas[2 * i + 1];
    }
    if (of->index == index) add_why(merger, place, of);
    visit->doubt += of->doubt;
}

/* Clears the last event from a place. */
static void clear_place(hbg_sim_merger *merger, int32_t place) {
    const hbg_sim_schedule *schedule = merger->schedule;
    hbg_sim_visit *visit = &merger->visits[place];
    if (!merger->states[place][0]) make_visit(merger, place);
    for (int32_t i = 0; i < visit->bond_count; i++)
        merger->area[place][0][visit->bonds[i]] = merger->area[place][1][visit->bonds[i]] = 0;
    for (int side = 0; side < 2; side++) {
        memset(merger->x[place][side], 0, (size_t)schedule->system->state_count * sizeof(double));
        memcpy(merger->states[place][side], schedule->states,
               (size_t)schedule->system->automaton_count * sizeof(int32_t));
    }
    merger->why[place][0] = '\0';
    *visit = (hbg_sim_visit){.before = merger->states[place][0],
                             .states = merger->states[place][1],
                             .x = merger->x[place][0],
                             .x_plus = merger->x[place][1],
                             .effort = merger->area[place][0],
                             .flow = merger->area[place][1],
                             .why = merger->why[place],
                             .bonds = merger->bonds[place]};
}

/* A mode that one part leaves at once is left by all; a part that is done waits for the others. */
static hbg_rt_mode_kind kind_of(hbg_rt_mode_kind so_far, hbg_rt_mode_kind own, bool last) {
    static const int rank[] = {
        [HBG_RT_CONTINUOUS] = 0, [HBG_RT_BOUNDARY] = 1, [HBG_RT_PINNACLE] = 2, [HBG_RT_MYTHICAL] = 3};
    if (own == HBG_RT_CONTINUOUS && !last) own = HBG_RT_BOUNDARY;
    return rank[own] > rank[so_far] ? own : so_far;
}

static void put_visit(hbg_sim_merger *merger, int32_t search, int32_t index, bool real, bool last) {
    int32_t count = merger->event.visit_count, place = count < VISITS ? count : VISITS - 1;
    hbg_rt_mode_kind kind = HBG_RT_CONTINUOUS;
    clear_place(merger, place);
    hbg_sim_visit *visit = &merger->visits[place];
    for (int32_t i = 0; i < merger->tellers.count; i++) {
        const teller *by = &merger->tellers.items[i];
        const record *of = record_at(merger, by, search, index);
        if (!of) continue;
        put_record(merger, place, by, of, index);
        kind = kind_of(kind, of->kind, last);
        if (real) visit->lost += of->lost;
    }
    visit->kind = real ? kind : HBG_RT_MYTHICAL;
    visit->order = count;
    merger->event.visit_count = place + 1;
}

/* ---- events of the whole ------------------------------------------------------------------------------ */

static int32_t last_index(const hbg_sim_merger *merger, int32_t search) {
    int32_t most = -1;
    for (int32_t i = 0; i < merger->tellers.count; i++) {
        const record *of = record_at(merger, &merger->tellers.items[i], search, INT32_MAX);
        if (of && of->index > most) most = of->index;
    }
    return most;
}

/* After a search its parts are in the modes they committed. */
static void end_search(hbg_sim_merger *merger, int32_t search) {
    int32_t *states = merger->schedule->states;
    for (int32_t i = 0; i < merger->tellers.count; i++) {
        teller *by = &merger->tellers.items[i];
        const record *of = record_at(merger, by, search, INT32_MAX);
        const hbg_sim_part *map = by->part->map;
        for (int32_t k = 0; of && k < map->system->automaton_count; k++)
            states[map->automata[k]] = merger->numbers.items[of->states + map->system->automaton_count + k];
        while (by->next < by->count && merger->records.items[by->first + by->next].search == search)
            by->next++;
    }
}

static void put_visits(hbg_sim_merger *merger) {
    int32_t searches = 0;
    for (int32_t i = 0; i < merger->tellers.count; i++) {
        const teller *by = &merger->tellers.items[i];
        if (by->count == 0) continue;
        int32_t own = merger->records.items[by->first + by->count - 1].search + 1;
        searches = own > searches ? own : searches;
    }
    for (int32_t search = 0; search < searches; search++) {
        int32_t last = last_index(merger, search);
        /* the mode an instant begins in is reported only at the start of a run, or if it is the one
         * committed */
        for (int32_t i = last > 0 && !(merger->at_start && search == 0) ? 1 : 0; i <= last; i++)
            put_visit(merger, search, i, i == last, search == searches - 1);
        end_search(merger, search);
    }
    merger->event.visits = merger->visits;
}

/* Causes that act on inputs and parameters act on the whole. */
static void put_causes(hbg_sim_merger *merger) {
    const hbg_sim_options *options = merger->schedule->options;
    double t = merger->event.t;
    for (; merger->action < options->action_count; merger->action++) {
        const hbg_sim_action *action = &options->actions[merger->action];
        if (!hbg_rt_is_due(action->time, t)) break;
        HBG_PUSH(merger->schedule->arena, merger->inputs, action->input);
    }
    merger->event.inputs = merger->inputs.items;
    merger->event.input_count = merger->inputs.count;
    merger->event.roots = merger->roots.items;
    merger->event.root_count = merger->roots.count;
    merger->event.first_override = merger->override;
    while (merger->override < options->override_count &&
           hbg_rt_is_due(options->overrides[merger->override].time, t))
        merger->override++;
    merger->event.override_count = merger->override - merger->event.first_override;
}

void hbg_sim_merger_tell(hbg_sim_merger *merger) {
    hbg_sim_schedule *schedule = merger->schedule;
    put_causes(merger);
    if (merger->told) {
        put_visits(merger);
        schedule->options->event(schedule->options->context, &merger->event);
    }
    for (int32_t i = 0; i < schedule->now_count; i++) { // also if a verdict has undone an instant
        const hbg_sim_part_run *part = &schedule->parts[schedule->now[i]];
        for (int32_t k = 0; part->engine && k < part->map->system->automaton_count; k++)
            schedule->states[part->map->automata[k]] = part->engine->search.states[k];
    }
}
