/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values found: energies, parameters, inputs before and after, time, angles. */
#include <math.h>
#include <stdio.h>

#include "verify/region_impl.h"

#define TURN 6.283185307179586

/* Whether the region depends on the symbol, by itself or through equations. */
static bool matters(const witness *of, formula symbol) {
    group_proof *proof = of->proof;
    formulas *f = &proof->f;
    bool by_equations = false, through = false;
    if (hbg_verify_formula_reads(f, of->region, &symbol, 1)) return true;
    for (int32_t i = 0; i < proof->losses.count; i++) { // the remaining speed follows from the loss
        const exact_loss *loss = &proof->losses.items[i];
        if (hbg_verify_formula_reads(f, of->region, &loss->coefficient, 1) &&
            (hbg_verify_formula_reads(f, loss->energy, &symbol, 1) ||
             hbg_verify_formula_reads(f, loss->plastic, &symbol, 1)))
            return true;
    }
    for (int32_t i = 0; i < proof->unknowns.count; i++) {
        exact_unknown *at = &proof->unknowns.items[i];
        by_equations |= hbg_verify_formula_reads(f, of->region, &at->symbol, 1);
        through |= at->equation && hbg_verify_formula_reads(f, at->equation, &symbol, 1);
    }
    return by_equations && through;
}

static void add_value(witness *of, formula symbol, const char *name, const char *unit, bool truth) {
    formulas *f = &of->proof->f;
    if (!symbol || !matters(of, symbol)) return;
    if (hbg_verify_formula_is_number(f, symbol)) return; // fixed by its range
    formula value = hbg_verify_formula_in_model(f, symbol);
    if (!value) return;
    hbg_witness_value made = {.name = name, .unit = unit, .value = NAN};
    if (truth)
        made.truth = Z3_get_bool_value(f->z3, value) == Z3_L_TRUE;
    else
        made.value = hbg_verify_formula_to_double(f, value);
    HBG_PUSH(of->proof->arena, of->values, made);
    HBG_PUSH(of->proof->arena, of->symbols, symbol);
}

static const char *symbol_name(group_proof *proof, formula symbol) {
    Z3_context z3 = proof->f.z3;
    const char *text =
        Z3_get_symbol_string(z3, Z3_get_decl_name(z3, Z3_get_app_decl(z3, Z3_to_app(z3, symbol))));
    return hbg_base_arena_copy(proof->arena, text, strlen(text));
}

/* Both where an input changes at the instant. */
static void add_outside(witness *of, exact_value *const *symbols, int32_t signal) {
    group_proof *proof = of->proof;
    formulas *f = &proof->f;
    exact_value was = symbols[1][signal], is = symbols[0][signal];
    formula region = of->region;
    bool reads = (is.fin && hbg_verify_formula_reads(f, region, &is.fin, 1)) ||
                 (was.fin && (hbg_verify_formula_reads(f, region, &was.fin, 1) ||
                              hbg_verify_formula_reads(f, of->known, &was.fin, 1)));
    if (!reads) return;
    of->region = hbg_verify_formula_and(f, of->known, region); // everything known about it is of interest
    for (int before = 1; before >= 0; before--) {
        exact_value at = symbols[before][signal];
        if (!at.fin) continue;
        add_value(of, at.fin, symbol_name(proof, at.fin), hbg_verify_group_signal_unit(proof, signal),
                  at.is_truth);
    }
    of->region = region;
}

/* The instant at which an angle has this value, if it turns evenly with time; else false. */
static bool find_time(group_proof *proof, formula argument, double angle, double *time) {
    formulas *f = &proof->f;
    if (!proof->time || !hbg_verify_formula_reads(f, argument, &proof->time, 1)) return false;
    formula rest = hbg_verify_formula_replace(f, argument, 1, &proof->time, &f->zero);
    formula rate = hbg_verify_formula_subtract(
        f, hbg_verify_formula_replace(f, argument, 1, &proof->time, &f->one), rest);
    if (!hbg_verify_formula_is_closed(f, rest) || !hbg_verify_formula_is_closed(f, rate)) return false;
    double from = hbg_verify_formula_to_double(f, hbg_verify_formula_enclose(f, rest).low);
    double by = hbg_verify_formula_to_double(f, hbg_verify_formula_enclose(f, rate).low);
    double turns = fmod((angle - from) * (by > 0 ? 1 : -1), TURN);
    *time = (turns < 0 ? turns + TURN : turns) / fabs(by); // a run begins at 0
    return isfinite(*time);
}

/* The angle with the sine and cosine found. */
static void add_angles(witness *of) {
    formulas *f = &of->proof->f;
    for (int32_t i = 0; i + 1 < f->symbols.count; i++) {
        const exact_symbol *sine = &f->symbols.items[i], *cosine = sine + 1;
        if (sine->op != HBG_OP_SIN || sine->constant ||
            (!hbg_verify_formula_reads(f, of->region, &sine->symbol, 1) &&
             !hbg_verify_formula_reads(f, of->region, &cosine->symbol, 1)))
            continue;
        formula s = hbg_verify_formula_in_model(f, sine->symbol),
                c = hbg_verify_formula_in_model(f, cosine->symbol);
        if (!s || !c) continue;
        const char *text = sine->text + strlen("sin("); // sin(theta), both of them
        hbg_witness_value made = {
            .name = hbg_base_arena_copy(of->proof->arena, text, strlen(text) - 1),
            .unit = "rad",
            .value = atan2(hbg_verify_formula_to_double(f, s), hbg_verify_formula_to_double(f, c))};
        if (find_time(of->proof, sine->argument, made.value, &made.value)) {
            made.name = "time";
            made.unit = "s";
        }
        HBG_PUSH(of->proof->arena, of->values, made);
        HBG_PUSH(of->proof->arena, of->symbols, NULL);
    }
}

#define FEW_DIGITS 6
#define ALL_DIGITS 17

static double rounded(double value, int digits) {
    char text[40];
    double back;
    snprintf(text, sizeof text, "%.*g", digits, value);
    return hbg_base_double_parse(text, strlen(text), &back) ? back : value;
}

static bool reads_unknown(const witness *of, formula a) {
    for (int32_t i = 0; i < of->proof->unknowns.count; i++)
        if (hbg_verify_formula_reads(&of->proof->f, a, &of->proof->unknowns.items[i].symbol, 1)) return true;
    return false;
}

static bool is_inside(const witness *of, formula region) {
    formulas *f = &of->proof->f;
    if (reads_unknown(of, region)) // it moves with what is rounded
        return hbg_verify_formulas_check(f, region) == ANSWER_FOUND;
    if (hbg_verify_formula_hangs(f, region))
        return hbg_verify_formula_holds_here(f, hbg_verify_unknowns_eliminate(of->proof, region));
    formula there = hbg_verify_formula_in_model(f, region);
    return there && Z3_get_bool_value(f->z3, there) == Z3_L_TRUE;
}

/* Rounds the values to as few digits as keep them in the region: a value exactly on an edge is easily rounded
 * out of it. */
static void round_values(witness *of) {
    formulas *f = &of->proof->f;
    formula *from = HBG_NEW_ARRAY(of->proof->arena, formula, of->values.count + 1),
            *to = HBG_NEW_ARRAY(of->proof->arena, formula, of->values.count + 1);
    for (int digits = FEW_DIGITS; digits < ALL_DIGITS; digits++) {
        int32_t count = 0;
        for (int32_t i = 0; i < of->values.count; i++) {
            double value = of->values.items[i].value;
            if (!of->symbols.items[i] || isnan(value) || isinf(value)) continue;
            from[count] = of->symbols.items[i];
            to[count++] = hbg_verify_formula_double(f, rounded(value, digits));
        }
        if (!is_inside(of, hbg_verify_formula_replace(f, of->region, count, from, to))) continue;
        for (int32_t i = 0; i < of->values.count; i++)
            if (of->symbols.items[i] && !isnan(of->values.items[i].value))
                of->values.items[i].value = rounded(of->values.items[i].value, digits);
        return;
    }
}

/* A function of time at its start, if it is known there: a fact; else NULL. */
static formula symbol_at_start(group_proof *proof, const exact_symbol *symbol) {
    formulas *f = &proof->f;
    formula at =
        symbol->argument ? hbg_verify_formula_replace(f, symbol->argument, 1, &proof->time, &f->zero) : NULL;
    bool rounds = symbol->op == HBG_OP_REMAINDER || symbol->op == HBG_OP_FLOOR || symbol->op == HBG_OP_CEIL;
    if (at != f->zero || !(rounds || symbol->op == HBG_OP_SIN || symbol->op == HBG_OP_COS)) return NULL;
    return hbg_verify_formula_equal(f, symbol->symbol, symbol->op == HBG_OP_COS ? f->one : f->zero);
}

formula hbg_verify_witness_at_start(group_proof *proof, formula region) {
    formulas *f = &proof->f;
    formula all = region;
    bool reads = false;
    if (!proof->time) return f->no;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *symbol = &f->symbols.items[i];
        bool of_time =
            symbol->argument && hbg_verify_formula_reads_argument(f, symbol->argument, proof->time);
        if (symbol->constant || !of_time || !hbg_verify_formula_reads(f, region, &symbol->symbol, 1))
            continue;
        formula fact = symbol_at_start(proof, symbol);
        if (!fact) return f->no;
        all = hbg_verify_formula_and(f, all, fact);
        reads = true;
    }
    if (!reads && !hbg_verify_formula_reads(f, region, &proof->time, 1)) return f->no;
    return hbg_verify_formula_and(f, all, hbg_verify_formula_equal(f, proof->time, f->zero));
}

/* The values found: energies, inputs, parameters that are free. */
void hbg_verify_witness_read(witness *of) {
    group_proof *proof = of->proof;
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        add_value(of, proof->x[i], proof->system->states[i].name, proof->system->states[i].unit, false);
    for (int32_t i = 0; i < model->params.count; i++)
        if (proof->params.open[i] && proof->params.value[i].fin)
            add_value(of, proof->params.value[i].fin, proof->system->params[i].name,
                      proof->system->params[i].unit, false);
    for (int32_t i = 0; proof->params.before && i < model->params.count; i++)
        if (proof->params.before[i])
            add_value(of, proof->params.before[i],
                      hbg_base_arena_print(proof->arena, "%s before", proof->system->params[i].name),
                      proof->system->params[i].unit, false);
    for (int32_t i = 0; i < proof->chosen.count; i++) {
        const exact_choice *chosen = &proof->chosen.items[i];
        bool param = chosen->target.kind == HBG_OBJECT_PARAM;
        const char *unit = param ? proof->system->params[chosen->target.index].unit
                           : hbg_model_loses_energy(model, chosen->target.index) ? "J"
                                                                                 : NULL;
        add_value(of, chosen->symbol, chosen->name, unit, false);
    }
    for (int32_t i = 0; i < model->signals.count; i++) {
        add_outside(of, proof->signals.input, i);
        add_outside(of, proof->signals.held, i);
    }
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        formula ticks = proof->timing.clocks.items[i].ticks;
        add_value(of, ticks, symbol_name(proof, ticks), NULL, true);
    }
    for (int32_t i = 0; i < model->transitions.count; i++)
        if (proof->timing.waited[i])
            add_value(of, proof->timing.waited[i], symbol_name(proof, proof->timing.waited[i]), NULL, true);
    add_angles(of);
    of->region = hbg_verify_formula_and(&proof->f, of->known, of->region);
    if (proof->time) add_value(of, proof->time, "time", "s", false);
    round_values(of);
}
