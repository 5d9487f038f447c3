/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Places for faults in a model: expressions that read a value that can be faulty are rewritten, those of
 * constants (periods, waits, initial values, times) stay unchanged. A parameter defined by one that can be
 * faulty follows it, and is replaced by its definition, unless an experiment sets it; a bias, which may stay
 * 0, keeps it a separate value. New expressions come after all others; sorting the model again puts every
 * expression after its parts and drops those that are no longer read. */
#include "fault/fault_impl.h"

#include <math.h>
#include <string.h>

typedef struct {
    hbg_object target;
    bool needs[PLACE_COUNT];
    int32_t param[PLACE_COUNT]; /* HBG_NONE: not needed */
} target_places;

typedef struct {
    hbg_arena *arena;
    hbg_model *model;
    HBG_VEC(target_places) targets;
    hbg_pair_map numbers; /* (kind, index) -> target */
    bool on_object;       /* some fault is on an element or sensor */
    bool creeps;          /* some fault grows with time */
    bool sampled;         /* sampled sensors get places, too */
    int32_t old_count;    /* number of old expressions */
    bool *is_set;         /* by parameter: an experiment sets it */
    int32_t *place_of;    /* by parameter: its target, or HBG_NONE */
    bool *moves;          /* by parameter: can be faulty */
    bool *reads;          /* by old expression: likewise */
    hbg_expr *effective;  /* by parameter that moves */
    hbg_expr *written;    /* by old expression: its replacement */
} rewriter;

/* ---- faults ------------------------------------------------------------------------------------------- */

bool hbg_fault_on_value(const hbg_model *model, const hbg_fault *fault) {
    if (fault->target.kind == HBG_OBJECT_SIGNAL)
        return model->signals.items[fault->target.index].every == HBG_NONE;
    return fault->target.kind == HBG_OBJECT_PARAM || fault->target.kind == HBG_OBJECT_ELEMENT;
}

bool hbg_fault_creeps(const hbg_fault *fault) {
    return hbg_model_fault_effect_of(fault) == HBG_EFFECT_GROWS;
}

bool hbg_fault_needs(const hbg_fault *fault, place place) {
    bool stuck = hbg_model_fault_effect_of(fault) == HBG_EFFECT_HOLDS;
    return stuck || fault->relative == (place == PLACE_SCALE);
}

/* The name of a place's parameter, from that of its target. */
static hbg_name place_name(hbg_arena *arena, const hbg_model *model, hbg_object target, place place) {
    static const char *const texts[] = {
#define X(id, text, nominal) text,
        PLACE_LIST(X)
#undef X
    };
    const char *own = hbg_base_names_get(model->names, hbg_model_identity(model, target)->name);
    const char *name =
        hbg_base_arena_print(arena, "%s*%s", own, texts[place]); // no name of the language has a star
    return hbg_base_names_add(model->names, name, strlen(name));
}

static bool *needs_of(rewriter *r, hbg_object target) {
    int32_t fresh = r->targets.count;
    int32_t number = hbg_base_pair_map_add(&r->numbers, (int32_t)target.kind, target.index, fresh);
    if (number == fresh) {
        target_places made = {.target = target};
        for (int i = 0; i < PLACE_COUNT; i++) made.param[i] = HBG_NONE;
        HBG_PUSH(r->arena, r->targets, made);
    }
    return r->targets.items[number].needs;
}

static void add_target(rewriter *r, const hbg_fault *fault) {
    if (!hbg_fault_on_value(r->model, fault)) return;
    bool *needs = needs_of(r, fault->target);
    for (int i = 0; i < PLACE_COUNT; i++) needs[i] |= hbg_fault_needs(fault, (place)i);
    r->on_object |= fault->target.kind != HBG_OBJECT_PARAM;
    r->creeps |= hbg_fault_creeps(fault);
}

#define MOST_OBJECTS 2000 /* in a larger model only faulty objects get places */

static void add_jumping(rewriter *r, hbg_object_kind kind, int32_t index) {
    bool *needs = needs_of(r, (hbg_object){kind, index});
    needs[PLACE_SCALE] = needs[PLACE_BIAS] = true;
}

/* A fault on an element or sensor changes its formula, one on a parameter only the values that a formula
 * reads. If one element or sensor needs places, or a fault is incipient, all of them get places: then there
 * is one set of formulas for all abrupt faults, and one for all incipient ones, which are compiled once. */
static void add_all_objects(rewriter *r) {
    const hbg_model *model = r->model;
    if (!(r->on_object || r->creeps) || model->elements.count + model->signals.count > MOST_OBJECTS) return;
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].value_count == 1) add_jumping(r, HBG_OBJECT_ELEMENT, i);
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_SENSOR &&
            (r->sampled || model->signals.items[i].every == HBG_NONE))
            add_jumping(r, HBG_OBJECT_SIGNAL, i);
}

/* Adds parameters that any fault may act on. */
static void add_all_params(rewriter *r) {
    const hbg_model *model = r->model;
    for (int32_t i = 0; i < model->params.count && model->params.count <= MOST_OBJECTS; i++) {
        hbg_expr value = model->params.items[i].value;
        if (value >= 0 && model->expr_type[value] == HBG_TYPE_REAL) add_jumping(r, HBG_OBJECT_PARAM, i);
    }
}

/* ---- room --------------------------------------------------------------------------------------------- */

static void *enlarge(hbg_arena *arena, const void *old, size_t old_size, size_t size) {
    void *larger = hbg_base_arena_alloc(arena, size);
    if (old_size > 0) memcpy(larger, old, old_size);
    return larger;
}

#define NODES          16 /* at most, for a value that can be faulty */
#define FOLLOWER_NODES 4  /* for a value that follows it */

static void make_room(rewriter *r) {
    hbg_model *model = r->model;
    size_t targets = (size_t)r->targets.count, old = (size_t)model->exprs.count;
    size_t params = (size_t)model->params.count, more = 2 * params + targets * PLACE_COUNT;
    size_t count = 2 * old + 2 * more + targets * NODES + params * FOLLOWER_NODES + 1;
    model->expr_dimension = enlarge(r->arena, model->expr_dimension, old * sizeof *model->expr_dimension,
                                    count * sizeof *model->expr_dimension);
    model->expr_type =
        enlarge(r->arena, model->expr_type, old * sizeof *model->expr_type, count * sizeof *model->expr_type);
    model->expr_values = enlarge(r->arena, model->expr_values, old * sizeof *model->expr_values,
                                 count * sizeof *model->expr_values);
    model->param_values = enlarge(r->arena, model->param_values, params * sizeof *model->param_values,
                                  (more + 1) * sizeof *model->param_values);
    if (model->param_declared)
        model->param_declared =
            enlarge(r->arena, model->param_declared, params * sizeof *model->param_declared,
                    (more + 1) * sizeof *model->param_declared);
    r->old_count = (int32_t)old;
    r->is_set = HBG_NEW_ARRAY(r->arena, bool, params + 1);
    r->moves = HBG_NEW_ARRAY(r->arena, bool, params + 1);
    r->place_of = HBG_NEW_ARRAY(r->arena, int32_t, params + 1);
    r->effective = HBG_NEW_ARRAY(r->arena, hbg_expr, params + 1);
    r->reads = HBG_NEW_ARRAY(r->arena, bool, old + 1);
    r->written = HBG_NEW_ARRAY(r->arena, hbg_expr, old + 1);
    for (size_t i = 0; i < params; i++) r->place_of[i] = HBG_NONE;
}

/* ---- expressions -------------------------------------------------------------------------------------- */

static hbg_expr describe(rewriter *r, hbg_expr expr, hbg_dimension dimension, double value) {
    r->model->expr_dimension[expr] = dimension;
    r->model->expr_type[expr] = HBG_TYPE_REAL;
    r->model->expr_values[expr] = value;
    return expr;
}

static hbg_expr add(rewriter *r, hbg_operator op, int32_t a, int32_t b, hbg_dimension dimension,
                    double value) {
    return describe(r, hbg_model_add_expr(r->model, op, a, b, HBG_NONE, (hbg_span){0, 0}), dimension, value);
}

static hbg_expr read_param(rewriter *r, int32_t param) {
    const hbg_model *model = r->model;
    return add(r, HBG_OP_PARAM, param, HBG_NONE, model->params.items[param].dimension,
               model->param_values[param]);
}

/* The value with its faults. */
static hbg_expr faulty(rewriter *r, const target_places *t, hbg_expr value) {
    hbg_dimension unit = r->model->expr_dimension[value];
    double known = r->model->expr_values[value];
    if (t->needs[PLACE_SCALE])
        value = add(r, HBG_OP_MULTIPLY, value, read_param(r, t->param[PLACE_SCALE]), unit, known);
    if (t->needs[PLACE_BIAS])
        value = add(r, HBG_OP_ADD, value, read_param(r, t->param[PLACE_BIAS]), unit, known);
    return value;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static void note_places(rewriter *r) {
    for (int32_t i = 0; i < r->targets.count; i++)
        if (r->targets.items[i].target.kind == HBG_OBJECT_PARAM)
            r->place_of[r->targets.items[i].target.index] = i;
}

static void add_places(rewriter *r) {
    static const double nominal[] = {
#define X(id, text, nominal) nominal,
        PLACE_LIST(X)
#undef X
    };
    hbg_model *model = r->model;
    for (int32_t i = 0; i < r->targets.count; i++) {
        target_places *t = &r->targets.items[i];
        const hbg_identity *of = hbg_model_identity(model, t->target);
        hbg_identity id = {.scope = of->scope, .span = of->span};
        for (int k = 0; k < PLACE_COUNT; k++) {
            if (!t->needs[k]) continue;
            hbg_decimal number = {nominal[k] != 0 ? "1" : "0", 0, false};
            id.name = place_name(r->arena, model, t->target, (place)k);
            t->param[k] = hbg_model_add_param(model, id);
            hbg_expr value = hbg_model_add_number(model, number, hbg_model_dimension_any, id.span);
            model->params.items[t->param[k]].value = describe(r, value, hbg_model_dimension_any, nominal[k]);
            model->params.items[t->param[k]].used = true;
            model->param_values[t->param[k]] = nominal[k];
            if (model->param_declared) model->param_declared[t->param[k]] = nominal[k];
        }
    }
}

static void find_readers(rewriter *r) {
    for (int32_t i = 0; i < r->old_count; i++) {
        const hbg_expr_node *node = &r->model->exprs.items[i];
        bool param = node->op == HBG_OP_PARAM;
        r->reads[i] = param && r->moves[node->a];
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            r->reads[i] |= part >= 0 && r->reads[part];
        }
    }
}

/* Which parameters move: those with places, and those that follow one. */
static void find_moving(rewriter *r, int32_t params) {
    bool more = r->targets.count > 0;
    for (int32_t i = 0; i < params; i++) r->moves[i] = r->place_of[i] != HBG_NONE;
    while (more) {
        more = false;
        find_readers(r);
        for (int32_t i = 0; i < params; i++) {
            hbg_expr value = r->model->params.items[i].value;
            if (value < 0 || r->is_set[i] || r->moves[i] || !r->reads[value]) continue;
            r->moves[i] = more = true;
        }
    }
}

/* A definition that replaces a parameter must stay opaque in the formulas that read it: otherwise the sign of
 * `m = -k` would move into them, `m - k` with `m = k` would vanish, and the fault of k would need separate
 * code. */
static void add_followers(rewriter *r, int32_t params) {
    for (int32_t i = 0; i < params; i++) {
        hbg_expr value = r->model->params.items[i].value;
        if (!r->moves[i] || r->is_set[i] || value < 0 || !r->reads[value]) continue;
        if (r->model->expr_type[value] != HBG_TYPE_REAL) continue;
        needs_of(r, (hbg_object){HBG_OBJECT_PARAM, i})[PLACE_BIAS] = true;
    }
    note_places(r);
}

/* ---- writing anew ------------------------------------------------------------------------------------- */

/* Every old expression that reads a moving parameter gets a replacement. The effective expressions of
 * parameters come later. */
static void write_expressions(rewriter *r, int32_t params) {
    hbg_model *model = r->model;
    for (int32_t i = 0; i < params; i++)
        if (r->moves[i])
            r->effective[i] =
                add(r, HBG_OP_PARAM, i, HBG_NONE, model->params.items[i].dimension, model->param_values[i]);
    for (int32_t i = 0; i < r->old_count; i++) {
        hbg_expr_node node = model->exprs.items[i];
        int arity = hbg_model_expr_arity(&node);
        r->written[i] = i;
        if (!r->reads[i]) continue;
        if (node.op == HBG_OP_PARAM) {
            r->written[i] = r->effective[node.a];
            continue;
        }
        if (arity > 0 && node.a >= 0) node.a = r->written[node.a];
        if (arity > 1 && node.b >= 0) node.b = r->written[node.b];
        if (arity > 2 && node.c >= 0) node.c = r->written[node.c];
        hbg_expr made = hbg_model_add_expr(model, (hbg_operator)node.op, node.a, node.b, node.c, node.span);
        describe(r, made, model->expr_dimension[i], model->expr_values[i]);
        model->expr_type[made] = model->expr_type[i];
        r->written[i] = made;
    }
}

static hbg_name path_name(rewriter *r, int32_t param) {
    hbg_buffer path;
    hbg_base_buffer_init(&path, r->arena);
    hbg_model_path(r->model, (hbg_object){HBG_OBJECT_PARAM, param}, &path);
    return hbg_base_names_add(r->model->names, path.data, path.size);
}

/* The effective expression of a parameter: its definition if it follows another, with its own faults.
 * Messages use its name. */
static void write_params(rewriter *r, int32_t params) {
    hbg_model *model = r->model;
    for (int32_t i = 0; i < params; i++) {
        if (!r->moves[i]) continue;
        hbg_expr value = model->params.items[i].value;
        bool follows = value >= 0 && !r->is_set[i] && r->reads[value];
        hbg_expr own = follows ? r->written[value] : read_param(r, i);
        if (r->place_of[i] != HBG_NONE) own = faulty(r, &r->targets.items[r->place_of[i]], own);
        model->exprs.items[r->effective[i]] = model->exprs.items[own];
        model->exprs.items[r->effective[i]].written = path_name(r, i);
    }
}

static void replace(const rewriter *r, hbg_expr *expr) {
    if (*expr >= 0 && *expr < r->old_count) *expr = r->written[*expr];
}

static void write_elements(rewriter *r) {
    hbg_model *model = r->model;
    for (int32_t i = 0; i < model->entries.count; i++) replace(r, &model->entries.items[i]);
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element *element = &model->elements.items[i];
        for (int32_t k = 0; k < element->law_count; k++)
            replace(r, &model->bindings.items[element->first_law + k].value);
        replace(r, &element->restitution);
        int32_t number = hbg_base_pair_map_find(&r->numbers, HBG_OBJECT_ELEMENT, i);
        if (number < 0 || element->value_count != 1) continue;
        hbg_expr *entry = &model->entries.items[element->first_value];
        *entry = faulty(r, &r->targets.items[number], *entry);
    }
}

static void write_signals(rewriter *r) {
    hbg_model *model = r->model;
    for (int32_t i = 0; i < model->transitions.count; i++) replace(r, &model->transitions.items[i].guard);
    for (int32_t i = 0; i < model->signals.count; i++) {
        hbg_signal *signal = &model->signals.items[i];
        replace(r, &signal->value);
        int32_t number = hbg_base_pair_map_find(&r->numbers, HBG_OBJECT_SIGNAL, i);
        if (number >= 0) signal->value = faulty(r, &r->targets.items[number], signal->value);
    }
    for (int32_t i = 0; i < model->experiments.count; i++) {
        hbg_experiment *experiment = &model->experiments.items[i];
        for (int32_t k = 0; k < experiment->records.count; k++)
            replace(r, &experiment->records.items[k].value);
        for (int32_t k = 0; k < experiment->plots.count; k++) replace(r, &experiment->plots.items[k].value);
    }
}

/* ---- the plan ----------------------------------------------------------------------------------------- */

static const hbg_experiment *experiment_at(const hbg_model *model, int32_t index) {
    return index == HBG_NONE ? NULL : &model->experiments.items[index];
}

static void mark_settings(rewriter *r, const hbg_experiment *experiment) {
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        hbg_object target = experiment->settings.items[i].target;
        if (target.kind == HBG_OBJECT_PARAM) r->is_set[target.index] = true;
    }
}

static hbg_model *rewrite(rewriter *r, const int32_t *experiments, int32_t count) {
    int32_t params = r->model->params.count;
    make_room(r);
    for (int32_t i = 0; i < count; i++)
        if (experiments[i] != HBG_NONE) mark_settings(r, experiment_at(r->model, experiments[i]));
    note_places(r);
    find_moving(r, params);
    add_followers(r, params);
    add_places(r);
    write_expressions(r, params);
    write_params(r, params);
    write_elements(r);
    write_signals(r);
    return hbg_model_sorted(r->arena, r->model);
}

/* In the newly sorted model they are found by their names. */
static void find_places(hbg_arena *arena, hbg_fault_plan *plan, int32_t number) {
    const hbg_model *model = plan->model;
    const hbg_fault *fault = &plan->faults[number];
    int32_t scope = hbg_model_identity(model, fault->target)->scope;
    for (int i = 0; i < PLACE_COUNT; i++) {
        bool on_value = hbg_fault_on_value(model, fault);
        hbg_name name = on_value ? place_name(arena, model, fault->target, (place)i) : 0;
        hbg_object found = on_value ? hbg_model_find(model, scope, name) : (hbg_object){HBG_OBJECT_NONE, 0};
        plan->places[number * PLACE_COUNT + i] = found.kind == HBG_OBJECT_PARAM ? found.index : HBG_NONE;
    }
}

hbg_fault_plan *hbg_fault_plan_new(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                   int32_t count) {
    return hbg_fault_plan_ready(arena, sorted, experiments, count, (hbg_fault_ready){0});
}

hbg_fault_plan *hbg_fault_plan_ready(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                     int32_t count, hbg_fault_ready ready) {
    hbg_fault_plan *plan = HBG_NEW(arena, hbg_fault_plan);
    rewriter r = {.arena = arena,
                  .model = sorted,
                  .on_object = ready.jumps,
                  .creeps = ready.creeps,
                  .sampled = ready.sampled};
    plan->ready = ready;
    hbg_base_pair_map_init(&r.numbers, arena);
    for (int32_t i = 0; i < count; i++) {
        const hbg_experiment *experiment = experiment_at(sorted, experiments[i]);
        for (int32_t k = 0; experiment && k < experiment->faults.count; k++)
            add_target(&r, &experiment->faults.items[k]);
        plan->fault_count += experiment ? experiment->faults.count : 0;
    }
    add_all_objects(&r);
    if (ready.params) add_all_params(&r);
    plan->on_object = r.on_object;
    plan->model = r.targets.count > 0 ? rewrite(&r, experiments, count) : sorted;
    plan->lines = r.creeps;
    plan->faults = HBG_NEW_ARRAY(arena, hbg_fault, plan->fault_count + 1);
    plan->places = HBG_NEW_ARRAY(arena, int32_t, (size_t)plan->fault_count * PLACE_COUNT + 1);
    int32_t number = 0;
    for (int32_t i = 0; i < count; i++) {
        const hbg_experiment *experiment = experiment_at(plan->model, experiments[i]);
        for (int32_t k = 0; experiment && k < experiment->faults.count; k++) {
            plan->faults[number] = experiment->faults.items[k];
            plan->holds |= plan->faults[number].target.kind == HBG_OBJECT_AUTOMATON;
            find_places(arena, plan, number++);
        }
    }
    hbg_fault_judge_new(arena, plan);
    return plan;
}
