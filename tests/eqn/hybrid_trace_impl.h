/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * All that a run tells about its instants, as one row of numbers: what two runs of the same graph are compared by. */
#ifndef HBG_TESTS_EQN_HYBRID_TRACE_IMPL_H
#define HBG_TESTS_EQN_HYBRID_TRACE_IMPL_H

#include "hybrid_trial_impl.h"

enum { TRACE = 1 << 16, TRACE_CHANGES = 256 };

/* All that a run tells about its instants, one number behind the other, and what each is compared by. */
typedef struct {
    double *values, *scales;
    int count, events, rows;
    bool full;
    int changes; /* instants at which a mode was committed: when, and which one time flowed in */
    double time[TRACE_CHANGES];
    int mode[TRACE_CHANGES];
    hbg_rt_status status;
    double final[NET_BONDS];
    const hybrid *h;
    const hybrid_model *m;
    const int *effort_sign, *flow_sign;
} trace;

static inline void put(trace *to, double value, double scale) {
    to->full |= to->count == TRACE;
    if (to->full) return;
    to->values[to->count] = value;
    to->scales[to->count++] = scale;
}

static inline double largest_value(const double *values, int count) {
    double most = 1;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

static inline void trace_visit(trace *to, const logged_visit *visit) {
    const net *n = &to->h->n;
    int states = net_state_count(n);
    double scale = fmax(largest_value(visit->x, states), largest_value(visit->x_plus, states));
    put(to, visit->kind, 0);
    put(to, visit->lost, scale * scale);
    for (int i = 0; i < to->h->automaton_count; i++) put(to, visit->states[i], 0);
    for (int i = 0; i < states; i++) {
        put(to, visit->x[i], scale);
        put(to, visit->x_plus[i], scale);
    }
    scale = fmax(
        scale, fmax(largest_value(visit->effort, n->bond_count), largest_value(visit->flow, n->bond_count)));
    for (int i = 0; i < n->bond_count; i++) {
        put(to, visit->effort[i] * to->effort_sign[i], scale);
        put(to, visit->flow[i] * to->flow_sign[i], scale);
    }
}

static inline void trace_event(void *context, const hbg_sim_event *event) {
    trace *to = context;
    static logged_event log;
    take_event(to->m, to->h, event, &log);
    to->events++;
    put(to, log.t, 1);
    put(to, log.count, 0);
    put(to, log.verdict, 0);
    for (int i = 0; i < log.count; i++) trace_visit(to, &log.visits[i]);
    if (log.count == 0 || log.visits[log.count - 1].kind == HBG_RT_MYTHICAL) return;
    int mode = 0;
    for (int i = 0; i < to->h->automaton_count; i++)
        mode = mode * HYBRID_STATES + log.visits[log.count - 1].states[i];
    if (to->changes == TRACE_CHANGES) return;
    to->time[to->changes] = log.t;
    to->mode[to->changes++] = mode;
}

static inline bool trace_row(void *context, double t, const double *outputs) {
    (void)t, (void)outputs;
    return ++((trace *)context)->rows < 100000;
}

static inline void run_with(const hybrid *h, const char *text, hbg_sim_options options, trace *to) {
    static hybrid_model m;
    to->count = to->events = to->rows = to->changes = 0;
    to->full = false;
    to->h = h;
    to->m = &m;
    options.event = trace_event;
    options.row = trace_row;
    options.context = to;
    model_open(&m, text);
    find_places(&m, h);
    model_run(&m, h, options);
    to->status = m.status;
    put(to, m.status, 0);
    double scale = fmax(1, m.result.scale);
    for (int i = 0; i < net_state_count(&h->n); i++) {
        to->final[i] = m.result.state[m.places.state[i]];
        put(to, to->final[i], scale);
    }
    put(to, m.result.t, 1);
    model_close(&m);
}

static inline void trace_init(trace *to) {
    static const int plus[NET_BONDS] = {[0 ... NET_BONDS - 1] = 1};
    *to = (trace){.effort_sign = plus, .flow_sign = plus};
    to->values = calloc(TRACE, sizeof(double));
    to->scales = calloc(TRACE, sizeof(double));
    assert_true(to->values && to->scales);
}

static inline void trace_fini(trace *to) {
    free(to->values);
    free(to->scales);
}

#endif
