/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Removes unknowns of loops that are not linear from what is reported. A loop with one solution reduces to
 * one law that is 0 at one of its unknowns and strictly monotone in it; where the law rises, that unknown is
 * below a bound exactly if the law is positive at the bound. So an inequality with the unknown becomes one in
 * the energies, in the user's names. */
#include "verify/loop_impl.h"

/* ---- remembering ------------------------------------------------------------------------------------------- */

/* "j.f in d=x", or as an expression "solved(j.f, d.x)" */
static const char *text_of(group_proof *proof, const exact_state *of, int32_t variable, bool expression) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    hbg_base_buffer_text(&text, expression ? "solved(" : "");
    hbg_eqn_exact_name(proof->eqn, variable, &text);
    if (!expression) hbg_base_buffer_text(&text, " in ");
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_rt_automaton *at = &proof->system->automata[proof->of.automata[i]];
        hbg_base_buffer_print(&text, expression ? "%s%s.%s" : "%s%s=%s", i || expression ? ", " : "",
                              at->name, at->states[of->states[proof->of.automata[i]]]);
    }
    hbg_base_buffer_text(&text, expression ? ")" : "");
    return text.data;
}

void hbg_verify_unknowns_note(exact_loop *loop, const exact_state *of, const hbg_exact_equation *equations,
                              bool unique) {
    group_proof *proof = loop->proof;
    formulas *f = &proof->f;
    for (int32_t k = 0; k < loop->count; k++) {
        int32_t i = !unique ? k : k < loop->solved_count ? loop->order[k] : loop->last;
        exact_unknown made = {.symbol = loop->unknowns[i],
                              .equation = hbg_verify_formula_equal(f, loop->residuals[i], f->zero),
                              .text = text_of(proof, of, equations[i].variable, false),
                              .name = text_of(proof, of, equations[i].variable, true)};
        if (unique && i != loop->last) made.value = loop->solved[i];
        if (unique && i == loop->last) made.law = loop->law;
        made.rises = loop->rises;
        HBG_PUSH(proof->arena, proof->unknowns, made);
    }
}

const exact_unknown *hbg_verify_unknowns_find(group_proof *proof, formula symbol) {
    for (int32_t i = 0; i < proof->unknowns.count; i++)
        if (proof->unknowns.items[i].symbol == symbol) return &proof->unknowns.items[i];
    return NULL;
}

/* ---- inequalities ------------------------------------------------------------------------------------------ */

typedef struct {
    group_proof *proof;
    const exact_unknown *of;
    const exact_symbol *root; /* or a square root, removed from inequalities with a number */
    formula symbol;           /* of either */
    hbg_pair_map place;       /* Z3's number -> in `made` */
    HBG_VEC(formula) made;
} elimination;

static formula relate(formulas *f, Z3_decl_kind kind, formula a, formula b) {
    switch (kind) {
    case Z3_OP_LE: return hbg_verify_formula_less_equal(f, a, b);
    case Z3_OP_GE: return hbg_verify_formula_less_equal(f, b, a);
    case Z3_OP_LT: return hbg_verify_formula_less(f, a, b);
    case Z3_OP_GT: return hbg_verify_formula_less(f, b, a);
    default: return hbg_verify_formula_equal(f, a, b);
    }
}

/* The same with the sides exchanged. */
static Z3_decl_kind turned(Z3_decl_kind kind) {
    return kind == Z3_OP_LE   ? Z3_OP_GE
           : kind == Z3_OP_GE ? Z3_OP_LE
           : kind == Z3_OP_LT ? Z3_OP_GT
           : kind == Z3_OP_GT ? Z3_OP_LT
                              : kind;
}

/* √a compared with a number, as a compared with its square. */
static formula replace_root(elimination *e, formula a, Z3_decl_kind kind, formula bound) {
    formulas *f = &e->proof->f;
    if (!hbg_verify_formula_is_number(f, bound)) return a;
    double at = hbg_verify_formula_to_double(f, bound);
    bool below = kind == Z3_OP_LT || kind == Z3_OP_LE || kind == Z3_OP_EQ;
    if (at < 0 || (at == 0 && (kind == Z3_OP_LT || kind == Z3_OP_GE))) return below ? f->no : f->yes;
    return relate(f, kind, e->root->argument, hbg_verify_formula_multiply(f, bound, bound));
}

/* u compared with a bound, as the law at the bound compared with 0. */
static formula replace_relation(elimination *e, formula a, Z3_decl_kind kind) {
    formulas *f = &e->proof->f;
    formula unknown = e->symbol;
    hbg_pair_map known;
    formula difference = hbg_verify_formula_subtract(f, hbg_verify_formula_argument(f, a, 0),
                                                     hbg_verify_formula_argument(f, a, 1));
    hbg_base_pair_map_init(&known, e->proof->arena);
    if (hbg_verify_loop_degree(f, difference, &unknown, 1, &known) != 1) return a;
    formula rest = hbg_verify_formula_replace(f, difference, 1, &unknown, &f->zero);
    formula factor =
        hbg_verify_formula_subtract(f, hbg_verify_formula_replace(f, difference, 1, &unknown, &f->one), rest);
    if (!hbg_verify_formula_is_number(f, factor) || factor == f->zero) return a;
    formula bound = hbg_verify_formula_divide(f, hbg_verify_formula_negate(f, rest), factor);
    if (e->root)
        return replace_root(e, a, hbg_verify_formula_to_double(f, factor) > 0 ? kind : turned(kind), bound);
    formula there = hbg_verify_formula_replace(f, e->of->law, 1, &unknown, &bound);
    // u < bound where the factor is positive; the law, where it rises, is positive there then
    bool turns = (hbg_verify_formula_to_double(f, factor) > 0) == (e->of->rises > 0);
    return relate(f, turns ? turned(kind) : kind, there, f->zero);
}

static formula rewrite(elimination *e, formula a);

static formula rewrite_parts(elimination *e, formula a, Z3_decl_kind kind) {
    formulas *f = &e->proof->f;
    unsigned count = hbg_verify_formula_argument_count(f, a);
    formula result = kind == Z3_OP_AND ? f->yes : f->no;
    for (unsigned i = 0; i < count; i++) {
        formula part = rewrite(e, hbg_verify_formula_argument(f, a, i));
        result = kind == Z3_OP_AND ? hbg_verify_formula_and(f, result, part)
                                   : hbg_verify_formula_or(f, result, part);
    }
    return result;
}

static formula make_rewritten(elimination *e, formula a) {
    formulas *f = &e->proof->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_AND || kind == Z3_OP_OR) return rewrite_parts(e, a, kind);
    if (kind == Z3_OP_NOT) return hbg_verify_formula_not(f, rewrite(e, hbg_verify_formula_argument(f, a, 0)));
    if (kind == Z3_OP_ITE)
        return hbg_verify_formula_choose(f, rewrite(e, hbg_verify_formula_argument(f, a, 0)),
                                         rewrite(e, hbg_verify_formula_argument(f, a, 1)),
                                         rewrite(e, hbg_verify_formula_argument(f, a, 2)));
    if (kind != Z3_OP_LE && kind != Z3_OP_GE && kind != Z3_OP_LT && kind != Z3_OP_GT && kind != Z3_OP_EQ)
        return a;
    formula first = hbg_verify_formula_argument(f, a, 0);
    if (Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, first)) == Z3_BOOL_SORT)
        return hbg_verify_formula_equal(f, rewrite(e, first),
                                        rewrite(e, hbg_verify_formula_argument(f, a, 1)));
    return replace_relation(e, a, kind);
}

static formula rewrite(elimination *e, formula a) {
    formulas *f = &e->proof->f;
    formula symbol = e->symbol;
    if (!hbg_verify_formula_reads(f, a, &symbol, 1)) return a;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&e->place, id, 0);
    if (found >= 0) return e->made.items[found];
    formula made = make_rewritten(e, a);
    HBG_PUSH(e->proof->arena, e->made, made);
    hbg_base_pair_map_add(&e->place, id, 0, e->made.count - 1);
    return made;
}

/* Roots of energies, in terms of these. */
static formula eliminate_roots(group_proof *proof, formula a) {
    for (int32_t i = proof->f.symbols.count - 1; i >= 0; i--) { // later ones may contain earlier ones
        const exact_symbol *at = &proof->f.symbols.items[i];
        if (at->op != HBG_OP_SQRT || !at->exact) continue;
        elimination e = {.proof = proof, .root = at, .symbol = at->symbol};
        hbg_base_pair_map_init(&e.place, proof->arena);
        a = rewrite(&e, a);
    }
    return a;
}

/* What is known about an unknown by itself. */
static formula fact_of(group_proof *proof, const exact_unknown *of) {
    formulas *f = &proof->f;
    if (of->value) return hbg_verify_formula_equal(f, of->symbol, of->value);
    return of->law ? hbg_verify_formula_equal(f, of->law, f->zero) : f->yes;
}

/* By itself, or through a root or function of it. */
static bool speaks_of(formulas *f, formula a, formula unknown) {
    if (hbg_verify_formula_reads(f, a, &unknown, 1)) return true;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        bool of_it = (at->argument && hbg_verify_formula_reads(f, at->argument, &unknown, 1)) ||
                     (at->second && hbg_verify_formula_reads(f, at->second, &unknown, 1));
        if (of_it && hbg_verify_formula_reads(f, a, &at->symbol, 1)) return true;
    }
    return false;
}

formula hbg_verify_unknowns_facts(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    formula facts = f->yes;
    // forwards in a loop, since each is known by those that follow; and later loops read what earlier ones
    // give
    for (int32_t last = proof->unknowns.count; last > 0;) {
        int32_t first = last - 1;
        while (first > 0 && !proof->unknowns.items[first - 1].law) first--;
        for (int32_t i = first; i < last; i++) {
            const exact_unknown *at = &proof->unknowns.items[i];
            if (speaks_of(f, hbg_verify_formula_and(f, a, facts), at->symbol))
                facts = hbg_verify_formula_and(f, facts, fact_of(proof, at));
        }
        last = first;
    }
    return facts;
}

formula hbg_verify_unknowns_eliminate(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    bool truth = Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, a)) == Z3_BOOL_SORT;
    // what was asserted of them holds by their definition
    for (int32_t i = 0; i < proof->unknowns.count && truth; i++) {
        const exact_unknown *at = &proof->unknowns.items[i];
        if (!at->value && !at->law) continue;
        formula held[] = {at->equation, fact_of(proof, at)}, yes[] = {f->yes, f->yes};
        for (int k = 0; k < 2; k++)
            if (held[k] != f->yes && held[k] != f->no)
                a = hbg_verify_formula_replace(f, a, 1, &held[k], &yes[k]);
    }
    // later loops read what earlier ones give
    for (int32_t last = proof->unknowns.count; last > 0;) {
        int32_t first = last - 1;
        while (first > 0 && !proof->unknowns.items[first - 1].law) first--;
        for (int32_t i = first; i < last; i++) {
            const exact_unknown *at = &proof->unknowns.items[i];
            if (at->value) a = hbg_verify_formula_replace(f, a, 1, &at->symbol, &at->value);
            if (!at->law || !truth) continue;
            elimination e = {.proof = proof, .of = at, .symbol = at->symbol};
            hbg_base_pair_map_init(&e.place, proof->arena);
            a = rewrite(&e, a);
        }
        last = first;
    }
    return truth ? eliminate_roots(proof, a) : a;
}
