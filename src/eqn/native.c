/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code in place of the interpreter: which programs there are, who runs them, and strides (rt.h) by one compiled
 * function. What the function needs to know of the mode is laid out before each stride, what it has found out is taken over
 * behind it, so that run, interpreter and compiled code can take turns. */
#include <string.h>

#include "eqn/native_impl.h"

/* ---- programs ----------------------------------------------------------------------------------------- */

static void visit_one(const hbg_eqn *eqn, int32_t program, program_visitor visit, void *context) {
    if (hbg_rt_program_at(&eqn->image, program).count > 0) visit(context, program);
}

static void visit_readings(const hbg_eqn *eqn, const int32_t *codes, program_visitor visit, void *context) {
    for (int reading = 0; reading < READ_COUNT; reading++) visit_one(eqn, codes[reading], visit, context);
}

void hbg_native_each_program(hbg_eqn *eqn, program_visitor visit, void *context) {
    const hbg_rt_code *code = &eqn->image.code;
    const hbg_rt_pools *pool = &eqn->image.pool;
    for (int32_t i = 0; i < eqn->segments.count; i++) {
        const variant_table *variants = &eqn->segments.items[i].variants;
        visit_readings(eqn, HBG_RT_AT(pool->blocks, i)->code, visit, context);
        for (int32_t k = 0; k < variants->entries.count; k++)
            visit_readings(eqn, HBG_RT_AT(pool->variants, variants->entries.items[k].value)->code, visit, context);
    }
    for (int reading = 0; reading < READ_COUNT; reading++)
        visit_one(eqn, code->finals[reading].code, visit, context);
    visit_one(eqn, code->energies.code, visit, context);
    for (int32_t i = code->start_loops; i < pool->loops.count; i++)
        visit_one(eqn, HBG_RT_AT(pool->loops, i)->body, visit, context);
}

typedef struct {
    hbg_eqn *eqn;
    const native_table *table;
    native_program *bound;
    int32_t count;
} binding;

static void count_program(void *context, int32_t program) {
    (void)program;
    ((binding *)context)->count++;
}

static void bind_program(void *context, int32_t program) {
    binding *b = context;
    b->bound[program] = b->table->programs[b->count++];
}

static void count_instructions(void *context, int32_t program) {
    binding *b = context;
    b->count += hbg_rt_program_at(&b->eqn->image, program).count;
}

int32_t hbg_eqn_size(hbg_eqn *eqn) {
    binding b = {.eqn = eqn};
    hbg_native_each_program(eqn, count_instructions, &b);
    return b.count;
}

bool hbg_eqn_use_native(hbg_eqn *eqn, const hbg_eqn_native_options *options, const void *table) {
    int32_t programs = eqn->image.pool.programs.count;
    binding b = {.eqn = eqn, .table = table};
    hbg_native_each_program(eqn, count_program, &b);
    if (table && (b.table->version != NATIVE_VERSION || b.table->program_count != b.count)) return false;
    b.count = 0;
    eqn->bound_count = 0;
    if (table) {
        b.bound = eqn->bound = HBG_NEW_ARRAY(eqn->arena, native_program, programs + 1);
        hbg_native_each_program(eqn, bind_program, &b);
        eqn->bound_count = programs;
        eqn->native_options = *options;
    }
    eqn->native = b.table;
    return true;
}

/* ---- strides ------------------------------------------------------------------------------------------ */

/* Steps of the stride still to be done, up to the next row where the function takes none. */
static int64_t steps_ahead(const hbg_rt_instance *run, const hbg_rt_stride *stride) {
    bool at_row = !run->eqn->native->outputs && stride->row_done < stride->row_count;
    return (at_row ? stride->rows[stride->row_done].step : stride->count) - stride->done;
}

/* Whether the compiled function is one for this stride, here and now. */
static bool serves(const hbg_rt_instance *run, const hbg_rt_stride *stride) {
    const hbg_eqn *eqn = run->eqn;
    const hbg_eqn_native_options *made = &eqn->native_options;
    if (!eqn->native || !eqn->native->stride || run->located != LOCATED_DIRECT) return false;
    if (run->lines.count > 0 && !made->lines) return false; // it takes parameters as they are where it begins
    if (made->method != stride->stepper->method || made->books != (stride->work != NULL)) return false;
    if (made->extent != (stride->extent ? stride->extent->count : 0)) return false;
    if (made->extent > 0 && !eqn->native->outputs) return false;
    if (steps_ahead(run, stride) == 0) return false;
    if (!run->instants->has_events) return true;
    hbg_rt_range calm = run->instants->calm.automata;
    for (int32_t n = 0; n < calm.count; n++)
        if (run->held[hbg_eqn_ints(run, calm)[n]] != HBG_NONE) return false;
    return !run->at.any_muted;
}

/* Where the calm ones are on their way changes nothing. */
static bool is_laid_out(const hbg_rt_instance *run, const int32_t *states) {
    const stride_room *room = &run->stride;
    for (int32_t i = 0; i < run->instants->counts.automata && room->is_laid; i++)
        if (room->laid[i] != HBG_NONE && room->laid[i] != states[i]) return false;
    return room->is_laid;
}

/* The places of a calm automaton in each of its states, behind `count` others. */
static int32_t lay_out_places(hbg_rt_instance *run, int32_t automaton, int32_t *states, int32_t count) {
    const hbg_rt_switching *switching = &run->instants->switching;
    const hbg_rt_automaton_data *of = &switching->automata[automaton];
    int32_t now = states[automaton];
    for (int32_t k = of->places.first; k < of->places.first + of->places.count; k++)
        for (int32_t s = 0; s < of->states.count; s++) {
            states[automaton] = s;
            run->stride.on[count++] = -(int64_t)hbg_eqn_place_on(run, switching->controlled[k], states);
        }
    states[automaton] = now;
    return count;
}

static void lay_out_modes(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_range calm = run->instants->calm.automata;
    int32_t count = 0, *other = run->other_states;
    size_t size = (size_t)run->instants->counts.automata * sizeof *other;
    memcpy(other, states, size);
    memcpy(run->stride.laid, states, size);
    for (int32_t n = 0; n < calm.count; n++) {
        int32_t automaton = hbg_eqn_ints(run, calm)[n];
        run->stride.laid[automaton] = HBG_NONE;
        count = lay_out_places(run, automaton, other, count);
    }
    run->stride.is_laid = true;
}

static void lay_out_states(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_range calm = run->instants->calm.automata;
    if (!is_laid_out(run, states)) lay_out_modes(run, states);
    for (int32_t n = 0; n < calm.count; n++) run->stride.states[n] = states[hbg_eqn_ints(run, calm)[n]];
}

static void lay_out_relations(hbg_rt_instance *run) {
    const hbg_rt_calm *calm = &run->instants->calm;
    stride_room *room = &run->stride;
    for (int32_t i = 0; i < calm->relations.count; i++) {
        int32_t k = hbg_eqn_ints(run, calm->relations)[i];
        room->near[i] = HBG_EQN_NEAR * run->at.fin_band[k];
        room->truth[i] = run->at.truth[k];
    }
    for (int32_t i = 0; i < calm->others.count; i++) {
        int32_t k = hbg_eqn_ints(run, calm->others)[i];
        room->near_others[i] = HBG_EQN_NEAR * run->at.fin_band[k];
        room->truth_others[i] = run->at.truth[k];
        room->watched_others[i] = run->at.watched[k] > 0;
    }
}

/* What has been found out on the way: where the automata are, and on which side relations were. */
static hbg_rt_status take_over(hbg_rt_instance *run, const native_stride *of, int32_t *states) {
    const hbg_rt_calm *calm = &run->instants->calm;
    for (int32_t i = 0; i < calm->relations.count; i++)
        run->at.truth[hbg_eqn_ints(run, calm->relations)[i]] = of->truth[i] != 0;
    run->at.looks += of->looks;
    if (of->commits == 0) return HBG_RT_OK;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t automaton = hbg_eqn_ints(run, calm->automata)[n];
        states[automaton] = run->states[automaton] = of->states[n];
    }
    for (int32_t i = 0; i < calm->islands.count; i++)
        hbg_eqn_follow_guards(run, hbg_eqn_ints(run, calm->islands)[i]);
    return hbg_eqn_set_mode(run, run->states);
}

/* Up to the next measuring of sizes, which comes with the look whose turn it is. */
static hbg_rt_status run_part(hbg_rt_instance *run, hbg_rt_stride *stride) {
    const hbg_eqn *eqn = run->eqn;
    stride_room *room = &run->stride;
    bool looked = stride->looked && stride->done == 0;
    double first = stride->first + (double)stride->done;
    int64_t left = steps_ahead(run, stride), until = HBG_EQN_LOOKS - run->at.looks % HBG_EQN_LOOKS;
    hbg_rt_status status = HBG_RT_OK;
    if (run->instants->has_events && !looked && until == HBG_EQN_LOOKS)
        status = hbg_eqn_remeasure(run, hbg_rt_grid_time(&stride->grid, first), stride->x);
    if (status != HBG_RT_OK) return status;
    if (looked && until == HBG_EQN_LOOKS) until = 0; // the next look measures
    if (run->instants->has_events && left > until + looked) left = until + looked;
    native_stride of = {.grid = stride->grid,
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
                        .follow = run->lines.count > 0 ? hbg_eqn_follow_lines : NULL,
                        .x0 = room->x0,
                        .dx0 = room->dx0,
                        .row = stride->row_done,
                        .row_count = stride->row_count,
                        .base = stride->done};
    if (stride->extent)
        of.last = stride->extent->last, of.low = stride->extent->low, of.high = stride->extent->high,
        of.area = stride->extent->area;
    if (run->instants->has_events) lay_out_states(run, stride->states);
    if (run->instants->has_events) lay_out_relations(run);
    eqn->native->stride(run->r, &of);
    stride->done += of.done;
    stride->row_done = of.row;
    stride->commits += of.commits;
    stride->moves += of.moves;
    stride->end = (hbg_rt_stride_end)of.end;
    return run->instants->has_events ? take_over(run, &of, stride->states) : HBG_RT_OK;
}

static bool stride(hbg_rt_instance *run, hbg_rt_stride *of, hbg_rt_status *status) {
    if (!serves(run, of)) return false;
    *status = hbg_eqn_ready(run);
    if (*status == HBG_RT_OK &&
        run->lines.count > 0) // what follows is listed before compiled code asks for it
        *status = hbg_eqn_follow_lines(run, hbg_rt_grid_time(&of->grid, of->first + (double)of->done));
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

bool hbg_eqn_stride_init(hbg_rt_instance *run) {
    bool fine = true;
#define X(name, count)                                                                                       \
    run->stride.name = hbg_memory_alloc(run->memory, ((size_t)(count) + 1) * sizeof *run->stride.name);      \
    fine = fine && run->stride.name;
    STRIDE_ARRAYS(X, &run->instants->counts)
#undef X
    return fine;
}

void hbg_eqn_stride_fini(hbg_rt_instance *run) {
#define X(name, count)                                                                                       \
    if (run->stride.name)                                                                                    \
        hbg_memory_free(run->memory, run->stride.name, ((size_t)(count) + 1) * sizeof *run->stride.name);
    STRIDE_ARRAYS(X, &run->instants->counts)
#undef X
}

void hbg_eqn_native_functions(hbg_rt_system *system) {
    system->stride = stride;
}
