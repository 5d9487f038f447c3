/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Form paper of hbg_hypa: the composition of 003's constitutive processes, and whether it allows what hbg
 * does. */
#include <string.h>

#include "api/hypa_impl.h"

static bool is_word(const char *given, const char *word) {
    return given && strcmp(given, word) == 0;
}

static hbg_status refuse_word(hypa_work *work, const char *option, const char *given, const char *words) {
    return hbg_api_session_fail(work->session, HBG_BAD_ARGUMENT, "--%s is %s, and not `%s`", option, words,
                                given);
}

/* Whether some part has a bond of this name. */
static bool has_bond(const hypa_work *work, const char *name, size_t size) {
    for (int32_t i = 0; i < work->part_count; i++) {
        const hbg_process *of = &work->papers[i].process;
        for (int32_t k = 0; k < of->variables.count; k++) {
            const hbg_process_variable *at = &of->variables.items[k];
            bool bond = at->role == HBG_PROCESS_BOND && strlen(at->name) == size + 2;
            if (bond && strncmp(at->name, name, size) == 0) return true;
        }
    }
    return false;
}

/* Bonds to be kept must exist. */
static hbg_status check_kept(hypa_work *work, const char *keep) {
    if (!keep || is_word(keep, "all") || is_word(keep, "none")) return HBG_OK;
    for (const char *at = keep; at;) {
        size_t size = strcspn(at, ",");
        if (!has_bond(work, at, size))
            return hbg_api_session_fail(
                work->session, HBG_BAD_ARGUMENT,
                "--keep: there is no bond `%.*s`; a bond without a name is called as its element is",
                (int)size, at);
        at = at[size] ? at + size + 1 : NULL;
    }
    return HBG_OK;
}

hbg_status hbg_api_hypa_options(hypa_work *work) {
    static const char *const readings[] = {
#define X(id, word) word,
        HBG_PAPER_READING_LIST(X)
#undef X
    };
    const hbg_hypa_options *asked = work->asked;
    bool exact = is_word(asked->form, "exact");
    if (asked->form && !exact && !is_word(asked->form, "paper"))
        return refuse_word(work, "form", asked->form, "paper or exact");
    for (int i = 0; i < HBG_PAPER_READINGS; i++)
        if (is_word(asked->reading, readings[i])) work->request.reading = (hbg_paper_reading)i;
    if (asked->reading && !is_word(asked->reading, readings[work->request.reading]))
        return refuse_word(work, "reading", asked->reading, "settled, printed or loose");
    if (asked->only && !is_word(asked->only, "composition") && !is_word(asked->only, "linear"))
        return refuse_word(work, "only", asked->only, "composition or linear");
    if (exact && (asked->reading || asked->only || asked->keep))
        return hbg_api_session_fail(
            work->session, HBG_BAD_ARGUMENT,
            "--reading, --only and --keep are of form paper; form exact has one reading");
    work->request.composition_only = is_word(asked->only, "composition");
    work->request.keep = asked->keep;
    work->request.limit = asked->limit;
    return HBG_OK;
}

hbg_verify_options hbg_api_hypa_limits(const hypa_work *work) {
    hbg_verify_options limits = hbg_verify_options_default();
    limits.group_ms = work->timeout_ms > 0 ? work->timeout_ms : HBG_API_PART_MS;
    limits.timeout_ms = HBG_API_QUESTION_MS;
    limits.bare = true;
    return limits;
}

/* ---- the composition -------------------------------------------------------------------------------------- */

hbg_status hbg_api_hypa_paper(hypa_work *work, hbg_text *text) {
    hbg_session *session = work->session;
    hbg_verify_options limits = hbg_api_hypa_limits(work);
    hbg_buffer out;
    work->papers = HBG_NEW_ARRAY(&session->scratch, hbg_paper, work->part_count);
    for (int32_t i = 0; i < work->part_count; i++)
        work->papers[i] =
            hbg_verify_paper(&session->scratch, session->prover, work->models[i], &work->request, &limits);
    HBG_TRY(check_kept(work, work->asked->keep));
    if (work->asked->format == HBG_PROCESS_JSON)
        return hbg_api_report_print(hbg_api_hypa_paper_report(work), true, text);
    hbg_emit_paper of = {.model = work->name,
                         .version = hbg_version(),
                         .parts = work->papers,
                         .names = work->names,
                         .part_count = work->part_count,
                         .composition = !is_word(work->asked->only, "linear"),
                         .linear = !work->request.composition_only};
    hbg_base_buffer_init(&out, &session->scratch);
    if (work->asked->format == HBG_PROCESS_LATEX)
        hbg_emit_paper_latex(&of, &out);
    else
        hbg_emit_paper_text(&of, &out);
    return hbg_api_text_of(session, out.data, out.size, text);
}

/* ---- comparing the forms ------------------------------------------------------------------------------------ */

static const char *const answers[] = {
    [HBG_PROVED] = "yes", [HBG_VIOLATED] = "no", [HBG_NOT_DECIDED] = "not decided"};

static void put_compared(const hbg_paper_compared *of, hbg_api_report *list) {
    hbg_api_report *one = hbg_api_object(list, NULL);
    hbg_api_text(one, "from", of->from);
    hbg_api_text(one, "to", of->to);
    hbg_api_text(one, "allowed", answers[of->answer]);
    hbg_api_text(one, "why", of->why);
    hbg_api_say(one, "  %s -> %s: %s", of->from, of->to, answers[of->answer]);
    hbg_api_report *values = hbg_api_object(one, "witness");
    for (int32_t i = 0; i < of->values.count; i++) {
        const hbg_witness_value *at = &of->values.items[i];
        hbg_api_number(values, at->name, at->value);
        hbg_api_say(one, "%s%s = %.9g%s%s", i == 0 ? ", for example at " : ", ", at->name, at->value,
                    at->unit && at->unit[0] ? " " : "", at->unit ? at->unit : "");
    }
    if (of->why) hbg_api_say(one, of->answer == HBG_VIOLATED ? "; because of %s" : "; %s", of->why);
    hbg_api_say(one, "\n");
}

static hbg_answer worse(hbg_answer a, hbg_answer b) {
    return a == HBG_VIOLATED || b == HBG_VIOLATED ? HBG_VIOLATED : a == HBG_NOT_DECIDED ? a : b;
}

static hbg_status compare(hypa_work *work, const hbg_model *model, hbg_answer *answer, hbg_text *text) {
    static const char *const verdicts[] = {[HBG_PROVED] = "every jump of form exact is one of form paper",
                                           [HBG_VIOLATED] = "some jump of form exact is none of form paper",
                                           [HBG_NOT_DECIDED] = "not decided"};
    hbg_session *session = work->session;
    hbg_verify_options limits = hbg_api_hypa_limits(work);
    HBG_TRY(hbg_api_hypa_options(work));
    HBG_TRY(hbg_api_hypa_begin(work, model));
    HBG_TRY(hbg_api_hypa_exact(work));
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_text(report, "model", work->name);
    hbg_api_text(report, "reading", hbg_emit_paper_reading(work->request.reading));
    hbg_api_report *list = hbg_api_list(report, "islands");
    *answer = HBG_PROVED;
    for (int32_t i = 0; i < work->part_count; i++) {
        hbg_paper_comparison made = hbg_verify_paper_compare(
            &session->scratch, session->prover, work->models[i], &work->parts[i], &work->request, &limits);
        hbg_answer own = made.reason ? HBG_NOT_DECIDED : HBG_PROVED;
        for (int32_t k = 0; k < made.jumps.count; k++) own = worse(own, made.jumps.items[k].answer);
        *answer = worse(*answer, own);
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", work->names[i]);
        hbg_api_text(one, "verdict", answers[own]);
        hbg_api_text(one, "reason", made.reason);
        hbg_api_count(one, "questions", made.questions);
        hbg_api_say(one, "%s: %s%s%s\n", work->names[i], verdicts[own], made.reason ? ": " : "",
                    made.reason ? made.reason : "");
        hbg_api_report *jumps = hbg_api_list(one, "jumps");
        for (int32_t k = 0; k < made.jumps.count; k++) put_compared(&made.jumps.items[k], jumps);
    }
    return hbg_api_report_print(report, work->asked->format == HBG_PROCESS_JSON, text);
}

hbg_status hbg_hypa_compare(hbg_session *session, const hbg_model *model, const hbg_hypa_options *options,
                            hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_RUN_ENTER(session);
    hypa_work *work = HBG_NEW(&session->scratch, hypa_work);
    work->session = session;
    work->asked = options;
    work->timeout_ms = options->timeout_ms;
    return hbg_api_run_leave(session, compare(work, model, answer, text));
}
