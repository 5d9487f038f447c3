/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process that was read, as text again: each alternative on its own line, without comments and redundant
 * brackets. */
#include "emit/process_read_impl.h"

static void put_name(const void *owner, int32_t variable, hbg_buffer *out) {
    const process_text *of = owner;
    hbg_base_buffer_text(out, hbg_base_names_get(&of->names, variable));
}

void hbg_emit_process_read_term(const process_text *of, hbg_term term, hbg_buffer *out) {
    hbg_term_print(&of->terms, term, (hbg_term_names){put_name, of, true}, out);
}

static void put_brackets(const process_text *of, const process_text_node *node, hbg_buffer *out) {
    bool clause = node->kind == PROCESS_TEXT_CLAUSE;
    hbg_base_buffer_text(out, clause ? "{ " : "[ ");
    for (int32_t i = 0; i < node->set.count; i++)
        hbg_base_buffer_print(out, "%s%s", i > 0 ? ", " : "", node->set.items[i]);
    hbg_base_buffer_text(out, node->set.count > 0 ? " | " : "");
    for (int32_t i = 0; i < node->predicates.count; i++) {
        hbg_base_buffer_text(out, i > 0 ? "; " : "");
        hbg_emit_process_read_term(of, node->predicates.items[i], out);
    }
    hbg_base_buffer_text(out, clause ? " }" : " ]");
}

/* The sign between the parts of a node. */
static const char *sign_of(process_text_kind kind) {
    switch (kind) {
    case PROCESS_TEXT_CHOICE: return "\n  (+)\n    ";
    case PROCESS_TEXT_PARALLEL: return " || ";
    case PROCESS_TEXT_AFTER: return " >> ";
    case PROCESS_TEXT_DISRUPT: return " |> ";
    default: return "";
    }
}

static void put(const process_text *of, const process_text_node *node, process_text_kind outer,
                hbg_buffer *out) {
    bool lines = node->kind == PROCESS_TEXT_CHOICE, brackets = node->kind < outer;
    if (node->kind == PROCESS_TEXT_NAME) hbg_base_buffer_text(out, node->name);
    if (node->kind == PROCESS_TEXT_CLAUSE || node->kind == PROCESS_TEXT_JUMP) put_brackets(of, node, out);
    hbg_base_buffer_text(out, brackets ? lines ? "(\n    " : "( " : "");
    for (int32_t i = 0; i < node->parts.count; i++) {
        // a disrupt and the part after a jump associate to the right, lists keep their order
        bool last = i + 1 == node->parts.count && node->kind >= PROCESS_TEXT_AFTER;
        if (i > 0) hbg_base_buffer_text(out, sign_of(node->kind));
        put(of, node->parts.items[i], last ? node->kind : node->kind + 1, out);
    }
    hbg_base_buffer_text(out, brackets ? lines ? "\n)" : " )" : "");
}

bool hbg_emit_process_again(hbg_arena *arena, hbg_diagnostics *diagnostics, const hbg_source *source,
                            hbg_buffer *out) {
    process_text *of = HBG_NEW(arena, process_text);
    if (!hbg_emit_process_read(arena, diagnostics, source, of)) return false;
    for (int32_t i = 0; i < of->definitions.count; i++) {
        hbg_base_buffer_print(out, "%s%s : ", i > 0 ? "\n" : "", of->definitions.items[i].name);
        put(of, of->definitions.items[i].is, PROCESS_TEXT_CHOICE, out);
        hbg_base_buffer_text(out, " .\n");
    }
    return true;
}
