/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model of each part of a sorted model. Scopes, nets and names are those of the whole, so everything keeps
 * its path and its order; parameters, inputs and tables are copied into every part that reads them, unused
 * ones into the first. The work is that of copying the whole model once. */
#include <string.h>

#include "model/sorted_impl.h"

enum { OUTPUTS = HBG_OBJECT_SIGNAL + 1, KINDS }; /* outputs are listed like kinds of objects */

typedef struct {
    hbg_sorter sorter;
    const hbg_parts *parts;
    int32_t *list[KINDS], *start[KINDS]; /* by kind: objects, part by part */
    bool *used[KINDS];                   /* of parameters and inputs */
    hbg_type *expr_type;
    hbg_dimension *expr_dimension;
    double *expr_values;
} copier;

/* ---- preparation -------------------------------------------------------------------------------------- */

/* Objects of a kind in the order of their parts; `of` gives the part, HBG_NONE: none. */
static void list_kind(copier *c, int kind, const int32_t *of, int32_t count) {
    hbg_arena *arena = c->sorter.arena;
    int32_t parts = c->parts->count;
    int32_t *start = c->start[kind] = HBG_NEW_ARRAY(arena, int32_t, parts + 2);
    int32_t *list = c->list[kind] = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++)
        if (of[i] != HBG_NONE) start[of[i] + 2]++;
    for (int32_t i = 0; i < parts; i++) start[i + 2] += start[i + 1];
    for (int32_t i = 0; i < count; i++)
        if (of[i] != HBG_NONE) list[start[of[i] + 1]++] = i;
}

static int32_t *numbers(hbg_arena *arena, int32_t count, bool own) {
    int32_t *made = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) made[i] = own ? i : HBG_NONE;
    return made;
}

static void prepare_kind(copier *c, hbg_object_kind kind, int32_t count) {
    hbg_permutation *p = &c->sorter.kinds[kind];
    p->old_of = HBG_NEW_ARRAY(c->sorter.arena, int32_t, count + 1);
    p->new_of = numbers(c->sorter.arena, count, false);
    c->used[kind] = HBG_NEW_ARRAY(c->sorter.arena, bool, count + 1);
}

static void prepare(copier *c) {
    const hbg_model *from = c->sorter.from;
    hbg_arena *arena = c->sorter.arena;
    int32_t exprs = from->exprs.count;
    int32_t *of_bond = HBG_NEW_ARRAY(arena, int32_t, from->bonds.count + 1);
    for (int32_t i = 0; i < from->bonds.count; i++)
        of_bond[i] = c->parts->of_element[from->bonds.items[i].from.element];
    prepare_kind(c, HBG_OBJECT_PARAM, from->params.count);
    prepare_kind(c, HBG_OBJECT_ELEMENT, from->elements.count);
    prepare_kind(c, HBG_OBJECT_BOND, from->bonds.count);
    prepare_kind(c, HBG_OBJECT_AUTOMATON, from->automata.count);
    prepare_kind(c, HBG_OBJECT_SIGNAL, from->signals.count);
    c->sorter.kinds[HBG_OBJECT_SCOPE].new_of = numbers(arena, from->scopes.count, true);
    c->sorter.net = numbers(arena, from->net_count, true);
    c->sorter.expr = numbers(arena, exprs, false);
    c->sorter.old_expr = HBG_NEW_ARRAY(arena, hbg_expr, exprs + 1);
    c->sorter.table = numbers(arena, from->tables.count, false);
    list_kind(c, HBG_OBJECT_ELEMENT, c->parts->of_element, from->elements.count);
    list_kind(c, HBG_OBJECT_BOND, of_bond, from->bonds.count);
    list_kind(c, HBG_OBJECT_AUTOMATON, c->parts->of_automaton, from->automata.count);
    list_kind(c, HBG_OBJECT_SIGNAL, c->parts->of_signal, from->signals.count);
    c->expr_type = HBG_NEW_ARRAY(arena, hbg_type, exprs + 1);
    c->expr_dimension = HBG_NEW_ARRAY(arena, hbg_dimension, exprs + 1);
    c->expr_values = HBG_NEW_ARRAY(arena, double, exprs + 1);
}

/* ---- one part ----------------------------------------------------------------------------------------- */

static void take_kind(copier *c, hbg_object_kind kind, int32_t part) {
    hbg_permutation *p = &c->sorter.kinds[kind];
    const int32_t *start = c->start[kind];
    p->count = 0;
    for (int32_t i = start[part]; i < start[part + 1]; i++) {
        p->new_of[c->list[kind][i]] = p->count;
        p->old_of[p->count++] = c->list[kind][i];
    }
}

/* The first part has what nothing reads: it may be set all the same. */
static void take_unused(copier *c, hbg_object_kind kind, int32_t count) {
    hbg_permutation *p = &c->sorter.kinds[kind];
    for (int32_t i = 0; i < count; i++) {
        bool own = kind == HBG_OBJECT_SIGNAL && c->parts->of_signal[i] != HBG_NONE;
        if (own || c->used[kind][i] || p->new_of[i] >= 0) continue;
        p->new_of[i] = p->count;
        p->old_of[p->count++] = i;
    }
}

/* The settings of the experiment in this part; values of parameters are in the model already. */
static void take_settings(copier *c, int32_t experiment) {
    hbg_sorter *s = &c->sorter;
    hbg_experiment made = {
        .added_to = HBG_NONE, .stop = HBG_NONE, .step = HBG_NONE, .record_every = HBG_NONE};
    if (experiment == HBG_NONE) return;
    const hbg_experiment *of = &s->from->experiments.items[experiment];
    made.name = of->name;
    made.span = of->span;
    for (int32_t i = 0; i < of->settings.count; i++) {
        hbg_object target = of->settings.items[i].target;
        bool is_object = target.kind == HBG_OBJECT_ELEMENT || target.kind == HBG_OBJECT_AUTOMATON;
        if (!is_object || s->kinds[target.kind].new_of[target.index] < 0) continue;
        hbg_setting setting = hbg_model_sorter_setting(s, of->settings.items[i]);
        HBG_PUSH(s->arena, made.settings, setting);
    }
    HBG_PUSH(s->arena, s->to->experiments, made);
}

static void take_outputs(copier *c, const hbg_record *outputs, hbg_part *made) {
    hbg_sorter *s = &c->sorter;
    made->outputs = HBG_NEW_ARRAY(s->arena, hbg_record, made->output_count + 1);
    for (int32_t i = 0; i < made->output_count; i++) {
        const hbg_record *output = &outputs[made->output_of[i]];
        made->outputs[i] = (hbg_record){hbg_model_sorter_expr(s, output->value), output->label, output->unit};
    }
}

static hbg_model *begin_model(copier *c) {
    hbg_sorter *s = &c->sorter;
    const hbg_model *from = s->from;
    hbg_model *to = s->to = hbg_model_new(s->arena, from->names, from->diagnostics);
    to->before = from->before;
    to->name = from->name;
    to->span = from->span;
    to->scopes.items = from->scopes.items;
    to->scopes.count = to->scopes.capacity = from->scopes.count;
    to->net_count = from->net_count;
    to->net_domain = from->net_domain;
    to->expr_type = c->expr_type;
    to->expr_dimension = c->expr_dimension;
    to->expr_values = c->expr_values;
    return to;
}

static void *copy_of(hbg_arena *arena, const void *data, int32_t count, size_t size) {
    void *made = hbg_base_arena_alloc_array(arena, (size_t)count + 1, size);
    memcpy(made, data, (size_t)count * size);
    return made;
}

/* The tables of numbers are free for the next part; the contents of the model stay its own. */
static void end_model(copier *c) {
    hbg_sorter *s = &c->sorter;
    hbg_model *to = s->to;
    to->expr_type = copy_of(s->arena, c->expr_type, to->exprs.count, sizeof *to->expr_type);
    to->expr_dimension = copy_of(s->arena, c->expr_dimension, to->exprs.count, sizeof *to->expr_dimension);
    to->expr_values = copy_of(s->arena, c->expr_values, to->exprs.count, sizeof *to->expr_values);
    for (int kind = 0; kind <= HBG_OBJECT_SIGNAL; kind++) {
        hbg_permutation *p = &s->kinds[kind];
        for (int32_t i = 0; i < p->count; i++) {
            c->used[kind][p->old_of[i]] = true;
            p->new_of[p->old_of[i]] = HBG_NONE;
        }
        p->count = 0;
    }
    for (int32_t i = 0; i < to->exprs.count; i++) {
        const hbg_expr_node *old = &s->from->exprs.items[s->old_expr[i]];
        s->expr[s->old_expr[i]] = HBG_NONE;
        if (old->op == HBG_OP_TABLE) s->table[old->b] = HBG_NONE;
    }
    to->frozen = true;
}

static void copy_part(copier *c, int32_t part, int32_t experiment, const hbg_record *outputs,
                      hbg_part *made) {
    hbg_sorter *s = &c->sorter;
    made->model = begin_model(c);
    take_kind(c, HBG_OBJECT_ELEMENT, part);
    take_kind(c, HBG_OBJECT_BOND, part);
    take_kind(c, HBG_OBJECT_AUTOMATON, part);
    take_kind(c, HBG_OBJECT_SIGNAL, part);
    hbg_model_sorter_elements(s);
    hbg_model_sorter_bonds(s);
    hbg_model_sorter_incidence(s);
    hbg_model_sorter_automata(s);
    take_outputs(c, outputs, made);
    take_settings(c, experiment);
    if (part == 0) take_unused(c, HBG_OBJECT_SIGNAL, s->from->signals.count);
    hbg_model_sorter_signals(s);
    if (part == 0) take_unused(c, HBG_OBJECT_PARAM, s->from->params.count);
    hbg_model_sorter_params(s);
    end_model(c);
}

hbg_part *hbg_model_parts_copy(hbg_arena *arena, const hbg_model *sorted, const hbg_parts *parts,
                               int32_t experiment, const hbg_record *outputs, int32_t output_count) {
    copier c = {.parts = parts, .sorter = {.arena = arena, .from = sorted}};
    hbg_part *made = HBG_NEW_ARRAY(arena, hbg_part, parts->count + 1);
    prepare(&c);
    list_kind(&c, OUTPUTS, parts->of_output, output_count);
    for (int32_t i = parts->count - 1; i >= 0; i--) { // the first last: it takes what the others do not read
        const int32_t *start = &c.start[OUTPUTS][i];
        made[i].output_of = c.list[OUTPUTS] + start[0];
        made[i].output_count = start[1] - start[0];
        copy_part(&c, i, experiment, outputs, &made[i]);
    }
    return made;
}
