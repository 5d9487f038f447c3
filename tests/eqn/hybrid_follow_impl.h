/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random hybrid graphs one after another: each is written, compiled and run, and the oracle follows its instants and looks at
 * rows between them. What the graphs were like is counted and printed, so that no claim holds because nothing was there. */
#ifndef HBG_TESTS_EQN_HYBRID_FOLLOW_IMPL_H
#define HBG_TESTS_EQN_HYBRID_FOLLOW_IMPL_H

#include "hybrid_replay_impl.h"

typedef struct {
    int graphs, refused, dependent, with_jumps, with_pulses, with_mythical, with_pinnacles, chattering, rows;
    int why[HBG_RT_STATUS_COUNT]; /* refused: by status */
    int integrated;               /* integrators looked at */
    replay_statistics replay;
} follow_statistics;

typedef struct {
    hybrid h;
    hybrid_model m;
    replay r;
    logged_event log;
    bool pending, started;
    double inputs_before[HYBRID_INPUTS];
    int action, row_number, events;
    double row_time, row_x[NET_BONDS], row[5 * NET_BONDS];
    bool row_waits;   /* to be looked at, if no instant follows at its time */
    double tolerance; /* of a run: rows between instants hold dependent storages to that */
    follow_statistics *count;
} follower;

/* ---- listening ---------------------------------------------------------------------------------------- */

/* An instant is looked at once the run has gone on: one that it could not finish is told incomplete. */
static inline void follow_pending(follower *f) {
    if (!f->pending) return;
    f->pending = false;
    replay_event(&f->r, &f->log, f->inputs_before);
}

static inline void follow_event(void *context, const hbg_sim_event *event) {
    follower *f = context;
    int states = net_state_count(&f->h.n), k = 0;
    follow_pending(f);
    f->events++;
    f->row_waits = false;
    take_event(&f->m, &f->h, event, &f->log);
    f->log.at_start = !f->started;
    memcpy(f->inputs_before, f->r.inputs, sizeof f->inputs_before);
    for (; f->action < f->h.action_count && f->h.actions[f->action].time <= event->t + 1e-12; f->action++)
        f->r.inputs[f->h.actions[f->action].input] = f->h.actions[f->action].value;
    if (f->started) {
        assert_true(f->row_time == event->t);
        memcpy(f->log.x_left, f->row_x, (size_t)states * sizeof *f->row_x);
    }
    for (int i = 0; i < f->h.n.node_count && !f->started; i++)
        for (int port = 0; node_is_storage(&f->h.n.nodes[i]) && port < f->h.n.nodes[i].ports; port++)
            f->log.x_left[k++] = f->h.n.nodes[i].initial[port];
    f->pending = f->started = true;
}

/* Effort and flow of one-ports and fields, and that no guard holds, in the mode that time flows in. */
static inline void look_at_row(follower *f, double t, const double *outputs) {
    static oracle_values values;
    replay *r = &f->r;
    static logged_event here;
    here = (logged_event){.t = t};
    memset(r->balance, 0, sizeof r->balance);
    oracle_enter(&f->h, r->states);
    r->log = &here;
    r->at = 0;
    oracle_place place = place_of(r);
    oracle_values_at(&values, &place, f->row_x);
    if (!values.solved || values.scale > 1e5) return;
    int column = net_state_count(&f->h.n);
    for (int i = 0; i < f->h.n.node_count; i++)
        for (int port = 1; port <= f->h.n.nodes[i].ports && !node_is_two_port(&f->h.n.nodes[i]); port++) {
            tableau_port at = port_of(&f->h.n, i, port);
            double effort = outputs[column++] * at.effort_sign, flow = outputs[column++] * at.flow_sign;
            REPLAY_ASSERT(r, LOOK_FLOW,
                          !values.fin_known[at.effort] ||
                              fabs(effort - (double)values.fin[at.effort]) <= f->tolerance * values.scale);
            REPLAY_ASSERT(r, LOOK_FLOW,
                          !values.fin_known[at.flow] ||
                              fabs(flow - (double)values.fin[at.flow]) <= f->tolerance * values.scale);
        }
    bool off[NET_NODES];
    for (int i = 0; i < f->h.n.node_count; i++) off[i] = f->h.n.nodes[i].off;
    r->pre = values;
    find_in_balance(r, off);
    guard_view view = {&f->h,     &values,    &values,  false,         t,        r->inputs,
                       r->states, r->entered, f->row_x, r->in_balance, r->in_off};
    for (int i = 0; i < f->h.automaton_count; i++)
        REPLAY_ASSERT(r, LOOK_FLOW, possible_targets(&view, i) >> r->states[i] & 1);
    f->count->rows++;
}

static inline bool follow_row(void *context, double t, const double *outputs) {
    follower *f = context;
    follow_pending(f);
    if (f->row_waits && t > f->row_time) look_at_row(f, f->row_time, f->row); // of an instant the last one
    bool again = f->row_waits && t == f->row_time;
    f->row_waits = (again || ++f->row_number % 5 == 0) && t > 0 && (f->r.look & LOOK_FLOW);
    f->row_time = t;
    memcpy(f->row, outputs, (size_t)f->m.system->output_count * sizeof *outputs);
    memcpy(f->row_x, outputs, (size_t)net_state_count(&f->h.n) * sizeof *outputs);
    return f->events < HYBRID_EVENTS; // what chatters has been seen then
}

/* ---- one graph ---------------------------------------------------------------------------------------- */

static inline hbg_sim_options follow_options(follower *f) {
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = HBG_SIM_ERK;
    options.rtol = 1e-8;
    options.step_limit = 20000;
    options.event = follow_event;
    options.row = follow_row;
    options.context = f;
    return options;
}

/* Whether it went on until it stopped, a verdict ended it, or enough was seen. */
static inline bool has_run(const follower *f) {
    return f->m.status == HBG_RT_OK || f->m.status == HBG_RT_VERDICT || f->m.status == HBG_RT_CANNOT_WRITE;
}

static inline void count_graph(follower *f, const replay_statistics *before) {
    follow_statistics *count = f->count;
    const replay_statistics *after = &count->replay;
    bool refused = !has_run(f);
    count->graphs++;
    count->chattering += f->events >= HYBRID_EVENTS;
    count->refused += refused;
    count->why[f->m.status] += refused;
    count->dependent += f->r.dependent;
    count->with_jumps += after->jumps > before->jumps;
    count->with_pulses += after->pulses > before->pulses;
    count->with_mythical += after->mythical > before->mythical;
    count->with_pinnacles += after->pinnacles > before->pinnacles;
}

/* What has flowed into a storage, pulses included, is what it has gained. */
static inline void check_integrator(follower *f) {
    const hybrid *h = &f->h;
    const hbg_rt_description *system = f->m.system;
    int node = first_storage(h), state = node < 0 ? 0 : net_first_state(&h->n, node);
    if (node < 0 || !(f->r.look & LOOK_JUMPS)) return;
    double gained = f->m.result.state[f->m.places.state[state]] - h->n.nodes[node].initial[0];
    double total = f->m.result.state[find_name(system->states, system->state_count, "total")];
    double size = fmax(1, fabs(h->n.nodes[node].initial[0]) + fabs(gained));
    if (!(fabs(gained - total) <= 1e-5 * size)) {
        fputs(f->r.text, stderr);
        fail_msg("an integrator says %.15g, the storage n%d %.15g", total, node, gained);
    }
    f->count->integrated++;
}

static inline void follow_one(follower *f, uint64_t seed, const hybrid_plan *plan, int look) {
    static char kept[HYBRID_TEXT];
    test_random random = {seed * 1000003};
    follow_statistics *count = f->count;
    replay_statistics before = count->replay;
    memset(f, 0, sizeof *f);
    f->count = count;
    f->tolerance = 1e-7;
    random_hybrid(&f->h, &random, plan);
    f->r = (replay){.h = &f->h, .count = &count->replay, .look = look};
    memcpy(f->r.inputs, f->h.input_start, sizeof f->r.inputs);
    f->r.text = strcpy(kept, write_hybrid(&f->h, NULL));
    model_open(&f->m, kept);
    find_places(&f->m, &f->h);
    model_run(&f->m, &f->h, follow_options(f));
    if (has_run(f)) follow_pending(f);
    if (has_run(f)) check_integrator(f);
    count_graph(f, &before);
    if (getenv("HBG_HYBRID_SEED")) printf("%s%s\n", kept, f->m.result.failure);
    if (!has_run(f) && getenv("HBG_HYBRID_TELL"))
        print_message("seed %llu: %s\n", (unsigned long long)seed, f->m.result.failure);
    model_close(&f->m);
}

/* ---- many graphs -------------------------------------------------------------------------------------- */

static const hybrid_plan hybrid_plans[] = {
    {.junctions = 4, .sources = 25, .cubes = 10, .fields = 15, .collisions = 10, .duals = 10},
    {.junctions = 3, .sources = 0, .cubes = 20, .fields = 10, .collisions = 60, .duals = 0},
    {.junctions = 6, .sources = 30, .cubes = 0, .fields = 20, .collisions = 10, .duals = 25},
    {.junctions = 6, .sources = 20, .cubes = 0, .fields = 10, .collisions = 10, .duals = 10, .chains = 90},
    {.junctions = 5,
     .sources = 40,
     .cubes = 5,
     .fields = 10,
     .collisions = 10,
     .duals = 10,
     .modulated = 50,
     .sampled = 30},
};
enum { HYBRID_PLANS = sizeof hybrid_plans / sizeof *hybrid_plans };

static inline void print_follow_statistics(const follow_statistics *s) {
    const replay_statistics *r = &s->replay;
    double all = s->graphs / 100.0;
    print_message("%d graphs: %.0f %% with dependence, %.0f %% with jumps, %.0f %% with pulses, %.0f %% with "
                  "mythical modes, %.0f %% with "
                  "pinnacles, %.1f %% refused (",
                  s->graphs, s->dependent / all, s->with_jumps / all, s->with_pulses / all,
                  s->with_mythical / all, s->with_pinnacles / all, s->refused / all);
    for (int i = 0; i < HBG_RT_STATUS_COUNT; i++)
        if (s->why[i]) print_message("%s: %d; ", hbg_rt_status_text((hbg_rt_status)i), s->why[i]);
    print_message(")\n%d instants (%d runs chatter), %d modes visited (%d mythical, %d pinnacles, %d "
                  "boundaries, %d searches that came back, %d given up), %d jumps, %d "
                  "with pulses, %d "
                  "commits, %d conserved sums, %d rows; %d choices, %d of them open\n",
                  r->instants, s->chattering, r->visits, r->mythical, r->pinnacles, r->boundaries, r->returns,
                  r->turned, r->jumps, r->pulses, r->commits, r->conserved, s->rows, r->choices,
                  r->open_choices);
    print_message("%d integrators; verdicts:", s->integrated);
    for (int i = 1; i < HBG_RT_VERDICT_COUNT; i++)
        print_message(" %s %d", hbg_rt_verdict_name((hbg_rt_verdict)i), r->verdicts[i]);
    print_message("; instants not followed to the end: %d (modes without a number %d, ill-conditioned %d)\n",
                  r->unfinished, r->unsolved, r->stiff);
}

static inline follow_statistics follow_many(int graphs, uint64_t seed, int look) {
    static follower f;
    follow_statistics count = {0};
    const char *one = getenv("HBG_HYBRID_SEED");
    f.count = &count;
    for (int i = 0; i < graphs; i++) {
        uint64_t own = seed * 100000 + (uint64_t)i;
        if (one && strtoull(one, NULL, 10) != own) continue;
        if (getenv("HBG_HYBRID_TELL")) fprintf(stderr, "%llu \n", (unsigned long long)own);
        follow_one(&f, own, &hybrid_plans[i % HYBRID_PLANS], look);
    }
    print_follow_statistics(&count);
    return count;
}

#endif
