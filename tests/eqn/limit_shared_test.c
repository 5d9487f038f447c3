/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards and outputs that only the ratio of parasites decides, and those that it does not (semantics, section 3a). */
#include "eqn/fixture_impl.h"

/* A switch that shuts beside its body diode: of 10 A each carries half, or any other share. */
#define BODY_DIODE(more)                                                                                     \
    "model M { Sf load(10 [A]); Se ground(0 [V]); R wire(1 [Ohm]); 1 feed; 0 node; 0 back; 1 sw when s; 1 "  \
    "body when d; load -> feed -> node; feed -> wire; node -> sw -> back; node -> body -> back; ground -> "  \
    "back; input bool shut = false; automaton s { off open -> closed when shut; on closed -> open when "     \
    "!shut; } automaton d { off blocking -> conducting when node.e - back.e > 0 [V]; on conducting -> "      \
    "blocking when body.f < 0 [A]; } " more " }"

/* A node between two switches; while both are open it floats between 4 V and `high`. */
#define HALF_BRIDGE(high, more)                                                                              \
    "model M { Se v(" high " [V]); Se w(4 [V]); 0 a; 0 c; 0 mid; 1 up when x; 1 low when y; R r(1 [Ohm]); "  \
    "v -> a; w -> c; c -> r; a -> up -> mid -> low -> c; automaton x { off open -> shut when time > 1 [s]; " \
    "on shut; } automaton y { off open -> shut when time > 2 [s]; on shut; } " more " }"

typedef struct {
    fixture *of;
    hbg_eqn_shared_list list;
} question;

static void find(void *context, hbg_eqn *eqn) {
    question *asked = context;
    asked->list = hbg_eqn_find_shared(eqn, &asked->of->arena);
}

/* What is told: names of automata and outputs, in order. */
static void expect(const char *model, const char *wanted) {
    fixture f;
    fixture_open(&f, model);
    question asked = {.of = &f};
    hbg_eqn_ask_modes(&f.arena, f.model, find, &asked);
    hbg_eqn_shared_list list = asked.list;
    char told[200] = "";
    for (int32_t i = 0; i < list.count; i++) {
        const hbg_eqn_shared *one = &list.items[i];
        hbg_name name = one->transition != HBG_NONE ? f.model->automata.items[one->automaton].id.name
                        : one->signal != HBG_NONE   ? f.model->signals.items[one->signal].id.name
                                                    : 0;
        size_t used = strlen(told);
        snprintf(told + used, sizeof told - used, "%s%s", used ? " " : "",
                 name ? hbg_base_names_get(f.model->names, name) : "record");
    }
    assert_string_equal(told, wanted);
    fixture_close(&f);
}

static void share_of_a_body_diode_is_told_and_the_sum_is_not(void **unused) {
    (void)unused;
    expect(BODY_DIODE("output own = body.f, both = body.f + sw.f, v = node.e, loss = sw.f*sw.f;"),
           "loss own");
    expect(BODY_DIODE("output through = sw.f - 2*body.f; experiment e { stop 1 [s]; record body.f, "
                      "through; }"),
           "through record");
}

/* The diode's own guard has the sign of the whole current. A fuse that blows above 4 A does not; one above -1 A does. */
static void guards_are_told_where_their_sign_is_open(void **unused) {
    (void)unused;
    expect(BODY_DIODE(""), "");
    expect(BODY_DIODE("automaton fuse { off whole -> blown when body.f > 4 [A]; on blown; }"), "fuse");
    expect(BODY_DIODE("automaton fuse { off whole -> blown when body.f > -1 [A]; on blown; }"), "");
    expect(BODY_DIODE("automaton fuse { off whole -> blown when sw.f + body.f > 4 [A]; on blown; }"), "");
}

/* For any leaks the node is between 4 V and 10 V. */
static void threshold_counts_inside_of_what_a_node_floats_between(void **unused) {
    (void)unused;
    expect(HALF_BRIDGE("10", "automaton g { off no -> yes when mid.e > 3.9 [V]; on yes; }"), "");
    expect(HALF_BRIDGE("10", "automaton g { off no -> yes when mid.e > 4.1 [V]; on yes; }"), "g");
    expect(HALF_BRIDGE("10", "automaton g { off no -> yes when 9.9 [V] < mid.e; on yes; }"), "g");
    expect(HALF_BRIDGE("10", "automaton g { off no -> yes when mid.e > 10.1 [V]; on yes; }"), "");
    expect(HALF_BRIDGE("10", "output level = mid.e;"), "level");
}

static void no_ratio_counts_where_all_parasites_lead_to_one_value(void **unused) {
    (void)unused;
    expect(HALF_BRIDGE("4", "output level = mid.e;"), "");
    // one leak alone: whatever it is, the node reads what it leads to
    expect("model M { Se v(10 [V]); 0 a; 0 mid; 1 up when x; 1 out; Sf none(0 [A]); v -> a -> up -> mid -> "
           "out; none -> out; "
           "automaton x { off open -> shut when time > 1 [s]; on shut; } output level = mid.e; }",
           "");
}

/* 24 V and 0 V on one node: the mode is never real, and what flows there is no split. */
/* Both pumps between an empty tank and a sump: with all four valves open their flows could be shared in any way, but only where the
 * pistons stand still, since each closes at a flow of the other sign. */
static void modes_that_guards_leave_are_left_out(void **unused) {
    (void)unused;
    const char *pumps = "model M { input q = 1; Sf p(q); Sf r(-q); Se sump(0); C tank(1); 0 pool; 0 c; 0 d; "
                        "0 pipe; sump -> pool; "
                        "pipe -> tank; 1 sc when w; 1 sd when x; 1 dc when y; 1 dd when z; pool -> sc -> c "
                        "-> dc -> pipe; p -> c; "
                        "pool -> sd -> d -> dd -> pipe; r -> d; %s output flow = dc.f; }";
    char text[1600], valves[800] = "";
    const char *const of[] = {"w sc pool c", "x sd pool d", "y dc c pipe", "z dd d pipe"};
    for (int i = 0; i < 4; i++) {
        char name[9], line[9], from[9], to[9];
        size_t used = strlen(valves);
        assert_int_equal(sscanf(of[i], "%8s %8s %8s %8s", name, line, from, to), 4);
        snprintf(
            valves + used, sizeof valves - used,
            "automaton %s { off shut -> lifted when %s.e - %s.e > 0; on lifted -> shut when %s.f < 0; } ",
            name, from, to, line);
    }
    snprintf(text, sizeof text, pumps, valves);
    expect(text, "");
}

static void modes_that_are_passed_through_only_are_left_out(void **unused) {
    (void)unused;
    expect("model M { Se v(24 [V]); Se g(0 [V]); 0 mid; R r(1 [Ohm]); 1 up when x; 1 low when y; v -> up -> "
           "mid -> r; "
           "g -> low -> mid; automaton x { off open -> shut when time > 1 [s]; on shut -> open when up.f > 0 "
           "[A]; } automaton "
           "y { off open -> shut when time > 2 [s]; on shut -> open when low.f < 0 [A]; } output i = up.f; }",
           "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_of_a_body_diode_is_told_and_the_sum_is_not),
        cmocka_unit_test(guards_are_told_where_their_sign_is_open),
        cmocka_unit_test(threshold_counts_inside_of_what_a_node_floats_between),
        cmocka_unit_test(no_ratio_counts_where_all_parasites_lead_to_one_value),
        cmocka_unit_test(modes_that_guards_leave_are_left_out),
        cmocka_unit_test(modes_that_are_passed_through_only_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
