/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is proved by shortcuts, ways that are left to other instants, automata that are driven from outside and modes that are only
 * passed through, against the proof that follows every way from every discrete state: on random circuits of ideal switches and diodes,
 * some with guards that are wrong. HBG_VERIFY_GRAPHS=… takes so many circuits, HBG_VERIFY_SEED=… begins with this one. */
#include <stdlib.h>

#include "causal/graph_impl.h"
#include "consistency_impl.h"
#include "support/soak.h"

enum { USUAL_CIRCUITS = 24, ALL_CIRCUITS = 60, NODES = 4 };

typedef struct {
    char text[4096];
    size_t size;
    test_random *random;
} circuit;

static void add(circuit *c, const char *format, ...) {
    va_list list;
    va_start(list, format);
    c->size += (size_t)vsnprintf(c->text + c->size, sizeof c->text - c->size, format, list);
    va_end(list);
    assert_true(c->size < sizeof c->text);
}

static const char *any_of(circuit *c, const char *const *texts, int count) {
    return texts[random_below(c->random, count)];
}
#define ANY(c, ...)                                                                                          \
    any_of(c, (const char *const[]){__VA_ARGS__},                                                            \
           (int)(sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)))

/* Two nodes that differ. */
static void draw_nodes(circuit *c, int *a, int *b) {
    *a = random_below(c->random, NODES);
    *b = (*a + 1 + random_below(c->random, NODES - 1)) % NODES;
}

static void add_part(circuit *c, int number) {
    int a, b;
    draw_nodes(c, &a, &b);
    add(c, "%s e%d(%s); 1 j%d; n%d -> j%d -> n%d; j%d -> e%d;\n", ANY(c, "I", "C", "R", "I"), number,
        ANY(c, "1", "2"), number, a, number, b, number, number);
}

/* Driven from outside; a few read what is not. */
static void add_switch(circuit *c, int number) {
    int a, b;
    draw_nodes(c, &a, &b);
    const char *guard = ANY(c, "u", "v", "u && v", "time%1 < 0.5", "time%1 >= 0.6", "time >= 2",
                            "u && time%1 < 0.5", "u || n1.e > 4");
    add(c, "1 s%d when k%d; n%d -> s%d -> n%d;\n", number, number, a, number, b);
    add(c, "automaton k%d { off o -> x when %s; on x -> o when !(%s); }\n", number, guard, guard);
}

static void add_diode(circuit *c, int number) {
    int a, b;
    draw_nodes(c, &a, &b);
    const char *leave =
        random_chance(c->random, 80) ? "" : ANY(c, " - 1", " + 1", " || e0.f > 1", " && e0.e < 2");
    const char *enter = random_chance(c->random, 85) ? ">" : ANY(c, ">=", ">", "!=");
    add(c, "1 d%d when g%d; n%d -> d%d -> n%d;\n", number, number, a, number, b);
    add(c, "automaton g%d { off b -> c when n%d.e %s n%d.e; on c -> b when d%d.f < 0%s; }\n", number, a,
        enter, b, number, leave);
}

static void draw(circuit *c) {
    c->size = 0;
    add(c, "input bool u = false; input bool v = true; 0 n0; 0 n1; 0 n2; 0 n3; Se earth(0); earth -> n0;\n");
    add(c, "Se supply(%s); supply -> n1;\n", ANY(c, "5", "5", "sin(time)", "-2"));
    int parts = 2 + random_below(c->random, 3), switches = 1 + random_below(c->random, 2);
    int diodes = 1 + random_below(c->random, 3);
    for (int i = 0; i < parts; i++) add_part(c, i);
    for (int i = 0; i < switches; i++) add_switch(c, i);
    for (int i = 0; i < diodes; i++) add_diode(c, i);
}

/* ---- both proofs --------------------------------------------------------------------------------------------- */

static hbg_consistency_result ask(fixture *t, bool plainly) {
    jmp_buf guard;
    hbg_verify_options options = hbg_verify_options_default();
    options.plainly = plainly;
    options.bare = true;
    if (HBG_GUARD(&t->m.memory, guard)) fail();
    hbg_consistency_result result =
        hbg_verify_consistency(&t->m.arena, t->prover, t->m.eqn, t->m.model, &options);
    HBG_GUARD_END(&t->m.memory);
    return result;
}

static bool agree(const hbg_group_result *fast, const hbg_group_result *plain) {
    bool same = fast->verdict == plain->verdict && fast->finding_count == plain->finding_count &&
                fast->dead_count == plain->dead_count && fast->undefined_count == plain->undefined_count;
    for (int32_t i = 0; i < fast->finding_count && same; i++)
        same = fast->findings[i].kind == plain->findings[i].kind;
    for (int32_t i = 0; i < fast->dead_count && same; i++)
        same = fast->dead[i].automaton == plain->dead[i].automaton &&
               fast->dead[i].state == plain->dead[i].state &&
               fast->dead[i].transition == plain->dead[i].transition;
    return same;
}

static int number_from(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static void shortcuts_prove_what_every_way_proves(void **state) {
    int seed = number_from("HBG_VERIFY_SEED", 7000),
        total = number_from("HBG_VERIFY_GRAPHS", trials(USUAL_CIRCUITS, ALL_CIRCUITS));
    int proved = 0, wrong = 0, open = 0, fewer = 0;
    (void)state;
    for (int i = 0; i < total; i++) {
        test_random random = {(uint64_t)(seed + i)};
        circuit c = {.random = &random};
        fixture t;
        draw(&c);
        begin(&t, c.text);
        hbg_consistency_result fast = ask(&t, false), plain = ask(&t, true);
        assert_int_equal(fast.group_count, plain.group_count);
        for (int32_t g = 0; g < fast.group_count; g++) {
            const hbg_group_result *at = &fast.groups[g], *other = &plain.groups[g];
            if (!agree(at, other))
                fail_msg("seed %d: verdict %d and %d, %d and %d findings, %d and %d dead; %s; %s\n%s",
                         seed + i, at->verdict, other->verdict, at->finding_count, other->finding_count,
                         at->dead_count, other->dead_count, at->reason ? at->reason : "",
                         other->reason ? other->reason : "", c.text);
            proved += at->verdict == HBG_VERDICT_PROVED;
            wrong += at->verdict == HBG_VERDICT_WITNESS;
            open += at->verdict == HBG_VERDICT_UNDECIDED;
            fewer += at->ways < other->ways;
        }
        end(&t);
    }
    print_message("%d groups proved, %d wrong, %d not decided; shorter in %d\n", proved, wrong, open, fewer);
    if (total < USUAL_CIRCUITS) return;
    assert_true(proved > total / 8);
    assert_true(wrong > total / 8);
    assert_true(fewer > total / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortcuts_prove_what_every_way_proves),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
