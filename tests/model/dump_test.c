/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The dump of a model. */
#include "fixture_impl.h"

static void fill(fixture *f) {
    int32_t p = param(f, "R1", quantity(f, 330, OHM));
    int32_t s = element(f, HBG_KIND_SE, "s", quantity(f, 10, VOLT));
    int32_t a = automaton(f, "sw", "01");
    int32_t u = hbg_model_add_signal(f->model, id(f, "u"), HBG_SIGNAL_INPUT, HBG_TYPE_BOOL);
    hbg_expr start = op(f, HBG_OP_FALSE, HBG_NONE, HBG_NONE);
    f->model->signals.items[u].value = start;
    transition(f, a, 0, 1, read_signal(f, u));
    transition(f, a, 1, 0, op(f, HBG_OP_NOT, read_signal(f, u), HBG_NONE));
    int32_t j = junction(f, HBG_KIND_ONE, "j");
    hbg_expr control = follow(f, a);
    f->model->elements.items[j].control = control;
    bond(f, s, j);
    bond(f, j, element(f, HBG_KIND_R, "r", use(f, p)));
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 1e-6));
    initial(f, c, HBG_VARIABLE_EFFORT, 1, number(f, 0));
    bond(f, j, c);
    signal(f, HBG_SIGNAL_OUTPUT, "i", op(f, HBG_OP_FLOW, j, 0));
    int32_t e = experiment(f, "run", quantity(f, 1, SECOND));
    hbg_action action = {number(f, 0.5), u, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE), place(f)};
    HBG_PUSH(&f->arena, f->model->experiments.items[e].actions, action);
    HBG_PUSH(&f->arena, f->model->experiments.items[e].records,
             (hbg_record){op(f, HBG_OP_FLOW, j, 0), "j.f", NULL});
}

static const char *dump(fixture *f) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dump(f->model, &buffer);
    return buffer.data;
}

static void every_table_is_in_the_dump(void **state) {
    fixture *f = *state;
    fill(f);
    assert_clean(f);
    assert_string_equal(dump(f), "model M\n"
                                 "param R1 [Ohm] = 330 -> 330\n"
                                 "element Se s ports 1 value 10 net 0\n"
                                 "element 1 j when sw net 0\n"
                                 "element R r ports 1 value R1 net 0\n"
                                 "element C c ports 1 value 1e-06 initial e[1] = 0 net 0\n"
                                 "bond s>j: s[1] -> j net 0\n"
                                 "bond j>r: j -> r[1] net 0\n"
                                 "bond j>c: j -> c[1] net 0\n"
                                 "automaton sw\n"
                                 "  off s0 start\n"
                                 "    -> s1 when u\n"
                                 "  on s1\n"
                                 "    -> s0 when !u\n"
                                 "input bool u = false\n"
                                 "output real i [A] = j.f\n"
                                 "experiment run solver auto stop 1\n"
                                 "  action u at 0.5 = true\n"
                                 "  record j.f\n"
                                 "net 0 electrical\n");
}

static void the_same_model_gives_the_same_text(void **state) {
    fixture *f = *state;
    fixture other;
    fixture_init(&other);
    fill(f);
    fill(&other);
    assert_string_equal(dump(f), dump(&other)); // also before the check
    hbg_model_check(f->model);
    hbg_model_check(other.model);
    assert_string_equal(dump(f), dump(&other));
    hbg_base_arena_fini(&other.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_table_is_in_the_dump),
                                       TEST(the_same_model_gives_the_same_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
