/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms as blocks. A term of numbers and parameters only is a constant, such a factor is a gain; sums of sums
 * are one sum. A term that has no meaning in a block diagram becomes a block that says so: whether anything
 * reads it turns out at the end. */
#include <math.h>

#include "emit/blocks_impl.h"
#include "rt/operator.h"

enum { WIDEST_SUM = 16 }; /* inputs */

/* ---- constants ---------------------------------------------------------------------------------------- */

/* The value of a term of parameters only; false: it needs a table. */
static bool value_of(const drafting *draft, hbg_term term, double *value) {
    const hbg_eqn *eqn = draft->eqn;
    const term_node *node = &eqn->terms.nodes.items[term];
    double argument[3] = {0, 0, 0};
    if (node->level == LEVEL_RUN) return false;
    if (node->op == HBG_OP_NUMBER) {
        *value = hbg_base_decimal_to_double(eqn->terms.numbers.items[node->a]);
        return true;
    }
    if (node->op == TERM_VARIABLE) { // the rate of a parameter is 0: it is constant here
        int32_t param = node->a - eqn->first[VARIABLE_PARAM];
        *value = node->a < eqn->base_count ? eqn->model->param_values[param] : 0;
        return true;
    }
    if (node->op >= HBG_OP_COUNT || node->op == HBG_OP_TABLE) return false;
    for (int i = 0; i < hbg_term_arity(node); i++)
        if (!value_of(draft, hbg_term_argument(node, i), &argument[i])) return false;
    *value = hbg_rt_evaluate((hbg_operator)node->op, argument[0], argument[1], argument[2]);
    return isfinite(*value);
}

/* ---- variables ---------------------------------------------------------------------------------------- */

void hbg_emit_block_set(drafting *draft, int32_t variable, int32_t made) {
    hbg_emit_blocks *d = draft->d;
    block *of = &d->blocks.items[made];
    draft->value[variable] = made;
    if (of->name || of->kind == BLOCK_CONSTANT || variable >= draft->eqn->base_count) return;
    hbg_buffer name;
    hbg_base_buffer_init(&name, d->arena);
    hbg_eqn_told_name(draft->eqn, variable, &name);
    of->name = name.data;
}

static int32_t refuse(drafting *draft, int32_t variable, const char *why) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, draft->d->arena);
    hbg_base_buffer_char(&text, '`');
    hbg_eqn_told_name(draft->eqn, variable, &text);
    hbg_base_buffer_print(&text, "` %s", why);
    return hbg_emit_block_refused(draft->d, text.data);
}

/* The source of an input: its value, or whether one was given. */
static int32_t source_of(drafting *draft, int32_t signal, bool given) {
    const hbg_model *model = draft->eqn->model;
    int32_t input = 0;
    for (int32_t i = 0; i < signal; i++) input += model->signals.items[i].kind == HBG_SIGNAL_INPUT;
    if (given && model->signals.items[signal].value == HBG_NONE) return hbg_emit_block_constant(draft->d, 1);
    return hbg_emit_block(draft->d, (block){.kind = BLOCK_SOURCE, .of = 2 * input + given}, NULL, NULL);
}

/* A state: while modes are searched, its value after the jump; while time advances, its value. */
static int32_t state_of(drafting *draft, int32_t state) {
    int32_t held = draft->d->integrators[state], jumped = draft->d->projected[state];
    if (draft->jumping || jumped == held) return held;
    int32_t in[3] = {hbg_emit_block(draft->d, (block){.kind = BLOCK_INSTANT}, NULL, NULL), held, jumped};
    const int32_t cases[2] = {0, 1};
    return hbg_emit_block(draft->d, (block){.kind = BLOCK_SWITCH, .in_count = 3, .data_count = 2}, in, cases);
}

static int32_t leaf_of_value(drafting *draft, int32_t variable) {
    const hbg_eqn *eqn = draft->eqn;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    int32_t index = variable - eqn->first[kind];
    switch ((int)kind) {
    case VARIABLE_TIME: return hbg_emit_block(draft->d, (block){.kind = BLOCK_TIME}, NULL, NULL);
    case VARIABLE_LIVE: return hbg_emit_block_constant(draft->d, 1);
    case VARIABLE_PARAM: return hbg_emit_block_constant(draft->d, eqn->model->param_values[index]);
    case VARIABLE_GIVEN: return source_of(draft, index, true);
    case VARIABLE_INPUT: return source_of(draft, index, false);
    case VARIABLE_AUTOMATON:
        return hbg_emit_block(draft->d, (block){.kind = BLOCK_AUTOMATON, .of = index}, NULL, NULL);
    case VARIABLE_ON: return hbg_emit_block_on(draft, index);
    case VARIABLE_OLD: return draft->d->integrators[index];
    case VARIABLE_STATE: return state_of(draft, index);
    case VARIABLE_SIGNAL: return refuse(draft, variable, "is sampled: a block diagram has no clocks here");
    case VARIABLE_PRE:
        return refuse(draft, variable, "is a value before an instant, `pre`: no block holds it");
    case VARIABLE_IN: return refuse(draft, variable, "is a value in another state, `in`: no block has it");
    case VARIABLE_BOUNCE: return refuse(draft, variable, "collides with restitution: that needs the pulse");
    case VARIABLE_OPEN:
        return hbg_emit_block_refused(
            draft->d, "junctions that are off repeat a zero, and nothing determines what is read there");
    case VARIABLE_UNDEFINED:
        return refuse(draft, variable, "has no common variable while it is off: reading it is an error");
    case VARIABLE_CONFLICT:
        return refuse(draft, variable, "sets sources against each other: values are unbounded there");
    default: return refuse(draft, variable, "has no equation in some mode");
    }
}

/* Areas and rates of known variables: pulses cannot be in a diagram, and known variables stand still between
 * instants. */
int32_t hbg_emit_block_known(drafting *draft, int32_t variable) {
    const hbg_eqn *eqn = draft->eqn;
    int32_t layer = variable / eqn->base_count;
    if (layer == LAYER_VALUE) return leaf_of_value(draft, variable);
    bool time = hbg_eqn_kind_of(eqn, variable) == VARIABLE_TIME;
    if (layer == LAYER_RATE || layer == LAYER_RATE2)
        return hbg_emit_block_constant(draft->d, time && layer == LAYER_RATE);
    return refuse(draft, variable % eqn->base_count, "pulses: a block diagram has no pulses");
}

static int32_t block_of_variable(drafting *draft, int32_t variable) {
    if (draft->value[variable] != HBG_NONE) return draft->value[variable];
    int32_t made = hbg_emit_block_known(draft, variable);
    if (!draft->jumping) hbg_emit_block_set(draft, variable, made);
    return made;
}

/* ---- operators ---------------------------------------------------------------------------------------- */

typedef struct {
    int32_t in[WIDEST_SUM], data[WIDEST_SUM];
    int32_t count;
} operands;

/* A sum that only another sum reads is merged into it. */
static void add_summand(const hbg_emit_blocks *d, operands *sum, int32_t made, int32_t sign, int32_t room) {
    const block *of = &d->blocks.items[made];
    if (of->kind == BLOCK_CONSTANT && of->number == 0) return;
    if (of->kind == BLOCK_SUM && !of->name && sum->count + of->in_count <= room) {
        for (int32_t i = 0; i < of->in_count; i++) {
            sum->in[sum->count] = hbg_emit_block_in(d, of)[i];
            sum->data[sum->count++] = sign * hbg_emit_block_data(d, of)[i];
        }
        return;
    }
    sum->in[sum->count] = made;
    sum->data[sum->count++] = sign;
}

static int32_t sum_of(drafting *draft, int32_t a, int32_t b, int32_t sign) {
    operands sum = {.count = 0};
    if (a != HBG_NONE) add_summand(draft->d, &sum, a, 1, WIDEST_SUM - 1);
    add_summand(draft->d, &sum, b, sign, WIDEST_SUM);
    if (sum.count == 0) return hbg_emit_block_constant(draft->d, 0);
    if (sum.count == 1 && sum.data[0] == 1) return sum.in[0];
    return hbg_emit_block(draft->d,
                          (block){.kind = BLOCK_SUM, .in_count = sum.count, .data_count = sum.count}, sum.in,
                          sum.data);
}

static int32_t scaled(drafting *draft, double factor, int32_t a) {
    const block *of = &draft->d->blocks.items[a];
    if (of->kind == BLOCK_CONSTANT) return hbg_emit_block_constant(draft->d, factor * of->number);
    if (factor == 1) return a;
    if (factor == -1) return sum_of(draft, HBG_NONE, a, -1);
    return hbg_emit_block(draft->d, (block){.kind = BLOCK_GAIN, .number = factor, .in_count = 1}, &a, NULL);
}

static int32_t product_of(drafting *draft, int32_t a, int32_t b, int32_t power) {
    int32_t in[2] = {a, b}, data[2] = {1, power};
    const block *first = &draft->d->blocks.items[a], *second = &draft->d->blocks.items[b];
    bool constant = second->kind == BLOCK_CONSTANT && (power == 1 || isfinite(1 / second->number));
    if (power == 1 && first->kind == BLOCK_CONSTANT) return scaled(draft, first->number, b);
    if (constant) return scaled(draft, power == 1 ? second->number : 1 / second->number, a);
    return hbg_emit_block(draft->d, (block){.kind = BLOCK_PRODUCT, .in_count = 2, .data_count = 2}, in, data);
}

static int32_t multiplied(drafting *draft, const term_node *node) {
    double factor;
    if (value_of(draft, node->a, &factor))
        return scaled(draft, factor, hbg_emit_block_of_term(draft, node->b));
    if (value_of(draft, node->b, &factor))
        return scaled(draft, factor, hbg_emit_block_of_term(draft, node->a));
    int32_t a = hbg_emit_block_of_term(draft, node->a), b = hbg_emit_block_of_term(draft, node->b);
    return product_of(draft, a, b, 1);
}

static int32_t divided(drafting *draft, const term_node *node) {
    double divisor;
    if (value_of(draft, node->b, &divisor) && divisor != 0 && isfinite(1 / divisor))
        return scaled(draft, 1 / divisor, hbg_emit_block_of_term(draft, node->a));
    int32_t a = hbg_emit_block_of_term(draft, node->a), b = hbg_emit_block_of_term(draft, node->b);
    return product_of(draft, a, b, -1);
}

static int32_t function_of(drafting *draft, const term_node *node) {
    int32_t in[3], count = hbg_term_arity(node);
    for (int i = 0; i < count; i++) in[i] = hbg_emit_block_of_term(draft, hbg_term_argument(node, i));
    block made = {.kind = BLOCK_FUNCTION, .of = node->op, .in_count = count};
    if (node->op == HBG_OP_POWER_OF) made.of = HBG_OP_POW;
    if (node->op == HBG_OP_TABLE) made = (block){.kind = BLOCK_TABLE, .of = node->b, .in_count = 1};
    return hbg_emit_block(draft->d, made, in, NULL);
}

static int32_t make(drafting *draft, hbg_term term) {
    hbg_eqn *eqn = draft->eqn;
    double value;
    if (value_of(draft, term, &value)) return hbg_emit_block_constant(draft->d, value);
    term_node node = hbg_eqn_slackened(eqn, term);
    switch ((int)node.op) {
    case TERM_VARIABLE: return block_of_variable(draft, node.a);
    case HBG_OP_FINITE: return hbg_emit_block_of_term(draft, node.a);
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT: {
        int32_t a = hbg_emit_block_of_term(draft, node.a), b = hbg_emit_block_of_term(draft, node.b);
        return sum_of(draft, a, b, node.op == HBG_OP_ADD ? 1 : -1);
    }
    case HBG_OP_NEGATE: return sum_of(draft, HBG_NONE, hbg_emit_block_of_term(draft, node.a), -1);
    case HBG_OP_MULTIPLY: return multiplied(draft, &node);
    case HBG_OP_DIVIDE: return divided(draft, &node);
    case TERM_SLOPE:
        return hbg_emit_block_refused(draft->d, "the slope of a table is read, which no block gives");
    case TERM_CHARGE:
        return hbg_emit_block_refused(
            draft->d, "the energy of a storage without a formula is read, which no block gives");
    default: return function_of(draft, &node);
    }
}

int32_t hbg_emit_block_of_term(drafting *draft, hbg_term term) {
    while (draft->stamp.count <= term) {
        HBG_PUSH(draft->arena, draft->stamp, 0);
        HBG_PUSH(draft->arena, draft->block_of_term, 0);
    }
    if (draft->stamp.items[term] == draft->now) return draft->block_of_term.items[term];
    int32_t made = make(draft, term);
    draft->stamp.items[term] = draft->now;
    draft->block_of_term.items[term] = made;
    return made;
}
