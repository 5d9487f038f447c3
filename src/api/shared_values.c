/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Warns of guards and outputs whose value only the ratio of parasites decides (semantics, section 3a). */
#include "api/mode_impl.h"

/* The states of the automata that matter. */
static const char *mode_text(hbg_session *session, const hbg_model *model, const int32_t *states) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    for (int32_t i = 0; i < model->automata.count; i++) {
        if (states[i] == HBG_NONE) continue;
        hbg_name state = model->states.items[model->automata.items[i].first_state + states[i]].name;
        hbg_base_buffer_print(&text, "%s%s=%s", text.size ? "," : "",
                              hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_AUTOMATON, i}),
                              hbg_base_names_get(model->names, state));
    }
    return text.data;
}

void hbg_api_mode_tell_shared(hbg_session *session, const hbg_model *model, const hbg_eqn_shared_list *list) {
    for (int32_t i = 0; i < list->count; i++) {
        const hbg_eqn_shared *one = &list->items[i];
        bool guard = one->transition != HBG_NONE;
        bool named = !guard && one->signal != HBG_NONE;
        hbg_span span =
            guard ? model->transitions.items[one->transition].span : model->exprs.items[one->output].span;
        hbg_object object = guard ? (hbg_object){HBG_OBJECT_AUTOMATON, one->automaton}
                                  : (hbg_object){HBG_OBJECT_SIGNAL, one->signal};
        hbg_diagnostic *report = hbg_base_report(
            &session->diagnostics, HBG_W_SHARED, span,
            "only the ratio of parasites decides %s `%s` in mode %s: ideal switches float or share there",
            guard ? "a guard of" : "the output",
            guard || named ? hbg_api_text_path(session, model, object)
                           : hbg_api_text_expr(session, model, one->output),
            mode_text(session, model, one->states));
        hbg_base_report_fix(&session->diagnostics, report,
                            "add what decides it in the real system: the resistance of a closed switch, the "
                            "leak of an open one");
    }
}
