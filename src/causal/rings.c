/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rings of junctions. Causality by strokes alone counts variables and equations; around a ring of bonds the
 * counts may match although the equations contradict each other: two capacitors between the same two nodes
 * both give an effort, and the ring requires their difference to be 0; two opposite bonds between a 0- and a
 * 1-junction cancel. Here the equations of junctions, transformers and gyrators are solved modulo a prime. A
 * combination of them in which all unknowns cancel constrains variables that elements give, so one of these
 * elements has to take its variable instead: a dependent storage if there is one, which becomes integral,
 * else a resistor, else the storage of least worth, which becomes dependent. The equations of the structure
 * then have one solution, whichever way the bonds of the ring are passed.
 *
 * Each junction that is on has two unknowns: its common variable, which its determining bond brings, and the
 * variable that this bond is given, by the balance. Other variables follow from them and from elements;
 * junctions that are off or undetermined give 0. */
#include "causal/causal_impl.h"

#include <string.h>

enum { COMMON, BALANCE }; /* unknown 2·place, and 1 more */

enum { LARGEST = 512 }; /* unknowns of rings that are solved together; with more, strokes alone count */

typedef struct {
    hbg_causal_assignment *assignment;
    const hbg_causal_structure *structure;
    causal_rings *notes;
    int32_t region; /* under examination: marks elsewhere are left alone */
    int32_t count;  /* places of the present part, in notes->places */
    int32_t sorted; /* unknowns in notes->order: those they read come before them */
    int32_t left;   /* unknowns of rings, in notes->left */
} rings;

/* ---- reads of an unknown ------------------------------------------------------------------------------- */

static bool has_unknowns(const rings *r, int32_t place) {
    return place != HBG_NONE && r->structure->place_region[place] == r->region && r->assignment->on[place] &&
           r->assignment->count[place] == 1;
}

static bool is_silent(const rings *r, int32_t link) {
    return r->assignment->waived[link] || (r->assignment->relaxed && r->assignment->relaxed[link]);
}

/* The unknown that a place gives to a link, and the one that takes up the link's variable. */
static int32_t given_at(const rings *r, int32_t slot) {
    return 2 * causal_place(r->structure, slot) + (r->assignment->mark[slot] ? BALANCE : COMMON);
}

static int32_t made_at(const rings *r, int32_t slot) {
    return 2 * causal_place(r->structure, slot) + (r->assignment->mark[slot] ? COMMON : BALANCE);
}

/* +1: the bond at this end points into the place. */
static bool points_in(const rings *r, int32_t slot) {
    const hbg_causal_link *link = &r->structure->links[slot >> 1];
    int32_t entry = r->structure->chain[link->first_bond + ((slot & 1) == 0 ? 0 : link->bond_count - 1)];
    return ((entry & 1) == 0) == ((slot & 1) == 1);
}

/* The factor of the other end's variable in an unknown of the place. */
static uint64_t factor_at(const rings *r, int32_t slot) {
    int32_t place = causal_place(r->structure, slot);
    bool common = r->assignment->mark[slot];
    bool effort = r->structure->is_zero[place] == common;
    uint64_t factor = r->structure->transmission[2 * slot + !effort];
    bool same = common || points_in(r, slot) != points_in(r, r->assignment->determining[place]);
    return same ? factor : hbg_base_modular_negate(factor);
}

/* Link ends at the place that an unknown of it reads, one after the other; HBG_NONE at the end. */
static int32_t next_read(const rings *r, int32_t unknown, int32_t *at) {
    const hbg_causal_structure *structure = r->structure;
    int32_t place = unknown >> 1;
    for (; *at < structure->place_start[place + 1]; (*at)++) {
        int32_t slot = structure->place_links[*at];
        if (made_at(r, slot) != unknown || is_silent(r, slot >> 1)) continue;
        int32_t there = causal_place(structure, slot ^ 1);
        if (there != HBG_NONE && !has_unknowns(r, there)) continue;
        (*at)++;
        return slot;
    }
    return HBG_NONE;
}

/* The inverse: link ends at the place over which an unknown is given to others. */
static int32_t next_given(const rings *r, int32_t unknown, int32_t *at) {
    const hbg_causal_structure *structure = r->structure;
    int32_t place = unknown >> 1;
    for (; *at < structure->place_start[place + 1]; (*at)++) {
        int32_t slot = structure->place_links[*at];
        if (given_at(r, slot) != unknown || is_silent(r, slot >> 1)) continue;
        if (!has_unknowns(r, causal_place(structure, slot ^ 1))) continue;
        (*at)++;
        return slot;
    }
    return HBG_NONE;
}

/* ---- rings --------------------------------------------------------------------------------------------- */

static void meet(rings *r, int32_t place) {
    if (!has_unknowns(r, place) || r->notes->met[place]) return;
    r->notes->met[place] = true;
    r->notes->places[r->count++] = place;
}

/* Collects places joined by links, through places that are on. */
static void collect(rings *r, int32_t place) {
    r->count = 0;
    meet(r, place);
    for (int32_t k = 0; k < r->count; k++) {
        int32_t at = r->notes->places[k];
        for (int32_t i = r->structure->place_start[at]; i < r->structure->place_start[at + 1]; i++)
            meet(r, causal_place(r->structure, r->structure->place_links[i] ^ 1));
    }
}

static void sort_unknown(rings *r, int32_t unknown) {
    r->notes->waits[unknown] = HBG_NONE;
    r->notes->order[r->sorted++] = unknown;
}

/* Leaves out unknowns that read no ring; `waits` of the others is how many they wait for. */
static void leave_out_upstream(rings *r) {
    r->sorted = 0;
    for (int32_t k = 0; k < 2 * r->count; k++) {
        int32_t unknown = 2 * r->notes->places[k / 2] + k % 2, at = r->structure->place_start[unknown >> 1];
        int32_t *waits = &r->notes->waits[unknown];
        *waits = 0;
        for (int32_t slot; (slot = next_read(r, unknown, &at)) != HBG_NONE;)
            *waits += causal_place(r->structure, slot ^ 1) != HBG_NONE;
    }
    for (int32_t k = 0; k < 2 * r->count; k++) {
        int32_t unknown = 2 * r->notes->places[k / 2] + k % 2;
        if (r->notes->waits[unknown] == 0) sort_unknown(r, unknown);
    }
    for (int32_t k = 0; k < r->sorted; k++) {
        int32_t unknown = r->notes->order[k], at = r->structure->place_start[unknown >> 1];
        for (int32_t slot; (slot = next_given(r, unknown, &at)) != HBG_NONE;) {
            int32_t reader = made_at(r, slot ^ 1);
            if (--r->notes->waits[reader] == 0) sort_unknown(r, reader);
        }
    }
}

/* Leaves out unknowns that no ring reads; the remaining ones get their number. */
static void leave_out_downstream(rings *r) {
    int32_t *waits = r->notes->waits, *queue = r->notes->order + r->sorted, tail = 0;
    r->left = 0;
    for (int32_t k = 0; k < 2 * r->count; k++) {
        int32_t unknown = 2 * r->notes->places[k / 2] + k % 2, at = r->structure->place_start[unknown >> 1];
        if (waits[unknown] == HBG_NONE) continue;
        waits[unknown] = 0;
        for (int32_t slot; (slot = next_given(r, unknown, &at)) != HBG_NONE;)
            waits[unknown] += waits[made_at(r, slot ^ 1)] != HBG_NONE;
    }
    for (int32_t k = 0; k < 2 * r->count; k++) {
        int32_t unknown = 2 * r->notes->places[k / 2] + k % 2;
        if (waits[unknown] == 0) queue[tail++] = unknown;
    }
    for (int32_t k = 0; k < tail; k++) {
        int32_t at = r->structure->place_start[queue[k] >> 1];
        for (int32_t slot; (slot = next_read(r, queue[k], &at)) != HBG_NONE;) {
            if (causal_place(r->structure, slot ^ 1) == HBG_NONE) continue;
            int32_t read = given_at(r, slot ^ 1);
            if (waits[read] != HBG_NONE && --waits[read] == 0) queue[tail++] = read;
        }
    }
    for (int32_t k = 0; k < tail; k++) waits[queue[k]] = HBG_NONE;
    for (int32_t k = 0; k < 2 * r->count; k++) {
        int32_t unknown = 2 * r->notes->places[k / 2] + k % 2;
        if (waits[unknown] == HBG_NONE) continue;
        waits[unknown] = r->left;
        r->notes->left[r->left++] = unknown;
    }
}

/* ---- combinations in which all unknowns cancel --------------------------------------------------------- */

/* Room that is kept for the next time. */
static uint64_t *room(uint64_t **items, int32_t *capacity, size_t wanted, hbg_arena *arena) {
    if ((size_t)*capacity < wanted) {
        *items = HBG_NEW_ARRAY(arena, uint64_t, wanted);
        *capacity = (int32_t)wanted;
    }
    memset(*items, 0, wanted * sizeof **items);
    return *items;
}

static void add_to(uint64_t *sum, uint64_t factor, uint64_t value) {
    *sum = hbg_base_modular_add(*sum, hbg_base_modular_multiply(factor, value));
}

static void subtract_row(uint64_t *from, const uint64_t *row, uint64_t factor, int32_t count) {
    uint64_t minus = hbg_base_modular_negate(factor);
    for (int32_t k = 0; k < count; k++)
        if (row[k] != 0) add_to(&from[k], minus, row[k]);
}

/* The transposed matrix of the equations: row j holds the coefficients of unknown j in all of them. */
static uint64_t *make_matrix(rings *r) {
    int32_t count = r->left;
    uint64_t *matrix =
        room(&r->notes->matrix, &r->notes->matrix_room, (size_t)count * (size_t)count, r->assignment->arena);
    for (int32_t i = 0; i < count; i++) {
        int32_t unknown = r->notes->left[i], at = r->structure->place_start[unknown >> 1];
        matrix[i * count + i] = 1;
        for (int32_t slot; (slot = next_read(r, unknown, &at)) != HBG_NONE;) {
            if (causal_place(r->structure, slot ^ 1) == HBG_NONE) continue;
            int32_t read = r->notes->waits[given_at(r, slot ^ 1)];
            if (read != HBG_NONE)
                add_to(&matrix[read * count + i], hbg_base_modular_negate(1), factor_at(r, slot));
        }
    }
    return matrix;
}

/* Gauss-Jordan elimination; `pivot` gets by column the row that was solved for it, or HBG_NONE. Returns how
 * many have none. */
static int32_t eliminate(uint64_t *matrix, int32_t count, int32_t *pivot) {
    int32_t done = 0;
    for (int32_t column = 0; column < count; column++) {
        int32_t row = done;
        pivot[column] = HBG_NONE;
        while (row < count && matrix[row * count + column] == 0) row++;
        if (row == count) continue;
        uint64_t *at = matrix + done * count, *from = matrix + row * count;
        for (int32_t k = 0; k < count && row != done; k++) {
            uint64_t other = at[k];
            at[k] = from[k];
            from[k] = other;
        }
        uint64_t inverse = hbg_base_modular_invert(at[column]);
        for (int32_t k = 0; k < count; k++) at[k] = hbg_base_modular_multiply(at[k], inverse);
        for (int32_t i = 0; i < count; i++)
            if (i != done && matrix[i * count + column] != 0)
                subtract_row(matrix + i * count, at, matrix[i * count + column], count);
        pivot[column] = done++;
    }
    return count - done;
}

/* Elements at the present part, each port a column. */
static int32_t list_columns(rings *r) {
    int32_t count = 0;
    for (int32_t k = 0; k < r->count; k++) {
        int32_t place = r->notes->places[k];
        for (int32_t i = r->structure->place_start[place]; i < r->structure->place_start[place + 1]; i++) {
            int32_t slot = r->structure->place_links[i] ^ 1;
            if (causal_place(r->structure, slot) != HBG_NONE) continue;
            r->notes->column_of[slot >> 1] = count;
            r->notes->columns[count++] = slot;
        }
    }
    return count;
}

/* Adds the reads of an unknown, times `weight`, to columns of elements and to unknowns that come before
 * it. */
static void spread_unknown(rings *r, int32_t unknown, uint64_t weight, uint64_t *row, uint64_t *weights) {
    int32_t at = r->structure->place_start[unknown >> 1];
    for (int32_t slot; (slot = next_read(r, unknown, &at)) != HBG_NONE;) {
        if (causal_place(r->structure, slot ^ 1) == HBG_NONE) {
            add_to(&row[r->notes->column_of[slot >> 1]], weight, factor_at(r, slot));
            continue;
        }
        int32_t read = given_at(r, slot ^ 1);
        if (r->notes->waits[read] == HBG_NONE) add_to(&weights[read], weight, factor_at(r, slot));
    }
}

/* The coefficients of elements in a combination, whose column in the matrix has no pivot. */
static void make_row(rings *r, const uint64_t *matrix, const int32_t *pivot, int32_t free, uint64_t *row) {
    uint64_t *weights = r->notes->weights;
    for (int32_t i = 0; i < r->left; i++) {
        uint64_t weight = i == free ? 1 : 0;
        if (pivot[i] != HBG_NONE) weight = hbg_base_modular_negate(matrix[pivot[i] * r->left + free]);
        if (weight != 0) spread_unknown(r, r->notes->left[i], weight, row, weights);
    }
    for (int32_t k = r->sorted - 1; k >= 0; k--) {
        uint64_t weight = weights[r->notes->order[k]];
        weights[r->notes->order[k]] = 0;
        if (weight != 0) spread_unknown(r, r->notes->order[k], weight, row, weights);
    }
}

/* ---- elements that give way ---------------------------------------------------------------------------- */

/* The cost of an element taking the variable that it gave: 0 for a resistor, the worth of a storage; a
 * dependent storage gains its worth. */
static int64_t cost_of(const rings *r, int32_t slot) {
    const hbg_causal_end *end = &r->structure->links[slot >> 1].end[slot & 1];
    if (end->demand == HBG_DEMAND_MUST || r->assignment->rigid[slot >> 1]) return INT64_MAX;
    if (end->demand != HBG_DEMAND_PREFER) return 0;
    int64_t worth = (int64_t)causal_worth(r->structure, slot >> 1) - INT32_MIN + 1;
    return r->assignment->mark[slot] == end->wants_effort ? worth : -worth;
}

/* The cheapest column of rows from the first on; the result is its row, or HBG_NONE. */
static int32_t cheapest(const rings *r, const uint64_t *rows, int32_t first, int32_t count, int32_t width,
                        int32_t *column) {
    int64_t best = INT64_MAX;
    int32_t found = HBG_NONE;
    for (int32_t k = 0; k < width; k++) {
        int64_t cost = cost_of(r, r->notes->columns[k]);
        if (cost >= best) continue;
        for (int32_t i = first; i < count; i++) {
            if (rows[i * width + k] == 0) continue;
            best = cost;
            found = i;
            *column = k;
            break;
        }
    }
    return found;
}

/* Chooses as many elements as there are combinations, the cheapest set of independent columns; they come
 * first in `columns`. False: only sources could give way. */
static bool choose(rings *r, uint64_t *rows, int32_t count, int32_t width, int32_t *chosen) {
    for (int32_t done = 0; done < count; done++) {
        int32_t column = 0, row = cheapest(r, rows, done, count, width, &column);
        if (row == HBG_NONE) return false;
        for (int32_t k = 0; k < width && row != done; k++) {
            uint64_t other = rows[done * width + k];
            rows[done * width + k] = rows[row * width + k];
            rows[row * width + k] = other;
        }
        uint64_t inverse = hbg_base_modular_invert(rows[done * width + column]);
        for (int32_t i = done + 1; i < count; i++) {
            uint64_t factor = hbg_base_modular_multiply(rows[i * width + column], inverse);
            if (factor != 0) subtract_row(rows + i * width, rows + done * width, factor, width);
        }
        chosen[done] = r->notes->columns[column];
    }
    return true;
}

/* Elements keep their causality from here on; bonds between junctions are flipped where needed. */
static void turn(rings *r, const int32_t *chosen, int32_t count, int32_t width) {
    hbg_causal_assignment *assignment = r->assignment;
    r->notes->has_turned = true;
    for (int32_t i = 0; i < count; i++) hbg_causal_set(assignment, chosen[i], !assignment->mark[chosen[i]]);
    for (int32_t k = 0; k < width; k++) assignment->rigid[r->notes->columns[k] >> 1] = true;
    for (int32_t k = 0; k < r->count; k++)
        if (assignment->count[r->notes->places[k]] > 1)
            hbg_causal_alternate(assignment, r->notes->places[k], GAIN_DEFICIT);
    for (int32_t k = 0; k < r->count; k++)
        if (assignment->count[r->notes->places[k]] == 0)
            hbg_causal_alternate(assignment, r->notes->places[k], GAIN_LOSS);
    for (int32_t k = 0; k < width; k++) assignment->rigid[r->notes->columns[k] >> 1] = false;
}

static void solve(rings *r) {
    uint64_t *matrix = make_matrix(r);
    int32_t *pivot = r->notes->pivot, found = 0;
    int32_t count = eliminate(matrix, r->left, pivot);
    if (count == 0) return;
    int32_t width = list_columns(r);
    uint64_t *rows =
        room(&r->notes->rows, &r->notes->rows_room, (size_t)count * (size_t)width + 1, r->assignment->arena);
    for (int32_t i = 0; i < r->left; i++)
        if (pivot[i] == HBG_NONE) make_row(r, matrix, pivot, i, rows + width * found++);
    if (choose(r, rows, count, width, pivot)) turn(r, pivot, count, width);
}

/* Goes in the order of the region, so that the marks of a local mode do not depend on which place was touched
 * first. */
static void solve_region(rings *r, int32_t *met) {
    const hbg_causal_structure *structure = r->structure;
    for (int32_t k = structure->region_start[r->region]; k < structure->region_start[r->region + 1]; k++) {
        int32_t place = structure->region_places[k];
        if (r->notes->met[place] || !has_unknowns(r, place)) continue;
        r->notes->places = r->notes->all_places + *met;
        collect(r, place);
        *met += r->count;
        leave_out_upstream(r);
        leave_out_downstream(r);
        if (r->left > 0 && r->left <= LARGEST) solve(r);
    }
}

void hbg_causal_solve_rings(hbg_causal_assignment *assignment) {
    rings r = {.assignment = assignment, .structure = assignment->structure, .notes = &assignment->rings};
    int32_t touched = assignment->touched.count, met = 0;
    for (int32_t i = 0; i < touched; i++) {
        int32_t place = assignment->touched.items[i];
        r.region = r.structure->place_region[place];
        if (!r.structure->place_in_ring[place] || causal_is_settled(assignment, place)) continue;
        if (!r.notes->met[place] && has_unknowns(&r, place)) solve_region(&r, &met);
    }
    while (met > 0) r.notes->met[r.notes->all_places[--met]] = false;
}

/* ---- finding rings ------------------------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
}

/* Finds parts with more links than a tree. */
void hbg_causal_find_rings(hbg_arena *arena, hbg_causal_structure *structure) {
    int32_t *parent = HBG_NEW_ARRAY(arena, int32_t, structure->place_count + 1);
    int32_t *more = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1), count = 0;
    bool *closes = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    structure->place_in_ring = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    for (int32_t i = 0; i < structure->place_count; i++) parent[i] = i;
    for (int32_t link = 0; link < structure->link_count; link++) {
        int32_t a = causal_place(structure, 2 * link), b = causal_place(structure, 2 * link + 1);
        if (a == HBG_NONE || b == HBG_NONE) continue;
        if (root_of(parent, a) == root_of(parent, b))
            more[count++] = a;
        else
            parent[root_of(parent, a)] = root_of(parent, b);
    }
    while (count > 0) closes[root_of(parent, more[--count])] = true;
    structure->place_part = parent;
    for (int32_t i = 0; i < structure->place_count; i++) {
        parent[i] = root_of(parent, i);
        structure->place_in_ring[i] = closes[parent[i]];
    }
}

void hbg_causal_begin_rings(hbg_arena *arena, hbg_causal_assignment *assignment) {
    size_t places = (size_t)assignment->structure->place_count + 1;
    size_t links = (size_t)assignment->structure->link_count + 1;
    bool any = false;
    for (size_t i = 0; i + 1 < places; i++) any |= assignment->structure->place_in_ring[i];
    if (!any) places = links = 1;
    assignment->rings = (causal_rings){
        .met = HBG_NEW_ARRAY(arena, bool, places),
        .all_places = HBG_NEW_ARRAY(arena, int32_t, places),
        .waits = HBG_NEW_ARRAY(arena, int32_t, 2 * places),
        .order = HBG_NEW_ARRAY(arena, int32_t, 2 * places),
        .left = HBG_NEW_ARRAY(arena, int32_t, 2 * places),
        .pivot = HBG_NEW_ARRAY(arena, int32_t, 2 * places),
        .weights = HBG_NEW_ARRAY(arena, uint64_t, 2 * places),
        .columns = HBG_NEW_ARRAY(arena, int32_t, 2 * links),
        .column_of = HBG_NEW_ARRAY(arena, int32_t, links),
        .is_needed = any,
    };
}
