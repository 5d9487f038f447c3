/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The texts that messages of a check are made of, and which of them are reported: each once at a place. */
#include <string.h>

#include "model/model_impl.h"

#define SHORT_TEXT       60 /* bytes of an expression shown in a message */
#define DIAGNOSTIC_CODES 256
#define ALIAS_STEPS      100 /* parameters handed down through components */

void hbg_model_check_init(hbg_check *check, hbg_model *model, hbg_diagnostics *diagnostics,
                          hbg_arena *scratch) {
    *check = (hbg_check){.model = model, .diagnostics = diagnostics, .scratch = scratch};
    hbg_base_pair_map_init(&check->reported, scratch);
    for (int i = 0; i < HBG_CHECK_TEXTS; i++) hbg_base_buffer_init(&check->texts[i], scratch);
}

hbg_buffer *hbg_model_check_text(hbg_check *check) {
    hbg_buffer *text = &check->texts[check->next_text];
    check->next_text = (check->next_text + 1) % HBG_CHECK_TEXTS;
    text->size = 0;
    if (text->capacity > 0) text->data[0] = '\0';
    return text;
}

const char *hbg_model_check_path(hbg_check *check, hbg_object_kind kind, int32_t index) {
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_model_path(check->model, (hbg_object){kind, index}, text);
    return text->data;
}

const char *hbg_model_check_expr(hbg_check *check, hbg_expr expr) {
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_model_print_expr_short(check->model, expr, SHORT_TEXT, text);
    return text->data;
}

const char *hbg_model_check_unit(hbg_check *check, hbg_dimension dimension) {
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_model_dimension_print(text, dimension);
    return text->data;
}

hbg_span hbg_model_check_span(const hbg_check *check, hbg_expr expr, hbg_span otherwise) {
    if (expr < 0) return otherwise;
    hbg_span span = check->model->exprs.items[expr].span;
    return span.end > 0 ? span : otherwise;
}

hbg_expr hbg_model_check_source(const hbg_check *check, hbg_expr expr) {
    const hbg_model *model = check->model;
    for (int steps = 0; steps < ALIAS_STEPS && expr >= 0; steps++) {
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (node->op != HBG_OP_PARAM || node->a < 0 || model->params.items[node->a].value < 0) break;
        expr = model->params.items[node->a].value;
    }
    return expr;
}

hbg_span hbg_model_check_bond_span(const hbg_check *check, int32_t bond) {
    const hbg_bond *b = &check->model->bonds.items[bond];
    // the ends of a bond through ports may lie in different files: its own place comes first
    return b->id.span.end > 0 ? b->id.span : hbg_base_span_join(b->from.span, b->to.span);
}

const char *hbg_model_check_article(hbg_check *check, const char *word) {
    bool vowel = strchr("aeioAEIOFHLMNRSX", word[0]) != NULL; // a symbol is spelt: "an ar", "an es"
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_print(text, "%s %s", vowel ? "an" : "a", word);
    return text->data;
}

bool hbg_model_check_first(hbg_check *check, hbg_diagnostic_id id, hbg_span span) {
    _Static_assert(HBG_DIAGNOSTIC_COUNT <= DIAGNOSTIC_CODES, "codes fit the key");
    if (span.end == 0) return true;
    int32_t key = (int32_t)((span.end - span.start) * DIAGNOSTIC_CODES + (uint32_t)id);
    int32_t before = check->reported.count;
    hbg_base_pair_map_add(&check->reported, (int32_t)span.start, key, 0);
    return check->reported.count > before;
}
