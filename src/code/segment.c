/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Segments. The dependency graph of all assignments over all modes is condensed; its components have an order
 * that holds in every mode. Components that are the same in every mode are steady, and are compiled here,
 * once; those that vary are blocks, compiled for a local mode when it is first entered (block.c). Levels
 * alternate: steady components that need no block, blocks that need those, steady components after them, and
 * so on. */
#include <string.h>

#include "code/code_impl.h"

typedef struct {
    hbg_code *code;
    hbg_arena *arena;
    equations *all;
    sorted_equations sorted;
    HBG_VEC(int32_t) targets;
    HBG_VEC(uint8_t) target_readings;
    uint8_t *needed;     /* by component: readings */
    bool *varies;        /* by component */
    int32_t *level;      /* by component: even for steady ones */
    int32_t *segment_of; /* by component */
    int32_t *parent;     /* by component: blocks of one level that belong together */
    int32_t *owner;      /* by place: component of the present level with facts of it */
    int32_map *rings;    /* by cluster and layer: places of its conflicts in the sorted variables */
} building;

/* ---- targets ------------------------------------------------------------------------------------------ */

static void want(building *b, int32_t variable, reading_kind reading) {
    HBG_PUSH(b->arena, b->targets, variable);
    HBG_PUSH(b->arena, b->target_readings, (uint8_t)(1 << reading));
}

static void want_term(building *b, hbg_term term, reading_kind reading, bool but_states) {
    hbg_terms *terms = &b->code->eqn->terms;
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        if (node->op != TERM_VARIABLE || node->level < LEVEL_RUN) continue;
        if (but_states && node->a < b->code->eqn->base_count &&
            hbg_eqn_kind_of(b->code->eqn, node->a) == VARIABLE_STATE)
            continue;
        want(b, node->a, reading);
    }
}

static void want_all(building *b) {
    hbg_code *code = b->code;
    hbg_eqn *eqn = code->eqn;
    const hbg_rt_description *system = &code->system;
    int32_t state = eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < eqn->state_count; i++)
        want(b, LAYER_RATE * eqn->base_count + state + i, READ_FIELD);
    for (int32_t i = 0; i < eqn->dependents.count; i++) want(b, state + eqn->dependents.items[i], READ_FIELD);
    for (int32_t i = 0; i < system->storage_count; i++)
        want_term(b, eqn->readouts.energies[i], READ_FIELD, true);
    for (int32_t i = 0; i < system->output_count; i++)
        want_term(b, eqn->readouts.outputs[i], READ_OUTPUTS, false);
    for (int32_t i = 0; i < system->power_count; i++)
        want_term(b, eqn->readouts.powers[i], READ_POWERS, false);
    for (int32_t i = 0; i < system->clock_count + eqn->ticks.pres.count; i++)
        want_term(b, eqn->ticks.terms[i], READ_TICKS, false);
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        want_term(b, eqn->relations.items[i].finite, READ_WATCH, false);
        if (eqn->relations.items[i].area != HBG_NONE)
            want_term(b, eqn->relations.items[i].area, READ_WATCH, false);
    }
}

/* Finds the readings that need each component: a component passes them on to all it reads; readers come after
 * what they read. */
static void find_needed(building *b) {
    const sorted_equations *sorted = &b->sorted;
    for (int32_t i = 0; i < b->targets.count; i++) {
        int32_t place = b->code->eqn->work.number[b->targets.items[i]] - 1;
        b->needed[sorted->component[place]] |= b->target_readings.items[i];
    }
    for (int32_t i = sorted->variable_count - 1; i >= 0; i--)
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++)
            b->needed[sorted->component[sorted->heads[k]]] |= b->needed[sorted->component[i]];
}

/* Finds the readings, except guards, that need values in other states. */
static void find_ins(building *b) {
    hbg_code *code = b->code;
    hbg_eqn *eqn = code->eqn;
    for (int32_t i = 0; i < b->sorted.variable_count; i++) {
        int32_t variable = b->sorted.variables[i] % eqn->base_count;
        if (hbg_eqn_kind_of(eqn, variable) == VARIABLE_IN)
            code->ins_read |= b->needed[b->sorted.component[i]];
    }
    code->ins_read &= (uint8_t) ~(1 << READ_WATCH);
}

/* ---- levels ------------------------------------------------------------------------------------------- */

static void find_levels(building *b) {
    const sorted_equations *sorted = &b->sorted;
    for (int32_t i = 0; i < sorted->variable_count; i++)
        if (b->all->in_any_mode && hbg_eqn_varies(b->code->eqn, sorted->variables[i]))
            b->varies[sorted->component[i]] = true;
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        int32_t own = sorted->component[i];
        int32_t *level = &b->level[own];
        if (b->varies[own] && *level < 1) *level = 1;
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++) {
            int32_t read = sorted->component[sorted->heads[k]];
            int32_t least = b->level[read] + (b->varies[read] != b->varies[own]);
            if (read != own && *level < least) *level = least;
        }
    }
}

static int32_t find(building *b, int32_t component) {
    while (b->parent[component] != component)
        component = b->parent[component] = b->parent[b->parent[component]];
    return component;
}

static void join(building *b, int32_t a, int32_t c) {
    int32_t low = find(b, a), high = find(b, c);
    if (low == high) return;
    if (low > high) {
        int32_t other = low;
        low = high;
        high = other;
    }
    b->parent[high] = low;
}

/* By place, and by cluster with one common owner: the level at which it was joined last. */
typedef struct {
    int32_t *place, *cluster;
} joined;

static void join_at(building *b, joined *at, int32_t place, int32_t component) {
    int32_t level = b->level[component], cluster = b->code->eqn->limits.cluster_of[place];
    if (at->place[place] == level) join(b, b->owner[place], component);
    if (cluster != HBG_NONE && at->cluster[cluster] != level) at->cluster[cluster] = 0;
    at->place[place] = level;
    b->owner[place] = component;
}

/* Joins the places of a cluster; if they all belong together already, one represents them. */
static void join_cluster(building *b, joined *at, int32_t cluster, int32_t component) {
    const int32_map *places = &b->code->eqn->limits.clusters.items[cluster].places;
    bool known = at->cluster[cluster] == b->level[component];
    for (int32_t i = 0; i < (known ? 1 : places->count); i++) join_at(b, at, places->items[i], component);
    at->cluster[cluster] = b->level[component];
}

/* Joins components of one level that vary with the same junctions, or read one another, into blocks. */
static void join_blocks(building *b) {
    const sorted_equations *sorted = &b->sorted;
    int32_t places = b->code->eqn->structure->place_count;
    joined at = {HBG_NEW_ARRAY(b->arena, int32_t, places + 1),
                 HBG_NEW_ARRAY(b->arena, int32_t, b->code->eqn->limits.clusters.count + 1)};
    fact_set facts = {0};
    for (int32_t i = 0; i < sorted->block_count; i++) b->parent[i] = i;
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        int32_t own = sorted->component[i];
        if (!b->varies[own]) continue;
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++) {
            int32_t read = sorted->component[sorted->heads[k]];
            if (b->varies[read] && b->level[read] == b->level[own]) join(b, read, own);
        }
        facts.places.count = facts.links.count = 0;
        hbg_eqn_add_facts(b->code->eqn, b->arena, sorted->variables[i], &facts);
        for (int32_t k = 0; k < facts.places.count; k++) join_at(b, &at, facts.places.items[k], own);
        for (int32_t k = 0; k < facts.clusters.count; k++) join_cluster(b, &at, facts.clusters.items[k], own);
        facts.clusters.count = 0;
    }
}

/* Numbers segments by level; blocks of a level are in the order of their first components. */
static void number_segments(building *b) {
    hbg_code *code = b->code;
    int32_t highest = 0, count = b->sorted.block_count;
    for (int32_t i = 0; i < count; i++) highest = b->level[i] > highest ? b->level[i] : highest;
    int32_map *of_level = HBG_NEW_ARRAY(b->arena, int32_map, highest + 1);
    for (int32_t i = 0; i < count; i++) HBG_PUSH(b->arena, of_level[b->level[i]], i);
    for (int32_t level = 0; level <= highest; level++)
        for (int32_t k = 0; k < of_level[level].count; k++) {
            int32_t i = of_level[level].items[k],
                    first = b->varies[i] ? find(b, i) : of_level[level].items[0];
            if (i == first) {
                segment made = {.varies = b->varies[i]};
                HBG_PUSH(code->arena, code->segments, made);
                b->segment_of[i] = code->segments.count - 1;
            }
            b->segment_of[i] = b->segment_of[first];
            HBG_PUSH(code->arena, code->segments.items[b->segment_of[i]].members, i);
        }
}

/* ---- what segments give one another ------------------------------------------------------------------- */

static bool is_known(building *b, int32_t variable) {
    return !(b->all->in_any_mode && hbg_eqn_varies(b->code->eqn, variable)) &&
           hbg_eqn_equations_get(b->all, variable)->kind == EQUATION_KNOWN;
}

/* The conflicts of a cluster, one of which a bond reads: it may read any of them. */
static const int32_map *ring_of(const building *b, int32_t reader, int32_t read) {
    const hbg_eqn *eqn = b->code->eqn;
    int32_t variable = b->sorted.variables[read];
    int32_t cluster = hbg_eqn_limit_ring(eqn, b->sorted.variables[reader], variable);
    return cluster == HBG_NONE ? NULL : &b->rings[cluster * LAYER_COUNT + variable / eqn->base_count];
}

static void find_rings(building *b) {
    const hbg_eqn *eqn = b->code->eqn;
    b->rings = HBG_NEW_ARRAY(b->arena, int32_map, eqn->limits.clusters.count * LAYER_COUNT + 1);
    for (int32_t i = 0; i < b->sorted.variable_count; i++) {
        int32_t base = b->sorted.variables[i] % eqn->base_count;
        if (hbg_eqn_kind_of(eqn, base) != VARIABLE_CONFLICT) continue;
        int32_t cluster = eqn->limits.cluster_of[base - eqn->first[VARIABLE_CONFLICT]];
        if (cluster != HBG_NONE)
            HBG_PUSH(b->arena, b->rings[cluster * LAYER_COUNT + b->sorted.variables[i] / eqn->base_count], i);
    }
}

/* Returns, by place in the sorted variables, the readings in which other segments read it. */
static uint8_t *find_given(building *b) {
    const sorted_equations *sorted = &b->sorted;
    uint8_t *given = HBG_NEW_ARRAY(b->arena, uint8_t, sorted->variable_count + 1);
    for (int32_t i = 0; i < b->targets.count; i++)
        given[b->code->eqn->work.number[b->targets.items[i]] - 1] |= b->target_readings.items[i];
    for (int32_t i = 0; i < sorted->variable_count; i++)
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++) {
            int32_t read = sorted->heads[k];
            if (b->segment_of[sorted->component[read]] == b->segment_of[sorted->component[i]]) continue;
            const int32_map *ring = ring_of(b, i, read);
            given[read] |= b->needed[sorted->component[i]];
            for (int32_t m = 0; ring && m < ring->count; m++)
                given[ring->items[m]] |= b->needed[sorted->component[i]];
        }
    return given;
}

static void find_exports(building *b, const uint8_t *given) {
    hbg_code *code = b->code;
    for (int32_t i = 0; i < b->sorted.variable_count; i++) {
        segment *of = &code->segments.items[b->segment_of[b->sorted.component[i]]];
        if (!of->varies) continue;
        for (int r = 0; r < READ_COUNT; r++)
            if (given[i] & 1 << r) HBG_PUSH(code->arena, of->exports[r], b->sorted.variables[i]);
        if (given[i]) code->where[b->sorted.variables[i]] = hbg_code_home(code, b->sorted.variables[i]);
        hbg_eqn_add_facts(code->eqn, code->arena, b->sorted.variables[i], &of->facts);
    }
}

typedef struct {
    building *b;
    const uint8_t *given;
    bool *to_block;
    int32_t *last; /* by place in the sorted variables: 1 + the segment that met it last */
} importing;

/* Adds a variable that a segment reads: known, or computed by another. */
static void import(importing *to, int32_t s, int32_t read) {
    hbg_code *code = to->b->code;
    segment *of = &code->segments.items[s];
    int32_t variable = to->b->sorted.variables[read],
            owner = to->b->segment_of[to->b->sorted.component[read]];
    bool known = is_known(to->b, variable);
    if (to->last[read] == s + 1 || (owner == s && !known)) return;
    to->last[read] = s + 1;
    if (known) HBG_PUSH(code->arena, of->known, variable);
    if (known) return;
    to->to_block[read] = true;
    HBG_PUSH(code->arena, of->imports, variable);
    segment *giver = &code->segments.items[owner];
    if (!giver->varies && to->given[read] & 1 << READ_FIELD) HBG_PUSH(code->arena, giver->wanted, variable);
    if (!giver->varies && to->given[read] & 1 << READ_WATCH) HBG_PUSH(code->arena, giver->watched, variable);
}

static void find_imports(building *b, const uint8_t *given, bool *to_block) {
    hbg_code *code = b->code;
    const sorted_equations *sorted = &b->sorted;
    importing to = {.b = b, .given = given};
    to.to_block = to_block;
    to.last = HBG_NEW_ARRAY(b->arena, int32_t, sorted->variable_count + 1);
    for (int32_t s = 0; s < code->segments.count; s++) {
        const segment *of = &code->segments.items[s];
        for (int32_t m = 0; m < of->members.count && of->varies; m++) {
            const sorted_block *block = &sorted->blocks[of->members.items[m]];
            for (int32_t i = block->first; i < block->first + block->count; i++)
                for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++) {
                    const int32_map *ring = ring_of(b, i, sorted->heads[k]);
                    bool foreign = b->segment_of[sorted->component[sorted->heads[k]]] != s;
                    import(&to, s, sorted->heads[k]);
                    for (int32_t n = 0; ring && foreign && n < ring->count; n++)
                        import(&to, s, ring->items[n]);
                }
        }
    }
}

/* ---- steady code -------------------------------------------------------------------------------------- */

static int32_t cut(hbg_code_stage *stage) {
    int32_t made = hbg_code_stage_program(stage);
    stage->instructions.count = 0;
    return made;
}

static bool is_rate(const hbg_eqn *eqn, int32_t variable) {
    int32_t first = LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE];
    return variable >= first && variable < first + eqn->state_count;
}

/* Makes the steady segments for one reading, skipping blocks: results of blocks are in their homes, and so
 * are values for blocks, except for the field, whose registers stay the same. */
static void make_steady(building *b, hbg_code_stage *stage, reading_kind reading, const bool *to_block) {
    hbg_code *code = b->code;
    const sorted_equations *sorted = &b->sorted;
    for (int32_t s = 0; s < code->segments.count; s++) {
        segment *of = &code->segments.items[s];
        for (int32_t i = 0; i < of->exports[reading].count; i++)
            hbg_code_stage_set(stage, of->exports[reading].items[i],
                               code->where[of->exports[reading].items[i]]);
        for (int32_t m = 0; m < of->members.count && !of->varies; m++) {
            int32_t component = of->members.items[m], first = sorted->blocks[component].first;
            if (!(b->needed[component] & 1 << reading)) continue;
            hbg_code_stage_component(stage, b->all, sorted, component);
            for (int32_t i = first; i < first + sorted->blocks[component].count; i++) {
                int32_t variable = sorted->variables[i];
                if (is_known(b, variable)) continue;
                if (reading == READ_FIELD) code->where[variable] = stage->var_register[variable];
                if (reading == READ_FIELD && is_rate(code->eqn, variable))
                    HBG_PUSH(code->arena, of->wanted, variable);
                if (reading != READ_FIELD && to_block[i]) hbg_code_stage_export(stage, variable);
            }
        }
        if (!of->varies) HBG_RT_AT(code->image.pool.blocks, s)->code[reading] = cut(stage);
    }
}

static hbg_rt_readout read_terms(hbg_code *code, hbg_code_stage *stage, const hbg_term *terms,
                                 int32_t count) {
    hbg_rt_range reg = {HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    for (int32_t i = 0; i < count; i++)
        *HBG_RT_AT(code->image.pool.ints, reg.first + i) = hbg_code_stage_term(stage, terms[i]);
    return (hbg_rt_readout){cut(stage), reg};
}

/* Makes separate code for a reading: it computes only what it needs. */
static void make_reading(building *b, reading_kind reading, const hbg_term *terms, int32_t count,
                         const bool *to_block) {
    hbg_code *code = b->code;
    bool lasts = reading == READ_WATCH; // slopes are computed after it
    hbg_code_stage *stage = hbg_code_stage_new(lasts ? code->arena : b->arena, code,
                                               &code->reading_temps[reading], (int)reading < HBG_RT_LOCATING);
    stage->reading = reading;
    make_steady(b, stage, reading, to_block);
    code->image.code.finals[reading] = read_terms(code, stage, terms, count);
    if (lasts)
        code->watching = stage;
    else
        hbg_code_stage_end(stage);
}

static int32_t register_of(hbg_code *code, int32_t variable) {
    int32_t reg = code->steady->var_register[variable];
    return reg != HBG_NONE ? reg : hbg_code_home(code, variable); // a state that is known
}

/* Makes the energies of given states: a dependent storage that was not settled counts with its present
 * content. */
static void make_energies(building *b) {
    hbg_code *code = b->code;
    hbg_eqn *eqn = code->eqn;
    hbg_code_stage *stage = hbg_code_stage_new(b->arena, code, &code->registers.temps, false);
    for (int32_t i = 0; i < code->system.storage_count; i++) {
        hbg_term_walk(&eqn->terms, eqn->readouts.energies[i]);
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            if (node->op != TERM_VARIABLE || node->level < LEVEL_RUN) continue;
            bool state = hbg_eqn_kind_of(eqn, node->a) == VARIABLE_STATE && node->a < eqn->base_count;
            if (state || code->where[node->a] == HBG_NONE) continue;
            hbg_code_stage_set(stage, node->a, code->where[node->a]);
            code->image.code.energies_need_field = true;
        }
    }
    code->image.code.energies = read_terms(code, stage, eqn->readouts.energies, code->system.storage_count);
    hbg_code_stage_end(stage);
}

static int32_t count_areas(const hbg_eqn *eqn) {
    int32_t count = 0;
    for (int32_t i = 0; i < eqn->relations.count; i++) count += eqn->relations.items[i].area != HBG_NONE;
    return count;
}

static void make_readings(building *b, const bool *to_block) {
    hbg_code *code = b->code;
    hbg_eqn *eqn = code->eqn;
    const hbg_rt_description *system = &code->system;
    int32_t count = eqn->state_count, relations = eqn->relations.count;
    code->steady = hbg_code_stage_new(code->arena, code, &code->steady_temps, true);
    make_steady(b, code->steady, READ_FIELD, to_block);
    hbg_rt_range rates = {HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    for (int32_t i = 0; i < count; i++)
        *HBG_RT_AT(code->image.pool.ints, rates.first + i) =
            register_of(code, LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + i);
    code->image.code.finals[READ_FIELD] = (hbg_rt_readout){HBG_NONE, rates};
    make_reading(b, READ_OUTPUTS, eqn->readouts.outputs, system->output_count, to_block);
    make_reading(b, READ_POWERS, eqn->readouts.powers, system->power_count, to_block);
    make_reading(b, READ_TICKS, eqn->ticks.terms, system->clock_count + eqn->ticks.pres.count, to_block);
    hbg_term *watched = HBG_NEW_ARRAY(b->arena, hbg_term, 2 * relations + 1);
    code->area_place = HBG_NEW_ARRAY(code->arena, int32_t, relations + 1);
    for (int32_t i = 0, areas = 0; i < relations; i++) {
        const relation_info *of = &eqn->relations.items[i];
        watched[i] = of->finite;
        code->area_place[i] = of->area == HBG_NONE ? HBG_NONE : relations + areas++;
        if (of->area != HBG_NONE) watched[code->area_place[i]] = of->area;
    }
    make_reading(b, READ_WATCH, watched, relations + count_areas(eqn), to_block);
    make_energies(b);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void list_places(hbg_code *code) {
    code->regions.segments = HBG_NEW_ARRAY(code->arena, int32_map, code->eqn->structure->region_count + 1);
    for (int32_t s = 0; s < code->segments.count; s++) {
        segment *of = &code->segments.items[s];
        hbg_eqn_close_facts(code->eqn, code->arena, &of->facts);
        HBG_RT_AT(code->image.pool.blocks, s)->choice =
            of->varies ? hbg_code_choice_by_facts(code, &of->facts, code->regions.segments, s) : HBG_NONE;
    }
}

static void prepare(building *b) {
    int32_t count = b->sorted.block_count;
    b->needed = HBG_NEW_ARRAY(b->arena, uint8_t, count + 1);
    b->varies = HBG_NEW_ARRAY(b->arena, bool, count + 1);
    b->level = HBG_NEW_ARRAY(b->arena, int32_t, count + 1);
    b->segment_of = HBG_NEW_ARRAY(b->arena, int32_t, count + 1);
    b->parent = HBG_NEW_ARRAY(b->arena, int32_t, count + 1);
    b->owner = HBG_NEW_ARRAY(b->arena, int32_t, b->code->eqn->structure->place_count + 1);
}

/* Adds the segments to the image; their code comes later. */
static void clear_blocks(hbg_code *code) {
    hbg_rt_block made = {.choice = HBG_NONE};
    for (int r = 0; r < READ_COUNT; r++) made.code[r] = HBG_NONE;
    for (int32_t i = 0; i < code->segments.count; i++)
        HBG_POOL_ADD(code->arena, code->image.pool.blocks, made);
}

void hbg_code_make_segments(hbg_code *code, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = code->eqn;
    size_t variables = (size_t)eqn->base_count * LAYER_COUNT;
    equations all;
    building b = {.code = code, .arena = &eqn->scratch, .all = &all};
    code->segments.count = 0;
    code->image.pool.blocks.count = 0;
    code->where = HBG_NEW_ARRAY(code->arena, int32_t, variables);
    for (size_t i = 0; i < variables; i++) code->where[i] = HBG_NONE;
    hbg_eqn_equations_init(&all, b.arena, eqn, assignment, PURPOSE_FIELD);
    all.in_any_mode = all.may_be_unread = eqn->varies.any;
    want_all(&b);
    hbg_eqn_equations_sort(&all, b.targets.items, b.targets.count, NULL, &b.sorted);
    prepare(&b);
    for (int32_t i = 0; i < b.sorted.variable_count; i++) eqn->work.number[b.sorted.variables[i]] = i + 1;
    find_needed(&b);
    find_ins(&b);
    find_levels(&b);
    join_blocks(&b);
    number_segments(&b);
    clear_blocks(code);
    find_rings(&b);
    uint8_t *given = find_given(&b);
    for (int32_t i = 0; i < b.sorted.variable_count; i++) eqn->work.number[b.sorted.variables[i]] = 0;
    bool *to_block = HBG_NEW_ARRAY(b.arena, bool, b.sorted.variable_count + 1);
    find_exports(&b, given);
    find_imports(&b, given, to_block);
    make_readings(&b, to_block);
    list_places(code);
    hbg_eqn_equations_end(&all);
    if (all.in_any_mode) {
        code->doubted = all.refused; // each mode shows which of it is read
    } else if (all.refused && !eqn->is_doubted) {
        eqn->is_doubted = true;
        hbg_code_make_segments(code, assignment);
    } else if (!eqn->refused) {
        eqn->refused = all.refused;
    }
}
