/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The result of a run: the solver, faults, initial values that did not fit, final values, the energy balance,
 * its verdict. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"

#define MOST_VALUES 20 /* final values that are shown to people */
#define MOST_FAULTS 8  /* likewise */
#define MOST_JUMPS  4  /* storages listed whose initial values did not fit */

/* ---- values ------------------------------------------------------------------------------------------- */

const char *hbg_api_run_value_text(hbg_session *session, double value, const char *unit) {
    bool has_unit = unit && unit[0];
    return hbg_base_arena_print(&session->scratch, "%.6g%s%s", value + 0.0, has_unit ? " " : "",
                                has_unit ? unit : "");
}

int hbg_api_run_width(const char *text) {
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

int hbg_api_run_room(const char *text, int width) {
    return width > hbg_api_run_width(text) ? width - hbg_api_run_width(text) : 0;
}

hbg_api_report *hbg_api_run_put_table(hbg_api_report *report, const char *key, int32_t count) {
    hbg_api_report *list = hbg_api_list(report, key);
    if (count > 0) hbg_api_say(list, "\n  %s\n", key);
    return list;
}

void hbg_api_run_put_value(hbg_api_report *list, const hbg_rt_variable *of, double value, int width) {
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "name", of->name);
    hbg_api_text(object, "unit", of->unit);
    if (of->is_bool)
        hbg_api_flag(object, "value", value != 0);
    else
        hbg_api_number(object, "value", value);
    if (width > 0)
        hbg_api_say(object, "    %s%*s  %s\n", of->name, hbg_api_run_room(of->name, width), "",
                    of->is_bool ? (value != 0 ? "true" : "false")
                                : hbg_api_run_value_text(list->session, value, of->unit));
}

/* ---- how it went -------------------------------------------------------------------------------------- */

typedef struct {
    hbg_session *session;
    const hbg_run_story *story;
    hbg_api_report *report;
} teller;

static void put_head(const teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_model *model = story->state->model;
    int32_t number = story->state->experiment;
    const char *name = hbg_base_names_get(model->names, model->name);
    const char *experiment =
        number == HBG_NONE ? NULL : hbg_base_names_get(model->names, model->experiments.items[number].name);
    hbg_api_text(tell->report, "model", name);
    hbg_api_text(tell->report, "experiment", experiment);
    hbg_api_text(tell->report, "end", hbg_run_end_text(story->end));
    hbg_api_number(tell->report, "stop", story->sim.stop);
    hbg_api_number(tell->report, "time", story->result.t);
    hbg_api_say(tell->report, "%s", name);
    if (experiment) hbg_api_say(tell->report, ", experiment %s", experiment);
    hbg_api_say(tell->report, ": 0 to %.6g s", story->sim.stop);
    if (story->end != HBG_RUN_FINISHED) hbg_api_say(tell->report, ", ended at %.6g s", story->result.t);
    hbg_api_say(tell->report, "\n");
}

static void put_solver(const teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    bool native = hbg_api_run_is_native(tell->story->state);
    hbg_api_report *solver = hbg_api_object(tell->report, "solver");
    hbg_api_text(solver, "name", result->solver);
    hbg_api_text(solver, "why", result->why);
    hbg_api_text(solver, "engine", native ? "native" : "interpreter");
    if (!result->solver[0]) return;
    hbg_api_say(solver, "solver: %s", result->solver);
    if (native) hbg_api_say(solver, ", native code");
    if (result->why[0]) hbg_api_say(solver, ", chosen because %s", result->why);
    hbg_api_say(solver, "\n");
}

static void put_statistics(const teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    hbg_api_report *statistics = hbg_api_object(tell->report, "statistics");
    hbg_api_count(statistics, "steps", result->steps);
    hbg_api_count(statistics, "rejected", result->rejected);
    hbg_api_count(statistics, "rates", result->rates);
    hbg_api_count(statistics, "jacobians", result->jacobians);
    hbg_api_count(statistics, "crossings", result->crossings);
    hbg_api_count(statistics, "commits", result->commits);
    hbg_api_count(statistics, "rows", tell->story->rows.count);
}

static void put_fault(const teller *tell, hbg_api_report *list, const hbg_fault *fault, bool told) {
    const hbg_fault_plan *plan = tell->story->state->plan;
    double at = NAN, until = NAN;
    bool ends = false;
    hbg_model_constant(plan->model, fault->at, &at);
    if (fault->until != HBG_NONE) ends = hbg_model_constant(plan->model, fault->until, &until);
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_number(object, "at", at);
    hbg_api_number(object, "until", until);
    hbg_api_text(object, "target", hbg_api_text_path(tell->session, plan->model, fault->target));
    hbg_api_text(object, "kind", hbg_model_fault_kind_text(fault->kind));
    hbg_api_text(object, "text", fault->text ? fault->text : "");
    if (!told) return;
    hbg_api_say(object, "fault at %.6g s", at);
    if (ends) hbg_api_say(object, " until %.6g s", until);
    hbg_api_say(object, ": %s%s\n", fault->text ? fault->text : hbg_model_fault_kind_text(fault->kind),
                at > tell->story->sim.stop ? " (after the end)" : "");
}

/* What is wrong with the system in this run, and the seed of its noise. */
static void put_faults(const teller *tell) {
    const hbg_run_state *state = tell->story->state;
    uint64_t seed = tell->story->options->seed;
    int32_t count = state->plan->fault_count;
    hbg_api_count(tell->report, "seed", (int64_t)seed);
    hbg_api_report *list = hbg_api_list(tell->report, "faults");
    for (int32_t i = 0; i < count; i++) put_fault(tell, list, &state->plan->faults[i], i < MOST_FAULTS);
    if (count > MOST_FAULTS) hbg_api_say(list, "and %d more faults\n", (int)(count - MOST_FAULTS));
    if (state->schedule.has_noise) hbg_api_say(list, "noise: seed %llu\n", (unsigned long long)seed);
}

static void put_start(const teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_rt_description *system = story->state->system;
    hbg_api_report *initial = hbg_api_object(tell->report, "initial");
    hbg_api_report *changed = hbg_api_list(initial, "changed");
    int32_t count = 0;
    for (int32_t i = 0; i < system->state_count; i++) {
        if (!hbg_api_run_started_otherwise(story, i)) continue;
        const hbg_rt_variable *of = &system->states[i];
        hbg_api_report *object = hbg_api_object(changed, NULL);
        hbg_api_text(object, "name", of->name);
        hbg_api_text(object, "unit", of->unit);
        hbg_api_number(object, "from", story->declared[i]);
        hbg_api_number(object, "to", story->started[i]);
        if (count++ >= MOST_JUMPS) continue;
        hbg_api_say(object, "%s%s %.6g -> %s",
                    count == 1 ? "initial values do not fit and became consistent: " : ", ", of->name,
                    story->declared[i], hbg_api_run_value_text(tell->session, story->started[i], of->unit));
    }
    hbg_api_number(initial, "lost", story->lost_at_start);
    if (count == 0) return;
    if (count > MOST_JUMPS) hbg_api_say(initial, " and %d more", count - MOST_JUMPS);
    if (isfinite(story->lost_at_start)) hbg_api_say(initial, "; %.6g J lost", story->lost_at_start);
    hbg_api_say(initial, "\n");
}

static void put_values(const teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_rt_variable *outputs = story->state->system->outputs;
    int32_t count = story->rows.count == 0 ? 0 : story->state->record_count;
    int32_t told = count < MOST_VALUES ? count : MOST_VALUES;
    int width = 12;
    for (int32_t i = 0; i < told; i++) {
        int wide = hbg_api_run_width(outputs[i].name);
        width = wide > width && width < 40 ? wide : width;
    }
    hbg_api_report *list = hbg_api_list(tell->report, "final");
    if (count > 0) hbg_api_say(list, "\n  at %.6g s\n", story->rows.time);
    for (int32_t i = 0; i < count; i++)
        hbg_api_run_put_value(list, &outputs[i], story->rows.last[i], i < told ? width : 0);
    if (count > told) hbg_api_say(list, "    … and %d more\n", count - told);
}

static void say_count(const teller *tell, const char *before, int64_t count, const char *one,
                      const char *many) {
    hbg_api_say(tell->report, "%s%lld %s", before, (long long)count, count == 1 ? one : many);
}

static void say_effort(const teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    say_count(tell, "\n", result->steps, "step", "steps");
    if (result->rejected > 0) say_count(tell, ", ", result->rejected, "rejected", "rejected");
    if (result->crossings > 0) say_count(tell, ", ", result->crossings, "crossing", "crossings");
    if (result->commits > 0) say_count(tell, ", ", result->commits, "mode change", "mode changes");
    say_count(tell, ", ", result->rates, "evaluation", "evaluations");
    if (result->jacobians > 0) say_count(tell, ", ", result->jacobians, "Jacobian", "Jacobians");
    hbg_api_say(tell->report, "\n");
}

/* The later actions of the experiment. */
static void say_unreached(const teller *tell) {
    int32_t count = tell->story->state->unreached;
    if (count == 0) return;
    say_count(tell, "", count, "action of the experiment lies", "actions of the experiment lie");
    hbg_api_say(tell->report, " after the end and %s not reached\n", count == 1 ? "is" : "are");
}

/* ---- how it ended ------------------------------------------------------------------------------------- */

const char *hbg_api_run_first_warning(hbg_session *session, const hbg_sim_result *result) {
    if (result->warnings == 0) return "";
    if (result->rests == 0) return result->warning;
    bool one = result->rests_first && result->rests == 1 && !strchr(result->rested, ',');
    return one ? hbg_base_arena_print(&session->scratch, "%s; from here on the contact rests",
                                      result->warning)
               : hbg_base_arena_print(&session->scratch, "%s; contacts at rest%s: %s", result->warning,
                                      result->rests_first ? " from here on" : "", result->rested);
}

/* The verdict that ended the run, and its warnings; the instant is the last that had a verdict at all. */
static void put_verdict(const teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    bool ended = result->verdict != HBG_RT_FINE;
    hbg_api_text(tell->report, "verdict", ended ? hbg_rt_verdict_name(result->verdict) : NULL);
    hbg_api_json(tell->report, "instant", hbg_api_run_events_verdict(tell->session, tell->story));
    hbg_api_report *warnings = hbg_api_object(tell->report, "warnings");
    hbg_api_count(warnings, "count", result->warnings);
    hbg_api_text(warnings, "first",
                 result->warnings > 0 ? hbg_api_run_first_warning(tell->session, result) : NULL);
}

/* The events that were requested, in words: after the summary, if there is one. */
static void put_story(const teller *tell) {
    if (tell->story->options->explain == 0) return;
    hbg_buffer words;
    hbg_base_buffer_init(&words, &tell->session->scratch);
    hbg_api_run_put_story(tell->story, &words);
    if (!tell->story->options->no_summary) hbg_api_say(tell->report, "\n");
    hbg_base_buffer_add(hbg_api_words(tell->report), words.data, words.size);
    hbg_api_text(tell->report, "story", words.data);
}

static void put_summary(const teller *tell) {
    put_head(tell);
    put_solver(tell);
    put_statistics(tell);
    put_faults(tell);
    say_unreached(tell);
    put_start(tell);
    hbg_api_run_put_choices(tell->report, tell->story->state);
    put_values(tell);
    hbg_api_run_put_ledger(tell->session, tell->story, tell->report);
    say_effort(tell);
    put_verdict(tell);
}

hbg_status hbg_api_run_report(hbg_session *session, const hbg_run_story *story, hbg_text *text) {
    teller tell = {session, story, hbg_api_report_new(session)};
    bool failed = story->end != HBG_RUN_FINISHED && story->failure[0];
    if (!story->options->no_summary || story->options->json) put_summary(&tell);
    put_story(&tell);
    hbg_api_text(tell.report, "failure", failed ? story->failure : NULL);
    return hbg_api_report_print(tell.report, story->options->json, text);
}
