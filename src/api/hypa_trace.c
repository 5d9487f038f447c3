/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run as points at which the process of each part is checked. The run leaves its rows and the modes of its
 * instants; a part takes the values of its variables, and its process is made for the modes it was in. */
#include <math.h>
#include <string.h>

#include "api/hypa_impl.h"
#include "hbg/policy.h"

#define TIMES 10 /* the tolerance of a run: laws may have this error */

typedef struct {
    double t;
    const double *outputs;
} trace_row;

typedef struct {
    double t;
    const int32_t *states; /* after the instant, by automaton of the whole model */
    const double *x;       /* where it is the first: energies before it, or NULL */
    const bool *fires;     /* by input of the whole */
    bool ends;             /* with a verdict: the model has no mode after it */
} trace_instant;

typedef struct {
    hypa_work *work;
    hbg_arena *arena;
    const hbg_run_state *state;
    HBG_VEC(trace_row) rows;
    HBG_VEC(trace_instant) instants;
    hypa_trace *made;
} tracing;

/* ---- a run ---------------------------------------------------------------------------------------------- */

static bool take_row(void *context, double t, const double *outputs) {
    tracing *of = context;
    double *own = HBG_NEW_ARRAY(of->arena, double, of->state->output_count + 1);
    memcpy(own, outputs, (size_t)of->state->output_count * sizeof *own);
    HBG_PUSH(of->arena, of->rows, (trace_row){t, own});
    return true;
}

static void take_instant(void *context, const hbg_sim_event *event) {
    tracing *of = context;
    const hbg_rt_description *system = of->state->system;
    int32_t *states = HBG_NEW_ARRAY(of->arena, int32_t, system->automaton_count + 1);
    bool *fires = HBG_NEW_ARRAY(of->arena, bool, system->input_count + 1);
    bool first = of->instants.count == 0;
    double *x =
        first && event->visit_count > 0 ? HBG_NEW_ARRAY(of->arena, double, system->state_count + 1) : NULL;
    const int32_t *before = first ? system->start_states : of->instants.items[of->instants.count - 1].states;
    memcpy(states, before, (size_t)system->automaton_count * sizeof *states);
    for (int32_t i = 0; i < event->visit_count; i++)
        if (event->visits[i].kind != HBG_RT_MYTHICAL)
            memcpy(states, event->visits[i].states, (size_t)system->automaton_count * sizeof *states);
    for (int32_t i = 0; i < event->input_count; i++) fires[event->inputs[i]] = true;
    if (x) memcpy(x, event->visits[0].x, (size_t)system->state_count * sizeof *x);
    HBG_PUSH(of->arena, of->instants,
             (trace_instant){event->t, states, x, fires, event->verdict != HBG_RT_FINE});
}

static hbg_status run(tracing *of, const hbg_run_options *options) {
    hbg_session *session = of->work->session;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    hbg_sim_options sim;
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &sim));
    of->made->fits = sim.solver >= HBG_SIM_EULER && !options->solver;
    if (of->made->fits) { // a guard that holds within a step is taken at its end: no behaviour
        sim.solver = HBG_SIM_AUTO;
        sim.step = 0;
    }
    sim.ledger = false;
    sim.record_every = 0;
    sim.row = take_row;
    sim.event = take_instant;
    sim.context = of;
    of->made->tolerance = TIMES * (sim.rtol > 0 ? sim.rtol : HBG_RTOL_USUAL);
    hbg_rt_status status =
        hbg_sim_run(&session->scratch, of->state->system, of->state->instance, &sim, result);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    of->made->verdict = result->verdict;
    of->made->end = result->t;
    if (status != HBG_RT_OK)
        of->made->broke = result->verdict != HBG_RT_FINE ? hbg_rt_verdict_name(result->verdict)
                                                         : hbg_rt_status_text(status);
    return of->rows.count == 0 ? hbg_api_run_refuse(session, status, result) : HBG_OK;
}

/* ---- what a part has of it ------------------------------------------------------------------------------ */

typedef struct {
    const tracing *trace;
    const hbg_process *of;
    const int32_t *output_of; /* by variable: HBG_NONE if the run does not record it */
    const int32_t *state_of;  /* by variable: state of the whole system */
    const int32_t *input_of;  /* by variable: input that is an event */
    const int32_t *automata;  /* by automaton of the part: of the whole */
    hypa_part_trace *made;
} part_trace;

/* By automaton of a part: which of the whole it is. */
static const int32_t *automata_of(const tracing *trace, const hbg_model *part) {
    const hbg_rt_description *system = trace->state->system;
    int32_t *automata = HBG_NEW_ARRAY(trace->arena, int32_t, part->automata.count + 1);
    for (int32_t i = 0; i < part->automata.count; i++) {
        const char *name =
            hbg_api_text_path(trace->work->session, part, (hbg_object){HBG_OBJECT_AUTOMATON, i});
        for (int32_t k = 0; k < system->automaton_count; k++)
            if (strcmp(system->automata[k].name, name) == 0) automata[i] = k;
    }
    return automata;
}

static const int32_t *pick(const tracing *trace, const int32_t *automata, int32_t count,
                           const int32_t *states) {
    int32_t *own = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) own[i] = states[automata[i]];
    return own;
}

static void add_mode(const tracing *trace, hypa_modes *modes, const int32_t *states, int32_t count) {
    for (int32_t i = 0; i < modes->count; i++)
        if (memcmp(modes->items[i], states, (size_t)count * sizeof *states) == 0) return;
    HBG_PUSH(trace->arena, *modes, states);
}

/* The modes of a part in which time advances in the run, first the one it begins in: its process is needed
 * only there. */
static void find_visited(const tracing *trace, int32_t number, hypa_modes *modes) {
    const hbg_model *part = trace->work->models[number];
    const int32_t *automata = automata_of(trace, part);
    int32_t count = part->automata.count;
    add_mode(trace, modes, pick(trace, automata, count, trace->state->system->start_states), count);
    for (int32_t i = 0; i < trace->instants.count; i++)
        add_mode(trace, modes, pick(trace, automata, count, trace->instants.items[i].states), count);
}

static const int32_t *part_states(const part_trace *of, const int32_t *states) {
    return pick(of->trace, of->automata, of->of->automaton_count, states);
}

static double *values_of(const part_trace *of, const trace_row *row) {
    double *own = HBG_NEW_ARRAY(of->trace->arena, double, of->of->variables.count + 1);
    for (int32_t i = 0; i < of->of->variables.count; i++)
        own[i] = of->output_of[i] != HBG_NONE  ? row->outputs[of->output_of[i]]
                 : of->input_of[i] != HBG_NONE ? 0
                                               : NAN;
    return own;
}

static void add_point(part_trace *of, const trace_row *row, const int32_t *states, bool is_instant,
                      const trace_instant *instant) {
    double *values = values_of(of, row);
    for (int32_t i = 0; i < of->of->variables.count && instant; i++)
        if (of->input_of[i] != HBG_NONE && is_instant) values[i] = instant->fires[of->input_of[i]];
    for (int32_t i = 0; i < of->of->variables.count && instant && instant->x && !is_instant; i++)
        if (of->state_of[i] != HBG_NONE) values[i] = instant->x[of->state_of[i]];
    HBG_PUSH(of->trace->arena, of->made->points, (hbg_process_point){row->t, values, states, is_instant});
}

/* Rows at an instant: the first is before it, the last after. */
static void make_points(part_trace *of) {
    const tracing *trace = of->trace;
    const int32_t *states = part_states(of, trace->state->system->start_states);
    for (int32_t row = 0, instant = 0; row < trace->rows.count;) {
        double t = trace->rows.items[row].t;
        int32_t last = row;
        while (last + 1 < trace->rows.count && trace->rows.items[last + 1].t == t) last++;
        const trace_instant *at = NULL;
        while (instant < trace->instants.count && trace->instants.items[instant].t <= t)
            at = &trace->instants.items[instant++];
        add_point(of, &trace->rows.items[row], states, false, row == 0 ? at : NULL);
        of->made->cut = at && at->ends;
        if (of->made->cut) return;
        if (at) states = part_states(of, at->states);
        if (at || last > row || row == 0) add_point(of, &trace->rows.items[last], states, true, at);
        row = last + 1;
    }
}

static int32_t find(const hbg_rt_variable *items, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(items[i].name, name) == 0) return i;
    return HBG_NONE;
}

static void trace_part(const tracing *trace, int32_t number, hypa_part_trace *into) {
    const hypa_work *work = trace->work;
    const hbg_process *of = &work->parts[number];
    const hbg_rt_description *system = trace->state->system;
    int32_t count = of->variables.count;
    int32_t *outputs = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    int32_t *states = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    int32_t *inputs = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const char *name = of->variables.items[i].name;
        outputs[i] = find(system->outputs, system->output_count, name);
        states[i] = find(system->states, system->state_count, name);
        bool event = of->variables.items[i].role == HBG_PROCESS_INPUT && outputs[i] == HBG_NONE;
        inputs[i] = event ? find(system->inputs, system->input_count, name) : HBG_NONE;
    }
    into->of = of;
    part_trace made = {trace, of, outputs, states, inputs, automata_of(trace, work->models[number]), into};
    make_points(&made);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

hbg_status hbg_api_hypa_trace(hypa_work *work, const hbg_model *model, const hbg_run_options *options,
                              hypa_trace *made) {
    hbg_session *session = work->session;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true, .trace = true};
    tracing trace = {.work = work, .arena = &session->scratch, .made = made};
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    trace.state = session->run;
    if (trace.state->plan && trace.state->plan->fault_count > 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "faults change the model while it runs, and no process has them (D17)");
    HBG_TRY(run(&trace, options));
    HBG_TRY(hbg_api_hypa_split(work, trace.state->model, trace.state->experiment));
    if (made->fits && made->broke) { // it is not the run of the experiment, and does not get anywhere
        work->part_count = 0;
        return HBG_OK;
    }
    hypa_modes *visited = HBG_NEW_ARRAY(&session->scratch, hypa_modes, work->part_count);
    for (int32_t i = 0; i < work->part_count; i++) find_visited(&trace, i, &visited[i]);
    work->visited = visited;
    HBG_TRY(hbg_api_hypa_exact(work));
    made->parts = HBG_NEW_ARRAY(&session->scratch, hypa_part_trace, work->part_count);
    for (int32_t i = 0; i < work->part_count; i++) trace_part(&trace, i, &made->parts[i]);
    return HBG_OK;
}
