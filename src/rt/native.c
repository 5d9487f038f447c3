/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides (rt.h) by one compiled function. Before each stride the function gets what it needs of the mode,
 * and afterwards the run takes over its results, so that run, interpreter and compiled code can alternate. */
#include <string.h>

#include "rt/run_impl.h"

/* ---- strides ------------------------------------------------------------------------------------------ */

/* Steps of the stride still to be done; up to the next row if the function takes none. */
static int64_t steps_ahead(const hbg_rt_instance *run, const hbg_rt_stride *stride) {
    bool at_row = !run->native->table->outputs && stride->row_done < stride->row_count;
    return (at_row ? stride->rows[stride->row_done].step : stride->count) - stride->done;
}

/* Whether the compiled function can do this stride at this point. */
static bool serves(const hbg_rt_instance *run, const hbg_rt_stride *stride) {
    const hbg_rt_native_options *made = &run->native->options;
    const hbg_rt_native_table *table = run->native->table;
    if (!table || !table->stride || run->located != LOCATED_DIRECT) return false;
    if (run->lines.count > 0 && !made->lines) return false; // it uses the values of parameters at its start
    if (made->method != stride->stepper->method || made->books != (stride->work != NULL)) return false;
    if (made->extent != (stride->extent ? stride->extent->count : 0)) return false;
    if (made->extent > 0 && !table->outputs) return false;
    if (steps_ahead(run, stride) == 0) return false;
    if (!run->image->instants.has_events) return true;
    hbg_rt_range calm = run->image->instants.calm.automata;
    for (int32_t n = 0; n < calm.count; n++)
        if (run->outside.held[hbg_rt_list(run, calm)[n]] != HBG_RT_NONE) return false;
    return !run->at.watch.any_muted;
}

/* The states of calm automata do not matter. */
static bool is_laid_out(const hbg_rt_instance *run, const int32_t *states) {
    const stride_room *room = &run->stride;
    for (int32_t i = 0; i < run->image->instants.counts.automata && room->is_laid; i++)
        if (room->laid[i] != HBG_RT_NONE && room->laid[i] != states[i]) return false;
    return room->is_laid;
}

/* The places of a calm automaton in each of its states, after `count` others. */
static int32_t lay_out_places(hbg_rt_instance *run, int32_t automaton, int32_t *states, int32_t count) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    const hbg_rt_automaton_data *of = &switching->automata[automaton];
    int32_t now = states[automaton];
    for (int32_t k = of->places.first; k < of->places.first + of->places.count; k++)
        for (int32_t s = 0; s < of->states.count; s++) {
            states[automaton] = s;
            run->stride.on[count++] = -(int64_t)hbg_rt_place_on(run, switching->controlled[k], states);
        }
    states[automaton] = now;
    return count;
}

static void lay_out_modes(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_range calm = run->image->instants.calm.automata;
    int32_t count = 0, *other = run->other_states;
    size_t size = (size_t)run->image->instants.counts.automata * sizeof *other;
    memcpy(other, states, size);
    memcpy(run->stride.laid, states, size);
    for (int32_t n = 0; n < calm.count; n++) {
        int32_t automaton = hbg_rt_list(run, calm)[n];
        run->stride.laid[automaton] = HBG_RT_NONE;
        count = lay_out_places(run, automaton, other, count);
    }
    run->stride.is_laid = true;
}

static void lay_out_states(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_range calm = run->image->instants.calm.automata;
    if (!is_laid_out(run, states)) lay_out_modes(run, states);
    for (int32_t n = 0; n < calm.count; n++) run->stride.states[n] = states[hbg_rt_list(run, calm)[n]];
}

static void lay_out_relations(hbg_rt_instance *run) {
    const hbg_rt_calm *calm = &run->image->instants.calm;
    stride_room *room = &run->stride;
    for (int32_t i = 0; i < calm->relations.count; i++) {
        int32_t k = hbg_rt_list(run, calm->relations)[i];
        room->near[i] = HBG_RT_NEAR * run->at.fin_band[k];
        room->truth[i] = run->at.watch.truth[k];
    }
    for (int32_t i = 0; i < calm->others.count; i++) {
        int32_t k = hbg_rt_list(run, calm->others)[i];
        room->near_others[i] = HBG_RT_NEAR * run->at.fin_band[k];
        room->truth_others[i] = run->at.watch.truth[k];
        room->watched_others[i] = run->at.watch.watched[k] > 0;
    }
}

/* The results: the states of automata, and the sides of relations. */
static hbg_rt_status take_over(hbg_rt_instance *run, const hbg_rt_native_stride *of, int32_t *states) {
    const hbg_rt_calm *calm = &run->image->instants.calm;
    for (int32_t i = 0; i < calm->relations.count; i++)
        run->at.watch.truth[hbg_rt_list(run, calm->relations)[i]] = of->truth[i] != 0;
    run->at.look.looks += of->looks;
    if (of->commits == 0) return HBG_RT_OK;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t automaton = hbg_rt_list(run, calm->automata)[n];
        states[automaton] = run->states[automaton] = of->states[n];
    }
    for (int32_t i = 0; i < calm->islands.count; i++)
        hbg_rt_follow_guards(run, hbg_rt_list(run, calm->islands)[i]);
    return hbg_rt_set_mode(run, run->states);
}

/* Up to the next measuring of sizes, which is due at a certain look. */
static hbg_rt_status run_part(hbg_rt_instance *run, hbg_rt_stride *stride) {
    stride_room *room = &run->stride;
    bool looked = stride->looked && stride->done == 0;
    double first = stride->first + (double)stride->done;
    int64_t left = steps_ahead(run, stride), looks = run->at.look.looks;
    int64_t until = hbg_rt_next_measure(looks) - looks;
    hbg_rt_status status = HBG_RT_OK;
    if (run->image->instants.has_events && !looked && hbg_rt_measures(looks))
        status = hbg_rt_remeasure(run, hbg_rt_grid_time(&stride->grid, first), stride->x);
    if (status != HBG_RT_OK) return status;
    if (looked && hbg_rt_measures(looks)) until = 0; // the next look measures
    if (run->image->instants.has_events && left > until + looked) left = until + looked;
    hbg_rt_native_stride of = {.grid = stride->grid,
                               .first = first,
                               .count = left,
                               .looked = looked,
                               .x = stride->x,
                               .states = room->states,
                               .on = room->on,
                               .near = room->near,
                               .near_others = room->near_others,
                               .truth = room->truth,
                               .watched_others = room->watched_others,
                               .truth_others = room->truth_others,
                               .work = stride->work,
                               .rows = stride->rows,
                               .outputs = stride->outputs,
                               .run = run,
                               .follow = run->lines.count > 0 ? hbg_rt_follow_lines : NULL,
                               .x0 = room->x0,
                               .dx0 = room->dx0,
                               .row = stride->row_done,
                               .row_count = stride->row_count,
                               .base = stride->done};
    if (stride->extent)
        of.last = stride->extent->last, of.low = stride->extent->low, of.high = stride->extent->high,
        of.area = stride->extent->area;
    if (run->image->instants.has_events) lay_out_states(run, stride->states);
    if (run->image->instants.has_events) lay_out_relations(run);
    if (run->strider.take)
        run->strider.take(run->strider.context, run->r, &of);
    else
        run->native->table->stride(run->r, &of);
    stride->done += of.done;
    stride->row_done = of.row;
    stride->commits += of.commits;
    stride->moves += of.moves;
    stride->end = (hbg_rt_stride_end)of.end;
    return run->image->instants.has_events ? take_over(run, &of, stride->states) : HBG_RT_OK;
}

void hbg_rt_lend_strider(hbg_rt_instance *run, hbg_rt_strider strider) {
    run->strider = strider;
}

bool hbg_rt_stride_compiled(hbg_rt_instance *run, hbg_rt_stride *of, hbg_rt_status *status) {
    if (run->by_hand) return hbg_rt_hand_stride(run, of, status);
    if (!serves(run, of)) return false;
    *status = hbg_rt_ready_blocks(run);
    if (*status == HBG_RT_OK &&
        run->lines.count > 0) // the list of dependent code is made before compiled code needs it
        *status = hbg_rt_follow_lines(run, hbg_rt_grid_time(&of->grid, of->first + (double)of->done));
    while (*status == HBG_RT_OK && steps_ahead(run, of) > 0 && of->end == HBG_RT_STRIDE_DONE)
        *status = run_part(run, of);
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

#define STRIDE_ARRAYS(X, of)                                                                                 \
    X(states, (of)->automata)                                                                                \
    X(on, (of)->modes)                                                                                       \
    X(laid, (of)->automata)                                                                                  \
    X(near, (of)->relations)                                                                                 \
    X(near_others, (of)->relations)                                                                          \
    X(truth, (of)->relations)                                                                                \
    X(truth_others, (of)->relations)                                                                         \
    X(watched_others, (of)->relations)                                                                       \
    X(x0, (of)->states)                                                                                      \
    X(dx0, (of)->states)

bool hbg_rt_stride_init(hbg_rt_instance *run) {
    bool fine = true;
#define X(name, count)                                                                                       \
    run->stride.name = hbg_rt_room_take(&run->room, 1, ((size_t)(count) + 1) * sizeof *run->stride.name);    \
    fine = fine && run->stride.name;
    STRIDE_ARRAYS(X, &run->image->instants.counts)
#undef X
    return fine;
}
