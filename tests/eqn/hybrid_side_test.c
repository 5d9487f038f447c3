/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two models side by side behave as each alone, also where both switch at the same instant: neither the modes of the other, nor
 * its mythical ones, nor its collisions, nor that it accumulates are any business of theirs. Pairs of random hybrid graphs with
 * inputs in common; with a fixed step, so that the numbers are the same too. */
#include "hybrid_trial_impl.h"
#include "support/soak.h"

enum { SIDE_CHANGES = 400 };

/* What happened to one of the two: its states and energies wherever they changed. */
typedef struct {
    double t[SIDE_CHANGES];
    int states[SIDE_CHANGES][HYBRID_OWN];
    double x[SIDE_CHANGES][NET_BONDS];
    int count;
} side_trace;

typedef struct {
    const hybrid *h;
    hybrid_model m;
    int first_state[3], first_automaton[3]; /* of each part, and the end */
    int parts;
    side_trace traces[2];
    double final[NET_BONDS], end;
    hbg_rt_status status;
    hbg_rt_verdict verdict;
    char words[400];
    int rows;
} side_run;

/* ---- two graphs as one --------------------------------------------------------------------------------- */

static void append(hybrid *to, const hybrid *from) {
    int nodes = to->n.node_count, automata = to->automaton_count;
    for (int i = 0; i < from->n.node_count; i++) {
        to->n.nodes[nodes + i] = from->n.nodes[i];
        to->automaton[nodes + i] = from->automaton[i] < 0 ? -1 : from->automaton[i] + automata;
        to->inverted[nodes + i] = from->inverted[i];
        to->dual[nodes + i] = from->dual[i];
        to->follows[nodes + i] = from->follows[i];
        to->restitution[nodes + i] = from->restitution[i];
        to->reads[nodes + i] = from->reads[i] < 0 ? -1 : from->reads[i] + nodes;
        to->factor[nodes + i] = from->factor[i];
        to->swing[nodes + i] = from->swing[i];
    }
    for (int i = 0; i < from->n.bond_count; i++) {
        net_bond bond = from->n.bonds[i];
        bond.from.node += nodes;
        bond.to.node += nodes;
        to->n.bonds[to->n.bond_count + i] = bond;
    }
    for (int i = 0; i < from->automaton_count; i++) {
        hybrid_automaton *made = &to->automata[automata + i];
        *made = from->automata[i];
        for (int s = 0; s < made->state_count; s++)
            for (int k = 0; k < made->states[s].transition_count; k++) {
                hybrid_transition *way = &made->states[s].transitions[k];
                if (way->automaton >= 0) way->automaton += automata;
                if (way->second >= 0) way->second += automata;
                for (int r = 0; r < way->relation_count; r++)
                    for (int a = 0; a < way->relations[r].atom_count; a++) {
                        way->relations[r].atoms[a].node += nodes;
                        way->relations[r].atoms[a].bond += to->n.bond_count;
                        way->relations[r].atoms[a].automaton += automata;
                    }
            }
    }
    to->n.node_count += from->n.node_count;
    to->n.bond_count += from->n.bond_count;
    to->automaton_count += from->automaton_count;
}

/* A wait that ends would be an end of a step for the other one too. */
static void without_waits(hybrid *h) {
    for (int i = 0; i < h->automaton_count; i++)
        for (int s = 0; s < h->automata[i].state_count; s++)
            for (int k = 0; k < h->automata[i].states[s].transition_count; k++) {
                hybrid_transition *way = &h->automata[i].states[s].transitions[k];
                if (way->after > 0) way->input = INPUT_KICK;
                way->after = 0;
            }
}

/* Inputs of both change at the same instants. */
static void act_together(hybrid *parts) {
    bool start = parts[0].input_start[INPUT_G0] != 0;
    const hybrid_action actions[HYBRID_ACTIONS] = {
        {0.25, INPUT_KICK, 1}, {0.5, INPUT_G0, !start}, {0.75, INPUT_KICK, 1}, {1, INPUT_G0, start}};
    memcpy(parts[1].input_start, parts[0].input_start, sizeof parts[0].input_start);
    for (int k = 0; k < 2; k++) {
        memcpy(parts[k].actions, actions, sizeof actions);
        parts[k].action_count = HYBRID_ACTIONS;
    }
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

static bool changes(const side_run *run, int part, const logged_visit *visit, const int *states,
                    const double *x) {
    int first = run->first_state[part], end = run->first_state[part + 1];
    double scale = 1;
    for (int i = run->first_automaton[part]; i < run->first_automaton[part + 1]; i++)
        if (visit->states[i] != states[i]) return true;
    for (int i = first; i < end; i++) scale = fmax(scale, fabs(visit->x[i]));
    for (int i = first; i < end; i++)
        if (fabs(visit->x_plus[i] - x[i]) > 1e-9 * scale) return true;
    return false;
}

static void keep(const side_run *run, int part, side_trace *to, double t, const logged_visit *visit) {
    int first = run->first_state[part], end = run->first_state[part + 1];
    if (to->count == SIDE_CHANGES) return;
    to->t[to->count] = t;
    for (int i = run->first_automaton[part]; i < run->first_automaton[part + 1]; i++)
        to->states[to->count][i - run->first_automaton[part]] = visit->states[i];
    for (int i = first; i < end; i++) to->x[to->count][i - first] = visit->x_plus[i];
    to->count++;
}

static void side_event(void *context, const hbg_sim_event *event) {
    side_run *run = context;
    static logged_event log;
    static int states[HYBRID_AUTOMATA];
    take_event(&run->m, run->h, event, &log);
    if (event->t == 0 && run->rows == 0) memset(states, 0, sizeof states);
    for (int i = 0; i < log.count; i++) {
        if (log.visits[i].kind == HBG_RT_MYTHICAL) continue;
        for (int part = 0; part < run->parts; part++)
            if (changes(run, part, &log.visits[i], states, log.visits[i].x))
                keep(run, part, &run->traces[part], log.t, &log.visits[i]);
        memcpy(states, log.visits[i].states, sizeof states);
    }
    run->verdict = log.verdict;
    memcpy(run->words, log.words, sizeof run->words);
}

static bool side_row(void *context, double t, const double *outputs) {
    side_run *run = context;
    (void)t, (void)outputs;
    return ++run->rows < 100000;
}

static void run_side(side_run *run, const hybrid *h, int first_states, int first_automata) {
    hbg_sim_options options = hbg_sim_options_default();
    int states = net_state_count(&h->n);
    run->h = h;
    run->parts = first_states > 0 ? 2 : 1;
    run->first_state[0] = run->first_automaton[0] = 0;
    run->first_state[1] = run->parts > 1 ? first_states : states;
    run->first_automaton[1] = run->parts > 1 ? first_automata : h->automaton_count;
    run->first_state[2] = states;
    run->first_automaton[2] = h->automaton_count;
    run->traces[0].count = run->traces[1].count = run->rows = 0;
    run->verdict = HBG_RT_FINE;
    options.solver = HBG_SIM_RK4;
    options.step = 0.0078125;
    options.event = side_event;
    options.row = side_row;
    options.context = run;
    model_open(&run->m, write_hybrid(h, NULL));
    find_places(&run->m, h);
    model_run(&run->m, h, options);
    run->status = run->m.status;
    run->end = run->m.result.t;
    for (int i = 0; i < states; i++) run->final[i] = run->m.result.state[run->m.places.state[i]];
    model_close(&run->m);
}

/* ---- comparing ------------------------------------------------------------------------------------------ */

static void side_fail(const hybrid *both, const char *what, int part, int at, double t) {
    fputs(write_hybrid(both, NULL), stderr);
    fail_msg("%s: part %d, change %d, t = %.17g", what, part, at, t);
}

/* Up to the time given, that itself left out if one of the runs ended there. */
static void compare(const hybrid *both, const side_trace *alone, const side_trace *beside, int part,
                    int states, int automata, double end, bool whole) {
    for (int i = 0; i < alone->count || i < beside->count; i++) {
        double t = i < alone->count ? alone->t[i] : beside->t[i];
        if (i < beside->count) t = fmin(t, beside->t[i]);
        if (t > end || (t == end && !whole)) return;
        if (i >= alone->count) side_fail(both, "more happens beside the other", part, i, t);
        if (i >= beside->count) side_fail(both, "less happens beside the other", part, i, t);
        if (alone->t[i] != beside->t[i]) side_fail(both, "another time", part, i, t);
        double scale = 1;
        for (int k = 0; k < automata; k++)
            if (alone->states[i][k] != beside->states[i][k]) side_fail(both, "another mode", part, i, t);
        for (int k = 0; k < states; k++) scale = fmax(scale, fabs(alone->x[i][k]));
        for (int k = 0; k < states; k++)
            if (!(fabs(alone->x[i][k] - beside->x[i][k]) <= 1e-9 * scale))
                side_fail(both, "other energies", part, i, t);
    }
}

static bool has_end(const side_run *run) {
    return run->status == HBG_RT_OK || run->status == HBG_RT_VERDICT;
}

static void two_models_side_by_side_behave_as_each_alone(void **state) {
    static const hybrid_plan plans[] = {
        {.junctions = 3, .sources = 25, .cubes = 10, .fields = 10, .collisions = 70, .duals = 10},
        {.junctions = 4, .sources = 30, .cubes = 0, .fields = 20, .collisions = 10, .duals = 10},
    };
    static hybrid parts[2], both;
    static side_run alone[2], beside;
    int pairs = trials(100, 300), compared = 0, changes_seen = 0, together = 0, ended = 0, worded = 0;
    (void)state;
    for (int i = 0; i < pairs; i++) {
        test_random random = {(uint64_t)(i + 1) * 7000003};
        int states[2];
        for (int k = 0; k < 2; k++) {
            random_hybrid(&parts[k], &random, &plans[(i >> k) & 1]);
            without_waits(&parts[k]);
            states[k] = net_state_count(&parts[k].n);
        }
        if (states[0] == 0 || states[1] == 0) continue;
        act_together(parts);
        both = parts[0];
        append(&both, &parts[1]);
        for (int k = 0; k < 2; k++) run_side(&alone[k], &parts[k], 0, 0);
        if (!has_end(&alone[0]) || !has_end(&alone[1])) continue;
        run_side(&beside, &both, states[0], parts[0].automaton_count);
        if (!has_end(&beside)) side_fail(&both, "side by side it is refused", 0, 0, beside.end);
        double end = fmin(alone[0].end, alone[1].end);
        bool whole = alone[0].status == HBG_RT_OK && alone[1].status == HBG_RT_OK;
        if (whole != (beside.status == HBG_RT_OK)) side_fail(&both, "another verdict", 0, 0, beside.end);
        if (beside.end != end) side_fail(&both, "another end", 0, 0, beside.end);
        for (int k = 0; k < 2; k++)
            compare(&both, &alone[k].traces[0], &beside.traces[k], k, states[k], parts[k].automaton_count,
                    end, whole);
        for (int k = 0; k < 2; k++)
            if (alone[k].status == HBG_RT_VERDICT && alone[k].end == end && alone[1 - k].end > end &&
                beside.verdict != alone[k].verdict)
                side_fail(&both, hbg_rt_verdict_name(beside.verdict), k, alone[k].verdict, end);
        if (alone[0].status == HBG_RT_VERDICT && alone[0].verdict == HBG_RT_DIVERGENCE &&
            alone[0].end == end && alone[1].end > end) { // automata of the second one have other names there
            if (strcmp(alone[0].words, beside.words) != 0) {
                print_error("alone:  %s\nbeside: %s\n", alone[0].words, beside.words);
                side_fail(&both, "other words", 0, 0, end);
            }
            worded++;
        }
        compared++;
        ended += !whole;
        changes_seen += beside.traces[0].count + beside.traces[1].count;
        for (int a = 0; a < beside.traces[0].count; a++)
            for (int b = 0; b < beside.traces[1].count; b++)
                together += beside.traces[0].t[a] == beside.traces[1].t[b];
    }
    print_message("%d pairs of %d compared, %d with a verdict, %d of them with its words; %d changes, %d of "
                  "them together\n",
                  compared, pairs, ended, worded, changes_seen, together);
    assert_true(worded > pairs / 50);
    assert_true(compared > pairs / 2 && together > compared / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_models_side_by_side_behave_as_each_alone),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
