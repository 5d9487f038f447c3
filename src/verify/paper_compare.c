/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether the composition of 003 allows what hbg does at an instant: for every jump of the process in form
 * exact, some alternative leads from the same energies to the same ones, and to the clause of the same mode.
 * Instants at which only a run begins do not count: 003's process begins where time has advanced. */
#include "verify/paper_impl.h"

typedef struct {
    paper_linear linear;
    const hbg_process *exact;
    int32_t *clause_of;    /* by clause of the exact process; HBG_NONE: the composition has none */
    paper_formulas now;    /* by variable of the exact process: its symbol */
    paper_formulas before; /* and before the jump */
    bool unknown;          /* something in a formula is not known here */
} comparing;

/* ---- terms of the exact process -------------------------------------------------------------------------------------------- */

static void name_variables(comparing *c) {
    paper_work *work = c->linear.work;
    const hbg_process *own = &work->made->process;
    for (int32_t i = 0; i < c->exact->variables.count; i++) {
        const hbg_process_variable *of = &c->exact->variables.items[i];
        formula now = NULL, before = NULL;
        for (int32_t k = 0; k < own->variables.count && !now; k++) {
            bool role =
                own->variables.items[k].role == of->role && own->variables.items[k].is_truth == of->is_truth;
            if (!role || strcmp(own->variables.items[k].name, of->name) != 0) continue;
            now = work->map.symbols.items[k];
            before = work->map.before.items[k];
        }
        HBG_PUSH(work->arena, c->now, now);
        HBG_PUSH(work->arena, c->before, before);
    }
}

/* A term of the exact process as one of ours: the same operators on variables of the same names. */
static hbg_term take_over(comparing *c, hbg_term term, int depth) {
    paper_work *work = c->linear.work;
    hbg_terms *terms = &work->made->process.terms;
    const term_node node = c->exact->terms.nodes.items[term];
    hbg_term of[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    if (depth > 500) c->unknown = true;
    if (c->unknown) return hbg_term_integer(terms, 0);
    if (node.op == HBG_OP_NUMBER) return hbg_term_number(terms, c->exact->terms.numbers.items[node.a]);
    if (node.op == TERM_VARIABLE) {
        formula symbol = c->now.items[hbg_process_variable_of(node.a)];
        if (!symbol) {
            c->unknown = true;
            return hbg_term_integer(terms, 0);
        }
        int32_t variable =
            hbg_base_pair_map_find(&work->number_of, (int32_t)Z3_get_ast_id(work->proof->f.z3, symbol), 0);
        return hbg_verify_paper_variable(work, variable, hbg_process_view_of(node.a));
    }
    for (int i = 0; i < hbg_term_arity(&node); i++)
        of[i] = take_over(c, hbg_term_argument(&node, i), depth + 1);
    return hbg_term_make(terms, node.op, of[0], of[1], of[2]);
}

static formula all_hold(comparing *c, const hbg_process_all *all) {
    formulas *f = &c->linear.work->proof->f;
    formula made = f->yes;
    for (int32_t i = 0; i < all->count; i++)
        made = hbg_verify_formula_and(f, made,
                                      hbg_verify_paper_holds(c->linear.work, take_over(c, all->items[i], 0)));
    return made;
}

static formula any_holds(comparing *c, const hbg_process_any *any) {
    formulas *f = &c->linear.work->proof->f;
    formula made = any->complete ? f->no : f->yes;
    for (int32_t i = 0; i < any->count; i++)
        made = hbg_verify_formula_or(f, made, all_hold(c, &any->items[i]));
    return made;
}

/* ---- a little beside ---------------------------------------------------------------------------------------------------------- */

/* Numbers of the exact process are rounded: a law counts as kept if its error is below this share of what it
 * adds up. */
#define SHARE 1e-9

/* a >= 0, up to a share of some of its terms. */
static formula almost_positive(formulas *f, formula a) {
    formula share = hbg_verify_formula_double(f, SHARE), any = hbg_verify_formula_less_equal(f, f->zero, a);
    bool sum = hbg_verify_formula_kind(f, a) == Z3_OP_ADD;
    for (unsigned i = 0; i < (sum ? hbg_verify_formula_argument_count(f, a) : 0); i++) {
        formula own = hbg_verify_formula_multiply(f, share, hbg_verify_formula_argument(f, a, i));
        any = hbg_verify_formula_or(
            f, any, hbg_verify_formula_less_equal(f, f->zero, hbg_verify_formula_add(f, a, own)));
        any = hbg_verify_formula_or(
            f, any, hbg_verify_formula_less_equal(f, f->zero, hbg_verify_formula_subtract(f, a, own)));
    }
    return any;
}

static formula almost(formulas *f, formula a, bool positive) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_NOT) return almost(f, hbg_verify_formula_argument(f, a, 0), !positive);
    if (kind == Z3_OP_AND || kind == Z3_OP_OR) {
        bool both = (kind == Z3_OP_AND) == positive;
        formula all = both ? f->yes : f->no;
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
            formula own = almost(f, hbg_verify_formula_argument(f, a, i), positive);
            all = both ? hbg_verify_formula_and(f, all, own) : hbg_verify_formula_or(f, all, own);
        }
        return all;
    }
    bool below = kind == Z3_OP_LE || kind == Z3_OP_LT, above = kind == Z3_OP_GE || kind == Z3_OP_GT;
    bool equal =
        kind == Z3_OP_EQ &&
        Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, hbg_verify_formula_argument(f, a, 0))) == Z3_REAL_SORT;
    if (!below && !above && !equal) return positive ? a : hbg_verify_formula_not(f, a);
    formula difference = hbg_verify_formula_subtract(f, hbg_verify_formula_argument(f, a, 0),
                                                     hbg_verify_formula_argument(f, a, 1));
    formula opposite = hbg_verify_formula_negate(f, difference);
    if (equal)
        return positive
                   ? hbg_verify_formula_and(f, almost_positive(f, difference), almost_positive(f, opposite))
                   : f->yes;
    return almost_positive(f, above == positive ? difference : opposite);
}

/* ---- one jump ---------------------------------------------------------------------------------------------------------------- */

/* What hbg does: time has advanced in a mode, the condition holds, and energies become what they become. */
static formula done(comparing *c, const hbg_process_alternative *of) {
    paper_work *work = c->linear.work;
    formulas *f = &work->proof->f;
    const hbg_process_clause *from = &c->exact->clauses.items[of->from];
    formula flowed =
        hbg_verify_formula_and(f, all_hold(c, &from->constraints), any_holds(c, &from->invariants));
    formula made = hbg_verify_formula_and(f, hbg_verify_paper_before(work, flowed), any_holds(c, &of->when));
    for (int32_t i = 0; i < c->exact->variables.count; i++) {
        if (c->exact->variables.items[i].role != HBG_PROCESS_ENERGY) continue;
        if (!c->now.items[i]) c->unknown = true;
        if (c->unknown) return f->no;
        formula becomes = of->becomes[i] == HBG_NONE
                              ? c->before.items[i]
                              : hbg_verify_paper_number(work, take_over(c, of->becomes[i], 0));
        made = hbg_verify_formula_and(f, made, hbg_verify_formula_equal(f, c->now.items[i], becomes));
    }
    return made;
}

/* What the composition allows between the same modes, and a little more. Whether time advances afterwards hbg
 * has already decided. */
static formula allowed(comparing *c, int32_t from, int32_t to) {
    paper_linear *linear = &c->linear;
    formulas *f = &linear->work->proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < linear->work->made->alternatives.count; i++) {
        const hbg_paper_alternative *of = &linear->work->made->alternatives.items[i];
        if (of->after != to || of->feasible == HBG_VIOLATED) continue;
        const paper_clause *behind = &linear->clauses.items[to];
        formula own = hbg_verify_formula_and(f, hbg_verify_paper_before_in(linear, i, from),
                                             linear->relations.items[i]);
        own = hbg_verify_formula_and(f, own, hbg_verify_formula_and(f, behind->hidden, behind->predicate));
        any = hbg_verify_formula_or(f, any, almost(f, own, true));
    }
    return any;
}

static void tell_witness(comparing *c, hbg_paper_compared *made) {
    paper_work *work = c->linear.work;
    formulas *f = &work->proof->f;
    for (int32_t i = 0; i < c->exact->variables.count; i++) {
        const hbg_process_variable *of = &c->exact->variables.items[i];
        if (of->role != HBG_PROCESS_ENERGY || !c->before.items[i]) continue;
        formula value = hbg_verify_formula_in_model(f, c->before.items[i]);
        HBG_PUSH(work->arena, made->values,
                 (hbg_witness_value){.name = of->name,
                                     .unit = of->unit,
                                     .value = value ? hbg_verify_formula_to_double(f, value) : 0});
    }
}

/* The differences that apply to the model and can be the reason (processes, expected relation). */
static const char *explain(comparing *c) {
    static const hbg_difference may[] = {HBG_DIFFERENCE_D1,  HBG_DIFFERENCE_D2,  HBG_DIFFERENCE_D3,
                                         HBG_DIFFERENCE_D4,  HBG_DIFFERENCE_D9,  HBG_DIFFERENCE_D10,
                                         HBG_DIFFERENCE_D11, HBG_DIFFERENCE_D12, HBG_DIFFERENCE_D13};
    paper_work *work = c->linear.work;
    hbg_buffer text;
    hbg_base_buffer_init(&text, work->arena);
    for (size_t k = 0; k < sizeof may / sizeof *may; k++)
        for (int32_t i = 0; i < work->made->differences.count; i++) {
            const hbg_paper_difference *of = &work->made->differences.items[i];
            if (of->code != may[k]) continue;
            hbg_base_buffer_print(&text, "%s%s (%s)", text.size > 0 ? ", " : "",
                                  hbg_verify_difference_code(of->code), of->object);
            break;
        }
    return text.size > 0 ? text.data : NULL;
}

/* Whether a function takes part that the prover does not know: values for it may not exist. */
static bool reads_function(comparing *c, formula a) {
    paper_work *work = c->linear.work;
    for (int32_t i = 0; i < work->unknowns.count; i++) {
        int32_t variable = work->unknowns.items[i];
        formula sides[] = {work->map.symbols.items[variable], work->map.before.items[variable]};
        if (hbg_verify_formula_reads(&work->proof->f, a, sides, 2)) return true;
    }
    return false;
}

static hbg_paper_compared compare(comparing *c, const hbg_process_alternative *of) {
    formulas *f = &c->linear.work->proof->f;
    hbg_paper_compared made = {.from = c->exact->clauses.items[of->from].mode,
                               .to = c->exact->clauses.items[of->to].mode,
                               .answer = HBG_NOT_DECIDED};
    int32_t from = c->clause_of[of->from], to = c->clause_of[of->to];
    c->unknown = false;
    formula does = done(c, of);
    if (c->unknown) {
        made.why = "it reads something that the composition has not: a time, or what no formula tells";
        return made;
    }
    formula may = from == HBG_NONE || to == HBG_NONE ? f->no : allowed(c, from, to);
    formula refused = hbg_verify_formula_and(f, does, hbg_verify_formula_not(f, may));
    verify_answer answer = hbg_verify_formulas_check(f, refused);
    made.answer = answer == ANSWER_NONE    ? HBG_PROVED
                  : answer == ANSWER_FOUND ? HBG_VIOLATED
                                           : HBG_NOT_DECIDED;
    if (answer == ANSWER_FOUND && !c->linear.work->made->is_whole) {
        made.answer = HBG_NOT_DECIDED;
        made.why = "the composition was cut at its limit: --limit sets another";
    } else if (answer == ANSWER_FOUND && reads_function(c, refused)) {
        made.answer = HBG_NOT_DECIDED;
        made.why = "it reads a function that is no polynomial, of which the theorem prover knows nothing";
    } else if (answer == ANSWER_FOUND) {
        tell_witness(c, &made);
        made.why = from == HBG_NONE || to == HBG_NONE
                       ? "D12: the composition has no such mode while time flows"
                       : explain(c);
    }
    return made;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------------- */

static void pair_clauses(comparing *c) {
    const hbg_paper *made = c->linear.work->made;
    c->clause_of = HBG_NEW_ARRAY(c->linear.work->arena, int32_t, c->exact->clauses.count + 1);
    for (int32_t i = 0; i < c->exact->clauses.count; i++) {
        c->clause_of[i] = HBG_NONE;
        for (int32_t k = 0; k < made->clauses.count; k++)
            if (strcmp(made->clauses.items[k].mode, c->exact->clauses.items[i].mode) == 0)
                c->clause_of[i] = k;
    }
}

hbg_paper_comparison hbg_verify_paper_compare(hbg_arena *arena, hbg_verify_prover *prover,
                                              const hbg_model *sorted, const hbg_process *exact,
                                              const hbg_paper_request *request,
                                              const hbg_verify_options *options) {
    hbg_paper_comparison made = {.reason = NULL};
    hbg_paper *paper = HBG_NEW(arena, hbg_paper);
    comparing c = {.exact = exact};
    c.linear.work = hbg_verify_paper_begin(arena, prover, sorted, request, options, paper);
    if (!c.linear.work) {
        made.reason = "there is no memory for the prover";
        return made;
    }
    hbg_verify_paper_compose(&c.linear);
    made.reason = c.linear.work->refused ? c.linear.work->refused : paper->reason;
    pair_clauses(&c);
    name_variables(&c);
    for (int32_t i = 0; i < exact->alternatives.count && !made.reason; i++) {
        const hbg_process_alternative *of = &exact->alternatives.items[i];
        if (!of->by_start && !of->stays) HBG_PUSH(arena, made.jumps, compare(&c, of));
    }
    const char *failure = hbg_verify_formulas_failure(&c.linear.work->proof->f);
    if (failure) made.reason = failure;
    made.questions = c.linear.work->proof->f.account.questions;
    hbg_verify_formulas_end(&c.linear.work->proof->f);
    return made;
}
