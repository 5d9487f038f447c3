/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality over all modes that can exist: is every one of them valid, and which storages are dependent in some. The
 * answers come from src/verify, without walking the modes. */
#include "api/mode_impl.h"
#include "verify/verify.h"

typedef struct {
    int32_t element, port;
    hbg_verify_result result;
} storage_answer;

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    bool integral; /* derivative causality is refused */
    hbg_verify_result validity;
    hbg_causal_conflict_set conflict; /* of the witness */
    hbg_verify_result regular;        /* whether every mode is valid as it is, not as a limit only */
    hbg_eqn_mode_limit limit;         /* of the witness of that */
    HBG_VEC(storage_answer) storages; /* not proved independent */
    int32_t independent;              /* ports of storages that no mode makes dependent */
    bool some_fixed_derivative;       /* a storage is dependent in every mode, perhaps in place of another */
} all_modes;

/* ---- asking ---------------------------------------------------------------------------------------------- */

/* A storage whose bond is in fixed causality needs no search: it is the same in all modes. */
static bool ask_fixed(all_modes *all, const hbg_causal_structure *structure, int32_t element, int32_t port,
                      hbg_verify_result *result) {
    const hbg_model *model = all->model;
    int32_t link = structure->bond_link[model->incidence[model->incidence_start[element] + port - 1]];
    if (link == HBG_NONE || structure->link_fixed[link] == HBG_NONE) return false;
    const hbg_causal_end *end = structure->links[link].end;
    int at = end[0].element == element && end[0].port == port ? 0 : 1;
    bool integral =
        hbg_causal_arrives(&structure->links[link], at, structure->link_fixed[link]) == end[at].wants_effort;
    if (integral && all->some_fixed_derivative) return false; // another choice may leave this one independent
    *result = (hbg_verify_result){.verdict = integral ? HBG_VERDICT_PROVED : HBG_VERDICT_WITNESS};
    if (integral) return true;
    result->states = HBG_NEW_ARRAY(&all->session->scratch, int32_t, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) result->states[i] = model->automata.items[i].start;
    return true;
}

/* Where causality is fixed and a storage derivative, the choice of the storage may have been free. */
static bool has_fixed_derivative(const hbg_causal_structure *structure) {
    for (int32_t i = 0; i < structure->link_count; i++)
        for (int at = 0; at < 2; at++) {
            const hbg_causal_link *link = &structure->links[i];
            if (link->end[at].demand != HBG_DEMAND_PREFER || structure->link_fixed[i] == HBG_NONE) continue;
            if (hbg_causal_arrives(link, at, structure->link_fixed[i]) != link->end[at].wants_effort)
                return true;
        }
    return false;
}

static void ask_storages(all_modes *all, hbg_verify_modes *modes, const hbg_causal_structure *structure) {
    all->some_fixed_derivative = has_fixed_derivative(structure);
    for (int32_t i = 0; i < all->model->elements.count; i++) {
        const hbg_element *element = &all->model->elements.items[i];
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        for (int32_t port = 1; storage && port <= element->ports; port++) {
            storage_answer answer = {.element = i, .port = port};
            if (!ask_fixed(all, structure, i, port, &answer.result))
                answer.result = hbg_verify_dependence(modes, i, port);
            if (answer.result.verdict == HBG_VERDICT_PROVED)
                all->independent++;
            else
                HBG_PUSH(&all->session->scratch, all->storages, answer);
        }
    }
}

/* The bonds that contradict each other in a witness. */
static void find_conflict(all_modes *all, bool integral) {
    hbg_arena *arena = &all->session->scratch;
    hbg_causal_options options = {.integral = integral};
    hbg_causal_structure *structure = hbg_causal_structure_new(arena, all->model, &options);
    bool *on = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    hbg_causal_mode(arena, structure, all->validity.states, on);
    all->conflict = hbg_causal_conflict(arena, structure, on);
}

/* A mode has an assignment in integral causality alone if it is valid and makes no storage dependent. */
static void require_integral(all_modes *all) {
    for (int32_t i = 0; i < all->storages.count && all->validity.verdict != HBG_VERDICT_WITNESS; i++)
        all->validity = all->storages.items[i].result;
}

/* First whether every mode is valid by itself. If one is not, whether all of them are valid as limits
 * (semantics, section 3a). */
static void ask_validity(all_modes *all, hbg_verify_modes *modes, hbg_eqn *eqn, bool integral) {
    all->validity = all->regular = hbg_verify_causality(modes);
    if (integral || all->regular.verdict != HBG_VERDICT_WITNESS) return;
    all->limit = hbg_eqn_judge_mode(eqn, &all->session->scratch, all->regular.states);
    if (all->limit.kind == HBG_EQN_MODE_NONE) return;
    hbg_verify_modes_as_limits(modes, eqn);
    all->validity = hbg_verify_causality(modes);
}

static void ask(void *context, hbg_eqn *eqn) {
    all_modes *all = context;
    hbg_session *session = all->session;
    hbg_verify_options limits = hbg_verify_options_default();
    const hbg_causal_structure *structure = hbg_eqn_exact_structure(eqn);
    hbg_verify_modes *modes = hbg_verify_modes_new(&session->scratch, session->prover, structure, &limits);
    ask_storages(all, modes, structure);
    ask_validity(all, modes, eqn, all->integral);
    if (all->integral) require_integral(all);
    if (all->validity.verdict == HBG_VERDICT_WITNESS) find_conflict(all, all->integral);
}

static const char *storage_name(all_modes *all, const storage_answer *answer) {
    return hbg_api_mode_port_text(all->session, all->model, answer->element, answer->port);
}

/* ---- the report ------------------------------------------------------------------------------------------ */

/* A model without automata has a mode too, but no name for it. */
static const char *mode_name(all_modes *all, const int32_t *states) {
    const char *mode = hbg_api_mode_text(all->session, all->model, states);
    return mode[0] ? hbg_base_arena_print(&all->session->scratch, "mode %s", mode) : "the only mode";
}

static void put_result(all_modes *all, hbg_api_report *object, const hbg_verify_result *result) {
    if (result->verdict == HBG_VERDICT_WITNESS)
        hbg_api_text(object, "mode", hbg_api_mode_text(all->session, all->model, result->states));
    if (result->reason) hbg_api_text(object, "reason", result->reason);
}

static void put_validity(all_modes *all, hbg_api_report *report) {
    const hbg_verify_result *result = &all->validity;
    hbg_api_text(report, "verdict", hbg_answer_text(result->verdict));
    put_result(all, report, result);
    bool passed = all->regular.verdict == HBG_VERDICT_WITNESS; // some mode is valid as a limit only
    if (result->verdict == HBG_VERDICT_PROVED)
        hbg_api_say(report, "  every mode that can exist has a valid causal assignment%s: proved\n",
                    passed ? ", if only as a limit" : "");
    else if (result->verdict == HBG_VERDICT_UNDECIDED)
        hbg_api_say(report, "  not decided whether every mode has a valid causal assignment: %s\n",
                    result->reason);
    else
        hbg_api_say(report, "  %s has no valid causal assignment; %s:\n", mode_name(all, result->states),
                    hbg_api_mode_conflict_words(&all->conflict));
    hbg_api_mode_put_conflict(report, all->model, &all->conflict);
    if (!passed || all->integral || all->limit.kind == HBG_EQN_MODE_NONE) return;
    hbg_api_report *limit = hbg_api_object(report, "as_limit");
    put_result(all, limit, &all->regular);
    hbg_api_mode_put_limit(
        limit, all->model, &all->limit,
        hbg_base_arena_print(&all->session->scratch, "  %s", mode_name(all, all->regular.states)));
}

static void put_storages(all_modes *all, hbg_api_report *report) {
    hbg_api_say(report, "  storages that no mode makes dependent: %d of %d\n", all->independent,
                all->independent + all->storages.count);
    hbg_api_report *dependent = hbg_api_list(report, "dependent");
    for (int32_t i = 0; i < all->storages.count; i++) {
        const hbg_verify_result *result = &all->storages.items[i].result;
        const char *name = storage_name(all, &all->storages.items[i]);
        hbg_api_report *entry = hbg_api_object(dependent, NULL);
        hbg_api_text(entry, "storage", name);
        put_result(all, entry, result);
        if (result->verdict == HBG_VERDICT_WITNESS)
            hbg_api_say(entry, "    %s is dependent in %s\n", name, mode_name(all, result->states));
        else
            hbg_api_say(entry, "    %s: not decided: %s\n", name, result->reason);
    }
}

static hbg_api_report *report_of(all_modes *all) {
    hbg_api_report *report = hbg_api_report_new(all->session);
    hbg_api_text(report, "model", hbg_model_title(all->model));
    hbg_api_say(report, "%s in all modes\n\n", hbg_model_title(all->model));
    put_validity(all, report);
    if (!all->integral) put_storages(all, report);
    return report;
}

/* ---- the door -------------------------------------------------------------------------------------------- */

hbg_status hbg_causality_all(hbg_session *session, const hbg_model *model,
                             const hbg_causality_all_options *options, hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_ENTER(session);
    all_modes all = {.session = session, .model = model, .integral = options->integral};
    if (!session->prover) session->prover = hbg_verify_prover_new(&session->memory);
    if (!session->prover) return hbg_api_session_leave(session, HBG_NO_MEMORY);
    hbg_eqn_ask_modes(&session->scratch, model, ask, &all);
    *answer = all.validity.verdict;
    hbg_status status = hbg_api_report_print(report_of(&all), options->json, text);
    return hbg_api_session_leave(session, status);
}
