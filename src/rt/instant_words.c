/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Transitions taken at an instant, with the values that decided them. The values do not last, so they are
 * noted as transitions are taken; text is made of them only on request. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

enum { BY_FAR, BY_AREA, BY_POLE, BY_VALUE };

/* The comparison that is true where this one is false. */
static int opposite(int op) {
    switch (op) {
    case HBG_OP_LESS: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER;
    case HBG_OP_GREATER: return HBG_OP_LESS_EQUAL;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS;
    case HBG_OP_EQUAL: return HBG_OP_NOT_EQUAL;
    default: return HBG_OP_EQUAL;
    }
}

/* ---- notes -------------------------------------------------------------------------------------------- */

/* How a relation was decided: by areas only if they differ by more than their band. */
static hbg_rt_taken_decision decision_of(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    const hbg_rt_relation *of = &run->image->instants.guards.relations[relation];
    const hbg_rt_comparison *compared = &run->image->instants.values.comparisons[of->comparison];
    instant_value a = hbg_rt_side_at(run, compared, false), b = hbg_rt_side_at(run, compared, true);
    bool holds = hbg_rt_bits(at->judged.j[of->truth]) & HBG_RT_TRUE;
    hbg_rt_taken_decision made = {.left = a.fin, .right = b.fin, .kind = BY_VALUE};
    int order = 0;
    made.op = (uint8_t)(holds ? of->op : opposite(of->op));
    if (hbg_rt_far_order(a, b, &order) != 0) {
        made.kind = BY_FAR;
        made.order = (uint8_t)order;
        made.left = a.far[order];
        made.right = b.far[order];
    } else if (fabs(a.area - b.area) > HBG_RT_BAND * at->area_band[relation]) {
        made.kind = BY_AREA;
        made.left = a.area;
        made.right = b.area;
    } else if (isinf(a.fin - b.fin)) { // just at a pole
        made.kind = BY_POLE;
    }
    made.equal = fabs(a.fin - b.fin) <= HBG_RT_BAND * at->fin_band[relation];
    return made;
}

/* Notes a transition taken, with what decided it. Entries beyond the room for words are dropped. */
void hbg_rt_note_taken(hbg_rt_instance *run, int32_t automaton, int32_t from, int32_t to,
                       int32_t transition) {
    const hbg_rt_guards *guards = &run->image->instants.guards;
    instant_data *at = &run->at;
    hbg_rt_taken_list *taken = &at->words.taken;
    if (taken->count == HBG_RT_MOST_TAKEN) return;
    hbg_rt_taken_transition *made = &taken->moves[taken->count++];
    *made = (hbg_rt_taken_transition){automaton, from, to, 0};
    if (transition == HBG_RT_NONE) return;
    const hbg_rt_guard *guard = &guards->guards[transition];
    const hbg_rt_enabling *own = &guards->enablings[guard->relations.first];
    for (int32_t i = 0; i < guard->relations.count; i++)
        at->judged.decided[guards->relations[own[i].relation].truth] = false;
    if (guard->condition != HBG_RT_NONE) hbg_rt_find_decided(run, guard->condition);
    for (int32_t i = 0; i < guard->relations.count && taken->decision_count < HBG_RT_MOST_DECIDED; i++) {
        int32_t truth = guards->relations[own[i].relation].truth;
        if (at->judged.known[truth] != at->judged.stamp || !at->judged.decided[truth]) continue;
        taken->decided[taken->decision_count++] = decision_of(run, own[i].relation);
        made->decisions++;
    }
}

void hbg_rt_copy_taken(hbg_rt_taken_list *to, const hbg_rt_taken_list *from) {
    to->count = from->count;
    to->decision_count = from->decision_count;
    memcpy(to->moves, from->moves, (size_t)from->count * sizeof *from->moves);
    memcpy(to->decided, from->decided, (size_t)from->decision_count * sizeof *from->decided);
}

bool hbg_rt_take_move(hbg_rt_instance *run, hbg_rt_taken_list *taken) {
    if (!run->by_hand) hbg_rt_copy_taken(taken, &run->at.words.taken);
    return !run->by_hand;
}

bool hbg_rt_keep_move(hbg_rt_instance *run, int32_t place) {
    return hbg_rt_take_move(run, &run->at.words.kept[place]);
}

/* ---- words -------------------------------------------------------------------------------------------- */

/* The number of digits that distinguishes the two, at least 6. */
static int figures(double a, double b) {
    char one[32], other[32];
    int count = 5;
    if (a == b || fabs(a - b) > 1e-5 * fmax(fabs(a), fabs(b))) return 6; // exact: weight of the sixth digit
    do {
        count++;
        snprintf(one, sizeof one, "%.*g", count, a);
        snprintf(other, sizeof other, "%.*g", count, b);
    } while (count < 17 && strcmp(one, other) == 0);
    return count;
}

/* Finite parts within their band are printed as equal, since differences left by rounding would only confuse;
 * a strict relation holds there if it was crossed. */
static int say_decision(const hbg_rt_taken_decision *of, char *text, size_t size) {
    static const char *const parts[] = {"unbounded", "rates of unbounded", "second rates of unbounded"};
    const char *sign = hbg_rt_operator_text((hbg_operator)of->op);
    double a = of->left, b = of->right;
    if (of->kind == BY_FAR)
        return snprintf(text, size, " (%s %.6g %s %.6g)", parts[of->order], a + 0.0, sign, b + 0.0);
    if (of->kind == BY_POLE) return snprintf(text, size, " (through infinity)");
    bool strict = of->op == HBG_OP_LESS || of->op == HBG_OP_GREATER || of->op == HBG_OP_NOT_EQUAL;
    bool equal = of->kind == BY_VALUE && of->equal;
    if (equal) a = b;
    int digits = figures(a, b);
    return snprintf(text, size, " (%s%.*g %s %.*g%s)", of->kind == BY_AREA ? "pulses " : "", digits, a + 0.0,
                    sign, digits, b + 0.0, equal && strict ? ", crossed here" : "");
}

static size_t added(int used, size_t left) {
    return used <= 0 ? 0 : (size_t)used < left ? (size_t)used : left - 1;
}

/* Writes the first `end` transitions of a list into HBG_RT_TAKEN characters; returns where the text of number
 * `from` begins. */
static size_t say_all(const hbg_rt_instance *run, const hbg_rt_taken_list *list, int32_t from, int32_t end,
                      char *text) {
    size_t used = 0, begin = 0;
    const hbg_rt_taken_decision *decision = list->decided;
    text[0] = 0;
    for (int32_t i = 0; i < end; i++) {
        const hbg_rt_taken_transition *at = &list->moves[i];
        const hbg_rt_automaton *of = &run->system->automata[at->automaton];
        if (i == from) begin = used;
        used += added(snprintf(text + used, HBG_RT_TAKEN - used, "%s`%s` %s -> %s", used ? "; " : "",
                               of->name, of->states[at->from], of->states[at->to]),
                      HBG_RT_TAKEN - used);
        for (int32_t k = 0; k < at->decisions; k++)
            used += added(say_decision(decision++, text + used, HBG_RT_TAKEN - used), HBG_RT_TAKEN - used);
    }
    return end > from ? begin : used;
}

/* Each group has a part of the words, in the order of judging. */
void hbg_rt_describe_move(hbg_rt_instance *run, int32_t group, char *text, size_t size) {
    char all[HBG_RT_TAKEN];
    if (run->by_hand) {
        hbg_rt_hand_describe_move(run, group, text, size);
        return;
    }
    const hbg_rt_taken_list *taken = &run->at.words.taken;
    hbg_rt_range part = {0, taken->count};
    if (group >= 0) part = run->at.words.told[group];
    assert(part.first >= 0 && part.count >= 0 && part.first + part.count <= taken->count);
    size_t begin = say_all(run, taken, part.first, part.first + part.count, all);
    if (strlen(all + begin) > 2 && strncmp(all + begin, "; ", 2) == 0) begin += 2;
    snprintf(text, size, "%s", all + begin);
}

void hbg_rt_describe_taken(const hbg_rt_instance *run, const hbg_rt_taken_list *taken, char *text,
                           size_t size) {
    char all[HBG_RT_TAKEN];
    (void)say_all(run, taken, 0, taken->count, all);
    snprintf(text, size, "%s", all);
}

void hbg_rt_describe_kept(hbg_rt_instance *run, int32_t place, char *text, size_t size) {
    if (!run->by_hand) hbg_rt_describe_taken(run, &run->at.words.kept[place], text, size);
}
