/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where not all storages can be integral, those are from which varying transformers and gyrators multiply. The
 * choice never costs an integral storage, is the best there is, and does not depend on how a mode was reached. */
#include "brute_impl.h"
#include "walk_impl.h"

/* ---- by hand ------------------------------------------------------------------------------------------ */

static bool is_derivative(const fixture *f, const hbg_causal_assignment *assignment, const char *storage) {
    return hbg_causal_is_derivative(assignment, fixture_element(f, storage), 1);
}

/* Of two storages that cannot both be integral it is the first, in whichever order they stand. */
static void check_pair(const char *first, const char *second, const char *rest, const char *better,
                       const char *worse) {
    for (int turned = 0; turned < 2; turned++) {
        char text[1024];
        fixture f;
        snprintf(text, sizeof text, "model M {\n%s\n%s\n%s\n}\n", turned ? second : first,
                 turned ? first : second, rest);
        fixture_open(&f, text, false);
        hbg_causal_assignment *assignment = fixture_assign(&f);
        assert_true(hbg_causal_valid(assignment));
        assert_false(is_derivative(&f, assignment, better));
        assert_true(is_derivative(&f, assignment, worse));
        fixture_close(&f);
    }
}

static void flow_enters_a_varying_transformer_at_port_1(void **state) {
    (void)state;
    check_pair("1 a; I i(1); a -> i;", "1 b; I j(1); b -> j;", "TF t(sin(time)); a -> t -> b;", "i", "j");
    check_pair("1 a; I i(1); a -> i;", "1 b; I j(1); b -> j;", "TF t(sin(time)); b -> t -> a;", "j", "i");
}

static void effort_enters_a_varying_transformer_at_port_2(void **state) {
    (void)state;
    check_pair("0 a; C i(1); a -> i;", "0 b; C j(1); b -> j;", "TF t(sin(time)); a -> t -> b;", "j", "i");
    check_pair("0 a; C i(1); a -> i;", "0 b; C j(1); b -> j;", "TF t(sin(time)); b -> t -> a;", "i", "j");
}

static void half_arrows_of_indexed_ports_do_not_matter(void **state) {
    (void)state;
    check_pair("1 a; I i(1); a -> i;", "1 b; I j(1); b -> j;", "TF t(sin(time)); a -> t[2]; b -> t[1];", "j",
               "i");
}

static void a_storage_behind_its_own_varying_transformer_counts_where_it_is(void **state) {
    (void)state;
    check_pair("1 a; I i(1); a -> i;", "I j(1);", "TF t(sin(time)); a -> t -> j;", "i", "j");
    check_pair("1 a; I i(1); a -> i;", "I j(1);", "TF t(sin(time)); j -> t -> a;", "j", "i");
}

/* The I gives the gyrator flow, the C at the 0-junction gives it effort. */
static void flow_enters_a_varying_gyrator_at_both_ports(void **state) {
    (void)state;
    check_pair("1 a; I i(1); a -> i;", "0 b; C j(1); b -> j;", "GY t(sin(time)); a -> t -> b;", "i", "j");
    check_pair("1 a; I i(1); a -> i;", "0 b; C j(1); b -> j;", "GY t(sin(time)); b -> t -> a;", "i", "j");
    check_pair("0 a; I i(1); a -> i;", "1 b; C j(1); b -> j;", "GY t(sin(time)); a -> t -> b;", "i", "j");
}

/* Flow at a is effort at b and c: c is at port 2 of the transformer, whence effort comes best. */
static void a_gyrator_that_does_not_vary_turns_the_heights_round(void **state) {
    (void)state;
    const char *rest = "0 b; GY g(2); TF t(sin(time)); a -> g -> b; b -> t -> c;";
    check_pair("1 a; I i(1); a -> i;", "0 c; C j(1); c -> j;", rest, "j", "i");
    rest = "0 b; GY g(2); TF t(sin(time)); a -> g -> b; c -> t -> b;";
    check_pair("1 a; I i(1); a -> i;", "0 c; C j(1); c -> j;", rest, "i", "j");
}

static void two_steps_up_are_worth_more_than_one(void **state) {
    (void)state;
    check_pair("1 a; I i(1); a -> i;", "1 c; I j(1); c -> j;",
               "1 b; TF s(sin(time)); TF t(cos(time)); a -> s -> b; b -> t -> c;", "i", "j");
    check_pair("1 a; I i(1); a -> i;", "1 c; I j(1); c -> j;",
               "TF s(sin(time)); TF t(cos(time)); TF u(2); c -> s -> t -> u -> a;", "j", "i");
}

static void without_varying_moduli_nothing_is_preferred(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { param n = 3; 1 a; 1 b; I i(1); I j(1); TF t(2*n); a -> i; b -> j; b -> t -> a; }",
                 false);
    assert_null(f.structure->link_worth);
    fixture_close(&f);
}

/* ---- the rod pendulum --------------------------------------------------------------------------------- */

static void check_rod(const fixture *f, const hbg_model *model) {
    fixture other = *f;
    other.model = model;
    other.structure = hbg_causal_structure_new(&other.arena, model, NULL);
    hbg_causal_assignment *assignment = fixture_assign(&other);
    assert_true(hbg_causal_valid(assignment));
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->kind != HBG_KIND_I) continue;
        bool body = strcmp(hbg_base_names_get(model->names, element->id.name), "body") == 0;
        assert_int_equal(hbg_causal_is_derivative(assignment, i, 1), !body);
    }
    hbg_base_arena_fini(&other.arena);
}

#define ROD_STORAGES "I body(0.5); 1 swing; swing -> body;\n"
#define ROD_MASSES                                                                                           \
    "I mass_x(1.5); I mass_y(1.5); 1 motion_x; 1 motion_y;\n"                                                \
    "motion_x -> mass_x; motion_y -> mass_y; Se weight(-15); weight -> motion_y;\n"
#define ROD_ARMS                                                                                             \
    "TF arm_x(cos(theta)); TF arm_y(sin(theta)); state theta = 0 : der = swing.f;\n"                         \
    "swing -> arm_x -> motion_x; swing -> arm_y -> motion_y;\n"

static void the_body_of_the_rod_pendulum_is_integral(void **state) {
    (void)state;
    const char *texts[] = {"model M {" ROD_STORAGES ROD_MASSES ROD_ARMS "}",
                           "model M {" ROD_ARMS ROD_MASSES ROD_STORAGES "}",
                           "model M {" ROD_MASSES ROD_ARMS ROD_STORAGES "}"};
    for (int i = 0; i < 3; i++) {
        fixture f;
        fixture_open(&f, texts[i], false);
        hbg_arena arena = f.arena;
        hbg_base_arena_init(&f.arena, &f.session->memory);
        check_rod(&f, f.model);
        hbg_base_arena_init(&f.arena, &f.session->memory);
        check_rod(&f, hbg_model_sorted(&arena, f.model));
        f.arena = arena;
        fixture_close(&f);
    }
}

/* ---- against all assignments -------------------------------------------------------------------------- */

static int64_t worth_of(const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    int64_t worth = 0;
    for (int32_t slot = 0; structure->link_worth && slot < 2 * structure->link_count; slot++) {
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->demand == HBG_DEMAND_PREFER && assignment->mark[slot] == end->wants_effort)
            worth += structure->link_worth[slot >> 1];
    }
    return worth;
}

/* Whether a transformer or gyrator divides, by its law: effort enters the transformer at port 1, or the gyrator
 * at port 2 (and then at both). `value` is that of the link: effort arrives at its end 0. */
static int divisions_in(const hbg_causal_structure *structure, int32_t link, bool value) {
    const hbg_model *model = structure->model;
    int count = 0;
    for (int32_t i = 0; i < structure->links[link].bond_count; i++) {
        int32_t entry = structure->chain[structure->links[link].first_bond + i];
        const hbg_bond *bond = &model->bonds.items[entry >> 2];
        bool towards_start = value != ((entry & 2) != 0), from_is_start = (entry & 1) == 0;
        const hbg_bond_end *into = towards_start == from_is_start ? &bond->from : &bond->to;
        const hbg_element *element = &model->elements.items[into->element];
        double constant;
        bool transformer = element->kind == HBG_KIND_TF, gyrator = element->kind == HBG_KIND_GY;
        if (!transformer && !gyrator) continue;
        if (hbg_model_constant(model, model->entries.items[element->first_value], &constant)) continue;
        count += into->port == (transformer ? 1 : 2);
    }
    return count;
}

typedef struct {
    int fewest, divisions; /* derivative storages; divisions with so few of them */
} least_division;

static void count_divisions(brute *b, void *user) {
    least_division *least = user;
    int count = 0;
    for (int32_t link = 0; link < b->structure->link_count; link++)
        if (b->value[link] != HBG_NONE) count += divisions_in(b->structure, link, b->value[link]);
    if (least->fewest < 0 || b->derivative < least->fewest) {
        least->fewest = b->derivative;
        least->divisions = count;
    } else if (b->derivative == least->fewest && count < least->divisions) {
        least->divisions = count;
    }
}

static int divisions_of(const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    int count = 0;
    for (int32_t link = 0; link < structure->link_count; link++) {
        int32_t a = causal_place(structure, 2 * link), b = causal_place(structure, 2 * link + 1);
        if (a != HBG_NONE && b != HBG_NONE && !assignment->on[a] && !assignment->on[b]) continue;
        count += divisions_in(structure, link, hbg_causal_value(assignment, link));
    }
    return count;
}

typedef struct {
    int modes, compared, chosen; /* chosen: modes in which there is something to choose */
} statistics;

/* The walk's assignment was reached by switching; the same mode from nothing is worth as much. */
static void check_road(const walk_visit *visit, statistics *s) {
    hbg_causal_assignment *fresh = fixture_assign(visit->f);
    s->modes++;
    WALK_ASSERT(visit, hbg_causal_valid(fresh) == hbg_causal_valid(visit->assignment));
    if (!hbg_causal_valid(fresh)) return;
    WALK_ASSERT(visit, hbg_causal_derivative_count(fresh) == hbg_causal_derivative_count(visit->assignment) ||
                           walk_gave_way(fresh) || walk_gave_way(visit->assignment));
    WALK_ASSERT(visit, worth_of(fresh) == worth_of(visit->assignment));
    s->chosen += hbg_causal_derivative_count(fresh) > 0;
}

/* Without cycles and resistors the storages decide everything: no assignment with as many integral ones divides
 * less often. */
static void check_divisions(const walk_visit *visit) {
    statistics *s = visit->user;
    least_division least = {-1, 0};
    brute b = {.structure = visit->f->structure,
               .on = visit->f->on,
               .limit = INT32_MAX,
               .found = count_divisions,
               .user = &least};
    check_road(visit, s);
    if (brute_run(&b) < 0 || walk_is_excused(visit->assignment)) return;
    WALK_ASSERT(visit, hbg_causal_derivative_count(visit->assignment) == least.fewest ||
                           walk_gave_way(visit->assignment));
    WALK_ASSERT(visit, divisions_of(visit->assignment) == least.divisions);
    s->compared++;
}

typedef struct {
    int fewest;
    int64_t worth;
} most_worth;

static void count_worth(brute *b, void *user) {
    most_worth *most = user;
    const hbg_causal_structure *structure = b->structure;
    int64_t worth = 0;
    for (int32_t slot = 0; structure->link_worth && slot < 2 * structure->link_count; slot++) {
        const hbg_causal_link *link = &structure->links[slot >> 1];
        const hbg_causal_end *end = &link->end[slot & 1];
        bool arrives = hbg_causal_arrives(link, slot & 1, b->value[slot >> 1]);
        if (end->demand == HBG_DEMAND_PREFER && arrives == end->wants_effort)
            worth += structure->link_worth[slot >> 1];
    }
    if (most->fewest < 0 || b->derivative < most->fewest ||
        (b->derivative == most->fewest && worth > most->worth)) {
        most->fewest = b->derivative;
        most->worth = worth;
    }
}

static void check_worth(const walk_visit *visit) {
    statistics *s = visit->user;
    most_worth most = {-1, 0};
    brute b = {.structure = visit->f->structure,
               .on = visit->f->on,
               .limit = INT32_MAX,
               .found = count_worth,
               .user = &most};
    check_road(visit, s);
    if (brute_run(&b) < 0 || walk_is_excused(visit->assignment)) return;
    WALK_ASSERT(visit, hbg_causal_derivative_count(visit->assignment) == most.fewest ||
                           walk_gave_way(visit->assignment));
    WALK_ASSERT(visit, worth_of(visit->assignment) == most.worth);
    s->compared++;
}

static void check_large(const walk_visit *visit) {
    check_road(visit, visit->user);
}

static void run(walk_plan plan, void (*look)(const walk_visit *visit), bool compared) {
    statistics s = {0};
    walk_graphs(&plan, look, &s);
    print_message("%d modes, %d with dependent storages, %d compared with all assignments\n", s.modes,
                  s.chosen, s.compared);
    assert_true(s.chosen > s.modes / 20 && (!compared || s.compared > s.modes / 10));
}

static void varying_moduli_divide_as_seldom_as_can_be(void **state) {
    (void)state;
    graph_shape most = {WALK_SMALL, .gyrators = 40, .varying = 70};
    most.sources = most.resistors = most.extra_links = most.bare = 0;
    most.transformers = 60;
    most.chained = 30;
    run((walk_plan){.graphs = 600, .steps = 6, .seed = 31, .moving = 50, .most = most}, check_divisions,
        true);
}

static void preference_never_costs_an_integral_storage(void **state) {
    (void)state;
    graph_shape most = {WALK_SMALL, .gyrators = 30, .dual = 10, .varying = 60};
    most.sources = 10;
    most.transformers = 50;
    most.chained = 30;
    run((walk_plan){.graphs = 800, .steps = 6, .seed = 32, .moving = 50, .most = most}, check_worth, true);
}

static void large_nets_switch_to_what_is_best_from_nothing(void **state) {
    (void)state;
    graph_shape most = {.resistors = 25,
                        .controlled = 20,
                        .transformers = 40,
                        .gyrators = 20,
                        .chained = 20,
                        .shared = 20,
                        .junctions = 120,
                        .elements = 240,
                        .extra_links = 15,
                        .sources = 1,
                        .varying = 60};
    run((walk_plan){.graphs = 20,
                    .steps = 25,
                    .seed = 33,
                    .moving = 6,
                    .least = {.junctions = 20, .elements = 60},
                    .most = most},
        check_large, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_enters_a_varying_transformer_at_port_1),
        cmocka_unit_test(effort_enters_a_varying_transformer_at_port_2),
        cmocka_unit_test(half_arrows_of_indexed_ports_do_not_matter),
        cmocka_unit_test(a_storage_behind_its_own_varying_transformer_counts_where_it_is),
        cmocka_unit_test(flow_enters_a_varying_gyrator_at_both_ports),
        cmocka_unit_test(a_gyrator_that_does_not_vary_turns_the_heights_round),
        cmocka_unit_test(two_steps_up_are_worth_more_than_one),
        cmocka_unit_test(without_varying_moduli_nothing_is_preferred),
        cmocka_unit_test(the_body_of_the_rod_pendulum_is_integral),
        cmocka_unit_test(varying_moduli_divide_as_seldom_as_can_be),
        cmocka_unit_test(preference_never_costs_an_integral_storage),
        cmocka_unit_test(large_nets_switch_to_what_is_best_from_nothing),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}
