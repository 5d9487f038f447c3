/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are judged at instants. Terms of guards and of kept values are written as finite parts, areas
 * and unbounded parts, by the rules of pulses (term/pulse.c). The parts are terms of their own, whose numbers
 * are registers. A value that is loaded, compared or refused is a variable in these terms, made by an
 * instruction. */
#include <math.h>

#include "code/image_impl.h"

/* A value made by an instruction other than an operator on parts: loaded, compared or refused. */
typedef struct {
    hbg_rt_judgement made;
    int32_t program; /* the last program that contains it */
} source;

enum { PARTS = 3 + HBG_RT_ORDERS }; /* variables by source: the parts of a load; of others only the first */

typedef struct judged_maker {
    image_maker *maker;
    hbg_terms terms; /* parts */
    hbg_term_algebra by;
    hbg_term_value *value_of;   /* by term that is judged at instants */
    int32_t *first_refusal;     /* by such a term, plus an end: place in refusals */
    bool *is_judged, *is_truth; /* by such a term */
    bool *is_asked;             /* by variable of all layers: code of an island computes it */
    HBG_VEC(source) sources;
    int32_map refusals;   /* sources */
    int32_map open;       /* parts whose arguments are not emitted yet */
    int32_map borders;    /* by part: number among operators with borders, or HBG_NONE */
    int32_map programs;   /* by part: the last program that contains it */
    HBG_VEC(bool) truths; /* by part: it is a truth */
    HBG_VEC(bool) timed;  /* by part: a threshold that time alone reaches */
    HBG_VEC(hbg_rt_judgement) code;
    HBG_VEC(hbg_rt_judged) judged;
    HBG_VEC(hbg_rt_parts) parts;
    HBG_VEC(hbg_rt_comparison) comparisons;
    int32_t border_count;
} judged_maker;

static const hbg_term_value nothing = HBG_TERM_NO_VALUE;

/* ---- what is known of parts --------------------------------------------------------------------------- */

static bool is_truth_operator(int op) {
    return op == HBG_OP_AND || op == HBG_OP_OR || op == HBG_OP_NOT ||
           (op >= HBG_OP_EQUAL && op <= HBG_OP_GREATER_EQUAL);
}

/* Follows the parts added since the last call: they are numbers without borders, except those that take over
 * properties of their arguments. */
static void follow_parts(judged_maker *m) {
    hbg_arena *scratch = &m->maker->code->eqn->scratch;
    while (m->truths.count < m->terms.nodes.count) {
        const term_node *node = &m->terms.nodes.items[m->truths.count];
        bool logic = node->op == HBG_OP_AND || node->op == HBG_OP_OR || node->op == HBG_OP_NOT;
        bool chosen = node->op == HBG_OP_SELECT && (m->truths.items[node->b] || m->truths.items[node->c]);
        bool made = node->op == TERM_VARIABLE && node->a % PARTS == 0 &&
                    (m->sources.items[node->a / PARTS].made.flags & HBG_RT_JUDGED_TRUTH);
        HBG_PUSH(scratch, m->truths, logic || chosen || made);
        HBG_PUSH(scratch, m->timed, false);
        HBG_PUSH(scratch, m->borders, HBG_NONE);
        HBG_PUSH(scratch, m->programs, HBG_NONE);
    }
}

static bool is_truth_part(judged_maker *m, hbg_term part) {
    follow_parts(m);
    return m->truths.items[part];
}

/* Finds the terms of the model that are truths. Arguments have smaller numbers. */
static void find_truths(judged_maker *m, int32_t count) {
    const hbg_terms *terms = &m->maker->code->eqn->terms;
    for (int32_t i = 0; i < count; i++) {
        const term_node *node = &terms->nodes.items[i];
        bool select = node->op == HBG_OP_SELECT, finite = node->op == HBG_OP_FINITE;
        m->is_truth[i] = is_truth_operator(node->op) || (finite && m->is_truth[node->a]) ||
                         (select && (m->is_truth[node->b] || m->is_truth[node->c]));
    }
}

/* ---- sources ------------------------------------------------------------------------------------------ */

static hbg_term add_source(judged_maker *m, hbg_rt_judgement made) {
    int32_t number = m->sources.count;
    HBG_PUSH(&m->maker->code->eqn->scratch, m->sources, (source){made, HBG_NONE});
    hbg_term part = hbg_term_variable(&m->terms, PARTS * number);
    m->sources.items[number].made.d = part;
    return part;
}

static int32_t add_parts(judged_maker *m, hbg_term_value of) {
    hbg_rt_parts made = {of.fin, of.area, of.open, {of.far[0], of.far[1], of.far[2]}};
    HBG_PUSH(m->maker->code->arena, m->parts, made);
    return m->parts.count - 1;
}

static int32_t add_comparison(judged_maker *m, hbg_rt_comparison made, hbg_term_value a, hbg_term_value b) {
    made.left = add_parts(m, a);
    made.right = add_parts(m, b);
    if (is_truth_part(m, a.fin)) made.flags |= HBG_RT_JUDGED_TRUTH;
    if (is_truth_part(m, b.fin)) made.flags |= HBG_RT_JUDGED_TRUTHS;
    HBG_PUSH(m->maker->code->arena, m->comparisons, made);
    return m->comparisons.count - 1;
}

static bool compares_states(const hbg_eqn *eqn, const term_node *node) {
    const term_node *left = &eqn->terms.nodes.items[node->a];
    return left->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, left->a) == VARIABLE_AUTOMATON;
}

static hbg_term compare(void *owner, hbg_term term, int op, hbg_term_value a, hbg_term_value b) {
    judged_maker *m = owner;
    const hbg_eqn *eqn = m->maker->code->eqn;
    hbg_rt_comparison made = {
        .op = op, .relation = HBG_NONE, .compared = {HBG_NONE, HBG_NONE}, .plan = HBG_NONE};
    hbg_rt_judgement order = {
        .op = HBG_RT_JUDGE_ORDER, .argument = {0, HBG_NONE, HBG_NONE}, .note = HBG_NONE};
    if (term != HBG_NONE) {
        const term_node *node = &eqn->terms.nodes.items[term], *left = &eqn->terms.nodes.items[node->a];
        order.op = HBG_RT_JUDGE;
        order.flags = HBG_RT_JUDGED_TRUTH;
        if (hbg_eqn_is_threshold(eqn, term)) made.flags |= HBG_RT_JUDGED_TIMED;
        if (compares_states(eqn, node)) made.flags |= HBG_RT_JUDGED_STATES;
        made.plan = hbg_code_image_plan(m->maker, term);
        if (term < eqn->instants.relation_of_term.count)
            made.relation = eqn->instants.relation_of_term.items[term];
        if (left->op == HBG_OP_SUBTRACT) {
            made.compared[0] = m->value_of[left->a].fin;
            made.compared[1] = m->value_of[left->b].fin;
        }
    }
    order.argument[0] = add_comparison(m, made, a, b);
    return add_source(m, order);
}

static void refuse(void *owner, hbg_term term, hbg_term_value a, hbg_term_value b) {
    judged_maker *m = owner;
    hbg_rt_judgement made = {.op = HBG_RT_JUDGE_PULSES, .argument = {a.area, b.area, HBG_NONE}, .note = term};
    if (a.open != HBG_NONE || b.open != HBG_NONE) {
        const hbg_rt_comparison sides = {
            .op = HBG_OP_EQUAL, .relation = HBG_NONE, .compared = {HBG_NONE, HBG_NONE}, .plan = HBG_NONE};
        made.op = HBG_RT_JUDGE_UNBOUNDED;
        made.argument[0] = add_comparison(m, sides, a.open == HBG_NONE ? b : a, b.open == HBG_NONE ? a : b);
        made.argument[1] = HBG_NONE;
    }
    add_source(m, made);
    HBG_PUSH(&m->maker->code->eqn->scratch, m->refusals, m->sources.count - 1);
}

static hbg_term openness(void *owner, hbg_term_value condition) {
    judged_maker *m = owner;
    if (m->maker->code->eqn->limits.clusters.count == 0) return HBG_NONE;
    if (!is_truth_part(m, condition.fin)) return condition.open;
    return add_source(m, (hbg_rt_judgement){.op = HBG_RT_JUDGE_OPEN,
                                            .flags = HBG_RT_JUDGED_TRUTHS,
                                            .argument = {condition.fin, HBG_NONE, HBG_NONE},
                                            .note = HBG_NONE});
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Loads a variable with the parts it may have besides its finite part; in a shorted mode anything that code
 * of an island computes may be unbounded. */
static hbg_term_value load(judged_maker *m, int32_t variable) {
    const hbg_eqn *eqn = m->maker->code->eqn;
    int32_t number = hbg_code_image_cell(m->maker, variable), first = PARTS * m->sources.count;
    const hbg_rt_cell *cell = &m->maker->cells.items[number];
    bool in = cell->kind == HBG_RT_CELL_IN, value = cell->view == HBG_RT_VIEW_VALUE;
    bool physical = cell->kind == HBG_RT_CELL_PHYSICAL || cell->kind == HBG_RT_CELL_UNDEFINED;
    bool open = eqn->limits.clusters.count > 0 && (in || (physical && m->is_asked[variable]));
    hbg_rt_judgement made = {
        .op = HBG_RT_JUDGE_LOAD, .argument = {number, HBG_NONE, HBG_NONE}, .note = HBG_NONE};
    if (in && value && m->is_truth[eqn->in.list.items[cell->index].term]) made.flags |= HBG_RT_JUDGED_TRUTH;
    hbg_term_value parts = nothing;
    parts.fin = add_source(m, made);
    if (value && (in || cell->area != HBG_NONE)) parts.area = hbg_term_variable(&m->terms, first + 1);
    if (open) parts.open = hbg_term_variable(&m->terms, first + 2);
    for (int k = 0; k < HBG_RT_ORDERS && open && value; k++)
        parts.far[k] = hbg_term_variable(&m->terms, first + 3 + k);
    m->sources.items[first / PARTS].made.argument[1] = add_parts(m, parts);
    return parts;
}

static hbg_term_value value_of(judged_maker *m, hbg_term term) {
    const hbg_terms *terms = &m->maker->code->eqn->terms;
    const term_node *node = &terms->nodes.items[term];
    hbg_term_value a[3] = {nothing, nothing, nothing}, made = nothing;
    if (node->op == TERM_VARIABLE) return load(m, node->a);
    if (node->op == HBG_OP_NUMBER) {
        made.fin = hbg_term_number(&m->terms, terms->numbers.items[node->a]);
        return made;
    }
    for (int k = 0; k < hbg_term_arity(node); k++) a[k] = m->value_of[hbg_term_argument(node, k)];
    if (node->op == HBG_OP_TABLE || node->op == TERM_SLOPE) a[1].fin = node->b;
    made = hbg_term_apply(&m->by, terms, term, a);
    follow_parts(m);
    return made;
}

/* Notes the border of an operator, at the operator on finite parts. */
static void note_border(judged_maker *m, hbg_term term, hbg_term part) {
    const hbg_eqn *eqn = m->maker->code->eqn;
    int op = eqn->terms.nodes.items[term].op;
    if (!hbg_eqn_has_cells(op)) return;
    if (m->terms.nodes.items[part].op == HBG_OP_SELECT)
        part = m->terms.nodes.items[part].c; // the other branch is open
    if (m->borders.items[part] == HBG_NONE) m->borders.items[part] = m->border_count++;
    m->timed.items[part] = hbg_eqn_is_threshold(eqn, term);
}

static void mark_walk(judged_maker *m, const hbg_term *terms, int32_t count) {
    for (int32_t i = 0; i < count; i++) m->is_judged[terms[i]] = true;
}

static void mark_terms(judged_maker *m) {
    const hbg_eqn *eqn = m->maker->code->eqn;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        mark_walk(m, eqn->guards[i].walk, eqn->guards[i].walk_count);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        mark_walk(m, eqn->pres.walks[i].terms, eqn->pres.walks[i].count);
    for (int32_t i = 0; i < eqn->in.list.count; i++)
        mark_walk(m, eqn->in.walks[i].terms, eqn->in.walks[i].count);
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++) {
        const term_walk *walk = &eqn->instants.restitution_walks[eqn->instants.restitution.items[i]];
        mark_walk(m, walk->terms, walk->count);
    }
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        const relation_info *of = &eqn->relations.items[i];
        const term_node *node = &eqn->terms.nodes.items[of->term];
        mark_walk(m, of->walk, of->walk_count);
        if (of->place != HBG_NONE) mark_walk(m, (const hbg_term[]){node->a, node->b, of->term}, 3);
    }
}

/* Makes all cells, before their areas are requested. */
static void find_cells(judged_maker *m, int32_t count) {
    const hbg_terms *terms = &m->maker->code->eqn->terms;
    for (int32_t i = 0; i < count; i++)
        if (m->is_judged[i] && terms->nodes.items[i].op == TERM_VARIABLE)
            hbg_code_image_cell(m->maker, terms->nodes.items[i].a);
    hbg_code_image_find_areas(m->maker);
}

static bool *find_asked(const image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    bool *is_asked = HBG_NEW_ARRAY(&eqn->scratch, bool, (size_t)eqn->base_count *LAYER_COUNT);
    for (int32_t n = 0; n < eqn->islands.count; n++) {
        const int32_map *asked = &eqn->islands.items[n].asked;
        for (int32_t i = 0; i < asked->count; i++) is_asked[asked->items[i]] = true;
    }
    return is_asked;
}

void hbg_code_image_make_judged(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    int32_t count = eqn->instants.term_count;
    judged_maker *m = maker->judged = HBG_NEW(&eqn->scratch, judged_maker);
    m->maker = maker;
    m->value_of = HBG_NEW_ARRAY(&eqn->scratch, hbg_term_value, count + 1);
    m->first_refusal = HBG_NEW_ARRAY(&eqn->scratch, int32_t, count + 1);
    m->is_judged = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1);
    m->is_truth = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1);
    m->is_asked = find_asked(maker);
    hbg_term_init(&m->terms, &eqn->scratch, 0, 0);
    m->by = (hbg_term_algebra){.owner = m,
                               .terms = &m->terms,
                               .compare = compare,
                               .refuse = refuse,
                               .openness = openness,
                               .nothing = HBG_NONE};
    if (eqn->limits.clusters.count > 0)
        m->by.nothing = add_source(m, (hbg_rt_judgement){.op = HBG_OP_NUMBER, .note = HBG_NONE});
    mark_terms(m);
    find_truths(m, count);
    find_cells(m, count);
    for (int32_t i = 0; i < count; i++) { // arguments have smaller numbers
        m->first_refusal[i] = m->refusals.count;
        if (!m->is_judged[i]) continue;
        m->value_of[i] = value_of(m, i);
        follow_parts(m);
        note_border(m, i, m->value_of[i].fin);
    }
    m->first_refusal[count] = m->refusals.count;
}

/* ---- programs ----------------------------------------------------------------------------------------- */

static void emit_source(judged_maker *m, int32_t number) {
    source *of = &m->sources.items[number];
    if (of->program == m->judged.count || of->made.op == HBG_OP_NUMBER) return;
    of->program = m->judged.count;
    HBG_PUSH(m->maker->code->arena, m->code, of->made);
}

static void emit_operator(judged_maker *m, hbg_term part) {
    const term_node *node = &m->terms.nodes.items[part];
    int arity = hbg_term_arity(node);
    hbg_rt_judgement made = {.op = node->op, .d = part, .note = m->borders.items[part]};
    for (int k = 0; k < 3; k++) {
        made.argument[k] = k < arity ? hbg_term_argument(node, k) : HBG_NONE;
        if (k < arity && m->truths.items[made.argument[k]]) made.flags |= HBG_RT_JUDGED_TRUTHS << k;
    }
    if (node->op == HBG_OP_TABLE || node->op == TERM_SLOPE) made.argument[1] = node->b;
    if (m->truths.items[part]) made.flags |= HBG_RT_JUDGED_TRUTH;
    if (m->timed.items[part]) made.flags |= HBG_RT_JUDGED_TIMED;
    HBG_PUSH(m->maker->code->arena, m->code, made);
}

static bool has_part(const judged_maker *m, hbg_term part) {
    return m->programs.items[part] == m->judged.count || m->terms.nodes.items[part].op == HBG_OP_NUMBER;
}

/* Emits a part, arguments first, unless the program has it already. */
static void emit(judged_maker *m, hbg_term part) {
    hbg_arena *scratch = &m->maker->code->eqn->scratch;
    m->open.count = 0;
    if (part != HBG_NONE) HBG_PUSH(scratch, m->open, part);
    while (m->open.count > 0) {
        hbg_term at = m->open.items[m->open.count - 1];
        const term_node *node = &m->terms.nodes.items[at];
        int32_t before = m->open.count;
        for (int k = hbg_term_arity(node) - 1; k >= 0 && !has_part(m, at); k--)
            if (!has_part(m, hbg_term_argument(node, k)))
                HBG_PUSH(scratch, m->open, hbg_term_argument(node, k));
        if (m->open.count > before) continue;
        m->open.count--;
        if (has_part(m, at)) continue;
        m->programs.items[at] = m->judged.count;
        if (node->op == TERM_VARIABLE)
            emit_source(m, node->a / PARTS);
        else
            emit_operator(m, at);
    }
}

int32_t hbg_code_image_program(image_maker *maker, const hbg_term *terms, int32_t count) {
    judged_maker *m = maker->judged;
    int32_t first = m->code.count;
    for (int32_t i = 0; i < count; i++) {
        const hbg_term_value *of = &m->value_of[terms[i]];
        emit(m, of->fin);
        emit(m, of->area);
        emit(m, of->open);
        for (int k = 0; k < HBG_RT_ORDERS; k++) emit(m, of->far[k]);
        for (int32_t k = m->first_refusal[terms[i]]; k < m->first_refusal[terms[i] + 1]; k++)
            emit_source(m, m->refusals.items[k]);
    }
    const hbg_term_value *last = &m->value_of[terms[count - 1]];
    HBG_PUSH(
        maker->code->arena, m->judged,
        (hbg_rt_judged){{first, m->code.count - first}, add_parts(m, *last), m->truths.items[last->fin]});
    return m->judged.count - 1;
}

void hbg_code_image_compared(image_maker *maker, hbg_term term, hbg_rt_relation *relation) {
    const judged_maker *m = maker->judged;
    hbg_term truth = m->value_of[term].fin;
    relation->truth = truth;
    relation->comparison = m->sources.items[m->terms.nodes.items[truth].a / PARTS].made.argument[0];
}

void hbg_code_image_end_judged(image_maker *maker) {
    judged_maker *m = maker->judged;
    hbg_rt_instant_counts *counts = &maker->to->counts;
    double *beginnings = HBG_NEW_ARRAY(maker->code->arena, double, m->terms.nodes.count + 1);
    for (int32_t i = 0; i < m->terms.nodes.count; i++) {
        const term_node *node = &m->terms.nodes.items[i];
        if (node->op == HBG_OP_NUMBER)
            beginnings[i] = hbg_base_decimal_to_double(m->terms.numbers.items[node->a]);
        if (i == m->by.nothing) beginnings[i] = NAN;
    }
    maker->to->values = (hbg_rt_values){.judgements = m->code.items,
                                        .judged = m->judged.items,
                                        .parts = m->parts.items,
                                        .comparisons = m->comparisons.items,
                                        .beginnings = beginnings,
                                        .cells = maker->cells.items,
                                        .cell_count = maker->cells.count,
                                        .left_count = maker->code->eqn->instants.variables.count};
    counts->judgements = m->code.count;
    counts->judged = m->judged.count;
    counts->parts = m->parts.count;
    counts->comparisons = m->comparisons.count;
    counts->beginnings = m->terms.nodes.count;
    counts->borders = m->border_count;
}
