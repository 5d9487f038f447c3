/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration: unit brackets get their meaning. A text is parsed once, however often it is written. */
#include "lang/elaborate_impl.h"

#include <stdlib.h>
#include <string.h>

/* The text between the brackets, without the blanks around it. */
static hbg_name inner_text(hbg_elaborator *elaborator, hbg_span brackets) {
    const char *text = hbg_lang_elaborate_text_at(elaborator, brackets.start);
    size_t size = brackets.end - brackets.start;
    bool closed = size >= 2 && text[size - 1] == ']';
    text++;
    size -= closed ? 2 : 1;
    while (size > 0 && (text[0] == ' ' || text[0] == '\t')) text++, size--;
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t')) size--;
    return hbg_base_names_add(elaborator->lang->names, text, size);
}

const char *hbg_lang_elaborate_unit_reason(hbg_elaborator *elaborator, const char *text, const char *reason) {
    if (strncmp(reason, "there is ", 9) == 0) return reason; // it names its subject
    size_t size = strlen(text), shown = size > 40 ? 40 : size;
    while (shown < size && ((unsigned char)text[shown] & 0xC0) == 0x80) shown--;
    return hbg_base_arena_print(elaborator->arena, "`[%.*s%s]` is no unit: %s", (int)shown, text,
                                shown < size ? "…" : "", reason);
}

static void report_unit(hbg_elaborator *elaborator, hbg_span span, const char *reason, const char *near) {
    hbg_diagnostic *report =
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_UNIT_UNKNOWN, span, "%s", reason);
    if (elaborator->expected_unit) near = elaborator->expected_unit;
    if (!near) return;
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "did you mean `[%s]`?", near);
    hbg_base_report_edit(elaborator->lang->diagnostics, report, span, "[%s]", near);
}

const hbg_unit *hbg_lang_elaborate_unit(hbg_elaborator *elaborator, hbg_span brackets) {
    if (brackets.end == 0) return NULL;
    hbg_name name = inner_text(elaborator, brackets);
    int32_t known = hbg_base_pair_map_find(&elaborator->unit_texts, 0, name);
    if (known >= 0 && elaborator->units.items[known]) return elaborator->units.items[known];
    if (known >= 0 && !hbg_base_report_wanted(elaborator->lang->diagnostics, HBG_ERROR)) {
        report_unit(elaborator, brackets, "this is not a unit", NULL);
        return NULL;
    }
    hbg_unit *unit = HBG_NEW(elaborator->arena, hbg_unit);
    const char *text = hbg_base_names_get(elaborator->lang->names, name);
    const char *reason = "this is not a unit", *near = NULL;
    if (!hbg_lang_units_parse(elaborator->lang->units, elaborator->arena, text, strlen(text), unit, &reason,
                              &near)) {
        report_unit(elaborator, brackets, hbg_lang_elaborate_unit_reason(elaborator, text, reason), near);
        unit = NULL;
    }
    if (known < 0) {
        hbg_base_pair_map_add(&elaborator->unit_texts, 0, name, elaborator->units.count);
        HBG_PUSH(elaborator->arena, elaborator->units, unit);
    }
    return unit;
}

hbg_dimension hbg_lang_elaborate_dimension(hbg_elaborator *elaborator, hbg_span brackets) {
    const hbg_unit *unit = hbg_lang_elaborate_unit(elaborator, brackets);
    return unit ? unit->dimension : hbg_model_dimension_any;
}

const char *hbg_lang_elaborate_unit_label(hbg_elaborator *elaborator, hbg_span brackets) {
    if (brackets.end == 0) return NULL;
    // lives as long as the session
    return hbg_base_names_get(elaborator->lang->names, inner_text(elaborator, brackets));
}

hbg_span hbg_lang_number_unit(const syntax_expr *value) {
    if (value && value->kind == SYNTAX_OPERATOR && value->op == HBG_OP_NEGATE) value = value->arguments[0];
    return value && value->kind == SYNTAX_NUMBER ? value->unit : (hbg_span){0};
}

static bool is_plain(const hbg_unit *unit) {
    return strcmp(unit->factor.digits, "1") == 0 && unit->factor.exponent == 0 &&
           strcmp(unit->divisor.digits, "1") == 0 && unit->divisor.exponent == 0 && unit->pi_power == 0 &&
           !unit->logarithmic && strcmp(unit->offset.digits, "0") == 0;
}

hbg_display hbg_lang_elaborate_display(hbg_elaborator *elaborator, hbg_span brackets) {
    const hbg_unit *unit = hbg_lang_elaborate_unit(elaborator, brackets);
    hbg_display display = {0};
    if (!unit || unit->logarithmic) return display;
    const hbg_decimal one = {"1", 0, false};
    hbg_unit size = *unit;
    hbg_decimal scale;
    size.offset = (hbg_decimal){"0", 0, false};
    if (!hbg_lang_unit_to_si(elaborator->arena, size, one, &scale)) return display;
    display.unit = hbg_lang_elaborate_unit_label(elaborator, brackets);
    display.scale = hbg_base_decimal_to_double(scale);
    display.offset = hbg_base_decimal_to_double(unit->offset);
    display.dimension = unit->dimension;
    return display;
}

/* The number that a value is, perhaps after a sign, where it has no unit; NULL for anything else. */
static const syntax_expr *bare_number(const syntax_expr *value) {
    bool negated = value && value->kind == SYNTAX_OPERATOR && value->op == HBG_OP_NEGATE;
    const syntax_expr *number = negated ? value->arguments[0] : value;
    return number && number->kind == SYNTAX_NUMBER && number->unit.end == 0 ? number : NULL;
}

/* A bare number is SI: after a name in `[mH]` it would be misread, so it must carry its own unit. */
void hbg_lang_elaborate_check_scale(hbg_elaborator *elaborator, hbg_name name, const char *unit,
                                    const syntax_expr *value) {
    hbg_lang *lang = elaborator->lang;
    hbg_unit of;
    const char *reason, *near;
    if (!unit || !bare_number(value)) return;
    if (!hbg_lang_units_parse(lang->units, elaborator->arena, unit, strlen(unit), &of, &reason, &near))
        return; // which has been told
    if (is_plain(&of)) return;
    hbg_diagnostic *report = hbg_base_report(lang->diagnostics, HBG_E_UNIT, value->span,
                                             "a bare number is in SI units, but `%s` is declared in [%s]",
                                             hbg_base_names_get(lang->names, name), unit);
    hbg_base_report_fix(lang->diagnostics, report, "write `%s [%s]`",
                        hbg_lang_elaborate_text(elaborator, value->span), unit);
}

/* The declaration shows the intended unit: 3000 instead of 1500 [rpm] is 3000 rad/s. */
bool hbg_lang_elaborate_check_bare(hbg_elaborator *elaborator, const char *name, const char *written,
                                   const syntax_expr *value) {
    hbg_lang *lang = elaborator->lang;
    hbg_unit unit;
    const char *reason, *near;
    const syntax_expr *bare = bare_number(value);
    if (!bare || !written ||
        !hbg_lang_units_parse(lang->units, elaborator->arena, written, strlen(written), &unit, &reason,
                              &near))
        return false;
    bool offset = strcmp(unit.offset.digits, "0") != 0;
    if (is_plain(&unit) || (!offset && strtod(hbg_lang_elaborate_text(elaborator, bare->span), NULL) == 0))
        return false;
    const char *number = hbg_lang_elaborate_text(elaborator, value->span);
    const char *si = hbg_model_dimension_spoken(unit.dimension, written);
    if (!si) si = hbg_model_dimension_unit(elaborator->arena, unit.dimension);
    hbg_diagnostic *report = hbg_base_report(lang->diagnostics, HBG_W_BARE, value->span,
                                             *si ? "%s without a unit is %s %s, but `%s` is declared in %s"
                                                 : "%s without a unit is %s%s, but `%s` is declared in %s",
                                             number, number, si, name, written);
    hbg_base_report_fix(lang->diagnostics, report, "write `%s [%s]`, or `%s [%s]`", number, written, number,
                        *si ? si : "1");
    return true;
}

void hbg_lang_elaborate_check_argument(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                                       const syntax_expr *value) {
    const char *written = hbg_lang_elaborate_unit_label(elaborator, hbg_lang_number_unit(declaration->param));
    hbg_lang_elaborate_check_bare(elaborator, hbg_base_names_get(elaborator->lang->names, declaration->name),
                                  written, value);
}
