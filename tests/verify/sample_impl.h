/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models for the tests of questions over all modes: random ones, with automata of several states, some never
 * reached, and conditions that share, invert and combine them; and a walk through all modes that can exist,
 * which finds them by itself. */
#ifndef HBG_TESTS_VERIFY_SAMPLE_IMPL_H
#define HBG_TESTS_VERIFY_SAMPLE_IMPL_H

#include <stdio.h>
#include <string.h>

#include "api/api_impl.h"
#include "verify/verify.h"

#define SAMPLE_AUTOMATA 8
#define SAMPLE_PLACES   64

/* ---- random numbers and text -----------------------------------------------------------------------------
 */

typedef struct {
    uint64_t state;
} sample_random;

static inline int random_below(sample_random *random, int limit) { /* splitmix64 */
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)((z ^ (z >> 31)) >> 33) % limit;
}

static inline bool random_chance(sample_random *random, int percent) {
    return random_below(random, 100) < percent;
}

typedef struct {
    char data[16384];
    size_t size;
} sample_text;

static inline void text_add(sample_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void text_add(sample_text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(out->data + out->size, sizeof out->data - out->size, format, arguments);
    va_end(arguments);
    HBG_ASSERT(written >= 0 && out->size + (size_t)written < sizeof out->data);
    out->size += (size_t)written;
}

/* ---- random models ---------------------------------------------------------------------------------------
 */

typedef struct {
    int automata, junctions, extra_links, elements; /* at most; the links beyond a tree */
    int controlled, dual;                           /* per cent of the junctions, of the controlled ones */
    int transformers, gyrators;                     /* per cent of the links between junctions */
} sample_shape;

static inline void text_automaton(sample_text *out, sample_random *random, int index) {
    int states = 2 + (random_below(random, 4) == 0);
    text_add(out, "automaton a%d {\n", index);
    if (random_chance(random, 30)) text_add(out, "start s%d;\n", random_below(random, states));
    for (int i = 0; i < states; i++) {
        text_add(out, "%s s%d { ", (i + index) % 2 ? "on" : "off", i);
        for (int k = 0; k < states; k++) // a state without a way to it may never be
            if (k != i && random_chance(random, 75)) text_add(out, "-> s%d when e > %d; ", k, i + k);
        text_add(out, "}\n");
    }
    text_add(out, "}\n");
}

static inline void text_condition(sample_text *out, sample_random *random, int automata) {
    int a = random_below(random, automata), b = random_below(random, automata);
    switch (random_below(random, 8)) {
    case 0: text_add(out, "!a%d", a); break;
    case 1: text_add(out, "a%d.s1", a); break;
    case 2: text_add(out, "a%d && !a%d", a, b); break;
    case 3: text_add(out, "a%d || a%d.s0", a, b); break;
    case 4: text_add(out, "!(a%d.s0 || a%d) || a%d.s1", a, b, b); break;
    default: text_add(out, "a%d", a); break;
    }
}

static inline void text_junction(sample_text *out, sample_random *random, const sample_shape *most, int index,
                                 int automata) {
    text_add(out, "%d j%d", random_below(random, 2), index);
    if (random_chance(random, most->controlled)) {
        text_add(out, " when ");
        text_condition(out, random, automata);
        if (random_chance(random, most->dual))
            text_add(out, " off %s", random_chance(random, 50) ? "flow" : "effort");
    }
    text_add(out, ";\n");
}

static inline void text_link(sample_text *out, sample_random *random, const sample_shape *most, int a,
                             int b) {
    size_t name = out->size;
    if (random_chance(random, most->transformers))
        text_add(out, "TF t%zu(2); j%d -> t%zu -> j%d;\n", name, a, name, b);
    else if (random_chance(random, most->gyrators))
        text_add(out, "GY t%zu(2); j%d -> t%zu -> j%d;\n", name, a, name, b);
    else
        text_add(out, "j%d -> j%d;\n", a, b);
}

static inline void text_sample(sample_text *out, sample_random *random, const sample_shape *most) {
    static const char *const kinds[] = {"Se", "Sf", "R", "R", "C", "C", "I", "I"};
    int automata = 1 + random_below(random, most->automata),
        junctions = 1 + random_below(random, most->junctions);
    out->size = 0;
    text_add(out, "model M {\ninput real e = 0;\n");
    for (int i = 0; i < automata; i++) text_automaton(out, random, i);
    for (int i = 0; i < junctions; i++) text_junction(out, random, most, i, automata);
    for (int i = 1; i < junctions; i++) text_link(out, random, most, random_below(random, i), i);
    for (int i = random_below(random, most->extra_links + 1); i > 0 && junctions > 1; i--) {
        int a = random_below(random, junctions), b = random_below(random, junctions);
        if (a != b) text_link(out, random, most, a, b);
    }
    for (int i = random_below(random, most->elements + 1); i > 0; i--) {
        const char *kind = kinds[random_below(random, 8)];
        int at = random_below(random, junctions);
        if (kind[0] == 'S')
            text_add(out, "%s e%d(1); e%d -> j%d;\n", kind, i, i, at);
        else
            text_add(out, "%s e%d(1); j%d -> e%d;\n", kind, i, at, i);
    }
    text_add(out, "}\n");
}

/* ---- all modes -------------------------------------------------------------------------------------------
 */

/* The states of an automaton that can be: those its transitions lead to from its start. */
static inline void reach_states(const hbg_model *model, int32_t automaton, bool *can_be) {
    const hbg_automaton *at = &model->automata.items[automaton];
    for (int32_t i = 0; i < at->state_count; i++) can_be[i] = i == at->start;
    for (int32_t round = 0; round < at->state_count; round++)
        for (int32_t i = 0; i < at->state_count; i++) {
            const hbg_automaton_state *state = &model->states.items[at->first_state + i];
            for (int32_t k = 0; can_be[i] && k < state->transition_count; k++)
                can_be[model->transitions.items[state->first_transition + k].target] = true;
        }
}

/* Goes on to the next combination of states that can be, like a counter; false after the last. The first is
 * reached from all -1. */
static inline bool next_states(const hbg_model *model, int32_t *states) {
    bool first = model->automata.count > 0 && states[0] < 0;
    for (int32_t i = 0; i < model->automata.count; i++) {
        bool can_be[8];
        const hbg_automaton *at = &model->automata.items[i];
        reach_states(model, i, can_be);
        int32_t next = states[i] + 1;
        while (next < at->state_count && !can_be[next]) next++;
        bool wraps = next == at->state_count;
        if (wraps)
            for (next = 0; !can_be[next];) next++;
        states[i] = next;
        if (!first && !wraps) return true;
    }
    return first;
}

static inline bool states_can_be(const hbg_model *model, const int32_t *states) {
    for (int32_t i = 0; i < model->automata.count; i++) {
        bool can_be[8];
        reach_states(model, i, can_be);
        if (states[i] < 0 || states[i] >= model->automata.items[i].state_count || !can_be[states[i]])
            return false;
    }
    return true;
}

/* ---- the judge -------------------------------------------------------------------------------------------
 */

/* Judges the part of a graph around one place in one mode by trying every assignment. It knows what junctions
 * and elements allow, on and off, and the harmless cases; nothing of how assignments are found. */
typedef struct {
    const hbg_causal_structure *structure;
    const bool *on;
    bool zero[SAMPLE_PLACES];    /* on, and its variable is zero because of an off junction */
    bool in_part[SAMPLE_PLACES]; /* on, and joined to the place in question */
    int sources, storages;       /* in the part: what insists, what prefers */
    int determined[SAMPLE_PLACES];
    int32_t links[SAMPLE_PLACES]; /* those that touch the part */
    int32_t link_count;
    int32_t storage; /* slot of a storage to be derivative, or HBG_NONE */
    int lacking;     /* in the best: places without a determining link, if that cannot be helped */
    int best;        /* in the best: derivative storages; -1: places have too many determining links */
} sample_judge;

/* An off junction, or one that is zero, sets effort on its links, or else flow. */
static inline bool sets_effort(const sample_judge *j, int32_t place) {
    bool dual = !j->on[place] && j->structure->dual_off[place];
    return j->structure->is_zero[place] != dual;
}

static inline bool stands_still(const sample_judge *j, int32_t place) {
    return !j->on[place] || j->zero[place];
}

static inline void judge_zeros(sample_judge *j) {
    const hbg_causal_structure *structure = j->structure;
    memset(j->zero, 0, sizeof j->zero);
    for (int32_t round = 0; round < structure->place_count; round++)
        for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
            const hbg_causal_link *link = &structure->links[slot >> 1];
            int32_t from = link->end[slot & 1].place, to = link->end[1 - (slot & 1)].place;
            if (from == HBG_NONE || to == HBG_NONE || !j->on[to] || !stands_still(j, from)) continue;
            bool effort = sets_effort(j, from) != link->odd;
            if (effort == structure->is_zero[to]) j->zero[to] = true;
        }
}

static inline void judge_part(sample_judge *j, int32_t place) {
    const hbg_causal_structure *structure = j->structure;
    memset(j->in_part, 0, sizeof j->in_part);
    j->in_part[place] = true;
    for (int32_t round = 0; round < structure->place_count; round++)
        for (int32_t link = 0; link < structure->link_count; link++) {
            int32_t a = structure->links[link].end[0].place, b = structure->links[link].end[1].place;
            if (a == HBG_NONE || b == HBG_NONE || !j->on[a] || !j->on[b]) continue;
            j->in_part[a] = j->in_part[b] = j->in_part[a] || j->in_part[b];
        }
    j->sources = j->storages = j->link_count = 0;
    for (int32_t link = 0; link < structure->link_count; link++) {
        const hbg_causal_end *end = structure->links[link].end;
        bool touches = false;
        for (int k = 0; k < 2; k++) {
            if (end[k].place == HBG_NONE || !j->in_part[end[k].place]) continue;
            touches = true;
            if (end[1 - k].place != HBG_NONE) continue;
            j->sources += end[1 - k].demand == HBG_DEMAND_MUST;
            j->storages += end[1 - k].demand == HBG_DEMAND_PREFER;
        }
        if (touches) j->links[j->link_count++] = link;
    }
}

/* What one end of a link says to effort arriving there: false if it may not be. */
static inline bool allows(const sample_judge *j, int32_t slot, bool arrives) {
    const hbg_causal_end *end = &j->structure->links[slot >> 1].end[slot & 1];
    if (slot == j->storage) return arrives != end->wants_effort;
    if (end->place == HBG_NONE) return end->demand != HBG_DEMAND_MUST || arrives == end->wants_effort;
    return !stands_still(j, end->place) || arrives != sets_effort(j, end->place);
}

static inline void judge_end(sample_judge *j, int derivative) {
    int lacking = 0;
    for (int32_t i = 0; i < j->structure->place_count; i++)
        lacking += j->in_part[i] && !j->zero[i] && j->determined[i] == 0;
    if (j->best >= 0 && (lacking > j->lacking || (lacking == j->lacking && derivative >= j->best))) return;
    j->lacking = lacking;
    j->best = derivative;
}

static inline void judge_links(sample_judge *j, int32_t index, int derivative) {
    const hbg_causal_structure *structure = j->structure;
    if (j->best >= 0 && j->lacking == 0 && derivative >= j->best) return;
    if (index == j->link_count) {
        judge_end(j, derivative);
        return;
    }
    int32_t link = j->links[index];
    const hbg_causal_end *end = structure->links[link].end;
    bool places = end[0].place != HBG_NONE && end[1].place != HBG_NONE;
    if (places && stands_still(j, end[0].place) && stands_still(j, end[1].place)) {
        judge_links(j, index + 1, derivative); // two that stand still say nothing to each other
        return;
    }
    for (int value = 0; value < 2; value++) {
        int cost = 0, full = 0;
        bool allowed = true, determines[2] = {false, false};
        for (int k = 0; k < 2; k++) {
            bool arrives = hbg_causal_arrives(&structure->links[link], k, value);
            allowed = allowed && allows(j, 2 * link + k, arrives);
            if (end[k].place != HBG_NONE)
                determines[k] = arrives == structure->is_zero[end[k].place];
            else if (end[k].demand == HBG_DEMAND_PREFER)
                cost += arrives != end[k].wants_effort;
        }
        if (!allowed) continue;
        for (int k = 0; k < 2; k++)
            if (determines[k] && ++j->determined[end[k].place] > 1 && !stands_still(j, end[k].place))
                full = 1;
        if (!full) judge_links(j, index + 1, derivative + cost);
        for (int k = 0; k < 2; k++)
            if (determines[k]) j->determined[end[k].place]--;
    }
}

/* Finds the best assignment around a place that is on; with a storage's slot, that storage is derivative. */
static inline void judge_around(sample_judge *j, int32_t place, int32_t storage) {
    judge_zeros(j);
    judge_part(j, place);
    memset(j->determined, 0, sizeof j->determined);
    j->storage = storage;
    j->best = -1;
    j->lacking = 0;
    judge_links(j, 0, 0);
}

/* A part that lacks determining links is harmless if nothing in it can speak: all its variables are zero. */
static inline bool is_dead(const sample_judge *j) {
    return j->best >= 0 && j->lacking > 0 && j->sources == 0 && j->best == j->storages;
}

static inline bool is_part_good(const sample_judge *j) {
    return j->best >= 0 && (j->lacking == 0 || is_dead(j));
}

/* Where derivative causality is refused, an off junction must not set what a storage wants to. */
static inline bool judge_off(const sample_judge *j, int32_t slot) {
    const hbg_causal_link *link = &j->structure->links[slot >> 1];
    const hbg_causal_end *end = &link->end[slot & 1], *far = &link->end[1 - (slot & 1)];
    if (end->place == HBG_NONE || j->on[end->place] || far->place != HBG_NONE) return true;
    if (far->demand != HBG_DEMAND_MUST || far->is_source) return true;
    return far->wants_effort == (sets_effort(j, end->place) != link->odd);
}

/* Whether the whole mode has a valid assignment. */
static inline bool judge_mode(const hbg_causal_structure *structure, const bool *on) {
    bool done[SAMPLE_PLACES] = {false};
    sample_judge j = {.structure = structure, .on = on};
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++)
        if (!judge_off(&j, slot)) return false;
    for (int32_t place = 0; place < structure->place_count; place++) {
        if (!on[place] || done[place]) continue;
        judge_around(&j, place, HBG_NONE);
        if (!is_part_good(&j)) return false;
        for (int32_t i = 0; i < structure->place_count; i++) done[i] = done[i] || j.in_part[i];
    }
    return true;
}

/* ---- asking ----------------------------------------------------------------------------------------------
 */

typedef struct {
    hbg_verify_prover *prover;
    hbg_arena *arena;
    hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    hbg_verify_modes *modes;
    const char *text;
} sample;

typedef struct {
    bool integral;
    const hbg_verify_options *limits; /* NULL: the default */
    hbg_verify_prover *prover;        /* NULL: one of its own */
} sample_options;

typedef void (*sample_check)(sample *s, void *context);

/* Makes what is needed to ask, inside the guard of the session's memory. */
static inline void sample_ask(hbg_session *session, sample *s, const hbg_model *model,
                              const sample_options *options) {
    hbg_causal_options causal = {.integral = options->integral};
    s->prover = options->prover;
    if (!s->prover) s->prover = session->prover = hbg_verify_prover_new(&session->memory);
    s->structure = hbg_causal_structure_new(s->arena, model, &causal);
    s->assignment = hbg_causal_assignment_new(s->arena, s->structure);
    s->modes = hbg_verify_modes_new(s->arena, s->prover, s->structure, options->limits);
}

/* Reads a model and hands it to the test. */
static inline void sample_run(const char *text, const sample_options *options, sample_check check,
                              void *context) {
    static const sample_options plain = {0};
    hbg_session *session;
    hbg_model *model;
    hbg_arena arena;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    if (hbg_load_text(session, "sample.hbg", text, strlen(text), NULL, &model) != HBG_OK) {
        hbg_text words;
        assert_int_equal(hbg_diagnostics_text(session, false, &words), HBG_OK);
        print_message("%s\n%s\n", text, words.data);
        fail();
    }
    jmp_buf guard;
    hbg_base_arena_init(&arena, &session->memory);
    if (HBG_GUARD(&session->memory, guard)) fail();
    sample s = {.arena = &arena, .text = text};
    sample_ask(session, &s, model, options ? options : &plain);
    check(&s, context);
    HBG_GUARD_END(&session->memory);
    hbg_base_arena_fini(&arena);
    hbg_session_free(session);
}

/* The index of an object by its name in the model itself. */
static inline int32_t sample_find(const sample *s, const char *name) {
    const hbg_model *model = s->structure->model;
    hbg_object object = hbg_model_find(model, 0, hbg_base_names_find(model->names, name, strlen(name)));
    assert_int_not_equal(object.kind, HBG_OBJECT_NONE);
    return object.index;
}

static inline bool sample_is_in(const sample *s, const int32_t *states, const char *automaton,
                                const char *state) {
    const hbg_model *model = s->structure->model;
    int32_t index = sample_find(s, automaton);
    int32_t at = model->automata.items[index].first_state + states[index];
    return strcmp(hbg_base_names_get(model->names, model->states.items[at].name), state) == 0;
}

#endif
