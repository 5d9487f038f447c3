/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Discrete states that a search has visited, by group of automata: a group that returns to one of its states
 * diverges, whatever the others do. Moves are kept in a journal, and each state a group reaches as a sum of
 * hashes of its moves; if a sum occurs again the journal, read backwards, shows whether the state does. The
 * cost grows with the moves, not with the number of possible states.
 *
 * A full journal is replaced by the states at one pass, taken again after 1, 2, 4, … passes (R. P. Brent, "An
 * improved Monte Carlo factorization algorithm", BIT 20, 1980): a group that goes round a cycle meets them as
 * soon as they are farther apart than the length of the cycle, and a search through finitely many states that
 * does not end must contain one. */
#include <string.h>

#include "rt/rt_impl.h"

static int32_t group_of(const hbg_rt_visited *of, int32_t automaton) {
    return of->groups ? of->groups[automaton] : 0;
}

/* splitmix64 (S. Vigna): sums of such numbers are as good as random. */
static uint64_t mixed(int32_t automaton, int32_t state) {
    uint64_t z = ((uint64_t)(uint32_t)automaton << 32 | (uint32_t)state) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t moves_of(int32_t automata) {
    return 128 + 8 * (size_t)automata;
}

static size_t slots_of(int32_t automata) {
    size_t slots = 1;
    while (slots < 2 * moves_of(automata)) slots *= 2;
    return slots;
}

size_t hbg_rt_visited_scratch(int32_t automata) {
    size_t count = (size_t)automata + 1, moves = moves_of(automata);
    return count * sizeof(uint64_t) + moves * sizeof(hbg_rt_met) + moves * sizeof(hbg_rt_moved) +
           slots_of(automata) * sizeof(int32_t) + 2 * count * sizeof(int32_t) + count + sizeof(double);
}

void hbg_rt_visited_init(hbg_rt_visited *of, int32_t automata, void *scratch) {
    size_t count = (size_t)automata + 1;
    char *place = scratch;
    *of = (hbg_rt_visited){
        .automata = automata, .room = (int32_t)moves_of(automata), .mask = (uint32_t)slots_of(automata) - 1};
    of->sum = (uint64_t *)(void *)place;
    place += count * sizeof *of->sum;
    of->met = (hbg_rt_met *)(void *)place;
    place += (size_t)of->room * sizeof *of->met;
    of->moves = (hbg_rt_moved *)(void *)place;
    place += (size_t)of->room * sizeof *of->moves;
    of->slots = (int32_t *)(void *)place;
    place += ((size_t)of->mask + 1) * sizeof *of->slots;
    of->then = (int32_t *)(void *)place;
    of->kept = of->then + count;
    of->elsewhere = (bool *)(of->kept + count);
}

void hbg_rt_visited_begin(hbg_rt_visited *of, const int32_t *groups, bool start_counts) {
    memset(of->sum, 0, (size_t)of->automata * sizeof *of->sum);
    of->groups = groups;
    of->start_counts = start_counts;
    of->move_count = of->met_count = 0;
    of->length = of->power = 0;
}

/* Whether a group that has moved is in the state it had when the journal had this many moves. */
static bool is_where_it_was(const hbg_rt_visited *of, int32_t group, const int32_t *now, int32_t moves) {
    memcpy(of->then, now, (size_t)of->automata * sizeof *now);
    for (int32_t i = of->move_count - 1; i >= moves; i--)
        of->then[of->moves[i].automaton] = of->moves[i].from;
    for (int32_t i = 0; i < of->automata; i++)
        if (group_of(of, i) == group && of->then[i] != now[i]) return false;
    return true;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

enum { FEW = 32 }; /* are compared one by one: most searches are short */

static uint32_t slot_of(const hbg_rt_visited *of, const hbg_rt_met *state) {
    return (uint32_t)(state->sum ^ mixed(state->group, -1)) & of->mask;
}

static void put(hbg_rt_visited *of, int32_t number) {
    uint32_t slot = slot_of(of, &of->met[number]);
    while (of->slots[slot] != 0) slot = (slot + 1) & of->mask;
    of->slots[slot] = number + 1;
}

static void add(hbg_rt_visited *of, hbg_rt_met state) {
    of->met[of->met_count++] = state;
    if (of->met_count > FEW + 1) put(of, of->met_count - 1);
    if (of->met_count != FEW + 1) return;
    memset(of->slots, 0, ((size_t)of->mask + 1) * sizeof *of->slots);
    for (int32_t i = 0; i < of->met_count; i++) put(of, i);
}

static bool is_known(const hbg_rt_visited *of, const hbg_rt_met *state, const hbg_rt_met *other,
                     const int32_t *now) {
    return other->sum == state->sum && other->group == state->group &&
           is_where_it_was(of, state->group, now, other->moves);
}

static bool find(const hbg_rt_visited *of, const hbg_rt_met *state, const int32_t *now) {
    if (of->met_count <= FEW) {
        for (int32_t i = 0; i < of->met_count; i++)
            if (is_known(of, state, &of->met[i], now)) return true;
        return false;
    }
    for (uint32_t slot = slot_of(of, state); of->slots[slot] != 0; slot = (slot + 1) & of->mask)
        if (is_known(of, state, &of->met[of->slots[slot] - 1], now)) return true;
    return false;
}

/* Whether the state has been met; from then on it has. */
static bool meet(hbg_rt_visited *of, int32_t group, const int32_t *now) {
    hbg_rt_met state = {of->sum[group], group, of->move_count};
    if (state.sum == 0 && of->start_counts && is_where_it_was(of, group, now, 0)) return true;
    if (find(of, &state, now)) return true;
    add(of, state);
    return false;
}

/* ---- passes ------------------------------------------------------------------------------------------- */

static void note(bool *back, int32_t group, int32_t *first) {
    back[group] = true;
    if (*first < 0) *first = group;
}

/* Against the states kept: groups that have moved and are in them. */
static int32_t compare(const hbg_rt_visited *of, const int32_t *before, const int32_t *now, bool *back) {
    int32_t first = -1;
    memset(of->elsewhere, 0, (size_t)of->automata);
    for (int32_t i = 0; i < of->automata; i++)
        if (of->kept[i] != now[i]) of->elsewhere[group_of(of, i)] = true;
    for (int32_t i = 0; i < of->automata; i++)
        if (before[i] != now[i] && !of->elsewhere[group_of(of, i)]) note(back, group_of(of, i), &first);
    return first;
}

static int32_t go_on_without_journal(hbg_rt_visited *of, const int32_t *before, const int32_t *now,
                                     bool *back) {
    int32_t group = of->power > 0 ? compare(of, before, now, back) : -1;
    if (of->length++ == of->power) {
        memcpy(of->kept, now, (size_t)of->automata * sizeof *now);
        of->power = of->power > 0 ? 2 * of->power : 1;
        of->length = 0;
    }
    return group;
}

int32_t hbg_rt_visited_add(hbg_rt_visited *of, const int32_t *before, const int32_t *now, bool *back) {
    int32_t first = of->move_count, moved = 0, found = -1;
    memset(back, 0, (size_t)of->automata);
    for (int32_t i = 0; i < of->automata; i++) moved += before[i] != now[i];
    if (of->power > 0 || moved > of->room - of->move_count || moved > of->room - of->met_count)
        return go_on_without_journal(of, before, now, back);
    for (int32_t i = 0; i < of->automata; i++) {
        if (before[i] == now[i]) continue;
        of->moves[of->move_count++] = (hbg_rt_moved){i, before[i]};
        of->sum[group_of(of, i)] += mixed(i, now[i]) - mixed(i, before[i]);
    }
    bool *asked = of->elsewhere;
    memset(asked, 0, (size_t)of->automata);
    for (int32_t i = first; i < of->move_count; i++) {
        int32_t group = group_of(of, of->moves[i].automaton);
        if (!asked[group] && meet(of, group, now)) note(back, group, &found);
        asked[group] = true;
    }
    return found;
}

/* Another initial sum makes all earlier states different. */
void hbg_rt_visited_forget(hbg_rt_visited *of, int32_t group, const int32_t *now) {
    of->sum[group] += mixed(group, -2);
    for (int32_t i = 0; i < of->automata; i++)
        if (group_of(of, i) == group) of->kept[i] = now[i];
    if (of->power == 0 && of->met_count < of->room)
        add(of, (hbg_rt_met){of->sum[group], group, of->move_count});
}
