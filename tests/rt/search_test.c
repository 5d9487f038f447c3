/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration on a system written by hand: one state x, two automata with four states each, and a
 * table with the successor of each combination and the effect of its jump on x. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/bump_impl.h"
#include "rt/by_hand.h"
#include "rt/search.h"

enum { STATES = 4 };

typedef struct {
    int next[STATES][STATES][2];  /* successor of a discrete state that was just considered */
    int after[STATES][STATES][2]; /* and after its commit */
    double jump[STATES][STATES];  /* x⁺ of the mode; NAN: x stays */
    bool event, held_back, forbidden;
    int kick[2]; /* successor by the event, in the first pass only; 0: from the tables */
    double x_now;
    int flows, commits;
} table;

static hbg_rt_status consider(void *self, const int32_t *states, double t, const double *x, double *x_plus) {
    const table *s = self;
    (void)t;
    double to = s->jump[states[0]][states[1]];
    x_plus[0] = isnan(to) ? x[0] : to;
    return HBG_RT_OK;
}

static hbg_rt_status move(void *self, const int32_t *states, bool committed, int32_t *next) {
    table *s = self;
    bool kicked = s->event && s->kick[0] != 0;
    const int *to = committed ? s->after[states[0]][states[1]] : s->next[states[0]][states[1]];
    if (kicked) to = s->kick;
    next[0] = to[0];
    next[1] = to[1];
    if (kicked) s->event = false;
    return HBG_RT_OK;
}

static void commit(void *self, const int32_t *states, const double *x_plus) {
    table *s = self;
    (void)states;
    s->x_now = x_plus[0];
    s->commits++;
}

static bool event_is_true(void *self) {
    const table *s = self;
    return s->event;
}

static void flow(void *self, const int32_t *states) {
    table *s = self;
    (void)states;
    s->flows++;
}

static bool held_back(void *self) {
    const table *s = self;
    return s->held_back;
}

static bool forbidden(void *self, char *text, size_t size) {
    const table *s = self;
    if (s->forbidden) snprintf(text, size, "forbidden");
    return s->forbidden;
}

static void describe_move(void *self, int32_t group, char *text, size_t size) {
    (void)self, (void)group;
    snprintf(text, size, "because");
}

/* H = x²/2 */
static hbg_rt_status energies(void *self, double t, const double *x, double *energy) {
    (void)self, (void)t;
    energy[0] = x[0] * x[0] / 2;
    return HBG_RT_OK;
}

static const char *const names[] = {"s0", "s1", "s2", "s3"};
static const hbg_rt_automaton automata[] = {{"a", names, STATES, 0}, {"b", names, STATES, 0}};

static const hbg_rt_description described = {
    .state_count = 1, .storage_count = 1, .automaton_count = 2, .automata = automata, .has_events = true};

static const hbg_rt_by_hand_events events = {.consider = consider,
                                             .move = move,
                                             .commit = commit,
                                             .flow = flow,
                                             .event_is_true = event_is_true,
                                             .held_back = held_back,
                                             .forbidden = forbidden,
                                             .describe_move = describe_move};

typedef struct {
    table table;
    hbg_rt_by_hand by_hand;
    bump memory; /* of the instance */
    hbg_rt_search search;
    int32_t states[2];
    double x[1];
    double scratch[4096];
    struct {
        hbg_rt_mode_kind kind;
        int32_t order, a, b;
    } visits[64];
    int count;
} bench;

static void note(void *context, const hbg_rt_visit *visit) {
    bench *b = context;
    assert_true(b->count < 64);
    b->visits[b->count].kind = visit->kind;
    b->visits[b->count].order = visit->order;
    b->visits[b->count].a = visit->states[0];
    b->visits[b->count++].b = visit->states[1];
}

static void begin_with(bench *b, const hbg_rt_by_hand_events *with) {
    memset(b, 0, sizeof *b);
    for (int i = 0; i < STATES; i++)
        for (int k = 0; k < STATES; k++) {
            b->table.jump[i][k] = NAN;
            for (int n = 0; n < 2; n++) b->table.next[i][k][n] = b->table.after[i][k][n] = n ? k : i;
        }
    b->x[0] = 2;
    assert_true(hbg_rt_instant_scratch(&described) <= sizeof b->scratch);
    b->by_hand =
        (hbg_rt_by_hand){.description = &described, .self = &b->table, .energies = energies, .events = with};
    b->search = (hbg_rt_search){.system = &described,
                                .instance = hbg_rt_by_hand_new(&b->by_hand, bump_memory(&b->memory)),
                                .states = b->states,
                                .x = b->x,
                                .scratch = b->scratch,
                                .visit = note,
                                .context = b};
}

static void begin(bench *b) {
    begin_with(b, &events);
}

static void go(bench *b, int a, int k, int to_a, int to_k) {
    b->table.next[a][k][0] = to_a;
    b->table.next[a][k][1] = to_k;
}

static void nothing_enabled_lets_time_flow(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.count, 0);
    assert_int_equal(b.table.flows, 1);
    assert_int_equal(b.search.commits, 0);
}

static void modes_left_within_a_search_are_mythical_and_keep_the_energy(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    go(&b, 1, 0, 1, 1);
    b.table.jump[1][0] = 0; // only in the mythical mode
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.count, 2);
    assert_int_equal(b.visits[0].kind, HBG_RT_MYTHICAL);
    assert_int_equal(b.visits[0].a, 1);
    assert_int_equal(b.visits[0].b, 0);
    assert_int_equal(b.visits[1].kind, HBG_RT_CONTINUOUS);
    assert_int_equal(b.visits[1].b, 1);
    assert_true(b.x[0] == 2);
    assert_int_equal(b.states[0], 1);
    assert_int_equal(b.states[1], 1);
    assert_true(b.search.lost == 0);
}

static void automata_move_together(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 2);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.count, 1);
    assert_int_equal(b.search.passes, 1);
    assert_int_equal(b.states[0], 1);
    assert_int_equal(b.states[1], 2);
}

static void a_search_that_comes_back_is_a_divergence_of_time(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    go(&b, 1, 0, 2, 0);
    go(&b, 2, 0, 1, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    assert_int_equal(b.search.verdict, HBG_RT_DIVERGENCE);
    assert_non_null(strstr(b.search.words, "a=s2,b=s0"));
    assert_int_equal(b.table.flows, 0);
    assert_true(b.x[0] == 2);
}

/* Together both go to 1 and back, endlessly. If a goes first and b sees it there, b stays. */
static void one_moves_at_a_time_where_all_together_come_back(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 1);
    go(&b, 1, 1, 0, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.states[0], 1);
    assert_int_equal(b.states[1], 0);
    assert_int_equal(b.search.passes, 3); // to 1 and 1, back, and then a alone
    assert_string_equal(b.search.words, "");
}

/* a goes 0, 1, 0, …, b goes 0, 1, 2, 3: together they come back only when b has ended, and then once more,
 * when one moves at a time; alone, a does so at once. The message is about a, as if there were no b. */
static void a_group_that_comes_back_is_not_waited_for_by_others(void **unused) {
    static const int32_t each_alone[] = {0, 1};
    hbg_rt_by_hand_events by_groups = events;
    bench b;
    (void)unused;
    by_groups.groups = each_alone;
    for (int groups = 0; groups < 2; groups++) {
        begin_with(&b, groups ? &by_groups : &events);
        for (int i = 0; i < STATES; i++)
            for (int k = 0; k < STATES; k++) go(&b, i, k, !i, k < STATES - 1 ? k + 1 : k);
        assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
        assert_int_equal(b.search.verdict, HBG_RT_DIVERGENCE);
        assert_int_equal(b.search.passes, groups ? 1 : STATES + 2);
        assert_int_equal(strstr(b.search.words, "b=") == NULL, groups);
        if (groups) assert_non_null(strstr(b.search.words, "a=s0 -> a=s1 -> a=s0"));
    }
}

static void the_state_a_search_begins_in_counts_as_seen_unless_an_event_drives_it(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    go(&b, 1, 0, 0, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    begin(&b);
    go(&b, 0, 0, 1, 0);
    go(&b, 1, 0, 0, 0);
    b.table.event =
        true; // back in the first state the event is over, but this table does not know: it cycles once
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    assert_int_equal(b.search.passes, 2); // it has been there again
}

static void a_jump_is_committed_with_what_it_loses(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.jump[1][0] = 1;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_true(b.x[0] == 1);
    assert_true(b.search.lost == 1.5); // 2²/2 − 1²/2
    assert_int_equal(b.visits[0].kind, HBG_RT_CONTINUOUS);
}

static void a_mode_left_after_its_commit_is_a_boundary_where_the_energy_stands(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.jump[1][0] = 1;
    b.table.after[1][0][0] = 2;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.count, 2);
    assert_int_equal(b.visits[0].kind, HBG_RT_BOUNDARY); // entering it again would not move x = 1
    assert_int_equal(b.visits[1].kind, HBG_RT_CONTINUOUS);
    assert_true(b.visits[0].order < b.visits[1].order);
    assert_int_equal(b.search.verdict, HBG_RT_FINE);
}

/* The same instant by one call for each commit, and by one for all of them. */
static void commits_can_be_passed_one_by_one(void **unused) {
    bench one, all;
    (void)unused;
    bench *both[] = {&one, &all};
    for (int i = 0; i < 2; i++) {
        begin(both[i]);
        go(both[i], 0, 0, 1, 0);
        both[i]->table.jump[1][0] = 1;
        both[i]->table.after[1][0][0] = 2;
        both[i]->table.jump[2][0] = 0.5;
    }
    assert_int_equal(hbg_rt_instant(&all.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_false(all.search.is_open);
    one.search.one_commit = true;
    assert_int_equal(hbg_rt_instant(&one.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_true(one.search.is_open && one.search.commits == 1);
    assert_true(one.x[0] == 1 && one.states[0] == 1 && one.table.flows == 0);
    assert_int_equal(hbg_rt_instant(&one.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_true(one.search.is_open && one.search.commits == 2);
    assert_true(one.x[0] == 0.5 && one.states[0] == 2 && one.table.flows == 0);
    assert_int_equal(hbg_rt_instant(&one.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_true(!one.search.is_open && one.table.flows == 1);
    assert_int_equal(one.search.verdict, all.search.verdict);
    assert_true(one.search.lost == all.search.lost && one.x[0] == all.x[0]);
    assert_string_equal(one.search.words, all.search.words);
    assert_int_equal(one.count, all.count);
    assert_memory_equal(one.visits, all.visits, sizeof one.visits);
}

static void a_second_change_of_energy_at_an_instant_is_a_warning(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.jump[1][0] = 1.5;
    b.table.after[1][0][0] = 2;
    b.table.jump[2][0] = 1;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.search.verdict, HBG_RT_TEMPORAL_EVOLUTION);
    assert_true(b.x[0] == 1);
}

static void energy_that_comes_from_nowhere_ends_the_run(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.jump[1][0] = -3;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    assert_int_equal(b.search.verdict, HBG_RT_ENERGY_CREATED);
}

static void commits_without_end_are_a_divergence_of_time(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    b.search.visit = NULL;
    go(&b, 0, 0, 1, 0);
    b.table.after[1][0][0] = 2;
    b.table.after[2][0][0] = 1;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    assert_int_equal(b.search.verdict, HBG_RT_DIVERGENCE);
}

/* An event leads from s0 to s1, whose guard leads back at once. */
static void a_search_that_comes_back_ends_in_the_mode_it_began_in(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    b.table.event = true;
    b.table.kick[0] = 1;
    go(&b, 1, 0, 0, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.search.commits, 0);
    assert_int_equal(b.count, 2);
    assert_int_equal(b.visits[0].kind, HBG_RT_MYTHICAL);
    assert_int_equal(b.visits[1].kind, HBG_RT_CONTINUOUS);
    assert_true(b.visits[1].a == 0 && b.visits[0].order < b.visits[1].order);
}

/* s1 is committed, left for s2, which leads back; it was real for an instant, and then time advances in
 * it. */
static void a_mode_left_and_come_back_to_is_told_twice(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.after[1][0][0] = 2;
    go(&b, 2, 0, 1, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.search.commits, 1);
    assert_int_equal(b.count, 3);
    const hbg_rt_mode_kind kinds[] = {HBG_RT_MYTHICAL, HBG_RT_BOUNDARY,
                                      HBG_RT_CONTINUOUS}; // as they are reported
    const int orders[] = {2, 1, 3}, states[] = {2, 1, 1};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(b.visits[i].kind, kinds[i]);
        assert_int_equal(b.visits[i].order, orders[i]);
        assert_int_equal(b.visits[i].a, states[i]);
    }
}

static void a_start_mode_that_is_left_is_mythical(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    assert_int_equal(hbg_rt_instant(&b.search, 0, true, NULL, 0), HBG_RT_OK);
    assert_int_equal(b.count, 2);
    assert_int_equal(b.visits[0].kind, HBG_RT_MYTHICAL);
    assert_int_equal(b.visits[0].a, 0);
}

static void what_the_system_forbids_ends_the_run(void **unused) {
    bench b;
    (void)unused;
    begin(&b);
    go(&b, 0, 0, 1, 0);
    b.table.forbidden = true;
    assert_int_equal(hbg_rt_instant(&b.search, 1, false, NULL, 0), HBG_RT_VERDICT);
    assert_int_equal(b.search.verdict, HBG_RT_FORBIDDEN_GUARD);
    assert_string_equal(b.search.words, "forbidden; taken: because");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_enabled_lets_time_flow),
        cmocka_unit_test(modes_left_within_a_search_are_mythical_and_keep_the_energy),
        cmocka_unit_test(automata_move_together),
        cmocka_unit_test(a_search_that_comes_back_is_a_divergence_of_time),
        cmocka_unit_test(one_moves_at_a_time_where_all_together_come_back),
        cmocka_unit_test(a_group_that_comes_back_is_not_waited_for_by_others),
        cmocka_unit_test(the_state_a_search_begins_in_counts_as_seen_unless_an_event_drives_it),
        cmocka_unit_test(a_jump_is_committed_with_what_it_loses),
        cmocka_unit_test(a_mode_left_after_its_commit_is_a_boundary_where_the_energy_stands),
        cmocka_unit_test(commits_can_be_passed_one_by_one),
        cmocka_unit_test(a_second_change_of_energy_at_an_instant_is_a_warning),
        cmocka_unit_test(energy_that_comes_from_nowhere_ends_the_run),
        cmocka_unit_test(commits_without_end_are_a_divergence_of_time),
        cmocka_unit_test(a_search_that_comes_back_ends_in_the_mode_it_began_in),
        cmocka_unit_test(a_mode_left_and_come_back_to_is_told_twice),
        cmocka_unit_test(a_start_mode_that_is_left_is_mythical),
        cmocka_unit_test(what_the_system_forbids_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
