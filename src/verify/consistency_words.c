/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inequalities as an engineer would write them: one variable alone against a number, or positive shares on both sides. */
#include <math.h>
#include <stdio.h>

#include "verify/region_impl.h"

#define FACTORS 6 /* of a product that is written out */

static const char UNSAID[] = "?"; /* a unit that would take some work to say */

/* A number times a product of symbols. */
typedef struct {
    double factor;
    formula symbols[FACTORS];
    int count;
    formula other; /* what is not a product of symbols, as a whole; or NULL */
} monomial;

typedef HBG_VEC(monomial) polynomial;

/* ---- reading ----------------------------------------------------------------------------------------------- */

static void read_product(formulas *f, formula a, monomial *into) {
    if (hbg_verify_formula_is_number(f, a)) {
        into->factor *= hbg_verify_formula_to_double(f, a);
        return;
    }
    Z3_app app = Z3_to_app(f->z3, a);
    unsigned arguments = Z3_get_app_num_args(f->z3, app);
    if (hbg_verify_formula_kind(f, a) == Z3_OP_MUL) {
        for (unsigned i = 0; i < arguments; i++) read_product(f, Z3_get_app_arg(f->z3, app, i), into);
    } else if (hbg_verify_formula_kind(f, a) == Z3_OP_UMINUS) {
        into->factor = -into->factor;
        read_product(f, Z3_get_app_arg(f->z3, app, 0), into);
    } else if (hbg_verify_formula_kind(f, a) == Z3_OP_POWER &&
               hbg_verify_formula_is_number(f, Z3_get_app_arg(f->z3, app, 1))) {
        double power = hbg_verify_formula_to_double(f, Z3_get_app_arg(f->z3, app, 1));
        for (int i = 0; i < (int)power && i < FACTORS; i++)
            read_product(f, Z3_get_app_arg(f->z3, app, 0), into);
    } else if (arguments == 0 && into->count < FACTORS) {
        into->symbols[into->count++] = a;
    } else {
        into->other = a;
    }
}

static void read_sum(formulas *f, formula a, double factor, polynomial *into) {
    Z3_app app = Z3_to_app(f->z3, a);
    if (!hbg_verify_formula_is_number(f, a) && hbg_verify_formula_kind(f, a) == Z3_OP_ADD) {
        for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, app); i++)
            read_sum(f, Z3_get_app_arg(f->z3, app, i), factor, into);
        return;
    }
    monomial one = {.factor = factor};
    read_product(f, a, &one);
    if (one.factor != 0) HBG_PUSH(f->arena, *into, one);
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

#define FEW_DIGITS  6
#define SOME_DIGITS 10 /* the user may have written them */
#define ALL_DIGITS  17

/* For reading, six digits, or ten if they are exact; for writing into a model, all of them. */
static const char *number_text(const group_proof *proof, double value, int digits) {
    char text[HBG_DOUBLE_TEXT + 8];
    double back;
    if (value == 0) value = 0; // without a sign
    if (proof->words.as_pre) {
        hbg_base_double_print(text, value);
        return hbg_base_arena_copy(proof->arena, text, strlen(text));
    }
    snprintf(text, sizeof text, "%.*g", digits == FEW_DIGITS ? SOME_DIGITS : digits, value);
    if (digits == FEW_DIGITS && !(hbg_base_double_parse(text, strlen(text), &back) && back == value))
        snprintf(text, sizeof text, "%.*g", FEW_DIGITS, value);
    return hbg_base_arena_copy(proof->arena, text, strlen(text));
}

static void put_number(const group_proof *proof, hbg_buffer *out, double value) {
    hbg_base_buffer_text(out, number_text(proof, value, FEW_DIGITS));
}

/* `whole`: it stands alone. */
static void put_symbol(group_proof *proof, formula a, bool whole, hbg_buffer *out) {
    formulas *f = &proof->f;
    bool energy = false;
    for (int32_t i = 0; i < proof->system->state_count && proof->words.as_pre; i++)
        energy |= proof->x[i] == a;
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].symbol == a) {
            hbg_base_buffer_text(out, f->symbols.items[i].text);
            return;
        }
    const exact_unknown *unknown = hbg_verify_unknowns_find(proof, a);
    if (unknown) {
        hbg_base_buffer_print(out, whole ? "%s" : "(%s)", unknown->text);
        return;
    }
    Z3_symbol name = Z3_get_decl_name(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a)));
    hbg_base_buffer_print(out, energy ? "pre(%s)" : "%s", Z3_get_symbol_string(f->z3, name));
}

static bool is_constant(const monomial *of) {
    return of->count == 0 && !of->other;
}

/* ---- units ------------------------------------------------------------------------------------------------- */

const char *hbg_verify_group_signal_unit(const group_proof *proof, int32_t signal) {
    const hbg_model *model = proof->model;
    int32_t input = 0;
    for (int32_t i = 0; i < signal; i++) input += model->signals.items[i].kind == HBG_SIGNAL_INPUT;
    bool is_input = model->signals.items[signal].kind == HBG_SIGNAL_INPUT;
    return is_input && input < proof->system->input_count ? proof->system->inputs[input].unit : NULL;
}

static bool is_signal(const group_proof *proof, int32_t i, formula symbol) {
    for (int before = 0; before < 2; before++)
        if (proof->signals.input[before][i].fin == symbol || proof->signals.held[before][i].fin == symbol)
            return true;
    return false;
}

/* Roots and powers have the unit that their arguments give: none if these are bare numbers. */
static const char *unit_of_function(const exact_symbol *of) {
    if (of->op >= HBG_OP_COUNT) return "";
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)of->op)->unit_rule;
    if (rule != HBG_UNITS_ROOT2 && rule != HBG_UNITS_ROOT3 && rule != HBG_UNITS_POWER) return "";
    const char *at = strchr(of->text, '(');
    while (at && *at && !((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))) at++;
    return at && !*at ? "" : UNSAID;
}

/* NULL: any will do; "": a pure number. */
static const char *unit_of(group_proof *proof, formula symbol) {
    const exact_symbol *function = hbg_verify_formula_symbol(&proof->f, symbol);
    if (function) return unit_of_function(function);
    if (symbol == proof->time) return "s";
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (proof->x[i] == symbol) return proof->system->states[i].unit;
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (proof->params.open[i] && proof->params.value[i].fin == symbol)
            return proof->system->params[i].unit;
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (is_signal(proof, i, symbol)) return hbg_verify_group_signal_unit(proof, i);
    return NULL;
}

/* Of one symbol its own; of a product that of its parts, if none of them has one. */
static const char *unit_of_monomial(group_proof *proof, const monomial *of) {
    const char *unit = of->other ? UNSAID : NULL;
    for (int i = 0; i < of->count && !of->other; i++) {
        const char *own = unit_of(proof, of->symbols[i]);
        if (of->count == 1) return own;
        if (own) unit = own[0] ? UNSAID : unit ? unit : "";
    }
    return unit;
}

static void put_monomial(group_proof *proof, const monomial *of, double factor, hbg_buffer *out) {
    const char *unit = proof->words.factor_unit ? unit_of_monomial(proof, of) : NULL;
    bool bare = is_constant(of);
    bool told = factor != 1 || (unit && strcmp(unit, proof->words.factor_unit) != 0);
    if (told || bare) put_number(proof, out, factor);
    if (told && !bare) hbg_base_buffer_char(out, '*');
    for (int i = 0; i < of->count; i++) {
        int power = 1;
        bool before = false;
        for (int k = 0; k < i; k++) before |= of->symbols[k] == of->symbols[i];
        for (int k = i + 1; k < of->count; k++) power += of->symbols[k] == of->symbols[i];
        if (before) continue;
        if (i > 0) hbg_base_buffer_char(out, '*');
        put_symbol(proof, of->symbols[i], of->count == 1 && !told, out);
        if (power > 1) hbg_base_buffer_print(out, "^%d", power);
    }
    if (of->other) hbg_base_buffer_text(out, of->count > 0 ? "*(…)" : "(…)");
}

static void put_unit(group_proof *proof, double bound, const char *unit, hbg_buffer *out) {
    const char *own = proof->words.factor_unit ? proof->words.factor_unit : unit;
    bool clear =
        bound == 0 || (proof->words.as_pre && bound == 1); // `hbg check` does not warn about these in a guard
    if (own && own[0] && !clear) hbg_base_buffer_print(out, " [%s]", own);
}

/* A number where it is compared with something of this unit. */
static void put_bound(group_proof *proof, double bound, const char *unit, hbg_buffer *out) {
    put_number(proof, out, bound);
    put_unit(proof, bound, unit, out);
}

/* ---- comparisons ------------------------------------------------------------------------------------------- */

/* A sum of monomials compared with numbers. */
typedef struct {
    polynomial sum;    /* without the constant; the first factor is positive */
    const char *words; /* of the sum */
    const char *unit;
    double low, high;
    bool has_low, has_high, low_strict, high_strict;
    const char *text; /* if it is not such a comparison, the rest is unused */
} told_line;

static size_t digits(double factor) {
    char text[32];
    return fabs(factor) == 1 ? 0 : (size_t)snprintf(text, sizeof text, "%.6g", fabs(factor));
}

/* The factor that makes the others short when all are divided by it. */
static int32_t find_scale(const polynomial *sum) {
    int32_t best = 0;
    size_t least = SIZE_MAX;
    for (int32_t i = 0; i < sum->count; i++) {
        size_t cost = 0;
        for (int32_t k = 0; k < sum->count; k++) cost += digits(sum->items[k].factor / sum->items[i].factor);
        if (cost < least) best = i;
        least = cost < least ? cost : least;
    }
    return best;
}

/* "a + 2*b - c" */
static void put_sum(group_proof *proof, const polynomial *sum, hbg_buffer *out) {
    for (int32_t i = 0; i < sum->count; i++) {
        double factor = sum->items[i].factor;
        if (i > 0) hbg_base_buffer_text(out, factor < 0 ? " - " : " + ");
        put_monomial(proof, &sum->items[i], fabs(factor), out);
    }
}

static const char *monomial_text(group_proof *proof, const monomial *of) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    put_monomial(proof, of, 1, &text);
    return text.data;
}

/* In the order of their names, so that the same sum is always printed in the same way. */
static void add_sorted(group_proof *proof, const monomial *made, polynomial *sum) {
    HBG_PUSH(proof->arena, *sum, *made);
    const char *text = monomial_text(proof, made);
    int32_t place = sum->count - 1;
    while (place > 0 && strcmp(monomial_text(proof, &sum->items[place - 1]), text) > 0) {
        sum->items[place] = sum->items[place - 1];
        place--;
    }
    sum->items[place] = *made;
}

/* The sum compared with 0, without its constant and scaled; `relation` is <, <= or =. */
static told_line make_line(group_proof *proof, const polynomial *whole, const char *relation) {
    told_line line = {.unit = NULL};
    double constant = 0;
    hbg_buffer words;
    for (int32_t i = 0; i < whole->count; i++) {
        if (is_constant(&whole->items[i]))
            constant += whole->items[i].factor;
        else
            add_sorted(proof, &whole->items[i], &line.sum);
    }
    hbg_base_buffer_init(&words, proof->arena);
    if (line.sum.count == 0) {
        hbg_base_buffer_print(&words, "%g %s 0", constant, relation);
        line.text = words.data;
        return line;
    }
    const monomial *unit = &line.sum.items[find_scale(&line.sum)];
    double scale = copysign(unit->factor, line.sum.items[0].factor);
    if (unit->count == 1 && !unit->other) line.unit = unit_of(proof, unit->symbols[0]);
    for (int32_t i = 0; i < line.sum.count; i++) line.sum.items[i].factor /= scale;
    put_sum(proof, &line.sum, &words);
    line.words = words.data;
    line.has_low = relation[0] == '=' || scale < 0;
    line.has_high = relation[0] == '=' || scale > 0;
    line.low = line.high = constant == 0 ? 0 : -constant / scale;
    line.low_strict = line.high_strict = strcmp(relation, "<") == 0;
    return line;
}

static bool is_same_monomial(const monomial *a, const monomial *b) {
    if (fabs(a->factor - b->factor) > 1e-14 * fabs(a->factor)) return false; // the last digit was rounded
    if (a->count != b->count || a->other != b->other) return false;
    for (int i = 0; i < a->count; i++)
        if (a->symbols[i] != b->symbols[i]) return false;
    return true;
}

/* The same sum, not only one that reads the same in a few digits. */
static bool is_same_sum(const told_line *a, const told_line *b) {
    if (a->text || b->text || a->sum.count != b->sum.count) return false;
    for (int32_t i = 0; i < a->sum.count; i++)
        if (!is_same_monomial(&a->sum.items[i], &b->sum.items[i])) return false;
    return true;
}

static void merge_line(told_line *into, const told_line *line) {
    if (line->has_low &&
        (!into->has_low || line->low > into->low || (line->low == into->low && line->low_strict))) {
        into->low = line->low;
        into->low_strict = line->low_strict;
    }
    if (line->has_high &&
        (!into->has_high || line->high < into->high || (line->high == into->high && line->high_strict))) {
        into->high = line->high;
        into->high_strict = line->high_strict;
    }
    into->has_low |= line->has_low;
    into->has_high |= line->has_high;
}

/* The terms with one sign, on one side; a constant too. */
static void put_side(group_proof *proof, const told_line *line, double sign, double constant,
                     hbg_buffer *out) {
    bool any = false;
    for (int32_t i = 0; i < line->sum.count; i++) {
        double factor = line->sum.items[i].factor * sign;
        if (factor <= 0) continue;
        if (any) hbg_base_buffer_text(out, " + ");
        put_monomial(proof, &line->sum.items[i], factor, out);
        any = true;
    }
    if (any && constant <= 0) return;
    if (any) hbg_base_buffer_text(out, " + ");
    put_bound(proof, constant > 0 ? constant : 0, line->unit, out);
}

/* One relation: positive terms on the left, the rest on the right. */
static void put_relation(group_proof *proof, const told_line *line, const char *relation, double bound,
                         hbg_buffer *out) {
    bool single = line->sum.count == 1;
    put_side(proof, line, 1, single ? 0 : -bound, out);
    hbg_base_buffer_print(out, " %s ", relation);
    if (single)
        put_bound(proof, bound, line->unit, out);
    else
        put_side(proof, line, -1, bound, out);
}

/* Between two numbers, with as many digits as they need to differ. */
static void put_between(group_proof *proof, const told_line *line, hbg_buffer *out) {
    int digits = FEW_DIGITS;
    while (digits < ALL_DIGITS &&
           strcmp(number_text(proof, line->low, digits), number_text(proof, line->high, digits)) == 0)
        digits++;
    hbg_base_buffer_print(out, "%s %s %s %s %s", number_text(proof, line->low, digits),
                          line->low_strict ? "<" : "<=", line->words,
                          line->high_strict ? "<" : "<=", number_text(proof, line->high, digits));
    put_unit(proof, line->high, line->unit, out);
}

static void put_line(group_proof *proof, const told_line *line, hbg_buffer *out) {
    const char *to = line->high_strict ? "<" : "<=";
    if (line->text) {
        hbg_base_buffer_text(out, line->text);
    } else if (line->has_low && line->has_high && line->low == line->high) {
        put_relation(proof, line, "=", line->low, out);
    } else if (line->has_low && line->has_high) {
        put_between(proof, line, out);
    } else if (line->has_low) {
        put_relation(proof, line, line->low_strict ? ">" : ">=", line->low, out);
    } else {
        put_relation(proof, line, to, line->high, out);
    }
}

static told_line line_of_relation(group_proof *proof, formula a, bool positive) {
    formulas *f = &proof->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    polynomial sum = {0};
    bool turn = kind == Z3_OP_GE || kind == Z3_OP_GT, strict = kind == Z3_OP_LT || kind == Z3_OP_GT;
    if (!positive && kind != Z3_OP_EQ) {
        turn = !turn;
        strict = !strict;
    }
    read_sum(f, hbg_verify_formula_argument(f, a, 0), turn ? -1 : 1, &sum);
    read_sum(f, hbg_verify_formula_argument(f, a, 1), turn ? 1 : -1, &sum);
    told_line line = make_line(proof, &sum, kind == Z3_OP_EQ ? "=" : strict ? "<" : "<=");
    if (positive || kind != Z3_OP_EQ || line.text) return line;
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    put_relation(proof, &line, "!=", line.low, &text);
    return (told_line){.text = text.data};
}

/* Where terms of the sum may differ in their units, the unit of the first that has one: the others need a
 * factor that converts. */
static const char *mixed_unit(group_proof *proof, const polynomial *sum) {
    const char *first = NULL;
    int32_t unsaid = 0, others = 0;
    for (int rank = 0; rank < 2; rank++) // one that is not a pure number, if there is any
        for (int32_t i = 0; i < sum->count; i++) {
            const char *own = unit_of_monomial(proof, &sum->items[i]);
            if (own && own != UNSAID && !first && (own[0] || rank > 0)) first = own;
        }
    for (int32_t i = 0; i < sum->count; i++) {
        const char *own = unit_of_monomial(proof, &sum->items[i]);
        unsaid += own == UNSAID;
        others += first && own && own != UNSAID && strcmp(own, first) != 0;
    }
    bool mixed = others > 0 || (first && unsaid > 0) || unsaid > 1;
    return !mixed ? NULL : first ? first : "";
}

/* A number for every constant: for reading. */
static formula with_numbers(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        exact_symbol *at = &f->symbols.items[i];
        if (at->constant && hbg_verify_formula_reads(f, a, &at->symbol, 1))
            a = hbg_verify_formula_replace(f, a, 1, &at->symbol, &at->between.low);
    }
    return a;
}

static told_line line_of(group_proof *proof, formula literal) {
    formulas *f = &proof->f;
    bool positive = true;
    while (hbg_verify_formula_kind(f, literal) == Z3_OP_NOT) {
        literal = hbg_verify_formula_argument(f, literal, 0);
        positive = !positive;
    }
    if (!proof->words.as_pre) literal = with_numbers(proof, literal);
    Z3_decl_kind kind = hbg_verify_formula_kind(f, literal);
    if (kind == Z3_OP_NOT)
        return line_of(proof, positive ? literal : hbg_verify_formula_argument(f, literal, 0));
    if (kind == Z3_OP_LE || kind == Z3_OP_GE || kind == Z3_OP_LT || kind == Z3_OP_GT || kind == Z3_OP_EQ)
        return line_of_relation(proof, literal, positive);
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    if (!positive) hbg_base_buffer_text(&text, "not ");
    put_symbol(proof, literal, true, &text);
    return (told_line){.text = text.data};
}

void hbg_verify_region_print_literal(group_proof *proof, formula literal, hbg_buffer *out) {
    told_line line = line_of(proof, literal);
    proof->words.factor_unit = proof->words.as_pre && !line.text ? mixed_unit(proof, &line.sum) : NULL;
    put_line(proof, &line, out);
    proof->words.factor_unit = NULL;
}

/* Numbers recorded in laws before the instant mean nothing to the user: only their existence is reported. */
static bool is_hidden(group_proof *proof, formula literal) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (hbg_verify_formula_reads(f, literal, &proof->law_pre[proof->of.pres[i]], 1)) return true;
    return false;
}

void hbg_verify_region_print(group_proof *proof, const region_cube *cube, hbg_buffer *out) {
    HBG_VEC(told_line) lines = {0};
    bool hidden = false;
    for (int32_t i = 0; i < cube->count; i++) {
        hidden |= is_hidden(proof, cube->items[i]);
        if (is_hidden(proof, cube->items[i])) continue;
        told_line line = line_of(proof, cube->items[i]);
        int32_t place = 0;
        while (place < lines.count && !is_same_sum(&lines.items[place], &line)) place++;
        if (place < lines.count)
            merge_line(&lines.items[place], &line);
        else
            HBG_PUSH(proof->arena, lines, line);
    }
    if (hidden)
        HBG_PUSH(proof->arena, lines, (told_line){.text = "for some number that `pre` held there before"});
    for (int32_t i = 0; i < lines.count; i++) {
        if (i > 0) hbg_base_buffer_text(out, ", ");
        put_line(proof, &lines.items[i], out);
    }
    if (lines.count == 0) hbg_base_buffer_text(out, "everywhere");
}
