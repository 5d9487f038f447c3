/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which differences between 003's process and what hbg does apply to a model, and to what in it. What only a
 * run can show, such as whether a resistor gets a pulse, is reported where it is possible. */
#include <stdarg.h>
#include <stdlib.h>

#include "verify/paper_impl.h"

static void add(paper_work *work, hbg_difference code, const char *object, const char *format, ...)
    HBG_PRINTF(4, 5);

static void add(paper_work *work, hbg_difference code, const char *object, const char *format, ...) {
    va_list arguments;
    hbg_paper_difference made = {.code = code, .object = object};
    va_start(arguments, format);
    made.words = hbg_base_arena_vprint(work->arena, format, arguments);
    va_end(arguments);
    HBG_PUSH(work->arena, work->made->differences, made);
}

static const char *element_path(paper_work *work, int32_t element) {
    return hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, element);
}

static const char *switch_path(paper_work *work, const paper_switch *of) {
    return of->automaton != HBG_NONE ? hbg_verify_paper_path(work, HBG_OBJECT_AUTOMATON, of->automaton)
                                     : element_path(work, of->element);
}

static hbg_element_kind kind_of(const paper_work *work, int32_t element) {
    return work->model->elements.items[element].kind;
}

/* ---- sources and resistors ------------------------------------------------------------------------------------------------- */

static bool is_zero(paper_work *work, int32_t source) {
    double value;
    return hbg_model_constant(work->model,
                              work->model->entries.items[work->model->elements.items[source].first_value],
                              &value) &&
           value == 0;
}

/* Se at a junction that is off without effort, Sf at one that is off without flow. */
static void find_cut_sources(paper_work *work, const paper_switch *of) {
    hbg_element_kind cut = hbg_verify_paper_is_flow_off(work->model, of->element) ? HBG_KIND_SF : HBG_KIND_SE;
    for (int32_t i = work->model->incidence_start[of->element];
         i < work->model->incidence_start[of->element + 1]; i++) {
        const hbg_bond *bond = &work->model->bonds.items[work->model->incidence[i]];
        int32_t other = bond->from.element == of->element ? bond->to.element : bond->from.element;
        if (kind_of(work, other) == cut && !is_zero(work, other))
            add(work, HBG_DIFFERENCE_D4, element_path(work, other),
                "while %s is off, its value contradicts it unless it is 0; hbg cuts it off",
                element_path(work, of->element));
    }
}

/* hbg applies a resistor's law to its pulses, too; it may then have some in the mode entered. */
static bool may_pulse(paper_linear *linear, const paper_clause *mode, int32_t resistor) {
    paper_work *work = linear->work;
    paper_system system = {.work = work};
    formulas *f = &work->proof->f;
    hbg_process_all laws = {0};
    int32_t flow = work->at.pulse_effort[hbg_eqn_bond_of(work->model, resistor, 1)] + 1;
    static const hbg_process_role order[] = {HBG_PROCESS_PULSE, HBG_PROCESS_WORK, HBG_PROCESS_ENERGY};
    for (int r = 0; r < 3; r++)
        for (int32_t i = 0; i < work->map.symbols.count; i++)
            if (work->made->process.variables.items[i].role == order[r])
                hbg_verify_paper_unknown(&system, work->map.symbols.items[i]);
    for (int32_t i = 0; i < work->made->parts.count; i++) {
        const hbg_paper_part *part = &work->made->parts.items[i];
        bool free = part->rows.count != 1 || kind_of(work, part->of.index) == HBG_KIND_R;
        for (int32_t k = 0; k < part->rows.items[0].jump.count && !free; k++)
            HBG_PUSH(work->arena, laws, part->rows.items[0].jump.items[k]);
    }
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        if (of->element == HBG_NONE) continue;
        bool on = of->kind == PAPER_BOUNCE || hbg_verify_paper_mode_of(work, mode->modes, i);
        hbg_verify_paper_junction(work, of->element, true, on ? PAPER_LAW_ON : PAPER_LAW_OFF, &laws);
    }
    hbg_verify_paper_give(&system, &laws);
    for (int32_t i = 0; i < work->model->elements.count; i++) {
        if (kind_of(work, i) != HBG_KIND_R) continue;
        for (int32_t port = 1; port <= work->model->elements.items[i].ports;
             port++) { // some resistance, other than 0
            int32_t own = work->at.pulse_effort[hbg_eqn_bond_of(work->model, i, port)];
            HBG_PUSH(work->arena, system.equations,
                     hbg_verify_formula_subtract(
                         f, work->map.symbols.items[own],
                         hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, 7 + i),
                                                     work->map.symbols.items[own + 1])));
        }
    }
    hbg_verify_paper_solve(&system);
    return hbg_verify_paper_put(&system, work->map.symbols.items[flow]) != f->zero;
}

static void find_resistors(paper_linear *linear) {
    paper_work *work = linear->work;
    for (int32_t i = 0; i < work->model->elements.count; i++) {
        if (kind_of(work, i) != HBG_KIND_R) continue;
        for (int32_t k = 0; k < linear->clauses.count && k < 64; k++) {
            if (!may_pulse(linear, &linear->clauses.items[k], i)) continue;
            const char *mode = work->made->clauses.items[k].mode;
            add(work, HBG_DIFFERENCE_D9, element_path(work, i),
                "it has no pulse; entering %s, hbg may give it one, with unbounded work",
                mode[0] ? mode : "its only mode");
            break;
        }
    }
}

/* ---- predicates ---------------------------------------------------------------------------------------------------------------- */

typedef struct {
    bool relaxed, weakened, changing, pulsing;
} guard_facts;

/* Whether a term reads something that a jump can change, or a bond that some jump gives a pulse. */
static void look(paper_linear *linear, hbg_term term, guard_facts *facts) {
    paper_work *work = linear->work;
    hbg_process *of = &work->made->process;
    hbg_term_walk(&of->terms, term);
    for (int32_t i = 0; i < of->terms.walk.count; i++) {
        const term_node *node = &of->terms.nodes.items[of->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        int32_t variable = hbg_process_variable_of(node->a);
        hbg_process_role role = of->variables.items[variable].role;
        if (role == HBG_PROCESS_BOND || (role == HBG_PROCESS_ENERGY && work->may_jump[variable]))
            facts->changing = true;
        if (role != HBG_PROCESS_BOND) continue;
        int32_t bond = of->variables.items[variable].of / 2, flow = of->variables.items[variable].of % 2;
        formula pulse = work->map.symbols.items[work->at.pulse_effort[bond] + flow];
        for (int32_t k = 0; k < linear->jumps.count; k++)
            for (int32_t n = 0; n < linear->jumps.items[k].cases.count; n++)
                if (hbg_verify_paper_put(&linear->jumps.items[k].cases.items[n].system, pulse) !=
                    work->proof->f.zero)
                    facts->pulsing = true;
    }
}

static guard_facts facts_of(paper_linear *linear, int32_t automaton) {
    paper_work *work = linear->work;
    guard_facts facts = {0};
    const hbg_automaton *of = &work->model->automata.items[automaton];
    for (int32_t i = 0; i < of->state_count; i++) {
        const hbg_automaton_state *state = &work->model->states.items[of->first_state + i];
        for (int32_t k = 0; k < state->transition_count; k++) {
            hbg_expr guard = work->model->transitions.items[state->first_transition + k].guard;
            paper_predicate relax = {.relax = true, .negate = true}, weaken = {.relax = true, .weaken = true};
            if (guard == HBG_NONE) continue;
            hbg_term term = hbg_verify_paper_expression(work, guard, HBG_PROCESS_NOW);
            hbg_verify_paper_predicate(work, term, &relax);
            hbg_verify_paper_predicate(work, term, &weaken);
            facts.relaxed = facts.relaxed || relax.relaxed || weaken.relaxed;
            facts.weakened = facts.weakened || weaken.weakened;
            look(linear, term, &facts);
        }
    }
    return facts;
}

/* Act and Inact hold together not only on an edge. */
static bool overlap(paper_work *work, const paper_switch *of) {
    formulas *f = &work->proof->f;
    formula both = f->yes;
    if (of->kind != PAPER_JUNCTION || of->states[0] == HBG_NONE) return false;
    for (int mode = 0; mode < 2; mode++) {
        paper_predicate how = {.tighten = true};
        both = hbg_verify_formula_and(
            f, both,
            hbg_verify_paper_holds(
                work, hbg_verify_paper_stay(work, of->automaton, of->states[mode], HBG_PROCESS_NOW, &how)));
    }
    return hbg_verify_formulas_check(f, both) != ANSWER_NONE;
}

static void find_predicates(paper_linear *linear, const paper_switch *of) {
    paper_work *work = linear->work;
    if (of->automaton == HBG_NONE) return;
    const char *path = switch_path(work, of);
    guard_facts facts = facts_of(linear, of->automaton);
    add(work, HBG_DIFFERENCE_D5, path,
        "it may switch wherever both predicates allow it; in hbg, as soon as a guard holds");
    if (facts.changing && of->kind != PAPER_BOUNCE)
        add(work, HBG_DIFFERENCE_D6, path,
            "its predicates are judged behind the jump, which may make them true");
    if (overlap(work, of))
        add(work, HBG_DIFFERENCE_D7, path,
            "both predicates can hold: which mode it was in is forgotten there");
    if (facts.pulsing)
        add(work, HBG_DIFFERENCE_D10, path,
            "its guards read what a jump gives pulses; predicates see finite values");
    if (facts.relaxed || facts.weakened)
        add(work, HBG_DIFFERENCE_D16, path, "its guards are %s%s%s: more is possible than they allow",
            facts.relaxed ? "relaxed" : "", facts.relaxed && facts.weakened ? " and " : "",
            facts.weakened ? "weakened where a jump can decide them" : "");
}

/* ---- jumps ---------------------------------------------------------------------------------------------------------------------- */

/* A junction switches and the fate of the energies is left open. */
static bool leaves_open(const paper_linear *linear, int32_t number) {
    const hbg_paper *made = linear->work->made;
    for (int32_t i = 0; i < made->edges.count; i++) {
        const hbg_paper_alternative *by = &made->alternatives.items[made->edges.items[i].alternative];
        const int32_t *before = linear->clauses.items[by->before].modes,
                      *after = linear->clauses.items[by->after].modes;
        bool open = made->edges.items[i].jumps != HBG_VIOLATED && made->jumps.items[by->jump].loses;
        if (open && before[number] != after[number]) return true;
    }
    return false;
}

static bool reads_outside(const paper_work *work, formula a) {
    for (int32_t i = 0; i < work->map.symbols.count; i++) {
        hbg_process_role role = work->made->process.variables.items[i].role;
        bool outside = role == HBG_PROCESS_INPUT || role == HBG_PROCESS_TIME || role == HBG_PROCESS_HELD;
        if (outside && hbg_verify_formula_reads(&work->proof->f, a, &work->map.symbols.items[i], 1))
            return true;
    }
    return false;
}

static void find_modes(paper_linear *linear) {
    paper_work *work = linear->work;
    bool told[2] = {false, false};
    for (int32_t i = 0; i < linear->clauses.count; i++) {
        const hbg_paper_clause *of = &work->made->clauses.items[i];
        const char *mode = of->mode[0] ? of->mode : "the only mode";
        if (reads_outside(work, linear->clauses.items[i].hidden) && !told[0]) {
            add(work, HBG_DIFFERENCE_D11, mode,
                "an input binds an energy there; a jump of it would have to lose energy where nothing "
                "switches");
            told[0] = true;
        }
        if ((of->contradicts || of->undecided) && !told[1]) {
            if (of->contradicts)
                add(work, HBG_DIFFERENCE_D13, mode,
                    "its equations contradict each other: time never advances in it; hbg passes through");
            else
                add(work, HBG_DIFFERENCE_D13, mode,
                    "nothing decides %s in it: it may be anything; in hbg it has its limit", of->undecided);
            told[1] = true;
        }
    }
}

static void find_inexpressible(paper_work *work) {
    const hbg_model *model = work->model;
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].noise_variance != HBG_NONE)
            add(work, HBG_DIFFERENCE_D17, hbg_verify_paper_path(work, HBG_OBJECT_SIGNAL, i),
                "a sensor has no noise");
    for (int32_t i = 0; i < model->experiments.count; i++)
        if (model->experiments.items[i].faults.count > 0 && model->experiments.items[i].name != 0)
            add(work, HBG_DIFFERENCE_D17, hbg_base_names_get(model->names, model->experiments.items[i].name),
                "its faults change the model; here they would be inputs");
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------ */

static void find_switch(paper_linear *linear, int32_t number) {
    paper_work *work = linear->work;
    const paper_switch *of = &work->switches.items[number];
    find_predicates(linear, of);
    if (of->element == HBG_NONE) return;
    const char *path = element_path(work, of->element);
    if (work->request->reading != HBG_PAPER_SETTLED && of->kind != PAPER_BOUNCE)
        add(work, HBG_DIFFERENCE_D2, path,
            "switching off it has the pulses of one that is on; in hbg those of one that is off");
    if (work->switches.count > 1 && (of->kind != PAPER_JUNCTION || of->states[0] != HBG_NONE))
        add(work, HBG_DIFFERENCE_D3, path,
            "as long as it stays off it takes no pulse; in hbg it supports one");
    find_cut_sources(work, of);
    if (of->kind == PAPER_JUNCTION && leaves_open(linear, number))
        add(work, HBG_DIFFERENCE_D8, path,
            "where it switches, what is lost is free within energy; hbg takes the common value");
    if (of->kind == PAPER_BOUNCE) {
        add(work, HBG_DIFFERENCE_D12, path,
            "hbg passes its mode within an instant: a jump here, two in a row there");
        add(work, HBG_DIFFERENCE_D15, path,
            "impacts that accumulate are no flow here; hbg tells it as a verdict");
    }
}

static int compare(const void *a, const void *b) {
    const hbg_paper_difference *one = a, *other = b;
    if (one->code != other->code) return one->code < other->code ? -1 : 1;
    return strcmp(one->object, other->object);
}

void hbg_verify_paper_differ(paper_linear *linear) {
    paper_work *work = linear->work;
    for (int32_t i = 0; i < work->model->elements.count; i++) {
        bool source = kind_of(work, i) == HBG_KIND_SE || kind_of(work, i) == HBG_KIND_SF;
        if (source && work->request->reading != HBG_PAPER_SETTLED)
            add(work, HBG_DIFFERENCE_D1, element_path(work, i),
                "it has no pulses; in hbg it passes that of what it does not determine");
    }
    for (int32_t i = 0; i < work->switches.count; i++) find_switch(linear, i);
    if (work->switches.count > 0) {
        find_resistors(linear);
        add(work, HBG_DIFFERENCE_D14, "predicates", "equal is equal; hbg has a band of 1e-10");
    }
    find_modes(linear);
    find_inexpressible(work);
    if (work->made->differences.count > 0)
        qsort(work->made->differences.items, (size_t)work->made->differences.count,
              sizeof *work->made->differences.items, compare);
}
