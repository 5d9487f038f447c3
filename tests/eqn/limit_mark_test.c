/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a mode is with the ideal junction as a limit, and which of its bonds are in conflict or float (semantics, section 3a). */
#include "eqn/fixture_impl.h"

typedef struct {
    fixture *of;
    const int32_t *states;
    hbg_eqn_mode_limit limit;
} question;

static void judge(void *context, hbg_eqn *eqn) {
    question *asked = context;
    asked->limit = hbg_eqn_judge_mode(eqn, &asked->of->arena, asked->states);
}

/* Of the start mode: its kind, and the bonds with these marks, each by the names of its ends. */
static void expect(const char *model, hbg_eqn_mode_kind kind, int marks, const char *wanted) {
    fixture f;
    fixture_open(&f, model);
    int32_t *states = HBG_NEW_ARRAY(&f.arena, int32_t, f.model->automata.count + 1);
    for (int32_t i = 0; i < f.model->automata.count; i++) states[i] = f.model->automata.items[i].start;
    question asked = {.of = &f, .states = states};
    hbg_eqn_ask_modes(&f.arena, f.model, judge, &asked);
    hbg_eqn_mode_limit limit = asked.limit;
    char found[200] = "";
    for (int32_t i = 0; i < f.model->bonds.count; i++) {
        size_t used = strlen(found);
        const hbg_bond *bond = &f.model->bonds.items[i];
        if (!(limit.bonds[i] & marks)) continue;
        snprintf(found + used, sizeof found - used, "%s%s>%s", used ? " " : "",
                 hbg_base_names_get(f.model->names, f.model->elements.items[bond->from.element].id.name),
                 hbg_base_names_get(f.model->names, f.model->elements.items[bond->to.element].id.name));
    }
    assert_int_equal(limit.kind, kind);
    assert_string_equal(found, wanted);
    fixture_close(&f);
}

#define ON(name)  "automaton " name " { on yes -> no when time > 1; off no; } "
#define OFF(name) "automaton " name " { off no -> yes when time > 1; on yes; } "

/* The coil is beside the loop of both sources: what it carries stays finite. */
static void loop_of_a_short_circuit_is_marked_and_no_more(void **unused) {
    (void)unused;
    const char *buck =
        "model M { Se v(24); Se g(0); I coil(1); R r(1); 0 n; 1 j; 1 a when x; 1 b when y; v -> a -> n; "
        "g -> b -> n; n -> j -> coil; j -> r; " ON("x") ON("y") "}";
    expect(buck, HBG_EQN_MODE_CONTESTED, HBG_EQN_UNBOUNDED_FLOW, "a>n b>n g>b v>a");
    expect(buck, HBG_EQN_MODE_CONTESTED, HBG_EQN_UNBOUNDED_EFFORT | HBG_EQN_BY_PARASITES, "");
}

static void cut_set_of_a_flow_without_a_way_is_marked(void **unused) {
    (void)unused;
    expect("model M { Sf i(2); 0 n; 0 o; R r(1); 1 a when x; 1 b when y; i -> n; n -> a -> o -> r; n -> b -> "
           "o; " OFF("x") OFF("y") "}",
           HBG_EQN_MODE_CONTESTED, HBG_EQN_UNBOUNDED_EFFORT, "i>n n>a n>b");
}

static void sources_that_always_agree_only_share(void **unused) {
    (void)unused;
    expect("model M { param u = 5; Se v(u); Se w(u); R r(1); 0 n; 1 a when x; 1 b when y; v -> a -> n -> r; "
           "w -> b -> n; " ON("x") ON("y") "}",
           HBG_EQN_MODE_FLOATS, HBG_EQN_BY_PARASITES, "a>n b>n v>a w>b");
    expect("model M { param u = 5; Se v(u); Se w(2*u); R r(1); 0 n; 1 a when x; 1 b when y; v -> a -> n -> "
           "r; w -> b -> n; " ON("x") ON("y") "}",
           HBG_EQN_MODE_CONTESTED, HBG_EQN_BY_PARASITES, "");
    // values of constants count: a drop of 0 V is as good as none
    expect("model M { param drop = 0.5 - 1/2; Se d(drop); Sf i(1); 0 n; 0 e; Se g(0); 1 a when x; 1 b when "
           "y; i -> n -> a -> e; n -> "
           "b -> e; b -> d; g -> e; " ON("x") ON("y") "}",
           HBG_EQN_MODE_FLOATS, HBG_EQN_UNBOUNDED_FLOW, "");
}

static void other_modes_have_no_marks(void **unused) {
    (void)unused;
    int all = HBG_EQN_UNBOUNDED_EFFORT | HBG_EQN_UNBOUNDED_FLOW | HBG_EQN_BY_PARASITES;
    expect("model M { Se v(1); R r(1); 1 a when x; v -> a -> r; " ON("x") "}", HBG_EQN_MODE_REGULAR, all, "");
    expect("model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n; " OFF("x") "}",
           HBG_EQN_MODE_REGULAR, all, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loop_of_a_short_circuit_is_marked_and_no_more),
        cmocka_unit_test(cut_set_of_a_flow_without_a_way_is_marked),
        cmocka_unit_test(sources_that_always_agree_only_share),
        cmocka_unit_test(other_modes_have_no_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
