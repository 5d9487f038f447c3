/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An assignment as literals: for every link whether it determines the place at its end. Off junctions and
 * places that are zero (modes_part.c) settle the marks of the links around them; so do sources, and links in
 * fixed causality. The rest is open. */
#include "verify/verify_impl.h"

int32_t hbg_verify_open_mark(hbg_verify_modes *modes, int32_t slot) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t link = slot >> 1;
    if (modes->draft.mark[link] == 0) {
        modes->draft.mark[link] = hbg_verify_variable(&modes->clauses);
        HBG_PUSH(modes->arena, modes->draft.marks_made, link);
    }
    bool is_first = (slot & 1) == 0 || verify_place(structure, slot ^ 1) == HBG_NONE;
    return is_first || verify_determines_both(structure, link) ? modes->draft.mark[link]
                                                               : -modes->draft.mark[link];
}

void hbg_verify_forget_marks(hbg_verify_modes *modes) {
    while (modes->draft.marks_made.count > 0)
        modes->draft.mark[modes->draft.marks_made.items[--modes->draft.marks_made.count]] = 0;
}

/* A held link keeps its mark while both its ends are on; next to an off junction it does not determine, else
 * the place would be zero. */
static int32_t held_mark(hbg_verify_modes *modes, int32_t slot) {
    bool is_first = (slot & 1) == 0 || verify_determines_both(modes->structure, slot >> 1);
    bool mark = is_first ? modes->draft.held[slot >> 1] : !modes->draft.held[slot >> 1];
    return mark ? hbg_verify_on(modes, verify_place(modes->structure, slot ^ 1)) : LITERAL_FALSE;
}

int32_t hbg_verify_mark(hbg_verify_modes *modes, int32_t slot) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t link = slot >> 1;
    const hbg_causal_end *far = &structure->links[link].end[1 - (slot & 1)];
    if (far->place == HBG_NONE && far->demand == HBG_DEMAND_MUST)
        return verify_wanted(structure, slot) ? LITERAL_TRUE : LITERAL_FALSE;
    if (verify_is_certain(modes, link))
        return verify_mark_of_value(structure, slot, structure->link_fixed[link]) ? LITERAL_TRUE
                                                                                  : LITERAL_FALSE;
    if (far->place == HBG_NONE) return 0;
    return modes->draft.held[link] == HBG_NONE ? hbg_verify_open_mark(modes, slot) : held_mark(modes, slot);
}

void hbg_verify_add_step(hbg_verify_modes *modes, int32_t slot, int32_t mark) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t here = verify_place(structure, slot), there = verify_place(structure, slot ^ 1);
    if (there == HBG_NONE || verify_is_certain(modes, slot >> 1) || modes->draft.held[slot >> 1] != HBG_NONE)
        return;
    bool both = verify_determines_both(structure, slot >> 1);
    int32_t on = hbg_verify_on(modes, there), zero = hbg_verify_zero(modes, there);
    // what stands still next to it
    VERIFY_CLAUSE(clauses, -modes->draft.active[here], on, -mark);
    VERIFY_CLAUSE(clauses, -modes->draft.active[here], -zero, both ? -mark : mark);
    // turning the link over upsets the place at the other end
    VERIFY_CLAUSE(clauses, -modes->draft.more[here], mark, -on, zero,
                  both ? modes->draft.less[there] : modes->draft.more[there]);
    VERIFY_CLAUSE(clauses, -modes->draft.less[here], -mark, -on, zero,
                  both ? modes->draft.more[there] : modes->draft.less[there]);
}

int32_t hbg_verify_contradicts_zero(hbg_verify_modes *modes, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t zero = hbg_verify_zero(modes, place), any = LITERAL_FALSE;
    if (zero == LITERAL_FALSE) return LITERAL_FALSE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = verify_place(structure, slot ^ 1);
        bool settled = there == HBG_NONE || verify_is_certain(modes, slot >> 1) ||
                       modes->draft.held[slot >> 1] != HBG_NONE;
        int32_t mark = settled ? hbg_verify_mark(modes, slot) : LITERAL_FALSE;
        if (mark == 0 || mark == LITERAL_FALSE) continue;
        // a second zero repeats the first
        int32_t repeats = there == HBG_NONE ? LITERAL_FALSE : hbg_verify_zero(modes, there);
        any = hbg_verify_or(clauses, any, hbg_verify_and(clauses, mark, -repeats));
    }
    return hbg_verify_and(clauses, zero, any);
}

verify_count hbg_verify_count(hbg_verify_modes *modes, int32_t single) {
    verify_clauses *clauses = &modes->clauses;
    verify_count count = {LITERAL_FALSE, LITERAL_FALSE};
    for (int32_t i = 0; i < modes->draft.determining.count; i++) {
        int32_t literal = modes->draft.determining.items[i];
        VERIFY_CLAUSE(clauses, -single, -literal, -count.any);
        count.two = hbg_verify_or(clauses, count.two, hbg_verify_and(clauses, literal, count.any));
        count.any = hbg_verify_or(clauses, count.any, literal);
    }
    return count;
}
