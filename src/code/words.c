/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text of what a run reports in words of the model: names, terms as written, paths. Runs compute with
 * numbers; only this file turns them into the text of a message. The model and its terms may be growing, so
 * it takes the lock. */
#include <stdio.h>

#include "code/code_impl.h"

/* ---- variables and elements of registers -------------------------------------------------------------- */

/* The register that holds the value of an element, or HBG_NONE. */
static int32_t register_of(const hbg_code *code, int32_t element) {
    const hbg_eqn *eqn = code->eqn;
    const hbg_element *of = &eqn->model->elements.items[element];
    if (of->value_count != 1) return HBG_NONE;
    hbg_term term = eqn->expr_term[eqn->model->entries.items[of->first_value]];
    if (term < 0) return HBG_NONE;
    bool moves = eqn->terms.nodes.items[term].level == LEVEL_RUN;
    const int32_map *map = !moves         ? &code->registers.prologue
                           : code->steady ? &code->steady->term_register
                                          : NULL;
    return map && term < map->count ? map->items[term] : HBG_NONE;
}

/* The element whose value is in a register, or HBG_NONE. */
static int32_t element_in(const hbg_code *code, int32_t reg) {
    if (code->element_in.count > 0 && code->element_in.count == code->image.code.mark.registers)
        return reg < code->element_in.count ? code->element_in.items[reg] : HBG_NONE;
    for (int32_t i = 0; i < code->eqn->model->elements.count; i++)
        if (register_of(code, i) == reg) return i;
    return HBG_NONE;
}

void hbg_code_index_values(hbg_code *code) {
    int32_map *map = &code->element_in;
    if (!code->eqn) return;
    map->count = code->image.code.mark.registers;
    map->items = HBG_NEW_ARRAY(code->arena, int32_t, map->count + 1);
    for (int32_t i = 0; i < map->count; i++) map->items[i] = HBG_NONE;
    for (int32_t i = code->eqn->model->elements.count - 1; i >= 0; i--) {
        int32_t reg = register_of(code, i);
        if (reg >= 0 && reg < map->count) map->items[reg] = i; // the first of several
    }
}

/* A relation that is watched, as a guard of the model has it; HBG_NONE: it is part of a signal or a law. */
static hbg_expr written_relation(const hbg_code *code, int32_t root) {
    const hbg_eqn *eqn = code->eqn;
    int32_t relation = root - code->system.guard_first;
    return relation < 0 || relation >= eqn->relations.count ? HBG_NONE
                                                            : eqn->relations.items[relation].written;
}

/* ---- text --------------------------------------------------------------------------------------------- */

static void put_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    if (variable != HBG_NONE) hbg_eqn_told_name(eqn, variable, out);
}

static void put_path(const hbg_eqn *eqn, int32_t element, hbg_buffer *out) {
    if (element != HBG_NONE) hbg_model_path(eqn->model, (hbg_object){HBG_OBJECT_ELEMENT, element}, out);
}

/* Appends a term as written in the model, if an expression there is just this term. */
static void put_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out) {
    for (hbg_expr i = 0; i < eqn->model->exprs.count; i++)
        if (eqn->expr_term[i] == term) {
            hbg_model_print_expr(eqn->model, i, out);
            return;
        }
    hbg_eqn_print_term(eqn, term, out);
}

/* Appends the name of a root. A run has none for relations that other runs have located since it last took
 * over the image. */
static void put_root(const hbg_code *code, int32_t root, hbg_buffer *out) {
    const hbg_eqn *eqn = code->eqn;
    bool guard = root >= code->image.code.located_limit;
    hbg_expr written = written_relation(code, root);
    if (written != HBG_NONE)
        hbg_model_print_expr(eqn->model, written, out);
    else if (guard)
        hbg_eqn_print_term(eqn, eqn->relations.items[root - code->image.code.located_limit].term, out);
    else if (root < code->image.pool.located.count)
        hbg_eqn_print_term(eqn, HBG_RT_AT(code->image.pool.located, root)->term, out);
    else
        hbg_base_buffer_text(out, "?");
}

static void put_written(const hbg_code *code, int32_t root, hbg_buffer *out) {
    hbg_expr written = written_relation(code, root);
    if (written != HBG_NONE) hbg_model_print_expr(code->eqn->model, written, out);
}

static void put_doc(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    bool layered = variable < 0 || variable >= eqn->base_count;
    if (layered || hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) return;
    const char *doc = eqn->model->signals.items[variable - eqn->first[VARIABLE_SIGNAL]].doc;
    if (doc) hbg_base_buffer_text(out, doc);
}

static void put(const hbg_code *code, hbg_rt_word word, int32_t id, hbg_buffer *out) {
    const hbg_eqn *eqn = code->eqn;
    switch (word) {
    case HBG_RT_WORD_VARIABLE: put_name(eqn, id, out); return;
    case HBG_RT_WORD_TERM: put_term(eqn, id, out); return;
    case HBG_RT_WORD_ROOT: put_root(code, id, out); return;
    case HBG_RT_WORD_ELEMENT: put_path(eqn, id, out); return;
    case HBG_RT_WORD_VALUE: put_path(eqn, element_in(code, id), out); return;
    case HBG_RT_WORD_DOC: put_doc(eqn, id, out); return;
    case HBG_RT_WORD_WRITTEN: put_written(code, id, out); return;
    }
}

void hbg_code_tell(void *context, hbg_rt_word word, int32_t id, char *text, size_t size) {
    hbg_code *code = context;
    hbg_arena arena;
    hbg_buffer out;
    hbg_memory memory = {0};
    jmp_buf guard;
    snprintf(text, size, "?");
    hbg_base_arena_init(&arena, &memory);
    hbg_code_lock(code);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_base_buffer_init(&out, &arena);
        put(code, word, id, &out);
        snprintf(text, size, "%s", out.data);
    }
    hbg_code_unlock(code);
    hbg_base_arena_fini(&arena);
}
