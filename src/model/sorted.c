/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same model in the order of its names. What is made from such a copy (causality, equations, sums) does
 * not depend on the order of declarations, so a run gives the same bits for any order.
 *
 * First every table gets an order, then the tables are copied in it, one after the other, with each reference
 * renumbered on the way. Expressions get their numbers when a copied object first needs them, so their order
 * follows from the names as well. */
#include <string.h>

#include "model/sorted_impl.h"

static int32_t renumber(const hbg_sorter *s, hbg_object_kind kind, int32_t index) {
    HBG_ASSERT(index < 0 || s->kinds[kind].new_of);
    return index < 0 ? index : s->kinds[kind].new_of[index];
}

static hbg_object renumber_object(const hbg_sorter *s, hbg_object object) {
    return (hbg_object){object.kind, renumber(s, object.kind, object.index)};
}

static hbg_identity renumber_identity(const hbg_sorter *s, hbg_identity id) {
    id.scope = renumber(s, HBG_OBJECT_SCOPE, id.scope);
    return id;
}

/* ---- orders ------------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_model *model;
    hbg_object_kind kind;
    hbg_buffer texts; /* the paths, a NUL after each */
    size_t *text;     /* where an object's path begins */
} path_order;

/* Bonds without names between the same two elements share one text here: their numbers depend on the
 * declarations, the ports they end at do not. */
static void add_path(path_order *order, int32_t index) {
    order->text[index] = order->texts.size;
    hbg_model_path(order->model, (hbg_object){order->kind, index}, &order->texts);
    if (order->kind == HBG_OBJECT_BOND && order->model->bonds.items[index].id.name == 0) {
        char *number = strrchr(order->texts.data + order->text[index], '#');
        if (number) order->texts.size = (size_t)(number - order->texts.data);
    }
    hbg_base_buffer_char(&order->texts, '\0');
}

static bool comes_after(const path_order *order, int32_t a, int32_t b) {
    int texts = strcmp(order->texts.data + order->text[a], order->texts.data + order->text[b]);
    if (texts != 0 || order->kind != HBG_OBJECT_BOND) return texts > 0;
    const hbg_bond *one = &order->model->bonds.items[a], *other = &order->model->bonds.items[b];
    if (one->from.port != other->from.port) return one->from.port > other->from.port;
    if (one->to.port != other->to.port) return one->to.port > other->to.port;
    return one->ordinal > other->ordinal;
}

/* Merges the two sorted runs from `first` to `middle` and from there to `last`. */
static void merge(const path_order *order, const int32_t *source, int32_t *target, int32_t first,
                  int32_t middle, int32_t last) {
    int32_t left = first, right = middle;
    for (int32_t i = first; i < last; i++) {
        bool take_right = left == middle || (right < last && comes_after(order, source[left], source[right]));
        target[i] = take_right ? source[right++] : source[left++];
    }
}

/* Runs of doubling length; stable, and without hidden allocations of the C library. */
static int32_t *merge_sort(hbg_arena *arena, const path_order *order, int32_t count) {
    int32_t *sorted = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    int32_t *spare = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) sorted[i] = i;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t first = 0; first < count; first += 2 * run) {
            int64_t middle = first + run < count ? first + run : count;
            int64_t last = middle + run < count ? middle + run : count;
            merge(order, sorted, spare, (int32_t)first, (int32_t)middle, (int32_t)last);
        }
        int32_t *swapped = sorted;
        sorted = spare;
        spare = swapped;
    }
    hbg_base_arena_release(arena, spare, ((size_t)count + 1) * sizeof *spare);
    return sorted;
}

static void order_kind(hbg_sorter *s, hbg_object_kind kind, int32_t count) {
    path_order order = {.model = s->from, .kind = kind};
    order.text = HBG_NEW_ARRAY(s->arena, size_t, count + 1);
    hbg_base_buffer_init(&order.texts, s->arena);
    // the model itself stays scope 0: its path is its own name, which is not part of the others' paths
    bool model_first = kind == HBG_OBJECT_SCOPE;
    if (model_first) hbg_base_buffer_char(&order.texts, '\0');
    for (int32_t i = model_first ? 1 : 0; i < count; i++) add_path(&order, i);
    hbg_permutation *p = &s->kinds[kind];
    p->count = count;
    p->old_of = merge_sort(s->arena, &order, count);
    p->new_of = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) p->new_of[p->old_of[i]] = i;
    if (order.texts.capacity > 0) hbg_base_arena_release(s->arena, order.texts.data, order.texts.capacity);
    hbg_base_arena_release(s->arena, order.text, ((size_t)count + 1) * sizeof *order.text);
}

/* Nets get their numbers from the bonds, as in the check. */
static void order_nets(hbg_sorter *s) {
    const hbg_model *from = s->from;
    s->net = HBG_NEW_ARRAY(s->arena, int32_t, from->net_count + 1);
    for (int32_t i = 0; i < from->net_count; i++) s->net[i] = HBG_NONE;
    s->to->net_domain = HBG_NEW_ARRAY(s->arena, hbg_domain, from->net_count + 1);
    for (int32_t i = 0; i < from->bonds.count; i++) {
        int32_t net = from->bonds.items[s->kinds[HBG_OBJECT_BOND].old_of[i]].net;
        if (net < 0 || s->net[net] >= 0) continue;
        s->to->net_domain[s->to->net_count] = from->net_domain[net];
        s->net[net] = s->to->net_count++;
    }
}

/* ---- expressions -------------------------------------------------------------------------------------- */

static int32_t renumber_table(hbg_sorter *s, int32_t table) {
    if (table < 0) return table;
    if (s->table[table] < 0) {
        s->table[table] = s->to->tables.count;
        HBG_PUSH(s->arena, s->to->tables, s->from->tables.items[table]);
    }
    return s->table[table];
}

static int32_t copy_literal(hbg_sorter *s, int32_t literal) {
    HBG_PUSH(s->arena, s->to->literals, s->from->literals.items[literal]);
    return s->to->literals.count - 1;
}

/* Parameters and inputs of a part of a model get their numbers when something needs them. */
static int32_t number(hbg_sorter *s, hbg_object_kind kind, int32_t index) {
    hbg_permutation *p = &s->kinds[kind];
    if (index >= 0 && p->new_of[index] < 0) {
        p->new_of[index] = p->count;
        p->old_of[p->count++] = index;
    }
    return renumber(s, kind, index);
}

/* What a node holds besides its arguments. */
static void renumber_leaf(hbg_sorter *s, hbg_expr_node *node) {
    switch ((hbg_operator)node->op) {
    case HBG_OP_NUMBER: node->a = copy_literal(s, node->a); break;
    case HBG_OP_PARAM: node->a = number(s, HBG_OBJECT_PARAM, node->a); break;
    case HBG_OP_SIGNAL: node->a = number(s, HBG_OBJECT_SIGNAL, node->a); break;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_ENERGY:
    case HBG_OP_POWER: node->a = renumber(s, HBG_OBJECT_ELEMENT, node->a); break;
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_BOND_POWER: node->a = renumber(s, HBG_OBJECT_BOND, node->a); break;
    case HBG_OP_ACTIVE:
    case HBG_OP_AUTOMATON: node->a = renumber(s, HBG_OBJECT_AUTOMATON, node->a); break;
    case HBG_OP_TABLE: node->b = renumber_table(s, node->b); break;
    case HBG_OP_IN: node->b = renumber(s, HBG_OBJECT_AUTOMATON, node->b); break;
    default: break;
    }
}

/* The arguments have their numbers. */
static void copy_node(hbg_sorter *s, hbg_expr old) {
    hbg_expr_node node = s->from->exprs.items[old];
    int arity = hbg_model_expr_arity(&node);
    renumber_leaf(s, &node);
    if (arity > 0 && node.a >= 0) node.a = s->expr[node.a];
    if (arity > 1 && node.b >= 0) node.b = s->expr[node.b];
    if (arity > 2 && node.c >= 0) node.c = s->expr[node.c];
    int32_t place = s->to->exprs.count;
    s->expr[old] = place;
    if (s->old_expr) s->old_expr[place] = old;
    s->to->expr_type[place] = s->from->expr_type[old];
    s->to->expr_dimension[place] = s->from->expr_dimension[old];
    s->to->expr_values[place] = s->from->expr_values[old];
    HBG_PUSH(s->arena, s->to->exprs, node);
}

/* Parts wait on an explicit list: an expression may be deeper than the stack. */
hbg_expr hbg_model_sorter_expr(hbg_sorter *s, hbg_expr old) {
    if (old < 0) return old;
    s->waiting.count = 0;
    HBG_PUSH(s->arena, s->waiting, old);
    while (s->waiting.count > 0) {
        hbg_expr top = s->waiting.items[s->waiting.count - 1];
        const hbg_expr_node *node = &s->from->exprs.items[top];
        hbg_expr missing = HBG_NONE;
        for (int i = hbg_model_expr_arity(node) - 1; i >= 0; i--) {
            hbg_expr argument = hbg_model_expr_argument(node, i);
            if (argument >= 0 && s->expr[argument] < 0) missing = argument;
        }
        if (missing >= 0) {
            HBG_PUSH(s->arena, s->waiting, missing);
            continue;
        }
        s->waiting.count--;
        if (s->expr[top] < 0) copy_node(s, top);
    }
    return s->expr[old];
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static void copy_scopes(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_SCOPE];
    s->to->scopes.count = 0;
    for (int32_t i = 0; i < p->count; i++) {
        hbg_scope scope = s->from->scopes.items[p->old_of[i]];
        scope.id = renumber_identity(s, scope.id);
        HBG_PUSH(s->arena, s->to->scopes, scope);
    }
}

void hbg_model_sorter_params(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_PARAM];
    const double *declared = s->from->param_declared;
    for (int32_t i = 0; i < p->count; i++) {
        hbg_param param = s->from->params.items[p->old_of[i]];
        param.id = renumber_identity(s, param.id);
        param.value = hbg_model_sorter_expr(s, param.value);
        param.declared = HBG_NONE; // checking is over
        HBG_PUSH(s->arena, s->to->params, param);
    }
    s->to->param_values = HBG_NEW_ARRAY(s->arena, double, p->count + 1);
    s->to->param_declared = declared ? HBG_NEW_ARRAY(s->arena, double, p->count + 1) : NULL;
    for (int32_t i = 0; i < p->count; i++) {
        s->to->param_values[i] = s->from->param_values[p->old_of[i]];
        if (declared) s->to->param_declared[i] = declared[p->old_of[i]];
    }
}

/* Copies a run of bindings to the end of the table and returns where it begins. */
static int32_t copy_bindings(hbg_sorter *s, int32_t first, int32_t count) {
    int32_t begin = s->to->bindings.count;
    for (int32_t i = 0; i < count; i++) {
        hbg_binding binding = s->from->bindings.items[first + i];
        binding.value = hbg_model_sorter_expr(s, binding.value);
        HBG_PUSH(s->arena, s->to->bindings, binding);
    }
    return begin;
}

void hbg_model_sorter_elements(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_ELEMENT];
    for (int32_t i = 0; i < p->count; i++) {
        hbg_element element = s->from->elements.items[p->old_of[i]];
        element.id = renumber_identity(s, element.id);
        int32_t first_value = s->to->entries.count;
        for (int32_t k = 0; k < element.value_count; k++) {
            hbg_expr value = hbg_model_sorter_expr(s, s->from->entries.items[element.first_value + k]);
            HBG_PUSH(s->arena, s->to->entries, value);
        }
        element.first_value = first_value;
        element.first_law = copy_bindings(s, element.first_law, element.law_count);
        element.first_initial = copy_bindings(s, element.first_initial, element.initial_count);
        element.control = hbg_model_sorter_expr(s, element.control);
        element.restitution = hbg_model_sorter_expr(s, element.restitution);
        if (element.net >= 0) element.net = s->net[element.net];
        HBG_PUSH(s->arena, s->to->elements, element);
    }
}

void hbg_model_sorter_bonds(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_BOND];
    for (int32_t i = 0; i < p->count; i++) {
        hbg_bond bond = s->from->bonds.items[p->old_of[i]];
        bond.id = renumber_identity(s, bond.id);
        bond.from.element = renumber(s, HBG_OBJECT_ELEMENT, bond.from.element);
        bond.to.element = renumber(s, HBG_OBJECT_ELEMENT, bond.to.element);
        if (bond.net >= 0) bond.net = s->net[bond.net];
        HBG_PUSH(s->arena, s->to->bonds, bond);
    }
}

/* Ports keep the order of their numbers; a junction has its bonds in the new order. */
void hbg_model_sorter_incidence(hbg_sorter *s) {
    const hbg_model *from = s->from;
    hbg_model *to = s->to;
    int32_t count = to->elements.count;
    to->incidence_start = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    to->incidence = HBG_NEW_ARRAY(s->arena, int32_t, 2 * (size_t)to->bonds.count + 1);
    int32_t *next = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *span = &from->incidence_start[s->kinds[HBG_OBJECT_ELEMENT].old_of[i]];
        int32_t begin = next[i] = to->incidence_start[i];
        to->incidence_start[i + 1] = begin + span[1] - span[0];
        if (to->elements.items[i].ports == 0) continue;
        for (int32_t k = span[0]; k < span[1]; k++)
            to->incidence[begin + k - span[0]] = renumber(s, HBG_OBJECT_BOND, from->incidence[k]);
    }
    for (int32_t i = 0; i < to->bonds.count; i++) {
        int32_t ends[2] = {to->bonds.items[i].from.element, to->bonds.items[i].to.element};
        for (int k = 0; k < 2; k++)
            if (ends[k] >= 0 && to->elements.items[ends[k]].ports == 0) to->incidence[next[ends[k]]++] = i;
    }
    hbg_base_arena_release(s->arena, next, ((size_t)count + 1) * sizeof *next);
}

static void copy_ports(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_PORT];
    for (int32_t i = 0; i < p->count; i++) {
        hbg_port port = s->from->ports.items[p->old_of[i]];
        port.id = renumber_identity(s, port.id);
        port.bond = renumber(s, HBG_OBJECT_BOND, port.bond);
        HBG_PUSH(s->arena, s->to->ports, port);
    }
}

static void copy_state(hbg_sorter *s, hbg_automaton_state state) {
    int32_t first = s->to->transitions.count;
    for (int32_t i = 0; i < state.transition_count; i++) {
        hbg_transition transition = s->from->transitions.items[state.first_transition + i];
        transition.guard = hbg_model_sorter_expr(s, transition.guard);
        transition.after = hbg_model_sorter_expr(s, transition.after);
        HBG_PUSH(s->arena, s->to->transitions, transition);
    }
    state.first_transition = first;
    HBG_PUSH(s->arena, s->to->states, state);
}

void hbg_model_sorter_automata(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_AUTOMATON];
    for (int32_t i = 0; i < p->count; i++) {
        hbg_automaton automaton = s->from->automata.items[p->old_of[i]];
        automaton.id = renumber_identity(s, automaton.id);
        automaton.every = hbg_model_sorter_expr(s, automaton.every);
        int32_t first = s->to->states.count;
        for (int32_t k = 0; k < automaton.state_count; k++)
            copy_state(s, s->from->states.items[automaton.first_state + k]);
        automaton.first_state = first;
        HBG_PUSH(s->arena, s->to->automata, automaton);
    }
}

void hbg_model_sorter_signals(hbg_sorter *s) {
    const hbg_permutation *p = &s->kinds[HBG_OBJECT_SIGNAL];
    for (int32_t i = 0; i < p->count; i++) {
        hbg_signal signal = s->from->signals.items[p->old_of[i]];
        signal.id = renumber_identity(s, signal.id);
        signal.value = hbg_model_sorter_expr(s, signal.value);
        signal.initial = hbg_model_sorter_expr(s, signal.initial);
        signal.every = hbg_model_sorter_expr(s, signal.every);
        signal.noise_mean = hbg_model_sorter_expr(s, signal.noise_mean);
        signal.noise_variance = hbg_model_sorter_expr(s, signal.noise_variance);
        HBG_PUSH(s->arena, s->to->signals, signal);
    }
}

/* ---- experiments and verification --------------------------------------------------------------------- */

hbg_setting hbg_model_sorter_setting(hbg_sorter *s, hbg_setting setting) {
    setting.target = renumber_object(s, setting.target);
    setting.value = hbg_model_sorter_expr(s, setting.value);
    return setting;
}

/* What is done in an experiment keeps its order: a later setting of one value wins. */
static void copy_changes(hbg_sorter *s, const hbg_experiment *old, hbg_experiment *new) {
    for (int32_t i = 0; i < old->settings.count; i++) {
        hbg_setting setting = hbg_model_sorter_setting(s, old->settings.items[i]);
        HBG_PUSH(s->arena, new->settings, setting);
    }
    for (int32_t i = 0; i < old->actions.count; i++) {
        hbg_action action = old->actions.items[i];
        action.time = hbg_model_sorter_expr(s, action.time);
        action.signal = renumber(s, HBG_OBJECT_SIGNAL, action.signal);
        action.value = hbg_model_sorter_expr(s, action.value);
        HBG_PUSH(s->arena, new->actions, action);
    }
    for (int32_t i = 0; i < old->faults.count; i++) {
        hbg_fault fault = old->faults.items[i];
        fault.at = hbg_model_sorter_expr(s, fault.at);
        fault.until = hbg_model_sorter_expr(s, fault.until);
        fault.target = renumber_object(s, fault.target);
        fault.value = hbg_model_sorter_expr(s, fault.value);
        fault.value2 = hbg_model_sorter_expr(s, fault.value2);
        HBG_PUSH(s->arena, new->faults, fault);
    }
}

static void copy_experiments(hbg_sorter *s) {
    for (int32_t i = 0; i < s->from->experiments.count; i++) {
        const hbg_experiment *old = &s->from->experiments.items[i];
        hbg_experiment new = {.name = old->name,
                              .added_to = old->added_to,
                              .span = old->span,
                              .solver = old->solver,
                              .tolerance = old->tolerance,
                              .doc = old->doc};
        new.stop = hbg_model_sorter_expr(s, old->stop);
        new.step = hbg_model_sorter_expr(s, old->step);
        new.record_every = hbg_model_sorter_expr(s, old->record_every);
        copy_changes(s, old, &new);
        for (int32_t k = 0; k < old->records.count; k++) {
            const hbg_record *record = &old->records.items[k];
            hbg_expr value = hbg_model_sorter_expr(s, record->value);
            HBG_PUSH(s->arena, new.records, (hbg_record){value, record->label, NULL});
        }
        for (int32_t k = 0; k < old->plots.count; k++) {
            const hbg_record *plot = &old->plots.items[k];
            hbg_expr value = hbg_model_sorter_expr(s, plot->value);
            HBG_PUSH(s->arena, new.plots, (hbg_record){value, plot->label, NULL});
        }
        HBG_PUSH(s->arena, s->to->experiments, new);
    }
}

static void copy_choices(hbg_sorter *s) {
    for (int32_t i = 0; i < s->from->choices.count; i++) {
        hbg_choice choice = s->from->choices.items[i];
        choice.target = renumber_object(s, choice.target);
        choice.low = hbg_model_sorter_expr(s, choice.low);
        choice.high = hbg_model_sorter_expr(s, choice.high);
        if (choice.automaton != HBG_NONE)
            choice.automaton = renumber(s, HBG_OBJECT_AUTOMATON, choice.automaton);
        HBG_PUSH(s->arena, s->to->choices, choice);
    }
}

static void copy_verification(hbg_sorter *s) {
    for (int32_t i = 0; i < s->from->ranges.count; i++) {
        hbg_range range = s->from->ranges.items[i];
        range.value = hbg_model_sorter_expr(s, range.value);
        range.low = hbg_model_sorter_expr(s, range.low);
        range.high = hbg_model_sorter_expr(s, range.high);
        HBG_PUSH(s->arena, s->to->ranges, range);
    }
    for (int32_t i = 0; i < s->from->assumptions.count; i++) {
        hbg_expr assumption = hbg_model_sorter_expr(s, s->from->assumptions.items[i]);
        HBG_PUSH(s->arena, s->to->assumptions, assumption);
    }
    for (int32_t i = 0; i < s->from->always.count; i++) {
        hbg_always always = s->from->always.items[i];
        if (always.junction != HBG_NONE) {
            always.junction = renumber_object(s, (hbg_object){HBG_OBJECT_ELEMENT, always.junction}).index;
            always.pulse = hbg_model_sorter_expr(s, always.pulse);
        }
        always.value = hbg_model_sorter_expr(s, always.value);
        HBG_PUSH(s->arena, s->to->always, always);
    }
}

/* Second names of objects are in the symbol table only. */
static void copy_symbols(hbg_sorter *s) {
    const hbg_pair_map *symbols = &s->from->symbols;
    for (int32_t i = 0; i < symbols->slot_count; i++) {
        const struct hbg_pair_slot *slot = &symbols->slots[i];
        if (slot->next == 0) continue;
        hbg_object object = hbg_model_find(s->from, slot->first, slot->second);
        hbg_identity id = {renumber(s, HBG_OBJECT_SCOPE, slot->first), slot->second, {0, 0}};
        hbg_model_add_alias(s->to, id, renumber_object(s, object));
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void order_all(hbg_sorter *s) {
    const hbg_model *from = s->from;
    order_kind(s, HBG_OBJECT_SCOPE, from->scopes.count);
    order_kind(s, HBG_OBJECT_PARAM, from->params.count);
    order_kind(s, HBG_OBJECT_ELEMENT, from->elements.count);
    order_kind(s, HBG_OBJECT_BOND, from->bonds.count);
    order_kind(s, HBG_OBJECT_PORT, from->ports.count);
    order_kind(s, HBG_OBJECT_AUTOMATON, from->automata.count);
    order_kind(s, HBG_OBJECT_SIGNAL, from->signals.count);
    order_nets(s);
}

static void copy_all(hbg_sorter *s) {
    copy_scopes(s);
    hbg_model_sorter_params(s);
    hbg_model_sorter_elements(s);
    hbg_model_sorter_bonds(s);
    hbg_model_sorter_incidence(s);
    copy_ports(s);
    hbg_model_sorter_automata(s);
    hbg_model_sorter_signals(s);
    copy_choices(s);
    copy_experiments(s);
    copy_verification(s);
    copy_symbols(s);
}

hbg_model *hbg_model_sorted(hbg_arena *arena, const hbg_model *model) {
    HBG_ASSERT(model->frozen);
    hbg_model *to = hbg_model_new(arena, model->names, model->diagnostics);
    to->before = model->before;
    to->name = model->name;
    to->span = model->span;
    to->doc = model->doc;
    int32_t exprs = model->exprs.count, tables = model->tables.count;
    hbg_sorter s = {.arena = arena, .from = model, .to = to};
    s.expr = HBG_NEW_ARRAY(arena, int32_t, exprs + 1);
    s.table = HBG_NEW_ARRAY(arena, int32_t, tables + 1);
    for (int32_t i = 0; i < exprs; i++) s.expr[i] = HBG_NONE;
    for (int32_t i = 0; i < tables; i++) s.table[i] = HBG_NONE;
    to->expr_type = HBG_NEW_ARRAY(arena, hbg_type, exprs + 1);
    to->expr_dimension = HBG_NEW_ARRAY(arena, hbg_dimension, exprs + 1);
    to->expr_values = HBG_NEW_ARRAY(arena, double, exprs + 1);
    order_all(&s);
    copy_all(&s);
    to->frozen = true;
    return to;
}
