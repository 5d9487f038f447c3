/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a model as bytes, and back: objects with their names, units and expressions, and one
 * experiment. The source text and places in it are not included. Numbers have four bytes or eight, little
 * endian. One list of fields serves both ways, and every number that is read is in its range. */
#include <math.h>
#include <string.h>

#include "model/store_impl.h"

typedef struct {
    hbg_model *model;
    hbg_buffer *out; /* NULL: bytes are read */
    const unsigned char *at, *end;
    const char *wrong; /* with the bytes; NULL: nothing */
} store;

/* ---- numbers and texts ---------------------------------------------------------------------------------- */

static void fail(store *s, const char *why) {
    if (!s->wrong) s->wrong = why;
    s->at = s->end;
}

static void bytes(store *s, void *place, size_t size) {
    if (s->out) {
        hbg_base_buffer_add(s->out, place, size);
    } else if ((size_t)(s->end - s->at) < size) {
        memset(place, 0, size);
        fail(s, "its tables are cut off");
    } else {
        memcpy(place, s->at, size);
        s->at += size;
    }
}

static void integer(store *s, int32_t *number, int32_t least, int32_t limit) {
    bytes(s, number, sizeof *number);
    if (*number >= least && *number < limit) return;
    *number = least;
    fail(s, "a number in its tables is out of range");
}

/* In a table with so many, or none. */
static void reference(store *s, int32_t *number, int32_t count) {
    integer(s, number, HBG_NONE, count);
}

static void flag(store *s, bool *is) {
    int32_t number = *is;
    integer(s, &number, 0, 2);
    *is = number == 1;
}

/* Of an enumeration with so many. */
#define CHOICE(s, of, count)                                                                                 \
    do {                                                                                                     \
        int32_t number_ = (int32_t)(of);                                                                     \
        integer((s), &number_, 0, (int32_t)(count));                                                         \
        (of) = number_;                                                                                      \
    } while (0)

static bool is_text(const char *text, size_t size) {
    for (size_t i = 0, length; i < size; i += length) {
        length = hbg_base_utf8_length(text + i, size - i);
        if (length == 0 || text[i] == 0) return false;
    }
    return true;
}

static void text(store *s, const char **of) {
    size_t had = *of ? strlen(*of) : 0;
    int32_t size = *of ? (int32_t)had : HBG_NONE;
    integer(s, &size, HBG_NONE, INT32_MAX);
    if (s->out) {
        hbg_base_buffer_add(s->out, had ? *of : "", had);
        return;
    }
    *of = NULL;
    if (size < 0 || s->wrong) return;
    if (size > s->end - s->at || !is_text((const char *)s->at, (size_t)size)) {
        fail(s, "a text in its tables is cut off or not UTF-8");
        return;
    }
    *of = hbg_base_arena_copy(s->model->arena, (const char *)s->at, (size_t)size);
    s->at += size;
}

static void name(store *s, hbg_name *of) {
    const char *words = s->out && *of > 0 ? hbg_base_names_get(s->model->names, *of) : NULL;
    text(s, &words);
    if (!s->out) *of = words && words[0] ? hbg_base_names_add(s->model->names, words, strlen(words)) : 0;
}

static void dimension(store *s, hbg_dimension *of) {
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        int32_t exponent = of->exponent[i];
        integer(s, &exponent, INT8_MIN, INT8_MAX + 1);
        of->exponent[i] = (int8_t)exponent;
    }
    flag(s, &of->known);
}

static void expression(store *s, hbg_expr *of) {
    reference(s, of, s->model->exprs.count);
}

static void range(store *s, int32_t *first, int32_t *count, int32_t limit) {
    if (*count == 0) *first = 0;
    integer(s, first, 0, limit + 1);
    integer(s, count, 0, limit - *first + 1);
}

/* How many follow; each of them takes at least four bytes. */
static int32_t length(store *s, int32_t count) {
    integer(s, &count, 0, INT32_MAX);
    if (s->out || count <= (s->end - s->at) / 4) return count;
    fail(s, "its tables are cut off");
    return 0;
}

/* ---- objects -------------------------------------------------------------------------------------------- */

static void identity(store *s, hbg_identity *id) {
    integer(s, &id->scope, 0, s->model->scopes.count);
    name(s, &id->name);
}

static void scope(store *s, hbg_scope *of) {
    identity(s, &of->id);
    name(s, &of->component);
}

static void display(store *s, hbg_display *of) {
    bool some = of->unit != NULL;
    flag(s, &some);
    if (!some) return;
    text(s, &of->unit);
    bytes(s, &of->scale, sizeof of->scale);
    bytes(s, &of->offset, sizeof of->offset);
    dimension(s, &of->dimension);
    if (!of->unit || !isfinite(of->scale) || of->scale == 0 || !isfinite(of->offset))
        fail(s, "a unit in it has no scale");
}

static void param(store *s, hbg_param *of) {
    hbg_dimension declared = of->inferred ? hbg_model_dimension_any : of->dimension;
    identity(s, &of->id);
    expression(s, &of->value);
    expression(s, &of->declared);
    dimension(s, &declared);
    of->dimension = declared;
    text(s, &of->unit);
    display(s, &of->display);
    flag(s, &of->in_unit);
    flag(s, &of->used);
    flag(s, &of->structural);
    flag(s, &of->overridden);
    flag(s, &of->asked);
}

static void element(store *s, hbg_element *of) {
    identity(s, &of->id);
    CHOICE(s, of->form, HBG_KIND_COUNT);
    of->kind = hbg_model_element_info_get(of->form)->kind;
    integer(s, &of->ports, 0, INT32_MAX);
    range(s, &of->first_value, &of->value_count, s->model->entries.count);
    range(s, &of->first_law, &of->law_count, s->model->bindings.count);
    range(s, &of->first_initial, &of->initial_count, s->model->bindings.count);
    expression(s, &of->control);
    expression(s, &of->restitution);
    flag(s, &of->dual_off);
    if (!s->out) of->net = HBG_NONE;
}

static void bond(store *s, hbg_bond *of) {
    identity(s, &of->id);
    integer(s, &of->from.element, 0, s->model->elements.count);
    integer(s, &of->from.port, 0, INT32_MAX);
    integer(s, &of->to.element, 0, s->model->elements.count);
    integer(s, &of->to.port, 0, INT32_MAX);
    if (!s->out) of->net = HBG_NONE;
}

static void port(store *s, hbg_port *of) {
    identity(s, &of->id);
    CHOICE(s, of->domain, HBG_DOMAIN_COUNT);
    reference(s, &of->bond, s->model->bonds.count);
}

static void automaton(store *s, hbg_automaton *of) {
    identity(s, &of->id);
    range(s, &of->first_state, &of->state_count, s->model->states.count);
    integer(s, &of->start, 0, of->state_count);
    expression(s, &of->every);
}

static void state(store *s, hbg_automaton_state *of) {
    name(s, &of->name);
    flag(s, &of->on);
    range(s, &of->first_transition, &of->transition_count, s->model->transitions.count);
}

static void transition(store *s, hbg_transition *of) {
    integer(s, &of->target, 0, s->model->states.count);
    expression(s, &of->guard);
    expression(s, &of->after);
}

static void signal(store *s, hbg_signal *of) {
    hbg_dimension declared = of->inferred ? hbg_model_dimension_any : of->dimension;
    identity(s, &of->id);
    CHOICE(s, of->kind, HBG_SIGNAL_KIND_COUNT);
    CHOICE(s, of->type, HBG_TYPE_UNKNOWN);
    dimension(s, &declared);
    of->dimension = declared;
    text(s, &of->unit);
    display(s, &of->display);
    expression(s, &of->value);
    expression(s, &of->initial);
    expression(s, &of->every);
    expression(s, &of->noise_mean);
    expression(s, &of->noise_variance);
}

static void table(store *s, hbg_table *of) {
    text(s, &of->file);
    text(s, &of->column);
    dimension(s, &of->dimension);
    dimension(s, &of->argument_dimension);
    of->count = length(s, of->count);
    if (!s->out) of->path = NULL;
    if (!s->out) of->x = HBG_NEW_ARRAY(s->model->arena, double, of->count + 1);
    if (!s->out) of->y = HBG_NEW_ARRAY(s->model->arena, double, of->count + 1);
    bytes(s, of->x, (size_t)of->count * sizeof *of->x);
    bytes(s, of->y, (size_t)of->count * sizeof *of->y);
}

static void node(store *s, hbg_expr_node *of) {
    CHOICE(s, of->op, HBG_OP_COUNT);
    integer(s, &of->a, HBG_NONE, INT32_MAX);
    integer(s, &of->b, HBG_NONE, INT32_MAX);
    integer(s, &of->c, HBG_NONE, INT32_MAX);
    name(s, &of->written);
}

static void literal(store *s, hbg_literal *of) {
    text(s, &of->value.digits);
    integer(s, &of->value.exponent, -HBG_DECIMAL_EXPONENT, HBG_DECIMAL_EXPONENT + 1);
    flag(s, &of->value.negative);
    dimension(s, &of->dimension);
    text(s, &of->unit);
    flag(s, &of->scale);
}

static void binding(store *s, hbg_binding *of) {
    CHOICE(s, of->variable, HBG_VARIABLE_COUNT);
    integer(s, &of->port, 1, INT32_MAX);
    expression(s, &of->value);
}

static void object(store *s, hbg_object *of) {
    CHOICE(s, of->kind, HBG_OBJECT_SIGNAL + 1);
    integer(s, &of->index, 0, hbg_model_object_count(s->model, of->kind));
}

static void choice(store *s, hbg_choice *of) {
    object(s, &of->target);
    expression(s, &of->low);
    expression(s, &of->high);
    CHOICE(s, of->loss, HBG_LOSS_COUNT);
    flag(s, &of->anew);
    integer(s, &of->automaton, HBG_NONE, s->model->automata.count);
}

/* ---- experiments ---------------------------------------------------------------------------------------- */

static void setting(store *s, hbg_setting *of) {
    object(s, &of->target);
    CHOICE(s, of->variable, HBG_VARIABLE_COUNT);
    integer(s, &of->port, 0, INT32_MAX);
    reference(s, &of->state, s->model->states.count);
    expression(s, &of->value);
}

static void action(store *s, hbg_action *of) {
    expression(s, &of->time);
    integer(s, &of->signal, 0, s->model->signals.count);
    expression(s, &of->value);
}

static void fault(store *s, hbg_fault *of) {
    expression(s, &of->at);
    expression(s, &of->until);
    object(s, &of->target);
    CHOICE(s, of->kind, HBG_FAULT_COUNT);
    expression(s, &of->value);
    expression(s, &of->value2);
    flag(s, &of->relative);
    reference(s, &of->state, s->model->states.count);
    flag(s, &of->on);
    text(s, &of->text);
    flag(s, &of->from_table);
}

static void record(store *s, hbg_record *of) {
    expression(s, &of->value);
    text(s, &of->label);
}

/* The items of a list, each by its function. Items that are read are made first, in the memory of the
 * model. */
#define LIST(s, vec, function)                                                                               \
    do {                                                                                                     \
        int32_t count_ = length((s), (vec).count);                                                           \
        ITEMS(s, vec, count_, function);                                                                     \
    } while (0)
#define ITEMS(s, vec, number, function)                                                                      \
    do {                                                                                                     \
        if (!(s)->out) {                                                                                     \
            (vec).items =                                                                                    \
                hbg_base_arena_alloc_array((s)->model->arena, (size_t)(number) + 1, sizeof *(vec).items);    \
            (vec).count = (number);                                                                          \
            (vec).capacity = (number) + 1;                                                                   \
        }                                                                                                    \
        for (int32_t i_ = 0; i_ < (vec).count && !(s)->wrong; i_++) {                                        \
            __typeof__(*(vec).items) item_ = (vec).items[i_];                                                \
            function((s), &item_);                                                                           \
            if (!(s)->out) (vec).items[i_] = item_;                                                          \
        }                                                                                                    \
    } while (0)

static void experiment(store *s, hbg_experiment *of) {
    name(s, &of->name);
    reference(s, &of->added_to, s->model->experiments.count);
    expression(s, &of->stop);
    CHOICE(s, of->solver, HBG_SOLVER_COUNT);
    expression(s, &of->step);
    expression(s, &of->record_every);
    bytes(s, &of->tolerance, sizeof of->tolerance);
    LIST(s, of->settings, setting);
    LIST(s, of->actions, action);
    LIST(s, of->faults, fault);
    LIST(s, of->records, record);
    LIST(s, of->plots, record);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* table, function that stores an item */
// clang-format off
#define TABLE_LIST(X) \
    X(scopes, scope) X(params, param) X(elements, element) X(bonds, bond) X(ports, port) \
    X(automata, automaton) X(states, state) X(transitions, transition) X(signals, signal) X(tables, table) \
    X(exprs, node) X(literals, literal) X(entries, expression) X(bindings, binding) \
    X(choices, choice) X(experiments, experiment)
// clang-format on

static void symbol(store *s, struct hbg_pair_slot *slot) {
    hbg_object of = s->out ? hbg_model_object_of_code(slot->next - 1) : (hbg_object){HBG_OBJECT_NONE, 0};
    integer(s, &slot->first, 0, s->model->scopes.count);
    name(s, &slot->second);
    object(s, &of);
    if (!s->out && !s->wrong)
        hbg_base_pair_map_add(&s->model->symbols, slot->first, slot->second, hbg_model_object_code(of));
}

static void symbols(store *s) {
    hbg_pair_map *map = &s->model->symbols;
    int32_t count = length(s, map->count);
    for (int32_t i = 0; s->out && i < map->slot_count; i++) {
        struct hbg_pair_slot slot = map->slots[i];
        if (slot.next != 0) symbol(s, &slot);
    }
    for (int32_t i = 0; !s->out && i < count && !s->wrong; i++) symbol(s, &(struct hbg_pair_slot){0});
}

static void all(store *s) {
    hbg_model *model = s->model;
    name(s, &model->name);
    bytes(s, &model->source_sum, sizeof model->source_sum);
#define X(vec, function)                                                                                     \
    int32_t vec##_count = length(s, model->vec.count);                                                       \
    if (!s->out) model->vec.count = vec##_count;
    TABLE_LIST(X)
#undef X
    reference(s, &model->chosen, model->experiments.count);
#define X(vec, function) ITEMS(s, model->vec, vec##_count, function);
    TABLE_LIST(X)
#undef X
    symbols(s);
}

hbg_model hbg_model_for_run(const hbg_model *model, int32_t experiment, hbg_experiment kept[2]) {
    hbg_model copy = *model;
    int32_t last = model->experiments.count - 1, count = 0;
    if (experiment != HBG_NONE) kept[count++] = model->experiments.items[experiment];
    if (last >= 0 && model->experiments.items[last].name == 0) {
        kept[count] = model->experiments.items[last];
        kept[count++].added_to = experiment == HBG_NONE ? HBG_NONE : 0;
    }
    copy.experiments.items = kept;
    copy.experiments.count = count;
    copy.chosen = experiment == HBG_NONE ? HBG_NONE : 0;
    copy.ranges.count = copy.assumptions.count = copy.always.count = 0;
    return copy;
}

void hbg_model_store(const hbg_model *model, int32_t experiment, hbg_buffer *out) {
    hbg_experiment kept[2];
    hbg_model copy = hbg_model_for_run(model, experiment, kept);
    for (int32_t i = 0; i < copy.experiments.count; i++)
        if (kept[i].name == 0) kept[i].settings.count = 0; // of a sweep
    all(&(store){.model = &copy, .out = out});
}

hbg_model *hbg_model_restore(hbg_arena *arena, hbg_names *names, hbg_diagnostics *diagnostics,
                             const void *from, size_t size, const char **reason) {
    hbg_model *model = hbg_model_new(arena, names, diagnostics);
    store s = {.model = model, .at = from, .end = (const unsigned char *)from + size};
    all(&s);
    if (!s.wrong && s.at < s.end) fail(&s, "there is more after its tables");
    *reason = s.wrong ? s.wrong : hbg_model_restored_wrong(model);
    return *reason ? NULL : model;
}
