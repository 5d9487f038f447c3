/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_hypa_check: a run judged by the process of its model, part by part, and the report of it. */
#include "api/hypa_impl.h"
#include "rt/bands.h"

/* ---- the report ----------------------------------------------------------------------------------------- */

static bool throws_back(const hbg_model *model) {
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].ports == 0 && model->elements.items[i].restitution != HBG_NONE)
            return true;
    return false;
}

hbg_difference hbg_api_hypa_explain(const hbg_model *model, const hbg_process_judgement *made) {
    if (made->by <= HBG_RT_NEARLY) return HBG_DIFFERENCE_D14;
    switch (made->kind) {
    case HBG_REFUSED_LATE: return HBG_DIFFERENCE_D5;
    case HBG_REFUSED_WAY: return HBG_DIFFERENCE_D16;
    case HBG_REFUSED_JUMP: return throws_back(model) ? HBG_DIFFERENCE_D8 : HBG_DIFFERENCE_COUNT;
    default: return HBG_DIFFERENCE_COUNT;
    }
}

static void put_code(hbg_api_report *in, hbg_difference code) {
    if (code == HBG_DIFFERENCE_COUNT) return;
    hbg_api_text(in, "code", hbg_verify_difference_code(code));
    hbg_api_say(in, "    %s: 003: %s; hbg: %s\n", hbg_verify_difference_code(code),
                hbg_verify_difference_paper(code), hbg_verify_difference_own(code));
}

static void put_refusal(const hypa_work *work, int32_t number, const hbg_process_judgement *made,
                        hbg_api_report *in) {
    const hbg_process *of = &work->parts[number];
    const char *from = made->from == HBG_NONE ? NULL : of->clauses.items[made->from].mode;
    const char *to = made->to == HBG_NONE ? NULL : of->clauses.items[made->to].mode;
    const char *law = made->law == HBG_NONE ? NULL : hbg_api_hypa_term(work, of, made->law);
    hbg_api_number(in, "time", made->t);
    hbg_api_text(in, "from", from);
    hbg_api_text(in, "to", to);
    hbg_api_text(in, "why", made->why);
    hbg_api_text(in, "law", law);
    hbg_api_number(in, "by", made->by);
    hbg_api_say(in, "  REFUSED at t = %.9g s, %s%s%s: %s", made->t, from ? from : "a mode that is not there",
                made->from != made->to ? " -> " : "", made->from != made->to && to ? to : "", made->why);
    if (law) hbg_api_say(in, "\n    %s, beside it by %.3g of its size", law, made->by);
    hbg_api_say(in, "\n");
    put_code(in, hbg_api_hypa_explain(work->models[number], made));
}

static void put_part(const hypa_work *work, int32_t number, const hbg_process_judgement *made,
                     hbg_api_report *list) {
    static const char *const words[] = {
        [HBG_PROVED] = "accepted", [HBG_VIOLATED] = "refused", [HBG_NOT_DECIDED] = "not decided"};
    const hbg_process *of = &work->parts[number];
    hbg_api_report *one = hbg_api_object(list, NULL);
    hbg_api_text(one, "name", work->names[number]);
    hbg_api_text(one, "verdict", words[made->verdict]);
    hbg_api_count(one, "flows", made->flows);
    hbg_api_count(one, "instants", made->instants);
    hbg_api_count(one, "not_judged", made->unjudged);
    hbg_api_number(one, "worst", made->worst);
    hbg_api_say(one, "%s: %s, %d flows and %d instants", work->names[number], words[made->verdict],
                (int)made->flows, (int)made->instants);
    if (made->unjudged > 0)
        hbg_api_say(one, ", %d of which nothing is known in numbers", (int)made->unjudged);
    hbg_api_say(one, "; nothing accepted is beside a law by more than %.2g of its size\n", made->worst);
    if (made->verdict == HBG_VIOLATED) put_refusal(work, number, made, one);
    hbg_api_report *used = hbg_api_list(one, "used");
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_process_alternative *at = &of->alternatives.items[i];
        if (made->used[i] == 0) continue;
        hbg_api_report *way = hbg_api_object(used, NULL);
        hbg_api_text(way, "before", of->clauses.items[at->from].mode);
        hbg_api_text(way, "after", of->clauses.items[at->to].mode);
        hbg_api_count(way, "alternative", i + 1);
        hbg_api_count(way, "times", made->used[i]);
        hbg_api_say(way, "  %d times %s -> %s%s\n", (int)made->used[i], of->clauses.items[at->from].mode,
                    of->clauses.items[at->to].mode, at->jumps ? ", with a jump" : "");
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static hbg_answer worse(hbg_answer a, hbg_answer b) {
    return a == HBG_VIOLATED || b == HBG_VIOLATED ? HBG_VIOLATED : a == HBG_NOT_DECIDED ? a : b;
}

/* A run that broke off is judged as far as it went. */
static void put_end(hbg_api_report *report, const hypa_trace *trace, bool cut) {
    hbg_api_report *one = hbg_api_object(report, "run");
    hbg_api_flag(one, "finished", !trace->broke);
    hbg_api_number(one, "end", trace->end);
    hbg_api_text(one, "broke_off", trace->broke);
    hbg_api_flag(one, "steps_fit", trace->fits);
    if (trace->fits)
        hbg_api_say(one, "steps of one size meet guards late: judged is a run with steps that fit\n");
    if (trace->broke)
        hbg_api_say(one, "the run broke off at t = %.9g s (%s): %s\n", trace->end, trace->broke,
                    trace->fits ? "nothing is judged" : "only what came before is judged");
    else if (cut)
        hbg_api_say(one, "what the run did behind an instant with a verdict is not judged\n");
    if (trace->broke && trace->verdict == HBG_RT_DIVERGENCE) put_code(one, HBG_DIFFERENCE_D15);
}

static hbg_status check(hypa_work *work, const hbg_model *model, const hbg_run_options *options, bool json,
                        hbg_answer *answer, hbg_text *text) {
    hbg_session *session = work->session;
    hypa_trace *trace = HBG_NEW(&session->scratch, hypa_trace);
    HBG_TRY(hbg_api_hypa_trace(work, model, options, trace));
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_text(report, "model", work->name);
    hbg_api_number(report, "tolerance", trace->tolerance);
    hbg_api_report *list = hbg_api_list(report, "islands");
    *answer = HBG_PROVED;
    bool cut = false;
    for (int32_t i = 0; i < work->part_count; i++) {
        const hypa_part_trace *own = &trace->parts[i];
        cut = cut || own->cut;
        hbg_process_judgement made = hbg_verify_process_check(&session->scratch, own->of, own->points.items,
                                                              own->points.count, trace->tolerance);
        *answer = worse(*answer, made.verdict);
        put_part(work, i, &made, list);
    }
    put_end(report, trace, cut);
    if (trace->broke || cut) *answer = worse(*answer, HBG_NOT_DECIDED);
    return hbg_api_report_print(report, json, text);
}

hbg_status hbg_hypa_check(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                          int32_t timeout_ms, bool json, hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_RUN_ENTER(session);
    hypa_work *work = HBG_NEW(&session->scratch, hypa_work);
    work->session = session;
    work->timeout_ms = timeout_ms;
    return hbg_api_run_leave(session, check(work, model, options, json, answer, text));
}
