/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_hypa_check: a run judged by the process of its model. The run leaves its rows and the modes of its instants; what they have of a part
 * is judged by the clauses and jumps of that part. */
#include <math.h>
#include <string.h>

#include "api/hypa_impl.h"
#include "hbg/policy.h"

#define TIMES 10 /* the tolerance of a run: so much beside a law is allowed */

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
    const char *broke; /* why the run did not get to its end; NULL: it did */
    hbg_rt_verdict verdict;
    double end;
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

static hbg_status run(tracing *of, const hbg_run_options *options, double *rtol) {
    hbg_session *session = of->work->session;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    hbg_sim_options sim;
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &sim));
    sim.ledger = false;
    sim.record_every = 0;
    sim.row = take_row;
    sim.event = take_instant;
    sim.context = of;
    *rtol = sim.rtol > 0 ? sim.rtol : HBG_RTOL_USUAL;
    hbg_rt_status status =
        hbg_sim_run(&session->scratch, of->state->system, of->state->instance, &sim, result);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    of->verdict = result->verdict;
    of->end = result->t;
    if (status != HBG_RT_OK)
        of->broke = result->verdict != HBG_RT_FINE ? hbg_rt_verdict_name(result->verdict)
                                                   : hbg_rt_status_text(status);
    return of->rows.count == 0 ? hbg_api_run_refuse(session, status, result) : HBG_OK;
}

/* ---- what a part has of it ------------------------------------------------------------------------------ */

typedef struct {
    const tracing *trace;
    const hbg_process *of;
    const int32_t *output_of; /* by variable: HBG_NONE where the run does not tell */
    const int32_t *state_of;  /* by variable: state of the whole system */
    const int32_t *input_of;  /* by variable: input that is an event */
    const int32_t *automata;  /* by automaton of the part: of the whole */
    HBG_VEC(hbg_process_point) points;
    bool cut; /* the run goes on after them: its verdict was a warning */
} part_trace;

static const int32_t *part_states(const part_trace *of, const int32_t *states) {
    int32_t *own = HBG_NEW_ARRAY(of->trace->arena, int32_t, of->of->automaton_count + 1);
    for (int32_t i = 0; i < of->of->automaton_count; i++) own[i] = states[of->automata[i]];
    return own;
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
    HBG_PUSH(of->trace->arena, of->points, (hbg_process_point){row->t, values, states, is_instant});
}

/* Rows at an instant: the first is before it, the last behind. */
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
        of->cut = at && at->ends;
        if (of->cut) return;
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

static part_trace trace_part(const tracing *trace, int32_t number) {
    const hypa_work *work = trace->work;
    const hbg_process *of = &work->parts[number];
    const hbg_rt_description *system = trace->state->system;
    int32_t count = of->variables.count;
    int32_t *outputs = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    int32_t *states = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    int32_t *inputs = HBG_NEW_ARRAY(trace->arena, int32_t, count + 1);
    int32_t *automata = HBG_NEW_ARRAY(trace->arena, int32_t, of->automaton_count + 1);
    for (int32_t i = 0; i < count; i++) {
        const char *name = of->variables.items[i].name;
        outputs[i] = find(system->outputs, system->output_count, name);
        states[i] = find(system->states, system->state_count, name);
        bool event = of->variables.items[i].role == HBG_PROCESS_INPUT && outputs[i] == HBG_NONE;
        inputs[i] = event ? find(system->inputs, system->input_count, name) : HBG_NONE;
    }
    for (int32_t i = 0; i < of->automaton_count; i++) {
        const char *name =
            hbg_api_text_path(work->session, work->models[number], (hbg_object){HBG_OBJECT_AUTOMATON, i});
        for (int32_t k = 0; k < system->automaton_count; k++)
            if (strcmp(system->automata[k].name, name) == 0) automata[i] = k;
    }
    part_trace made = {trace, of, outputs, states, inputs, automata, {0}, false};
    make_points(&made);
    return made;
}

/* ---- the report ----------------------------------------------------------------------------------------- */

static const char *law_text(const hypa_work *work, const hbg_process *of, hbg_term law) {
    hbg_buffer text;
    if (law == HBG_NONE) return NULL;
    hbg_base_buffer_init(&text, &work->session->scratch);
    hbg_emit_process_term(of, law, &text);
    return text.data;
}

static const double nearly = 1e-6; /* of its size: so little beside a law is what bands allow an engine */

static bool throws_back(const hbg_model *model) {
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].ports == 0 && model->elements.items[i].restitution != HBG_NONE)
            return true;
    return false;
}

/* What explains a refusal, where one of the differences between 003 and hbg does; HBG_DIFFERENCE_COUNT: none. */
static hbg_difference explain(const hypa_work *work, int32_t number, const hbg_process_judgement *made) {
    if (made->by <= nearly) return HBG_DIFFERENCE_D14;
    switch (made->kind) {
    case HBG_REFUSED_LATE: return HBG_DIFFERENCE_D5;
    case HBG_REFUSED_WAY: return HBG_DIFFERENCE_D16;
    case HBG_REFUSED_JUMP:
        return throws_back(work->models[number]) ? HBG_DIFFERENCE_D8 : HBG_DIFFERENCE_COUNT;
    default: return HBG_DIFFERENCE_COUNT;
    }
}

static void put_code(hbg_api_report *in, hbg_difference code) {
    if (code == HBG_DIFFERENCE_COUNT) return;
    hbg_api_text(in, "code", hbg_verify_difference_code(code));
    hbg_api_say(in, "    %s: 003: %s; hbg: %s\n", hbg_verify_difference_code(code),
                hbg_verify_difference_paper(code), hbg_verify_difference_own(code));
}

static void put_refusal(const hypa_work *work, int32_t number, const hbg_process_judgement *made,
                        hbg_api_report *in) {
    const hbg_process *of = &work->parts[number];
    const char *from = made->from == HBG_NONE ? NULL : of->clauses.items[made->from].mode;
    const char *to = made->to == HBG_NONE ? NULL : of->clauses.items[made->to].mode;
    const char *law = law_text(work, of, made->law);
    hbg_api_number(in, "time", made->t);
    hbg_api_text(in, "from", from);
    hbg_api_text(in, "to", to);
    hbg_api_text(in, "why", made->why);
    hbg_api_text(in, "law", law);
    hbg_api_number(in, "by", made->by);
    hbg_api_say(in, "  REFUSED at t = %.9g s, %s%s%s: %s", made->t, from ? from : "a mode that is not there",
                made->from != made->to ? " -> " : "", made->from != made->to && to ? to : "", made->why);
    if (law) hbg_api_say(in, "\n    %s, beside it by %.3g of its size", law, made->by);
    hbg_api_say(in, "\n");
    put_code(in, explain(work, number, made));
}

static void put_part(const hypa_work *work, int32_t number, const hbg_process_judgement *made,
                     hbg_api_report *list) {
    static const char *const words[] = {
        [HBG_PROVED] = "accepted", [HBG_VIOLATED] = "refused", [HBG_NOT_DECIDED] = "not decided"};
    const hbg_process *of = &work->parts[number];
    hbg_api_report *one = hbg_api_object(list, NULL);
    hbg_api_text(one, "name", work->names[number]);
    hbg_api_text(one, "verdict", words[made->verdict]);
    hbg_api_count(one, "flows", made->flows);
    hbg_api_count(one, "instants", made->instants);
    hbg_api_count(one, "not_judged", made->unjudged);
    hbg_api_number(one, "worst", made->worst);
    hbg_api_say(one, "%s: %s, %d flows and %d instants", work->names[number], words[made->verdict],
                (int)made->flows, (int)made->instants);
    if (made->unjudged > 0)
        hbg_api_say(one, ", %d of which nothing is known in numbers", (int)made->unjudged);
    hbg_api_say(one, "; nothing accepted is beside a law by more than %.2g of its size\n", made->worst);
    if (made->verdict == HBG_VIOLATED) put_refusal(work, number, made, one);
    hbg_api_report *used = hbg_api_list(one, "used");
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_process_alternative *at = &of->alternatives.items[i];
        if (made->used[i] == 0) continue;
        hbg_api_report *way = hbg_api_object(used, NULL);
        hbg_api_text(way, "before", of->clauses.items[at->from].mode);
        hbg_api_text(way, "after", of->clauses.items[at->to].mode);
        hbg_api_count(way, "alternative", i + 1);
        hbg_api_count(way, "times", made->used[i]);
        hbg_api_say(way, "  %d times %s -> %s%s\n", (int)made->used[i], of->clauses.items[at->from].mode,
                    of->clauses.items[at->to].mode, at->jumps ? ", with a jump" : "");
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static hbg_answer worse(hbg_answer a, hbg_answer b) {
    return a == HBG_VIOLATED || b == HBG_VIOLATED ? HBG_VIOLATED : a == HBG_NOT_DECIDED ? a : b;
}

/* A run that broke off is judged as far as it went. */
static void put_end(hbg_api_report *report, const tracing *trace, bool cut) {
    hbg_api_report *one = hbg_api_object(report, "run");
    hbg_api_flag(one, "finished", !trace->broke);
    hbg_api_number(one, "end", trace->end);
    hbg_api_text(one, "broke_off", trace->broke);
    if (trace->broke)
        hbg_api_say(one, "the run broke off at t = %.9g s (%s): only what came before is judged\n",
                    trace->end, trace->broke);
    else if (cut)
        hbg_api_say(one, "what the run did behind an instant with a verdict is not judged\n");
    if (trace->broke && trace->verdict == HBG_RT_DIVERGENCE) put_code(one, HBG_DIFFERENCE_D15);
}

static hbg_status check(hypa_work *work, const hbg_model *model, const hbg_run_options *options, bool json,
                        hbg_answer *answer, hbg_text *text) {
    hbg_session *session = work->session;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true, .trace = true};
    tracing trace = {.work = work, .arena = &session->scratch};
    double rtol;
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    trace.state = session->run;
    if (trace.state->plan && trace.state->plan->fault_count > 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "faults change the model while it runs, and no process has them (D17)");
    HBG_TRY(run(&trace, options, &rtol));
    HBG_TRY(hbg_api_hypa_parts(work, trace.state->model, trace.state->experiment));
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_text(report, "model", work->name);
    hbg_api_number(report, "tolerance", TIMES * rtol);
    hbg_api_report *list = hbg_api_list(report, "islands");
    *answer = HBG_PROVED;
    bool cut = false;
    for (int32_t i = 0; i < work->part_count; i++) {
        part_trace own = trace_part(&trace, i);
        cut = cut || own.cut;
        hbg_process_judgement made = hbg_verify_process_check(&session->scratch, own.of, own.points.items,
                                                              own.points.count, TIMES * rtol);
        *answer = worse(*answer, made.verdict);
        put_part(work, i, &made, list);
    }
    put_end(report, &trace, cut);
    if (trace.broke || cut) *answer = worse(*answer, HBG_NOT_DECIDED);
    return hbg_api_report_print(report, json, text);
}

hbg_status hbg_hypa_check(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                          int32_t timeout_ms, bool json, hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_RUN_ENTER(session);
    hypa_work *work = HBG_NEW(&session->scratch, hypa_work);
    work->session = session;
    work->timeout_ms = timeout_ms;
    return hbg_api_run_leave(session, check(work, model, options, json, answer, text));
}
