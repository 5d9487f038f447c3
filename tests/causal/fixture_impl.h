/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model from text with its causal structure, modes by the states of automata, and objects by name. */
#ifndef HBG_TESTS_CAUSAL_FIXTURE_IMPL_H
#define HBG_TESTS_CAUSAL_FIXTURE_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdlib.h>
#include <string.h>

#include "api/api_impl.h"
#include "causal/causal_impl.h"
#include "graph_impl.h"

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    hbg_arena arena;
    hbg_causal_structure *structure;
    int32_t *states; /* by automaton */
    bool *on;        /* by place */
    int32_t *places; /* those that switch */
} fixture;

static inline void fixture_open_file(fixture *f, const char *path, const char *text, size_t size,
                                     bool integral) {
    hbg_model *model;
    memset(f, 0, sizeof *f);
    assert_int_equal(hbg_session_new(NULL, &f->session), HBG_OK);
    if (hbg_load_text(f->session, path, text, size, NULL, &model) != HBG_OK) {
        hbg_text words;
        assert_int_equal(hbg_diagnostics_text(f->session, false, &words), HBG_OK);
        print_message("%s\n%s\n", text, words.data);
        fail();
    }
    f->model = model;
    hbg_base_arena_init(&f->arena, &f->session->memory);
    hbg_causal_options options = hbg_causal_options_default();
    options.integral = integral;
    f->structure = hbg_causal_structure_new(&f->arena, model, &options);
    f->states = HBG_NEW_ARRAY(&f->arena, int32_t, model->automata.count + 1);
    f->on = HBG_NEW_ARRAY(&f->arena, bool, f->structure->place_count + 1);
    f->places = HBG_NEW_ARRAY(&f->arena, int32_t, f->structure->place_count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) f->states[i] = model->automata.items[i].start;
    hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
}

static inline void fixture_open(fixture *f, const char *text, bool integral) {
    fixture_open_file(f, "test.hbg", text, strlen(text), integral);
}

static inline void fixture_close(fixture *f) {
    hbg_base_arena_fini(&f->arena);
    hbg_session_free(f->session);
}

/* ---- names -------------------------------------------------------------------------------------------- */

static inline hbg_object fixture_object(const fixture *f, const char *text, hbg_object_kind kind) {
    hbg_name name = hbg_base_names_find(f->model->names, text, strlen(text));
    assert_true(name >= 0);
    hbg_object object = hbg_model_find(f->model, 0, name);
    assert_int_equal(object.kind, kind);
    return object;
}

static inline int32_t fixture_element(const fixture *f, const char *name) {
    return fixture_object(f, name, HBG_OBJECT_ELEMENT).index;
}

static inline int32_t fixture_place(const fixture *f, const char *name) {
    int32_t place = f->structure->element_place[fixture_element(f, name)];
    assert_true(place >= 0);
    return place;
}

static inline int32_t fixture_bond(const fixture *f, const char *name) {
    return fixture_object(f, name, HBG_OBJECT_BOND).index;
}

/* The link that a bond is part of. */
static inline int32_t fixture_link(const fixture *f, const char *name) {
    int32_t link = f->structure->bond_link[fixture_bond(f, name)];
    assert_true(link >= 0);
    return link;
}

/* An automaton with two states, on first, for models written by hand. */
#define AUTOMATON(name) "automaton " name " { on n -> f when false; off f -> n when false; }\n"

/* ---- modes -------------------------------------------------------------------------------------------- */

/* Puts an automaton into a state; f->on becomes the mode that gives. */
static inline void fixture_state(fixture *f, const char *automaton, int32_t state) {
    f->states[fixture_object(f, automaton, HBG_OBJECT_AUTOMATON).index] = state;
    hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
}

/* All automata move at random, each with the given chance; f->on becomes the mode that gives. */
static inline void fixture_move(fixture *f, test_random *random, int percent) {
    for (int32_t i = 0; i < f->model->automata.count; i++)
        if (random_chance(random, percent))
            f->states[i] = random_below(random, f->model->automata.items[i].state_count);
    hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
}

/* Switches an assignment to the mode f->on. */
static inline bool fixture_switch(fixture *f, hbg_causal_assignment *assignment) {
    int32_t count = 0;
    for (int32_t place = 0; place < f->structure->place_count; place++)
        if (hbg_causal_is_on(assignment, place) != f->on[place]) f->places[count++] = place;
    return hbg_causal_switch(assignment, f->places, count);
}

/* A new assignment of the mode f->on. */
static inline hbg_causal_assignment *fixture_assign(fixture *f) {
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&f->arena, f->structure);
    hbg_causal_assign(assignment, f->on);
    return assignment;
}

/* The first part of the offline analysis alone, which leaves out what is fixed only because no switch reaches
 * it: there the value is arbitrary. */
static inline const int8_t *fixture_spread_alone(fixture *f) {
    hbg_causal_structure *copy = HBG_NEW(&f->arena, hbg_causal_structure);
    *copy = *f->structure;
    hbg_causal_find_fixed(&f->arena, copy);
    return copy->link_fixed;
}

/* Puts the places named, which end with NULL, into the other state; false if the mode is bad. */
static inline bool fixture_flip(fixture *f, hbg_causal_assignment *assignment, const char *const *names) {
    int32_t count = 0;
    for (; names[count]; count++) f->places[count] = fixture_place(f, names[count]);
    return hbg_causal_switch(assignment, f->places, count);
}
#define FLIP(f, assignment, ...) fixture_flip((f), (assignment), (const char *const[]){__VA_ARGS__, NULL})

/* The determining bond of a place is the one named; "" for none. */
static inline void assert_determines(const fixture *f, const hbg_causal_assignment *assignment,
                                     const char *place, const char *bond) {
    assert_int_equal(hbg_causal_determining_bond(assignment, fixture_place(f, place)),
                     bond[0] ? fixture_bond(f, bond) : HBG_NONE);
}

/* Prints what is needed to repeat a failure. */
static inline void fixture_print(const fixture *f, const char *text) {
    print_message("%s\nmode:", text);
    for (int32_t place = 0; place < f->structure->place_count; place++) {
        hbg_name name = f->model->elements.items[f->structure->place_element[place]].id.name;
        print_message(" %s=%s", hbg_base_names_get(f->model->names, name), f->on[place] ? "on" : "off");
    }
    print_message("\n");
}

#endif
