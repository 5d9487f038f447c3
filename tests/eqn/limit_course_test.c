/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first instant of random networks of ideal diodes and switches: the engine goes through the same modes, commits the same ones and ends
 * the same way as the event iteration over exact fractions (limit_search_impl.h). HBG_LIMIT_SEED=… shows one; HBG_SOAK=1 takes many
 * more. */
#include "limit_engine_impl.h"
#include "limit_search_impl.h"
#include "sim/sim.h"
#include "support/soak.h"

static const limit_plan plan = {.junctions = 6,
                                .elements = 6,
                                .controlled = 60,
                                .sources = 40,
                                .resistances = 25,
                                .two_ports = 20,
                                .moving = 30};

static limit_circuit circuit;
static bool shares; /* the engine knows the limit */
static char text_memory[1 << 15];

/* ---- the model ---------------------------------------------------------------------------------------- */

static void text_guards(graph_text *out, const limit_net *n, int junction) {
    bool zero = n->nodes[junction].kind == LIMIT_ZERO;
    if (circuit.device[junction] == DEVICE_SWITCH) {
        const char *closed = circuit.command[junction] ? "true" : "false";
        text_add(out, "off f -> n when %s; on n -> f when !%s;", closed, closed);
        return;
    }
    text_add(out, "off f -> n when 0");
    for (int b = 0; b < n->bond_count; b++) {
        int sign = limit_sign(n, b, junction);
        if (sign != 0) text_add(out, " %c b%d.%c", sign > 0 ? '+' : '-', b, zero ? 'f' : 'e');
    }
    text_add(out, " > 0; on n -> f when n%d.%c < 0;", junction, zero ? 'e' : 'f');
}

static void random_circuit(test_random *random) {
    random_limit_net(&circuit.n, random, &plan);
    random_limit_mode(&circuit.n, random);
    for (int i = 0; i < circuit.n.node_count; i++) {
        circuit.device[i] = !circuit.n.nodes[i].controlled ? DEVICE_NONE
                            : random_chance(random, 70)    ? DEVICE_DIODE
                                                           : DEVICE_SWITCH;
        circuit.command[i] = random_chance(random, 50);
    }
}

/* ---- the engine --------------------------------------------------------------------------------------- */

typedef struct {
    const limit_net *n;
    const hbg_rt_description *system;
    bool told;
    uint64_t modes[SEARCH_VISITS];
    bool committed[SEARCH_VISITS];
    int count;
    hbg_rt_verdict verdict;
    char words[600];
} engine_trace;

static void take_event(void *context, const hbg_sim_event *event) {
    engine_trace *t = context;
    if (t->told) return;
    t->told = true;
    t->verdict = event->verdict;
    t->count = event->visit_count;
    for (int i = 0; i < event->visit_count && i < SEARCH_VISITS; i++) {
        t->committed[i] = event->visits[i].kind != HBG_RT_MYTHICAL;
        t->modes[i] = 0;
        for (int k = 0; k < t->system->automaton_count; k++) {
            const hbg_rt_automaton *automaton = &t->system->automata[k];
            if (strcmp(automaton->states[event->visits[i].states[k]], "n") == 0)
                t->modes[i] |= UINT64_C(1) << atoi(automaton->name + 1);
        }
    }
}

static bool take_row(void *context, double t, const double *outputs) {
    (void)context;
    (void)t;
    (void)outputs;
    return true;
}

/* False: the engine refuses the model. */
static bool run_engine(engine_trace *t) {
    static limit_engine m;
    limit_answer answer;
    graph_text text = {text_memory, 0, sizeof text_memory};
    text_limit_net(&text, &circuit.n, text_guards);
    *t = (engine_trace){.n = &circuit.n};
    bool opened = limit_engine_open(&m, text_memory, &answer);
    snprintf(t->words, sizeof t->words, "%s", opened ? "" : answer.words);
    if (opened) {
        hbg_sim_result result;
        hbg_sim_options options = hbg_sim_options_default();
        options.solver = HBG_SIM_ERK;
        options.stop = 1e-9;
        options.event = take_event;
        options.row = take_row;
        options.context = t;
        t->system = m.system;
        hbg_rt_status status = hbg_sim_run(&m.arena, m.system, m.run, &options, &result);
        if (status == HBG_RT_OK && t->count == 0) { // nothing moved
            t->told = t->committed[0] = true;
            t->modes[0] = circuit_mode(&circuit);
            t->count = 1;
        }
        if (status != HBG_RT_OK) snprintf(t->words, sizeof t->words, "%s", hbg_rt_failed(m.run)->text);
    }
    limit_engine_close(&m);
    return t->told;
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

typedef struct {
    int circuits, refused, compared, moved, several, shorted, cycles, fallbacks, floating, unsolvable;
} statistics;

static void fail_course(const char *what, const limit_trace *expected, const engine_trace *found) {
    fputs(text_memory, stderr);
    for (int i = 0; i < expected->count; i++)
        print_error("expected %llx%s%s\n", (unsigned long long)expected->modes[i],
                    expected->committed[i] ? " committed" : "", expected->floats[i] ? " floating" : "");
    for (int i = 0; i < found->count; i++)
        print_error("found    %llx%s\n", (unsigned long long)found->modes[i],
                    found->committed[i] ? " committed" : "");
    fail_msg("%s; verdict %d, expected end %d; %s", what, (int)found->verdict, (int)expected->end,
             found->words);
}

static void compare_course(const limit_trace *expected, const engine_trace *found) {
    // of a divergence the loop is told in which all moved together, of a short circuit perhaps not the mode that is shorted
    int count = expected->end == SEARCH_CYCLES ? expected->together : expected->count;
    bool stopped = found->verdict == HBG_RT_FORBIDDEN_GUARD || found->verdict == HBG_RT_ENERGY_CREATED;
    if (stopped && found->count < count) count = found->count;
    if (expected->end == SEARCH_SHORTED && found->count == count - 1) count--;
    if (found->count < count || (found->count > count && expected->end != SEARCH_CYCLES))
        fail_course("another number of modes", expected, found);
    for (int i = 0; i < count; i++)
        if (expected->modes[i] != found->modes[i] ||
            (expected->end == SEARCH_SETTLES && expected->committed[i] != found->committed[i]))
            fail_course("another course", expected, found);
    const char *verdict = hbg_rt_verdict_name(found->verdict);
    bool shorted = strcmp(verdict, "short-circuit") == 0 || strcmp(verdict, "open-flow-source") == 0;
    if ((expected->end == SEARCH_SHORTED) != shorted) fail_course("another end", expected, found);
    if ((expected->end == SEARCH_CYCLES) != (found->verdict == HBG_RT_DIVERGENCE))
        fail_course("another end", expected, found);
}

/* An engine that knows no limit moves all automata together, always, and has no values for what floats. */
static bool is_followed(const limit_trace *expected) {
    return shares || (!expected->floating && (!expected->fell_back || expected->end == SEARCH_CYCLES));
}

static void try_circuit(test_random *random, statistics *s) {
    static limit_trace expected;
    static limit_values v;
    static engine_trace found;
    random_circuit(random);
    rational_overflow = false;
    bool answered = run_engine(&found);
    circuit_instant(&circuit, &expected, &v);
    if (rational_overflow || expected.end == SEARCH_COMMITS) return;
    s->circuits++;
    s->fallbacks += expected.fell_back;
    s->floating += expected.floating;
    s->shorted += expected.end == SEARCH_SHORTED;
    s->cycles += expected.end == SEARCH_CYCLES;
    s->unsolvable += expected.end == SEARCH_UNSOLVABLE;
    s->refused += !answered;
    if (expected.end == SEARCH_UNSOLVABLE || !is_followed(&expected)) return;
    if (is_known_gap(found.words)) return;
    if (!answered) fail_course("refused", &expected, &found);
    s->compared++;
    s->moved += expected.count > 1;
    s->several += expected.count > 2;
    compare_course(&expected, &found);
}

static void the_engine_takes_the_same_course(void **state) {
    (void)state;
    statistics s = {0};
    shares = limit_engine_shares();
    const char *only = getenv("HBG_LIMIT_SEED");
    for (int i = 0; i < many_trials(500, 2000, 40000); i++) {
        test_random random = {only ? strtoull(only, NULL, 0) : 33000007 + (uint64_t)i};
        try_circuit(&random, &s);
        if (only) return;
    }
    if (getenv("HBG_LIMIT_TELL"))
        print_message("circuits %d, refused %d, compared %d, moved %d, several %d, shorted %d, cycles %d, "
                      "fallbacks %d, "
                      "floating %d, unsolvable %d\n",
                      s.circuits, s.refused, s.compared, s.moved, s.several, s.shorted, s.cycles, s.fallbacks,
                      s.floating, s.unsolvable);
    assert_true(3 * s.compared > s.circuits && 6 * s.moved > s.circuits && 30 * s.several > s.circuits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_takes_the_same_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
