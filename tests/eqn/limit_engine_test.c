/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine against the limit in exact fractions, mode by mode, on random switched networks; and networks whose parasitics are written
 * out as resistances of 1e-6 against both. HBG_LIMIT_SEED=… shows one network; HBG_SOAK=1 takes many more. */
#include "limit_engine_impl.h"
#include "support/soak.h"

static const limit_plan plan = {.junctions = 6,
                                .elements = 6,
                                .controlled = 65,
                                .duals = 15,
                                .sources = 40,
                                .resistances = 25,
                                .two_ports = 25,
                                .moving = 40};

static char text_memory[1 << 14];
static bool shares; /* the engine knows the limit */

typedef struct {
    int modes, agreed, refused, floating, shorted, unsolvable, gaps;
} statistics;

static void compare(const limit_net *n, const char *what, const rational *expected, const double *found,
                    int count) {
    double size = 1;
    for (int k = 0; k < count; k++) size = fmax(size, fabs(rational_to_double(expected[k])));
    for (int k = 0; k < count; k++)
        if (!(fabs(found[k] - rational_to_double(expected[k])) <= 1e-9 * size))
            fail_msg("%s of %c%d.%c is %.12g, not %lld/%lld, in\n%s", what,
                     count == n->node_count ? 'n' : 'b', count == n->node_count ? k : k / 2,
                     k % 2 ? 'f' : 'e', found[k], (long long)expected[k].up, (long long)expected[k].down,
                     text_memory);
}

static void try_mode(const limit_net *n, uint64_t seed, statistics *s) {
    static limit_values v;
    limit_answer answer;
    graph_text text = {text_memory, 0, sizeof text_memory};
    rational_overflow = false;
    limit_consider(n, &v);
    if (rational_overflow) return;
    text_limit_net(&text, n, NULL);
    limit_engine_ask(n, text_memory, &answer);
    s->modes++;
    s->unsolvable += !v.unique;
    s->floating += v.floating > 0;
    s->shorted += v.shorted;
    if (!answer.known && v.unique && getenv("HBG_LIMIT_TELL"))
        print_message("%llu refused: %s (floating %d, shorted %d)\n%s", (unsigned long long)seed,
                      answer.words, v.floating, v.shorted, getenv("HBG_LIMIT_TEXT") ? text_memory : "");
    if (!v.unique || !answer.known) {
        s->refused += v.unique;
        bool expected = v.unique && (v.floating == 0 || shares);
        s->gaps += expected && is_known_gap(answer.words);
        if (expected && !is_known_gap(answer.words))
            fail_msg("refused: %s in\n%s", answer.words, text_memory);
        return;
    }
    s->agreed++;
    compare(n, "energy", v.x_plus, answer.x_plus, n->node_count);
    if (v.floating > 0 && !shares) return; // no values there for what floats
    compare(n, "area", v.area, answer.area, 2 * n->bond_count);
    compare(n, "value", v.fin, answer.fin, 2 * n->bond_count);
}

static void the_engine_agrees_in_every_mode(void **state) {
    (void)state;
    static limit_net n;
    shares = limit_engine_shares();
    statistics s = {0};
    const char *only = getenv("HBG_LIMIT_SEED");
    for (int i = 0; i < many_trials(500, 1500, 40000); i++) {
        uint64_t seed = only ? strtoull(only, NULL, 0) : 77000003 + (uint64_t)i;
        test_random random = {seed};
        random_limit_net(&n, &random, &plan);
        random_limit_mode(&n, &random);
        try_mode(&n, seed, &s);
        if (only) return;
    }
    if (getenv("HBG_LIMIT_TELL"))
        print_message("modes %d, agreed %d, refused %d, floating %d, shorted %d, unsolvable %d, gaps %d\n",
                      s.modes, s.agreed, s.refused, s.floating, s.shorted, s.unsolvable, s.gaps);
    assert_true(1000 * s.gaps < s.modes + 1000);
    assert_true(4 * s.agreed > s.modes);
}

/* ---- parasitics that are written out -------------------------------------------------------------------- */

enum { PER_ETA = 1000000 };

/* The net with a resistance at every junction that is controlled, and nothing left to switch. */
static void write_out(limit_net *n) {
    for (int i = 0, count = n->node_count; i < count; i++) {
        limit_node *at = &n->nodes[i];
        if (!at->controlled) continue;
        bool large = at->off == (at->kind == LIMIT_ONE);
        rational value = large ? rational_number(PER_ETA) : rational_of(1, PER_ETA);
        at->controlled = at->off = false;
        limit_join(n, i, limit_add(n, (limit_node){.kind = LIMIT_R, .value = value}));
    }
}

/* Nothing is cut, and energies stay what they are whatever they are: no resistance has to fill a storage first. */
static bool is_plain(const limit_net *n, const limit_values *v) {
    for (int i = 0; i < n->node_count; i++) {
        if (limit_is_source(&n->nodes[i]) && limit_cut_bond(n, i) >= 0) return false;
        if (limit_is_storage(&n->nodes[i]) && !rational_equal(v->x_plus[i], n->nodes[i].x)) return false;
    }
    return v->unique && !rational_overflow;
}

static bool try_small(limit_net *n) {
    static limit_values v;
    limit_answer answer;
    graph_text text = {text_memory, 0, sizeof text_memory};
    int width = 2 * n->bond_count;
    double size = 1;
    rational_overflow = false;
    for (int i = 0; i < n->node_count; i++) n->nodes[i].x = rational_of(2 * i + 1, 97); // fits no source
    limit_consider(n, &v);
    if (!is_plain(n, &v)) return false;
    write_out(n);
    text_limit_net(&text, n, NULL);
    limit_engine_ask(n, text_memory, &answer);
    if (!answer.known) return false;
    for (int k = 0; k < width; k++)
        size = fmax(size, fmax(fabs(rational_to_double(v.fin[k])), fabs(rational_to_double(v.unb[0][k]))));
    for (int k = 0; k < width; k++) {
        double expected = rational_to_double(v.unb[0][k]) * PER_ETA + rational_to_double(v.fin[k]);
        if (!(fabs(answer.fin[k] - expected) <= 1e-3 * size))
            fail_msg("b%d.%c is %.12g, not %.12g, in\n%s", k / 2, k % 2 ? 'f' : 'e', answer.fin[k], expected,
                     text_memory);
    }
    return v.floating > 0;
}

static void small_resistances_come_near_to_the_limit(void **state) {
    (void)state;
    static limit_net n;
    limit_plan switched = plan;
    int floating = 0, modes = many_trials(400, 1000, 20000);
    switched.duals = 0;
    for (int i = 0; i < modes; i++) {
        test_random random = {55000003 + (uint64_t)i};
        random_limit_net(&n, &random, &switched);
        random_limit_mode(&n, &random);
        floating += try_small(&n);
    }
    assert_true(10 * floating > modes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_agrees_in_every_mode),
        cmocka_unit_test(small_resistances_come_near_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
