/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models built by hand: a model in an arena for each test, short calls for its parts, and questions about the
 * diagnostics. Every object and expression gets a place of its own, so that nothing counts as said before. */
#ifndef HBG_MODEL_FIXTURE_IMPL_H
#define HBG_MODEL_FIXTURE_IMPL_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_names names;
    hbg_diagnostics diagnostics;
    hbg_model *model;
    uint32_t places;
    uint64_t random;
} fixture;

static inline void fixture_init(fixture *f) {
    memset(f, 0, sizeof *f);
    hbg_base_arena_init(&f->arena, &f->memory);
    hbg_base_names_init(&f->names, &f->arena);
    hbg_base_diagnostics_init(&f->diagnostics, &f->arena);
    f->model = hbg_model_new(&f->arena, &f->names, &f->diagnostics);
    f->model->name = hbg_base_names_add(&f->names, "M", 1);
    f->random = 0x243f6a8885a308d3U;
}

static inline int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    fixture_init(f);
    *state = f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    size_t left = f->memory.used;
    free(f);
    return left == 0 ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static inline int random_below(fixture *f, int bound) {
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return (int)((f->random >> 16) % (uint64_t)bound);
}

/* ---- building ----------------------------------------------------------------------------------------- */

static inline hbg_span place(fixture *f) {
    f->places += 10;
    return (hbg_span){f->places, f->places + 4};
}

static inline hbg_name name(fixture *f, const char *text) {
    return hbg_base_names_add(&f->names, text, strlen(text));
}

static inline hbg_identity id(fixture *f, const char *text) {
    return (hbg_identity){0, name(f, text), place(f)};
}

/* Exponents of m kg s A K. */
static inline hbg_dimension dim(int m, int kg, int s, int ampere, int kelvin) {
    return (hbg_dimension){
        {(int8_t)(6 * m), (int8_t)(6 * kg), (int8_t)(6 * s), (int8_t)(6 * ampere), (int8_t)(6 * kelvin)},
        true};
}

#define VOLT     dim(2, 1, -3, -1, 0)
#define AMPERE   dim(0, 0, 0, 1, 0)
#define OHM      dim(2, 1, -3, -2, 0)
#define SIEMENS  dim(-2, -1, 3, 2, 0)
#define FARAD    dim(-2, -1, 4, 2, 0)
#define HENRY    dim(2, 1, -2, -2, 0)
#define WEBER    dim(2, 1, -2, -1, 0)
#define COULOMB  dim(0, 0, 1, 1, 0)
#define NEWTON   dim(1, 1, -2, 0, 0)
#define SPEED    dim(1, 0, -1, 0, 0)
#define PASCAL   dim(-1, 1, -2, 0, 0)
#define KELVIN   dim(0, 0, 0, 0, 1)
#define METRE    dim(1, 0, 0, 0, 0)
#define SECOND   dim(0, 0, 1, 0, 0)
#define KILOGRAM dim(0, 1, 0, 0, 0)
#define TORQUE   dim(2, 1, -2, 0, 0)

static inline hbg_expr quantity(fixture *f, double value, hbg_dimension dimension) {
    return hbg_model_add_number(f->model, hbg_base_decimal_of_double(&f->arena, value), dimension, place(f));
}

static inline hbg_expr number(fixture *f, double value) {
    return quantity(f, value, hbg_model_dimension_any);
}

static inline hbg_expr op(fixture *f, hbg_operator kind, int32_t a, int32_t b) {
    return hbg_model_add_expr(f->model, kind, a, b, HBG_NONE, place(f));
}

static inline hbg_expr op3(fixture *f, hbg_operator kind, int32_t a, int32_t b, int32_t c) {
    return hbg_model_add_expr(f->model, kind, a, b, c, place(f));
}

static inline int32_t param(fixture *f, const char *text, hbg_expr value) {
    int32_t index = hbg_model_add_param(f->model, id(f, text));
    f->model->params.items[index].value = value;
    return index;
}

static inline hbg_expr use(fixture *f, int32_t param_index) {
    return op(f, HBG_OP_PARAM, param_index, HBG_NONE);
}

static inline int32_t bare_element(fixture *f, hbg_element_kind kind, const char *text, int32_t ports) {
    return hbg_model_add_element(f->model, id(f, text), kind, ports);
}

static inline void give(fixture *f, int32_t element, hbg_expr value) {
    hbg_element *e = &f->model->elements.items[element];
    if (e->value_count == 0) e->first_value = f->model->entries.count;
    HBG_PUSH(&f->arena, f->model->entries, value);
    e->value_count++;
}

/* An element with one value. */
static inline int32_t element(fixture *f, hbg_element_kind kind, const char *text, hbg_expr value) {
    int32_t index = bare_element(f, kind, text, hbg_model_element_info_get(kind)->ports);
    give(f, index, value);
    return index;
}

static inline int32_t junction(fixture *f, hbg_element_kind kind, const char *text) {
    return bare_element(f, kind, text, 0);
}

static inline void law(fixture *f, int32_t element_index, hbg_variable variable, int32_t port,
                       hbg_expr value) {
    hbg_element *e = &f->model->elements.items[element_index];
    if (e->law_count == 0) e->first_law = f->model->bindings.count;
    HBG_PUSH(&f->arena, f->model->bindings, (hbg_binding){variable, port, value, place(f)});
    e->law_count++;
}

static inline void initial(fixture *f, int32_t element_index, hbg_variable variable, int32_t port,
                           hbg_expr value) {
    hbg_element *e = &f->model->elements.items[element_index];
    if (e->initial_count == 0) e->first_initial = f->model->bindings.count;
    HBG_PUSH(&f->arena, f->model->bindings, (hbg_binding){variable, port, value, place(f)});
    e->initial_count++;
}

/* With port numbers; 0 where none is written. */
static inline int32_t bond_ports(fixture *f, int32_t from, int32_t from_port, int32_t to, int32_t to_port) {
    hbg_bond_end a = {from, from_port, place(f)}, b = {to, to_port, place(f)};
    return hbg_model_add_bond(f->model, (hbg_identity){0, 0, place(f)}, a, b);
}

static inline int32_t bond(fixture *f, int32_t from, int32_t to) {
    int32_t from_port = f->model->elements.items[from].ports == 1 ? 1 : 0;
    int32_t to_port = f->model->elements.items[to].ports == 1 ? 1 : 0;
    return bond_ports(f, from, from_port, to, to_port);
}

/* Joins an element to a junction of the model called `node`, which is made on first use. */
static inline int32_t hang(fixture *f, int32_t element_index) {
    hbg_object node = hbg_model_find(f->model, 0, name(f, "node"));
    int32_t at = node.kind == HBG_OBJECT_ELEMENT ? node.index : junction(f, HBG_KIND_ZERO, "node");
    return bond(f, at, element_index);
}

static inline int32_t signal(fixture *f, hbg_signal_kind kind, const char *text, hbg_expr value) {
    int32_t index = hbg_model_add_signal(f->model, id(f, text), kind, HBG_TYPE_REAL);
    f->model->signals.items[index].value = value;
    return index;
}

static inline hbg_expr read_signal(fixture *f, int32_t index) {
    return op(f, HBG_OP_SIGNAL, index, HBG_NONE);
}

/* Letters say on ('1') or off ('0'); states are called s0, s1, … */
static inline int32_t automaton(fixture *f, const char *text, const char *states) {
    int32_t index = hbg_model_add_automaton(f->model, id(f, text));
    f->model->automata.items[index].first_state = f->model->states.count;
    f->model->automata.items[index].state_count = (int32_t)strlen(states);
    for (int i = 0; states[i]; i++) {
        char state[] = {'s', (char)('0' + i), 0};
        hbg_automaton_state added = {.name = name(f, state), .span = place(f), .on = states[i] == '1'};
        HBG_PUSH(&f->arena, f->model->states, added);
    }
    return index;
}

/* Transitions of one state have to be added one after the other. */
static inline int32_t transition(fixture *f, int32_t automaton_index, int32_t from, int32_t to,
                                 hbg_expr guard) {
    hbg_automaton *a = &f->model->automata.items[automaton_index];
    hbg_automaton_state *state = &f->model->states.items[a->first_state + from];
    if (state->transition_count == 0) state->first_transition = f->model->transitions.count;
    int32_t index = f->model->transitions.count;
    HBG_PUSH(&f->arena, f->model->transitions, (hbg_transition){to, guard, HBG_NONE, place(f)});
    f->model->states.items[a->first_state + from].transition_count++;
    return index;
}

static inline hbg_expr follow(fixture *f, int32_t automaton_index) {
    return op(f, HBG_OP_AUTOMATON, automaton_index, HBG_NONE);
}

/* A controlled junction between two sources' worth of bonds, so that nothing else is wrong with it. */
static inline int32_t switched(fixture *f, hbg_element_kind kind, const char *text, hbg_expr control) {
    int32_t index = junction(f, kind, text);
    f->model->elements.items[index].control = control;
    for (int i = 0; i < 2; i++) {
        char other[32] = {0};
        strncpy(other, text, 20);
        strcat(other, i == 0 ? "_a" : "_b");
        bond(f, index, element(f, HBG_KIND_R, other, number(f, 1)));
    }
    return index;
}

static inline int32_t experiment(fixture *f, const char *text, hbg_expr stop) {
    int32_t index = f->model->experiments.count;
    hbg_experiment added = {.name = name(f, text), .span = place(f), .stop = stop, .step = HBG_NONE};
    added.record_every = HBG_NONE;
    HBG_PUSH(&f->arena, f->model->experiments, added);
    return index;
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static inline int count_of(const fixture *f, hbg_diagnostic_id code) {
    int count = 0;
    for (int32_t i = 0; i < f->diagnostics.items.count; i++)
        count += f->diagnostics.items.items[i].id == code;
    return count;
}

static inline const hbg_diagnostic *first_of(const fixture *f, hbg_diagnostic_id code) {
    for (int32_t i = 0; i < f->diagnostics.items.count; i++)
        if (f->diagnostics.items.items[i].id == code) return &f->diagnostics.items.items[i];
    return NULL;
}

static inline void assert_says(const fixture *f, hbg_diagnostic_id code, const char *part) {
    const hbg_diagnostic *found = first_of(f, code);
    assert_non_null(found);
    if (!strstr(found->text, part)) fail_msg("\"%s\" does not contain \"%s\"", found->text, part);
}

static inline void assert_fix(const fixture *f, hbg_diagnostic_id code, const char *part) {
    const hbg_diagnostic *found = first_of(f, code);
    assert_non_null(found);
    if (!found->fix || !strstr(found->fix, part))
        fail_msg("fix \"%s\" does not contain \"%s\"", found->fix ? found->fix : "", part);
}

/* Some note of the first report of this code is at the place. */
static inline void assert_note_at(const fixture *f, hbg_diagnostic_id code, hbg_span span) {
    const hbg_diagnostic *found = first_of(f, code);
    assert_non_null(found);
    for (int32_t i = 0; i < found->notes.count; i++)
        if (found->notes.items[i].span.start == span.start) return;
    fail_msg("no note of \"%s\" at %u", found->text, span.start);
}

/* Checks the model; it must have no errors and no warnings but those of unused parameters and of numbers without a unit, which models
 * built by calls are full of; tests/language/units has these. */
static inline void assert_clean(fixture *f) {
    hbg_model_check(f->model);
    for (int32_t i = 0; i < f->diagnostics.items.count; i++) {
        const hbg_diagnostic *found = &f->diagnostics.items.items[i];
        if (found->id != HBG_W_UNUSED_PARAMETER && found->id != HBG_W_BARE)
            fail_msg("unexpected: %s", found->text);
    }
}

/* Checks the model; it must have exactly this one error, warnings not counted. */
static inline void assert_error(fixture *f, hbg_diagnostic_id code) {
    hbg_model_check(f->model);
    for (int32_t i = 0; i < f->diagnostics.items.count; i++) {
        const hbg_diagnostic *item = &f->diagnostics.items.items[i];
        if (item->severity == HBG_ERROR && item->id != code) fail_msg("unexpected: %s", item->text);
    }
    assert_int_equal(count_of(f, code), 1);
}

static inline const char *text_of_dimension(fixture *f, hbg_dimension dimension) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dimension_print(&buffer, dimension);
    return buffer.data;
}

static inline const char *text_of(fixture *f, hbg_expr expr) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_print_expr(f->model, expr, &buffer);
    return buffer.data;
}

static inline const char *path_of(fixture *f, hbg_object_kind kind, int32_t index) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_path(f->model, (hbg_object){kind, index}, &buffer);
    return buffer.data;
}

#endif
