/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values at an instant: finite parts and areas of the active islands, in the mode considered and in other
 * states, and the values kept for `pre` (semantics, sections 2 and 5). */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

/* ---- islands ------------------------------------------------------------------------------------------ */

void hbg_rt_activate(hbg_rt_instance *run, int32_t island) {
    if (island == HBG_RT_NONE || run->is_active[island]) return;
    run->is_active[island] = true;
    run->active[run->active_count++] = island;
}

void hbg_rt_activate_all(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->island_count; i++) hbg_rt_activate(run, i);
}

void hbg_rt_rest_islands(hbg_rt_instance *run) {
    while (run->active_count > 0) run->is_active[run->active[--run->active_count]] = false;
}

static void set_old(hbg_rt_instance *run, int32_t state, double value) {
    instant_data *at = &run->at;
    int32_t home = run->image->instants.kept.states[state].old;
    run->r[home] = value;
    hbg_rt_keep_larger(&at->state_size[state], fabs(value));
    if (home < at->size_capacity) at->size[home] = at->state_size[state];
}

/* Notes the registers in which the code of an island leaves the cells requested. They are known already if
 * the island ran the same code last, and has no unbounded parts, which come and go with the states, then or
 * now. */
static void take_registers(hbg_rt_instance *run, int32_t number) {
    instant_data *at = &run->at;
    const hbg_rt_event *event = run->event[number];
    bool usual = !at->far.shorted[number];
    if (usual && !at->far.shares && at->far.laid[number] == event) return;
    hbg_rt_range asked = run->image->instants.kept.islands[number].asked;
    const int32_t *cells = hbg_rt_list(run, asked), *reg = hbg_rt_ints(run->image, event->reg.first);
    for (int32_t i = 0; i < asked.count; i++) at->event_register[cells[i]] = reg[i];
    hbg_rt_take_far(run, number);
    at->far.laid[number] = usual ? event : NULL;
}

/* Runs an active island: finite parts and areas in the mode the run is in. */
static hbg_rt_status run_island(hbg_rt_instance *run, int32_t number, const double *x) {
    const hbg_rt_event *event = run->event[number];
    const int32_t *olds = hbg_rt_ints(run->image, event->olds.first);
    for (int32_t i = 0; i < event->olds.count; i++) set_old(run, olds[i], x[olds[i]]);
    hbg_rt_status status = hbg_rt_run_limit(run, number);
    if (status != HBG_RT_OK) return status;
    hbg_rt_program code = hbg_rt_program_at(run->image, event->code);
    status = hbg_rt_execute(run, code.code, code.count);
    take_registers(run, number);
    // in a shorted mode finite parts decide nothing
    return run->at.far.shorted[number] ? HBG_RT_OK : status;
}

hbg_rt_status hbg_rt_run_events(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_rt_ready_events(run);
    located_use used = run->located;
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    run->at.t = t;
    run->located = LOCATED_DIRECT;
    status = hbg_rt_set_time(run, t);
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++)
        status = run_island(run, run->active[i], x);
    run->located = used;
    return status == HBG_RT_OK ? status : hbg_rt_note_failure(run, t, status);
}

void hbg_rt_measure_inputs(hbg_rt_instance *run, const hbg_rt_event *event) {
    const int32_t *inputs = hbg_rt_ints(run->image, event->inputs.first);
    for (int32_t i = 0; i < event->inputs.count; i++) run->at.size[inputs[i]] = fabs(run->r[inputs[i]]);
}

/* Measures the largest contributions. */
static void measure(hbg_rt_instance *run, const hbg_rt_event *event) {
    hbg_rt_measure_inputs(run, event);
    hbg_rt_program code = hbg_rt_program_at(run->image, event->code);
    hbg_rt_measure_code(run, code.code, code.count);
}

hbg_rt_status hbg_rt_values_in(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_rt_status status = hbg_rt_set_mode(run, states);
    if (status == HBG_RT_OK) status = hbg_rt_ready_events(run);
    if (status == HBG_RT_OK) status = hbg_rt_instant_room(run);
    return status == HBG_RT_OK ? hbg_rt_values_here(run, t, x) : status;
}

hbg_rt_status hbg_rt_values_here(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_rt_run_events(run, t, x);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < run->active_count; i++) measure(run, run->event[run->active[i]]);
    hbg_rt_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range checks = run->event[run->active[n]]->checks;
        const int32_t *pairs = hbg_rt_ints(run->image, checks.first);
        bool shorted = run->at.far.shorted[run->active[n]];
        for (int32_t i = 0; i < checks.count && !shorted; i += 2) {
            int32_t area = pairs[i];
            if (fabs(run->r[area]) <= HBG_RT_BAND * run->at.size[area]) continue;
            run->at.refused = pairs[i + 1];
            return hbg_rt_refuse_term(run);
        }
    }
    return HBG_RT_OK;
}

static void give_in(hbg_rt_instance *run, int32_t i) {
    const hbg_rt_in *in = &run->image->instants.kept.ins[i];
    run->r[in->fin] = run->in_values[i].fin;
    run->r[in->area] = run->in_values[i].area;
}

instant_value hbg_rt_difference_of(hbg_rt_instance *run, int32_t relation) {
    run->at.a_priori = true;
    return hbg_rt_judge(run, run->image->instants.guards.relations[relation].difference);
}

/* Clears an area that is only rounding: beside it finite parts would not count. */
static instant_value without_rounding(hbg_rt_instance *run, int32_t i, instant_value value) {
    double *size = &run->at.in_area[i];
    *size = fmax(*size, value.area_size);
    value.area_size = *size;
    if (fabs(value.area) <= HBG_RT_ROUNDING * *size) value.area = 0;
    return value;
}

/* Σ⁻ of a junction: its balance, on the values before. */
double hbg_rt_bounce_sum(const hbg_rt_instance *run, int32_t restitution) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    const hbg_rt_restitution *of = &kept->restitution[restitution];
    double sum = 0;
    for (int32_t k = of->sum.first; k < of->sum.first + of->sum.count; k++) {
        double value = run->at.limits.left[run->image->instants.values.cells[kept->shares[k].cell].left];
        sum += kept->shares[k].sign > 0 ? value : -value;
    }
    return sum;
}

double hbg_rt_restitution_of(hbg_rt_instance *run, int32_t restitution) {
    bool a_priori = run->at.a_priori;
    run->at.a_priori = true;
    hbg_rt_new_values(run);
    double coefficient =
        hbg_rt_judge(run, run->image->instants.kept.restitution[restitution].coefficient).fin;
    if (run->at.bounce.choices) coefficient = hbg_rt_chosen_coefficient(run, restitution, coefficient);
    run->at.a_priori = a_priori;
    return coefficient;
}

/* ε·Σ⁻ */
double hbg_rt_bounce_of(hbg_rt_instance *run, int32_t restitution) {
    if (run->image->instants.kept.restitution[restitution].energy) return 0; // see hbg_rt_lose_energies
    double coefficient = hbg_rt_restitution_of(run, restitution);
    run->at.bounce.elastic[restitution] = coefficient != 0;
    return coefficient * hbg_rt_bounce_sum(run, restitution);
}

/* Computes the bounces of junctions in other states: one that would come on bounces there, as it will when it
 * does come on. */
void hbg_rt_ready_bounces(hbg_rt_instance *run, const bool *off) {
    const hbg_rt_restitution *restitution = run->image->instants.kept.restitution;
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        for (int32_t i = 0; i < of->restitution.count && of->ins.count > 0; i++) {
            int32_t number = hbg_rt_list(run, of->restitution)[i];
            bool came = off ? off[number] : !hbg_rt_is_on(run, restitution[number].place);
            bool bounces = came && run->at.bounce.resting[number] == REST_NONE;
            run->at.bounce.in_bounce[number] =
                (other_bounce){bounces ? hbg_rt_bounce_of(run, number) : 0, bounces};
        }
    }
}

/* The value and size of most cells, from a register. Returns false for other kinds. */
static inline bool plain_value(const hbg_rt_instance *run, int32_t cell, double *fin, double *size) {
    const instant_data *at = &run->at;
    const hbg_rt_cell *of = &run->image->instants.values.cells[cell];
    bool elsewhere =
        of->kind == HBG_RT_CELL_IN || of->kind == HBG_RT_CELL_PARAM || of->kind == HBG_RT_CELL_PRE;
    int32_t known = at->event_register[cell], reg = known == HBG_RT_NONE ? of->home : known;
    if (elsewhere || of->view != HBG_RT_VIEW_VALUE || reg == HBG_RT_NONE ||
        at->far.cell[cell] != HBG_RT_USUAL)
        return false;
    *fin = run->r[reg];
    *size = hbg_rt_larger(fabs(*fin), at->size[reg]);
    return true;
}

/* Records left limits, from the values considered. */
static void record_left(hbg_rt_instance *run, const hbg_rt_island *of) {
    const int32_t *cells = hbg_rt_list(run, of->left);
    instant_data *at = &run->at;
    for (int32_t i = 0; i < of->left.count; i++) {
        int32_t place = run->image->instants.values.cells[cells[i]].left;
        double *fin = &at->limits.left[place], *size = &at->limits.left_share[place];
        if (!plain_value(run, cells[i], fin, size)) {
            instant_value value = hbg_rt_cell_at(run, cells[i]);
            *fin = value.fin;
            *size = value.fin_size; // near a pole it is large for a moment only: its maximum is not kept
        }
        hbg_rt_keep_larger(&at->limits.left_size[place], fabs(*fin));
    }
}

/* Records the left limits and bounces that other states would have if an instant opened now: pre is the
 * present there. */
hbg_rt_status hbg_rt_record_sums(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_pre *pres = run->image->instants.kept.pres;
    bool there = false, a_priori = run->at.a_priori;
    for (int32_t n = 0; n < run->active_count && !there; n++)
        there = hbg_rt_active_island(run, n)->restitution.count > 0 &&
                hbg_rt_active_island(run, n)->ins.count > 0;
    if (!there) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_values_in(run, run->states, t, x);
    if (status != HBG_RT_OK) return status;
    run->at.a_priori = false;
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        record_left(run, of);
        for (int32_t i = 0; i < of->pres.count; i++) {
            int32_t pre = hbg_rt_list(run, of->pres)[i];
            run->at.limits.pre_used[pre] = run->r[pres[pre].reg];
            run->r[pres[pre].reg] = hbg_rt_judge(run, pres[pre].argument).fin;
        }
    }
    hbg_rt_ready_bounces(run, NULL);
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->pres;
        for (int32_t i = 0; i < own.count; i++) {
            int32_t pre = hbg_rt_list(run, own)[i];
            run->r[pres[pre].reg] = run->at.limits.pre_used[pre];
        }
    }
    run->at.a_priori = a_priori;
    return HBG_RT_OK;
}

/* Exchanges the bounces with those in other states. Junctions that are off in a state do not read theirs. */
static void swap_bounces(hbg_rt_instance *run) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        for (int32_t i = 0; i < of->restitution.count && of->ins.count > 0; i++) {
            int32_t number = hbg_rt_list(run, of->restitution)[i];
            double *home = &run->r[run->image->instants.kept.restitution[number].reg], kept = *home;
            *home = run->at.bounce.in_bounce[number].by;
            run->at.bounce.in_bounce[number].by = kept;
        }
    }
}

/* Whether the other state, which the run is in now, is a collision for a junction that is judged together
 * with the automaton. */
static bool is_struck(const hbg_rt_instance *run, const hbg_rt_island *of, const hbg_rt_in *in) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    for (int32_t i = 0; i < of->restitution.count; i++) {
        int32_t number = hbg_rt_list(run, of->restitution)[i];
        const hbg_rt_restitution *junction = &kept->restitution[number];
        if (run->at.bounce.in_bounce[number].comes &&
            junction->throws == kept->automaton_throws[in->automaton] && hbg_rt_is_on(run, junction->place))
            return true;
    }
    return false;
}

/* in(automaton.state, …): the same energies in the other state, the jump included; nothing else changes. In a
 * collision, values are those before, with its pulses, as for guards. */
static hbg_rt_status find_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_rt_instants *instants = &run->image->instants;
    bool a_priori = run->at.a_priori;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->ins;
        const int32_t *ins = hbg_rt_list(run, own);
        for (int32_t k = 0; k < own.count && status == HBG_RT_OK; k++) {
            const hbg_rt_in *in = &instants->kept.ins[ins[k]];
            const hbg_rt_in *last = k > 0 ? &instants->kept.ins[ins[k - 1]] : NULL;
            bool same = last && last->automaton == in->automaton && last->state == in->state;
            int32_t *changed = run->other_states;
            memcpy(changed, states, (size_t)instants->counts.automata * sizeof *changed);
            changed[in->automaton] = in->state;
            if (!same) status = hbg_rt_values_in(run, changed, t, x);
            if (status != HBG_RT_OK) return status;
            run->at.a_priori = run->at.bounce.struck = is_struck(run, hbg_rt_active_island(run, n), in);
            run->in_values[ins[k]] = without_rounding(run, ins[k], hbg_rt_judge(run, in->argument));
            run->at.a_priori = a_priori;
            run->at.bounce.struck = false;
        }
    }
    return status;
}

hbg_rt_status hbg_rt_evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    swap_bounces(run);
    hbg_rt_status status = find_ins(run, states, t, x);
    swap_bounces(run);
    if (status != HBG_RT_OK) return status;
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range ins = hbg_rt_active_island(run, n)->ins;
        for (int32_t k = 0; k < ins.count; k++) give_in(run, hbg_rt_list(run, ins)[k]);
        run->at.far.shorted[run->active[n]] =
            false; // set for the other state; nothing recomputes it after a commit
    }
    return hbg_rt_set_mode(run, states);
}

hbg_rt_status hbg_rt_begin_ders(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_instants *instants = &run->image->instants;
    hbg_rt_status status = HBG_RT_OK;
    bool there = false, a_priori = run->at.a_priori;
    for (int32_t n = 0; n < run->active_count && !there; n++)
        there = hbg_rt_active_island(run, n)->pres.count > 0;
    if (there) status = hbg_rt_values_in(run, run->states, t, x);
    run->at.a_priori = false;
    for (int32_t n = 0; n < run->active_count && there && status == HBG_RT_OK; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->pres;
        for (int32_t i = 0; i < own.count; i++) {
            const hbg_rt_pre *pre = &instants->kept.pres[hbg_rt_list(run, own)[i]];
            if (pre->is_der) run->r[pre->reg] = hbg_rt_judge(run, pre->argument).fin;
        }
    }
    run->at.a_priori = a_priori;
    run->r[instants->outside.live] = 1;
    return status;
}

double hbg_rt_record_pre(hbg_rt_instance *run, int32_t pre) {
    instant_value value = hbg_rt_judge(run, run->image->instants.kept.pres[pre].argument);
    run->at.limits.pre_size[pre] = fmax(run->at.limits.pre_size[pre], value.fin_size);
    return value.fin;
}

/* The derivative of pre(…) is 0: the value that der(…) compares its argument with has to contain the values
 * of pre(…) that count from now on. */
void hbg_rt_record_ders(hbg_rt_instance *run) {
    const hbg_rt_instants *instants = &run->image->instants;
    double *kept = run->at.limits.pre_used;
    if (!instants->has_ders_of_pre) return;
    for (int32_t i = 0; i < instants->counts.pres; i++) kept[i] = run->r[instants->kept.pres[i].reg];
    hbg_rt_use_pre(run, run->pre_next);
    hbg_rt_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->pres;
        for (int32_t i = 0; i < own.count; i++) {
            int32_t pre = hbg_rt_list(run, own)[i];
            if (instants->kept.pres[pre].is_der) run->pre_next[pre] = hbg_rt_record_pre(run, pre);
        }
    }
    hbg_rt_use_pre(run, kept);
}

/* Records left limits and values of pre. */
void hbg_rt_record_values(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    at->a_priori = false;
    at->without_pulses = true;
    hbg_rt_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        const int32_t *pres = hbg_rt_list(run, of->pres);
        record_left(run, of);
        for (int32_t i = 0; i < of->pres.count; i++) run->pre_next[pres[i]] = hbg_rt_record_pre(run, pres[i]);
    }
    hbg_rt_record_ders(run);
    at->without_pulses = false;
    hbg_rt_new_values(run);
}

void hbg_rt_use_pre(hbg_rt_instance *run, const double *values) {
    const hbg_rt_pre *pres = run->image->instants.kept.pres;
    for (int32_t i = 0; i < run->image->instants.counts.pres; i++) run->r[pres[i].reg] = values[i];
}

/* Keeps the values of pre(…) in laws of the islands in which a mode was committed; those of other islands
 * stay. */
void hbg_rt_keep_pre(const hbg_rt_instance *run, double *values) {
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->pres;
        for (int32_t i = 0; i < own.count; i++) {
            int32_t pre = hbg_rt_list(run, own)[i];
            values[pre] = run->r[run->image->instants.kept.pres[pre].reg];
        }
    }
}
