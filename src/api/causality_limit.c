/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What to report about a mode that has equations only with the ideal junction as a limit (semantics, section
 * 3a): sources are in conflict in it, or parts of it float. */
#include "api/mode_impl.h"

enum { TOLD = 12 }; /* bonds that words tell */

/* Bonds with one of these marks, in scratch memory. */
static hbg_causal_conflict_set marked(hbg_session *session, const hbg_model *model,
                                      const hbg_eqn_mode_limit *limit, int marks) {
    hbg_causal_conflict_set set = {HBG_NEW_ARRAY(&session->scratch, int32_t, model->bonds.count + 1), 0};
    for (int32_t i = 0; limit->bonds && i < model->bonds.count; i++)
        if (limit->bonds[i] & marks) set.bonds[set.count++] = i;
    return set;
}

/* Adds a list for programs, and a line with the first few for people; adds nothing if the list is empty. */
static void put_bonds(hbg_api_report *report, const hbg_model *model, const hbg_eqn_mode_limit *limit,
                      int marks, const char *key, const char *words) {
    hbg_causal_conflict_set set = marked(report->session, model, limit, marks);
    if (set.count == 0) return;
    hbg_api_report *list = hbg_api_list(report, key);
    hbg_api_say(list, "    %s: ", words);
    for (int32_t i = 0; i < set.count; i++) {
        const char *name =
            hbg_api_text_path(report->session, model, (hbg_object){HBG_OBJECT_BOND, set.bonds[i]});
        hbg_api_text(list, NULL, name);
        if (i < TOLD) hbg_api_say(list, "%s%s", i == 0 ? "" : ", ", name);
    }
    hbg_api_say(list, set.count > TOLD ? " and %d more\n" : "\n", set.count - TOLD);
}

void hbg_api_mode_put_limit(hbg_api_report *report, const hbg_model *model, const hbg_eqn_mode_limit *limit,
                            const char *about) {
    if (limit->kind != HBG_EQN_MODE_CONTESTED && limit->kind != HBG_EQN_MODE_FLOATS) return;
    bool contested = limit->kind == HBG_EQN_MODE_CONTESTED;
    hbg_api_text(report, "limit", contested ? "mythical only" : "floats");
    hbg_api_say(report, "%s %s\n", about,
                contested ? "is mythical only, unless its sources agree: a search passes through it"
                          : "has parts that float or share: equal parasites decide there");
    put_bonds(report, model, limit, HBG_EQN_UNBOUNDED_FLOW, "loop", "sources are short-circuited around");
    put_bonds(report, model, limit, HBG_EQN_UNBOUNDED_EFFORT, "cut_set", "a flow has nowhere to go across");
    put_bonds(report, model, limit, HBG_EQN_BY_PARASITES, "by_parasites", "parasites decide at");
}
