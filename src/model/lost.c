/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with an element, in words: the end of a sentence that begins with the cause, which "makes" it
 * so. */
#include <math.h>

#include "model/model_impl.h"
#include "rt/bands.h"

/* Six digits distinguish two different values. */
static const char *about(hbg_arena *arena, double value) {
    return hbg_base_arena_print(arena, "%.6g", value);
}

const char *hbg_model_lost_matrix_text(hbg_arena *arena, const hbg_lost *lost, hbg_element_kind kind) {
    const char *want = kind == HBG_KIND_R ? "give power" : "hold less than no energy";
    const char *of = kind == HBG_KIND_C ? "efforts" : "flows";
    if (lost->row == HBG_NONE) return hbg_base_arena_print(arena, "for some %s it would %s", of, want);
    int row = (int)lost->row + 1, column = (int)lost->column + 1;
    // a value too large by less than six digits shows it
    const char *format =
        fabs(fabs(lost->value) - lost->limit) < HBG_RT_ALL_DIGITS * lost->limit ? "%.15g" : "%.6g";
    const char *value = hbg_base_arena_print(arena, format, lost->value);
    if (row == column) return hbg_base_arena_print(arena, "its entry %d,%d is %s", row, column, value);
    return hbg_base_arena_print(
        arena, "its entry %d,%d is %s, and has to stay below %s%s, the root of %d,%d times %d,%d", row,
        column, value, about(arena, lost->limit), lost->value < 0 ? " in size" : "", row, row, column,
        column);
}

static const char *law_text(hbg_arena *arena, const hbg_lost *lost, const char *wrong) {
    if (!lost->given) return wrong;
    return hbg_base_arena_print(arena, "%s: for %c = %s it has %c = %s", wrong, lost->argument,
                                about(arena, lost->at), lost->given, about(arena, lost->value));
}

const char *hbg_model_lost_text(hbg_arena *arena, const hbg_model *model, const hbg_lost *lost,
                                const char *path, const char *when) {
    hbg_element_kind kind = model->elements.items[lost->element].kind;
    bool resistor = kind == HBG_KIND_R;
    switch (lost->kind) {
    case HBG_LOST_MATRIX:
        return hbg_base_arena_print(arena, "the matrix of `%s` no longer positive %s%s: %s", path,
                                    resistor ? "semidefinite" : "definite", when,
                                    hbg_model_lost_matrix_text(arena, lost, kind));
    case HBG_LOST_SYMMETRY:
        return hbg_base_arena_print(
            arena, "the matrix of `%s` no longer symmetric%s: its entry %d,%d is %s, but %d,%d is %s", path,
            when, (int)lost->row + 1, (int)lost->column + 1, about(arena, lost->value), (int)lost->column + 1,
            (int)lost->row + 1, about(arena, lost->limit));
    case HBG_LOST_SIGN:
        return hbg_base_arena_print(arena, "the value of `%s` %s%s, whatever modulates it", path,
                                    resistor ? "negative" : "negative or nothing", when);
    case HBG_LOST_POWER:
        return law_text(arena, lost,
                        hbg_base_arena_print(arena, "`%s`, which takes power, give some%s", path, when));
    case HBG_LOST_RISE:
        return law_text(arena, lost,
                        hbg_base_arena_print(arena, "the law of `%s`, which rises, fall%s", path, when));
    case HBG_LOST_NUMBER:
        return law_text(arena, lost,
                        hbg_base_arena_print(arena, "the law of `%s` give no number%s", path, when));
    case HBG_LOST_BOUNCE:
        return hbg_base_arena_print(arena, "the restitution of `%s` %s%s: it has to stay between 0 and 1",
                                    path, about(arena, lost->value), when);
    default: break;
    }
    if (!isfinite(lost->value))
        return hbg_base_arena_print(arena, "the value of `%s` infinite, or no number%s: %s", path, when,
                                    resistor ? "a resistor needs a number"
                                    : kind == HBG_KIND_I
                                        ? "an inertia stores energy and needs a positive one"
                                        : "a capacitor stores energy and needs a positive one");
    if (resistor)
        return hbg_base_arena_print(arena, "the resistance of `%s` negative%s: %s", path, when,
                                    about(arena, lost->value));
    return hbg_base_arena_print(arena, "the value of `%s` %s%s%s: %s stores energy and needs a positive one",
                                path, about(arena, lost->value),
                                lost->value > 0 ? when[0] ? ", which is rounding," : ", which is rounding"
                                                : "",
                                when, kind == HBG_KIND_I ? "an inertia" : "a capacitor");
}
