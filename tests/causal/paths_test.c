/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causal paths: on circuits small enough to be followed by hand, and on random graphs, where they reach what
 * following effort and flow bond by bond reaches. */
#include "signals_impl.h"

/* ---- single cases ------------------------------------------------------------------------------------- */

typedef struct {
    fixture f;
    hbg_causal_assignment *assignment;
    hbg_causal_path_tree tree;
} paths;

static void open_paths(paths *p, const char *text) {
    fixture_open(&p->f, text, false);
    p->assignment = fixture_assign(&p->f);
    assert_true(hbg_causal_valid(p->assignment));
}

/* Finds the paths from a port; the result is how many there are. */
static int find(paths *p, const char *element, int32_t port) {
    int ends = 0;
    p->tree = hbg_causal_paths(&p->f.arena, p->assignment, fixture_element(&p->f, element), port);
    for (int32_t i = 0; i < p->tree.count; i++) ends += p->tree.steps[i].element != HBG_NONE;
    return ends;
}

/* One of the paths found leads to the port named over these bonds, each followed by e or f for what is passed:
 * "b4e b3e b2e". */
static void assert_path(paths *p, const char *element, int32_t port, const char *expected) {
    int32_t to = fixture_element(&p->f, element), *bonds, count = 0;
    char text[256] = "";
    for (int32_t i = 0; i < p->tree.count; i++) {
        if (p->tree.steps[i].element != to || p->tree.steps[i].port != port) continue;
        assert_int_equal(count, 0); // no port is reached twice
        count = hbg_causal_path_bonds(&p->f.arena, &p->tree, i, &bonds);
        for (int32_t step = i, k = count; step != HBG_NONE; step = p->tree.steps[step].before)
            assert_int_equal(bonds[--k], p->tree.steps[step].bond);
        bool effort[64];
        for (int32_t step = i, k = count; step != HBG_NONE; step = p->tree.steps[step].before)
            effort[--k] = p->tree.steps[step].effort;
        for (int32_t k = 0; k < count; k++) {
            hbg_name name = p->f.model->bonds.items[bonds[k]].id.name;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%c", k ? " " : "",
                     hbg_base_names_get(p->f.model->names, name), effort[k] ? 'e' : 'f');
        }
    }
    assert_string_equal(text, expected);
}

/* The capacitor gives the node its effort, the resistor in series gives the flow. */
static const char low_pass[] = "model M { Se v(1); R r(1); R g(1); C c(1); 1 j; 0 n;\n"
                               "b1: v -> j; b2: j -> r; b3: j -> n; b4: n -> c; b5: n -> g; }";

static void the_effort_of_a_capacitor_reaches_both_resistors(void **state) {
    (void)state;
    paths p;
    open_paths(&p, low_pass);
    assert_int_equal(find(&p, "c", 1), 2);
    assert_path(&p, "r", 1, "b4e b3e b2e");
    assert_path(&p, "g", 1, "b4e b5e");
    assert_int_equal(p.tree.count, 4); // the paths share b4
    fixture_close(&p.f);
}

static void the_flow_of_a_resistor_reaches_source_and_capacitor(void **state) {
    (void)state;
    paths p;
    open_paths(&p, low_pass);
    assert_int_equal(find(&p, "r", 1), 2);
    assert_path(&p, "v", 1, "b2f b1f");
    assert_path(&p, "c", 1, "b2f b3f b4f");
    assert_int_equal(find(&p, "g", 1), 1);
    assert_path(&p, "c", 1, "b5f b4f");
    fixture_close(&p.f);
}

static void the_effort_of_a_source_ends_at_the_resistor(void **state) {
    (void)state;
    paths p;
    open_paths(&p, low_pass);
    assert_int_equal(find(&p, "v", 1), 1);
    assert_path(&p, "r", 1, "b1e b2e");
    fixture_close(&p.f);
}

/* A motor: the current makes a torque, the speed a voltage. */
static void a_gyrator_turns_flow_into_effort(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { Se v(1); I l(1); R r(1); GY m(2); TF t(3); I k(1); R d(1); 1 i; 1 w;\n"
                   "b1: v -> i; b2: i -> l; b3: i -> r; b4: i -> m; b5: m -> t; b6: t -> w; b7: w -> k;\n"
                   "b8: w -> d; }");
    assert_int_equal(find(&p, "l", 1), 3);
    assert_path(&p, "v", 1, "b2f b1f");
    assert_path(&p, "r", 1, "b2f b3f");
    assert_path(&p, "k", 1, "b2f b4f b5e b6e b7e");
    assert_int_equal(find(&p, "k", 1), 2);
    assert_path(&p, "d", 1, "b7f b8f");
    assert_path(&p, "l", 1, "b7f b6f b5f b4e b2e"); // against the direction of the chain
    fixture_close(&p.f);
}

static void an_off_junction_ends_the_paths(void **state) {
    (void)state;
    paths p;
    open_paths(&p,
               "model M { " AUTOMATON("a") "C c(1); C d(1); R r(1); 0 n; 1 s when a; 0 m;\n"
                                           "b1: n -> c; b2: n -> s; b3: s -> r; b4: s -> m; b5: m -> d; }");
    assert_int_equal(find(&p, "c", 1), 1);
    assert_path(&p, "r", 1, "b1e b2e b3e");
    assert_int_equal(find(&p, "r", 1), 2);
    assert_true(FLIP(&p.f, p.assignment, "s"));
    assert_int_equal(find(&p, "c", 1), 0);
    assert_int_equal(find(&p, "r", 1), 0);
    fixture_close(&p.f);
}

static void a_dependent_storage_gets_and_gives(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { C c(1); C d(1); 0 n; b1: n -> c; b2: n -> d; }");
    bool swapped = hbg_causal_is_derivative(p.assignment, fixture_element(&p.f, "c"), 1);
    assert_int_equal(find(&p, swapped ? "d" : "c", 1), 1);
    assert_path(&p, swapped ? "c" : "d", 1, swapped ? "b2e b1e" : "b1e b2e");
    assert_int_equal(find(&p, swapped ? "c" : "d", 1), 1);
    assert_path(&p, swapped ? "d" : "c", 1, swapped ? "b1f b2f" : "b2f b1f");
    fixture_close(&p.f);
}

static void each_port_of_a_field_has_paths_of_its_own(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { I l[2]([[2, 1], [1, 2]]); R r(1); Se v(1); R s(1); 1 i; 1 j;\n"
                   "b1: v -> i; b2: i -> l[1]; b3: i -> r; b4: j -> l[2]; b5: j -> s; }");
    assert_int_equal(find(&p, "l", 1), 2);
    assert_path(&p, "v", 1, "b2f b1f");
    assert_path(&p, "r", 1, "b2f b3f");
    assert_int_equal(find(&p, "l", 2), 1);
    assert_path(&p, "s", 1, "b4f b5f");
    assert_int_equal(find(&p, "s", 1), 1);
    assert_path(&p, "l", 2, "b5e b4e");
    fixture_close(&p.f);
}

static void without_a_junction_a_path_is_a_bond(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { Se v(1); R r(1); b1: v -> r; }");
    assert_int_equal(find(&p, "v", 1), 1);
    assert_path(&p, "r", 1, "b1e");
    fixture_close(&p.f);
}

static void a_path_may_come_back(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { C c(1); GY g(2); 0 n; b1: n -> c; b2: n -> g[1]; b3: g[2] -> n; }");
    assert_int_equal(find(&p, "c", 1), 1);
    int32_t *bonds, last = p.tree.count - 1;
    while (p.tree.steps[last].element == HBG_NONE) last--;
    assert_int_equal(p.tree.steps[last].element, fixture_element(&p.f, "c"));
    assert_int_equal(hbg_causal_path_bonds(&p.f.arena, &p.tree, last, &bonds), 4);
    assert_int_equal(bonds[0], fixture_bond(&p.f, "b1"));
    assert_int_equal(bonds[1] + bonds[2], fixture_bond(&p.f, "b2") + fixture_bond(&p.f, "b3"));
    assert_int_equal(bonds[3], fixture_bond(&p.f, "b1"));
    fixture_close(&p.f);
}

static void no_path_begins_where_no_port_is(void **state) {
    (void)state;
    paths p;
    open_paths(&p, "model M { Se v(1); R r(1); TF t(2); 0 n; v -> t -> n; n -> r; }");
    assert_int_equal(find(&p, "n", 1), 0);
    assert_int_equal(find(&p, "t", 1), 0);
    assert_int_equal(find(&p, "r", 2), 0);
    assert_int_equal(find(&p, "r", 0), 0);
    assert_int_equal(p.tree.count, 0);
    fixture_close(&p.f);
}

/* A ladder of any length has one capacitor between each two resistors: paths are short, and so is the work. */
static void the_cost_is_that_of_what_is_reached(void **state) {
    (void)state;
    static char memory[1 << 20];
    graph_text text = {memory, 0, sizeof memory};
    paths p;
    text_add(&text, "model M { Se v(1); 0 n0; v -> n0;\n");
    for (int i = 1; i <= 2000; i++)
        text_add(&text, "1 j%d; R r%d(1); C c%d(1); 0 n%d; n%d -> j%d -> n%d; j%d -> r%d; n%d -> c%d;\n", i,
                 i, i, i, i - 1, i, i, i, i, i, i);
    text_add(&text, "}\n");
    open_paths(&p, memory);
    size_t used = p.f.session->memory.used;
    assert_int_equal(find(&p, "c1000", 1), 2); // the resistors on both sides
    assert_int_equal(p.tree.count, 5);
    assert_true(p.f.session->memory.used - used <= 8192);
    fixture_close(&p.f);
}

/* ---- random graphs ------------------------------------------------------------------------------------ */

typedef struct {
    int modes, ports, paths, turned;
} statistics;

static int32_t signal_of(const hbg_causal_step *step) {
    return 2 * step->bond + !step->effort;
}

/* Each step hands on to the next directly, the first is what the port gives. */
static void check_step(const walk_visit *visit, const signals *s, const hbg_causal_path_tree *tree,
                       int32_t at, int32_t start) {
    const hbg_causal_step *step = &tree->steps[at];
    WALK_ASSERT(visit, step->before < at);
    if (step->before == HBG_NONE)
        WALK_ASSERT(visit, signal_of(step) == start);
    else
        WALK_ASSERT(visit, s->reaches[signal_of(&tree->steps[step->before])][signal_of(step)]);
    if (step->element == HBG_NONE) return;
    int end = signals_runs_to(s, signal_of(step), 1);
    const hbg_bond *bond = &s->f->model->bonds.items[step->bond];
    WALK_ASSERT(visit, step->element == signals_element_at(s, step->bond, end));
    WALK_ASSERT(visit, step->port == (end ? bond->to.port : bond->from.port));
}

static bool is_one_port(const hbg_element *element) {
    return element->ports > 0 && element->kind != HBG_KIND_TF && element->kind != HBG_KIND_GY;
}

static void check_port(const walk_visit *visit, const signals *direct, const signals *all, int32_t element) {
    statistics *counted = visit->user;
    const hbg_model *model = visit->f->model;
    int32_t bond = model->incidence[model->incidence_start[element]];
    int end = signals_element_at(all, bond, 1) == element;
    int32_t start = signals_runs_to(all, 2 * bond, end) ? 2 * bond + 1 : 2 * bond;
    hbg_causal_path_tree tree = hbg_causal_paths(&visit->f->arena, visit->assignment, element, 1);
    bool found[SIGNALS] = {0};
    for (int32_t i = 0; i < tree.count; i++) {
        check_step(visit, direct, &tree, i, start);
        counted->turned += tree.steps[i].before != HBG_NONE &&
                           tree.steps[i].effort != tree.steps[tree.steps[i].before].effort;
        counted->paths += tree.steps[i].element != HBG_NONE;
        if (tree.steps[i].element != HBG_NONE) found[signal_of(&tree.steps[i])] = true;
    }
    for (int32_t signal = 0; signal < 2 * model->bonds.count; signal++) {
        int32_t at = signals_element_at(all, signal >> 1, signals_runs_to(all, signal, 1));
        bool reached =
            (signal == start || all->reaches[start][signal]) && is_one_port(&model->elements.items[at]);
        WALK_ASSERT(visit, found[signal] == reached);
    }
    counted->ports++;
}

static void check(const walk_visit *visit) {
    static signals direct, all;
    statistics *counted = visit->user;
    if (!hbg_causal_valid(visit->assignment) || walk_is_excused(visit->assignment)) return;
    direct = (signals){.f = visit->f, .assignment = visit->assignment};
    signals_join(&direct);
    all = direct;
    signals_close(&all);
    for (int32_t i = 0; i < visit->f->model->elements.count; i++)
        if (is_one_port(&visit->f->model->elements.items[i])) check_port(visit, &direct, &all, i);
    counted->modes++;
}

static void paths_reach_what_following_the_signals_reaches(void **state) {
    (void)state;
    statistics s = {0};
    walk_plan plan = {
        .graphs = 300, .steps = 4, .moving = 50, .seed = 1, .most = {WALK_SMALL, .gyrators = 20, .dual = 10}};
    plan.most.resistors = 40;
    plan.most.sources = 15;
    walk_graphs(&plan, check, &s);
    print_message("%d modes: %d ports, %d paths, %d turns at gyrators\n", s.modes, s.ports, s.paths,
                  s.turned);
    assert_true(s.paths > s.ports / 2 && s.turned > s.modes / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_effort_of_a_capacitor_reaches_both_resistors),
        cmocka_unit_test(the_flow_of_a_resistor_reaches_source_and_capacitor),
        cmocka_unit_test(the_effort_of_a_source_ends_at_the_resistor),
        cmocka_unit_test(a_gyrator_turns_flow_into_effort),
        cmocka_unit_test(an_off_junction_ends_the_paths),
        cmocka_unit_test(a_dependent_storage_gets_and_gives),
        cmocka_unit_test(each_port_of_a_field_has_paths_of_its_own),
        cmocka_unit_test(without_a_junction_a_path_is_a_bond),
        cmocka_unit_test(a_path_may_come_back),
        cmocka_unit_test(no_path_begins_where_no_port_is),
        cmocka_unit_test(the_cost_is_that_of_what_is_reached),
        cmocka_unit_test(paths_reach_what_following_the_signals_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
