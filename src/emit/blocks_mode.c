/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of all modes. The dependency graph of all assignments over all modes is condensed; each
 * component is a group that is computed together in some mode. A group that is the same in every mode exists
 * once. For any other group the automata that switch its dependences are found; they go through all their
 * states, and the determining bonds of each mode tell which equations are the same. */
#include <string.h>

#include "emit/blocks_impl.h"

enum { MOST_MODES = 4096 }; /* of one group */

/* ---- modes -------------------------------------------------------------------------------------------- */

void hbg_emit_modes_init(mode_walk *walk, drafting *draft) {
    hbg_eqn *eqn = draft->eqn;
    *walk = (mode_walk){.eqn = eqn, .arena = draft->arena};
    walk->states = HBG_NEW_ARRAY(walk->arena, int32_t, eqn->model->automata.count + 1);
    walk->on = HBG_NEW_ARRAY(walk->arena, bool, eqn->structure->place_count + 1);
    walk->assignment = hbg_causal_assignment_new(walk->arena, eqn->structure);
    hbg_emit_modes_enter(walk, &(int32_map){0}, 0);
}

static bool switches_one(const hbg_eqn *eqn, int32_t automaton, const int32_map *places) {
    const int32_map *own = &eqn->automaton_places[automaton];
    for (int32_t i = 0; i < own->count; i++)
        for (int32_t k = 0; k < places->count; k++)
            if (own->items[i] == places->items[k]) return true;
    return false;
}

const char *hbg_emit_modes_find(mode_walk *walk, const int32_map *places, int32_map *automata,
                                int32_t *count) {
    const hbg_model *model = walk->eqn->model;
    *count = 1;
    for (int32_t i = 0; i < model->automata.count; i++) {
        if (!switches_one(walk->eqn, i, places)) continue;
        HBG_PUSH(walk->arena, *automata, i);
        *count *= model->automata.items[i].state_count;
        if (*count > MOST_MODES)
            return hbg_base_arena_print(
                walk->arena,
                "%d automata or more, `%s` among them, switch junctions whose equations belong together, and "
                "have more than %d local modes",
                (int)automata->count, walk->eqn->outline.automata[i].name, (int)MOST_MODES);
    }
    return NULL;
}

/* The mode of this number of some automata; all others are in their start states. */
void hbg_emit_modes_enter(mode_walk *walk, const int32_map *automata, int32_t mode) {
    const hbg_eqn *eqn = walk->eqn;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) walk->states[i] = eqn->start.state[i];
    for (int32_t i = 0; i < automata->count; i++) {
        int32_t count = eqn->model->automata.items[automata->items[i]].state_count;
        walk->states[automata->items[i]] = mode % count;
        mode /= count;
    }
    hbg_causal_mode(walk->arena, eqn->structure, walk->states, walk->on);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) walk->on[i] |= eqn->varies.select[i];
    walk->valid = hbg_eqn_assign(walk->eqn, walk->assignment, walk->on);
}

const char *hbg_emit_modes_words(mode_walk *walk, const int32_map *automata) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, walk->arena);
    for (int32_t i = 0; i < automata->count; i++) {
        const hbg_rt_automaton *of = &walk->eqn->outline.automata[automata->items[i]];
        hbg_base_buffer_print(&out, "%s%s=%s", i > 0 ? "," : "", of->name,
                              of->states[walk->states[automata->items[i]]]);
    }
    return out.size > 0 ? out.data : "of the start";
}

/* ---- variants ----------------------------------------------------------------------------------------- */

int32_t hbg_emit_modes_variant(mode_walk *walk, equation_group *group, bool *is_new) {
    int32_t count = hbg_eqn_fact_count(&group->facts), places = group->facts.places.count;
    uint64_t *key = HBG_NEW_ARRAY(walk->arena, uint64_t, count + 1);
    hbg_eqn_read_facts(walk->assignment, &group->facts, key);
    *is_new = false;
    for (int32_t i = 0; i < group->variants.count; i++)
        if (memcmp(group->variants.items[i].key, key, (size_t)count * sizeof *key) == 0) return i;
    group_variant made = {.key = key};
    made.determining = HBG_NEW_ARRAY(walk->arena, int32_t, places + 1);
    made.of = HBG_NEW_ARRAY(walk->arena, equation, group->count + 1);
    made.made = HBG_NEW_ARRAY(walk->arena, int32_t, group->count + 1);
    for (int32_t i = 0; i < places; i++)
        made.determining[i] = hbg_causal_determining_bond(walk->assignment, group->facts.places.items[i]) + 1;
    HBG_PUSH(walk->arena, group->variants, made);
    *is_new = true;
    return group->variants.count - 1;
}

/* Sources that contradict each other make values unbounded, and these values decide the course of an instant
 * (semantics, section 3a). */
static const char *find_conflict(mode_walk *walk, const equation_group *group, equations *all) {
    const hbg_eqn *eqn = walk->eqn;
    for (int32_t i = 0; i < group->facts.places.count && eqn->limits.clusters.count > 0; i++) {
        int32_t cluster = eqn->limits.cluster_of[group->facts.places.items[i]];
        if (cluster == HBG_NONE || !hbg_eqn_equations_is_driven(all, cluster)) continue;
        return hbg_base_arena_print(
            walk->arena,
            "in the mode %s sources are in conflict: what is unbounded there decides how it is left, and a "
            "block diagram has finite values only",
            hbg_emit_modes_words(walk, &group->automata));
    }
    return NULL;
}

/* What others read of the group in this mode, and what that reads in it: the rest may have no equation
 * here. */
static void read_equations(mode_walk *walk, const equation_group *group, equations *all, equation *into) {
    sorted_equations sorted;
    for (int32_t i = 0; i < group->count; i++) {
        walk->there[group->variables[i]] = HBG_NONE;
        into[i].kind = EQUATION_NONE;
    }
    hbg_eqn_equations_sort(all, group->exports.items, group->exports.count, walk->there, &sorted);
    for (int32_t i = 0; i < sorted.variable_count; i++) walk->there[sorted.variables[i]] = 1;
    for (int32_t i = 0; i < group->count; i++)
        if (walk->there[group->variables[i]] == 1) into[i] = *hbg_eqn_equations_get(all, group->variables[i]);
    for (int32_t i = 0; i < group->count; i++) walk->there[group->variables[i]] = 0;
}

static const char *read_mode(mode_walk *walk, equation_group *group, group_variant *into, bool again) {
    hbg_eqn *eqn = walk->eqn;
    equations all;
    eqn->is_doubted = again;
    hbg_eqn_equations_init(&all, walk->arena, eqn, walk->assignment, PURPOSE_FIELD);
    eqn->is_doubted = false;
    all.may_be_unread = true;
    const char *reason = find_conflict(walk, group, &all);
    if (!reason) read_equations(walk, group, &all, into->of);
    const char *refused = all.refused;
    hbg_eqn_equations_end(&all);
    if (reason || !refused) return reason;
    return again ? hbg_base_arena_print(walk->arena, "in the mode %s no equation can be made: %s",
                                        hbg_emit_modes_words(walk, &group->automata), refused)
                 : read_mode(walk, group, into, true);
}

static const char *read_group(mode_walk *walk, equation_group *group) {
    const char *reason = hbg_emit_modes_find(walk, &group->facts.places, &group->automata, &group->modes);
    if (reason) return reason;
    group->variant_of = HBG_NEW_ARRAY(walk->arena, int32_t, group->modes + 1);
    for (int32_t mode = 0; mode < group->modes && !reason; mode++) {
        bool is_new = false;
        hbg_emit_modes_enter(walk, &group->automata, mode);
        group->variant_of[mode] = walk->valid ? hbg_emit_modes_variant(walk, group, &is_new) : HBG_NONE;
        if (is_new) reason = read_mode(walk, group, &group->variants.items[group->variants.count - 1], false);
    }
    return reason;
}

/* ---- groups ------------------------------------------------------------------------------------------- */

/* The variables of a component that others read. */
static void find_exports(drafting *draft, const sorted_equations *sorted, const int32_map *targets,
                         equation_groups *groups) {
    int32_t *place = draft->member; // by variable, plus 1; zeroed again afterwards
    bool *given = HBG_NEW_ARRAY(draft->arena, bool, sorted->variable_count + 1);
    for (int32_t i = 0; i < sorted->variable_count; i++) place[sorted->variables[i]] = i + 1;
    for (int32_t i = 0; i < targets->count; i++)
        if (place[targets->items[i]] > 0) given[place[targets->items[i]] - 1] = true;
    for (int32_t i = 0; i < sorted->variable_count; i++)
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++)
            if (sorted->component[sorted->heads[k]] != sorted->component[i]) given[sorted->heads[k]] = true;
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        place[sorted->variables[i]] = 0;
        if (given[i])
            HBG_PUSH(draft->arena, groups->items[sorted->component[i]].exports, sorted->variables[i]);
    }
}

/* Components in order, with the equations of those that never vary. */
static void list_groups(drafting *draft, const sorted_equations *sorted, equations *all,
                        equation_groups *groups) {
    hbg_eqn *eqn = draft->eqn;
    for (int32_t b = 0; b < sorted->block_count; b++) {
        const sorted_block *of = &sorted->blocks[b];
        equation_group made = {.count = of->count};
        made.variables = HBG_NEW_ARRAY(draft->arena, int32_t, of->count + 1);
        for (int32_t i = 0; i < of->count; i++) {
            made.variables[i] = sorted->variables[of->first + i];
            made.varies |= all->in_any_mode && hbg_eqn_varies(eqn, made.variables[i]);
            hbg_eqn_add_facts(eqn, draft->arena, made.variables[i], &made.facts);
        }
        hbg_eqn_close_facts(eqn, draft->arena, &made.facts);
        if (!made.varies) {
            group_variant only = {.of = HBG_NEW_ARRAY(draft->arena, equation, of->count + 1)};
            for (int32_t i = 0; i < of->count; i++)
                only.of[i] = *hbg_eqn_equations_get(all, made.variables[i]);
            HBG_PUSH(draft->arena, made.variants, only);
        }
        HBG_PUSH(draft->arena, *groups, made);
    }
}

const char *hbg_emit_blocks_collect(drafting *draft, const int32_map *targets, equation_groups *groups) {
    hbg_eqn *eqn = draft->eqn;
    mode_walk walk;
    sorted_equations sorted;
    equations all;
    hbg_emit_modes_init(&walk, draft);
    walk.there = HBG_NEW_ARRAY(draft->arena, int32_t, eqn->base_count * LAYER_COUNT + 1);
    if (!walk.valid) return "the mode it starts in has no valid causal assignment";
    hbg_eqn_equations_init(&all, draft->arena, eqn, walk.assignment, PURPOSE_FIELD);
    all.in_any_mode = all.may_be_unread = eqn->varies.any;
    hbg_eqn_equations_sort(&all, targets->items, targets->count, NULL, &sorted);
    list_groups(draft, &sorted, &all, groups);
    find_exports(draft, &sorted, targets, groups);
    const char *reason = all.in_any_mode ? NULL : all.refused;
    hbg_eqn_equations_end(&all);
    for (int32_t i = 0; i < groups->count && !reason; i++)
        if (groups->items[i].varies) reason = read_group(&walk, &groups->items[i]);
    return reason;
}
