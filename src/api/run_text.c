/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What became of a run, for people: the solver, initial values that did not fit, final values, the energy balance. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"

#define MOST_VALUES   20 /* final values listed */
#define MOST_FAULTS   8  /* listed */
#define MOST_JUMPS    4  /* storages named whose initial values did not fit */
#define MOST_ELEMENTS 8  /* listed one by one in the balance */

const char *hbg_run_value_text(hbg_session *session, double value, const char *unit) {
    bool has_unit = unit && unit[0];
    return hbg_arena_print(&session->scratch, "%.6g%s%s", value + 0.0, has_unit ? " " : "",
                           has_unit ? unit : "");
}

typedef struct {
    hbg_session *session;
    const hbg_run_story *story;
    hbg_buffer *out;
} teller;

/* ---- how it went -------------------------------------------------------------------------------------- */

static void put_head(teller *tell) {
    const hbg_run_state *state = tell->story->state;
    const hbg_model *model = state->model;
    hbg_buffer_print(tell->out, "%s", hbg_names_get(model->names, model->name));
    if (state->experiment != HBG_NONE)
        hbg_buffer_print(tell->out, ", experiment %s",
                         hbg_names_get(model->names, model->experiments.items[state->experiment].name));
    hbg_buffer_print(tell->out, ": 0 to %.6g s", tell->story->sim.stop);
    if (tell->story->end != HBG_RUN_FINISHED)
        hbg_buffer_print(tell->out, ", ended at %.6g s", tell->story->result.t);
    hbg_buffer_char(tell->out, '\n');
}

static void put_solver(teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    if (!result->solver[0]) return;
    hbg_buffer_print(tell->out, "solver: %s", result->solver);
    if (hbg_run_is_native(tell->story->state)) hbg_buffer_text(tell->out, ", native code");
    if (result->why[0]) hbg_buffer_print(tell->out, ", chosen because %s", result->why);
    hbg_buffer_char(tell->out, '\n');
}

/* What is wrong with the system in this run, and what its noise follows from. */
static void put_faults(teller *tell) {
    const hbg_run_state *state = tell->story->state;
    const hbg_fault_plan *plan = state->plan;
    int32_t shown = plan->fault_count < MOST_FAULTS ? plan->fault_count : MOST_FAULTS;
    for (int32_t i = 0; i < shown; i++) {
        const hbg_fault *fault = &plan->faults[i];
        double at = NAN, until;
        hbg_model_constant(plan->model, fault->at, &at);
        hbg_buffer_print(tell->out, "fault at %.6g s", at);
        if (fault->until != HBG_NONE && hbg_model_constant(plan->model, fault->until, &until))
            hbg_buffer_print(tell->out, " until %.6g s", until);
        hbg_buffer_print(tell->out, ": %s%s\n", fault->text ? fault->text : hbg_fault_kind_text(fault->kind),
                         at > tell->story->sim.stop ? " (after the end)" : "");
    }
    if (shown < plan->fault_count)
        hbg_buffer_print(tell->out, "and %d more faults\n", (int)(plan->fault_count - shown));
    if (state->schedule.has_noise)
        hbg_buffer_print(tell->out, "noise: seed %llu\n", (unsigned long long)tell->story->options->seed);
}

static void put_start(teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_rt_system *system = story->state->system;
    int32_t count = 0;
    for (int32_t i = 0; i < system->state_count; i++) {
        if (!hbg_run_started_otherwise(story, i)) continue;
        if (count == 0) hbg_buffer_text(tell->out, "initial values do not fit and became consistent: ");
        if (count < MOST_JUMPS) {
            const hbg_rt_variable *of = &system->states[i];
            hbg_buffer_print(tell->out, "%s%s %.6g -> %s", count ? ", " : "", of->name, story->declared[i],
                             hbg_run_value_text(tell->session, story->started[i], of->unit));
        }
        count++;
    }
    if (count == 0) return;
    if (count > MOST_JUMPS) hbg_buffer_print(tell->out, " and %d more", count - MOST_JUMPS);
    if (isfinite(story->lost_at_start)) hbg_buffer_print(tell->out, "; %.6g J lost", story->lost_at_start);
    hbg_buffer_char(tell->out, '\n');
}

/* ---- tables ------------------------------------------------------------------------------------------- */

/* Characters, not bytes. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void put_cell(hbg_buffer *out, const char *text, int width) {
    hbg_buffer_print(out, "%s%*s", text, width > width_of(text) ? width - width_of(text) : 0, "");
}

static void put_values(teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_run_state *state = story->state;
    const hbg_rt_variable *outputs = state->system->outputs;
    int32_t count = state->record_count < MOST_VALUES ? state->record_count : MOST_VALUES;
    int width = 12;
    if (story->rows.count == 0 || count == 0) return;
    for (int32_t i = 0; i < count; i++)
        width = width_of(outputs[i].name) > width && width < 40 ? width_of(outputs[i].name) : width;
    hbg_buffer_print(tell->out, "\n  at %.6g s\n", story->rows.time);
    for (int32_t i = 0; i < count; i++) {
        double value = story->rows.last[i];
        hbg_buffer_text(tell->out, "    ");
        put_cell(tell->out, outputs[i].name, width + 2);
        hbg_buffer_print(tell->out, "%s\n",
                         outputs[i].is_bool ? (value != 0 ? "true" : "false")
                                            : hbg_run_value_text(tell->session, value, outputs[i].unit));
    }
    if (state->record_count > count)
        hbg_buffer_print(tell->out, "    … and %d more\n", state->record_count - count);
}

/* ---- the energy balance ------------------------------------------------------------------------------- */

typedef struct {
    const char *label, *name;
    double value;
    const char *note;
} balance_line;

typedef HBG_VEC(balance_line) balance;

static const double ROUNDING = 1e-14; /* share of the largest energy that is none */

static void add_line(teller *tell, balance *lines, const char *label, const char *name, double value) {
    if (fabs(value) <= ROUNDING * tell->story->result.scale) value = 0;
    HBG_PUSH(&tell->session->scratch, *lines, (balance_line){label, name, value, ""});
}

static double total(const double *values, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

static void add_stored(teller *tell, balance *lines, const char *label, const double *stored, bool each) {
    const hbg_rt_system *system = tell->story->state->system;
    if (!each || system->storage_count != 1)
        add_line(tell, lines, label, "", total(stored, system->storage_count));
    for (int32_t i = 0; each && i < system->storage_count; i++)
        add_line(tell, lines, system->storage_count == 1 ? label : "", system->storages[i].name, stored[i]);
}

/* Parameters that may creep can modulate every storage; those that do not are not worth a line. */
static bool is_told(const hbg_rt_power *power, hbg_rt_power_kind kind, double work) {
    return power->kind == kind && (kind != HBG_RT_MODULATED || work != 0);
}

static void add_work(teller *tell, balance *lines, const char *label, hbg_rt_power_kind kind, bool each) {
    const hbg_rt_system *system = tell->story->state->system;
    const double *work = tell->story->result.work;
    int32_t count = 0;
    double sum = 0;
    for (int32_t i = 0; i < system->power_count; i++) {
        count += is_told(&system->powers[i], kind, work[i]);
        sum += system->powers[i].kind == kind ? work[i] : 0;
    }
    if (count == 0) return;
    if (!each || count > 1) add_line(tell, lines, label, "", sum);
    for (int32_t i = 0; each && i < system->power_count; i++)
        if (is_told(&system->powers[i], kind, work[i]))
            add_line(tell, lines, count == 1 ? label : "", system->powers[i].name, work[i]);
}

static void put_lines(teller *tell, const balance *lines) {
    int width = 8;
    for (int32_t i = 0; i < lines->count; i++) {
        int name = width_of(lines->items[i].name);
        if (name > width && name <= 40) width = name;
    }
    for (int32_t i = 0; i < lines->count; i++) {
        const balance_line *line = &lines->items[i];
        hbg_buffer_text(tell->out, "    ");
        put_cell(tell->out, line->label, 17);
        put_cell(tell->out, line->name, width + 2);
        hbg_buffer_print(tell->out, "%.6g J%s\n", line->value, line->note);
    }
}

static const double TRUSTED = 1e-3; /* share of the largest energy that may be missing without a word */

static void put_balance(teller *tell) {
    const hbg_run_story *story = tell->story;
    const hbg_sim_result *result = &story->result;
    const hbg_rt_system *system = story->state->system;
    const char *const *names = hbg_run_energy_names;
    if (!story->sim.ledger || !result->work || story->rows.count == 0) return;
    bool each = story->options->every_element || system->storage_count + system->power_count <= MOST_ELEMENTS;
    balance lines = {0};
    add_stored(tell, &lines, names[HBG_RUN_STORED_BEFORE], result->stored_at_start, each);
    add_stored(tell, &lines, names[HBG_RUN_STORED_AFTER], result->stored_at_end, each);
    add_work(tell, &lines, names[HBG_RUN_SUPPLIED], HBG_RT_SUPPLIED, each);
    add_work(tell, &lines, names[HBG_RUN_DISSIPATED], HBG_RT_DISSIPATED, each);
    add_work(tell, &lines, names[HBG_RUN_BY_MODULATION], HBG_RT_MODULATED, each);
    if (result->by_parameters != 0)
        add_line(tell, &lines, names[HBG_RUN_BY_PARAMETERS], "", result->by_parameters);
    if (fabs(result->lost_in_jumps) > ROUNDING * result->scale)
        add_line(tell, &lines, names[HBG_RUN_LOST_IN_JUMPS], "", result->lost_in_jumps);
    HBG_PUSH(&tell->session->scratch, lines,
             (balance_line){names[HBG_RUN_RESIDUAL], "", result->residual, ""});
    if (result->scale > 0 && result->residual != 0)
        lines.items[lines.count - 1].note = hbg_arena_print(&tell->session->scratch, " (%.1e of the largest)",
                                                            fabs(result->residual) / result->scale);
    hbg_buffer_text(tell->out, "\n  energy\n");
    put_lines(tell, &lines);
    if (fabs(result->residual) > TRUSTED * result->scale)
        hbg_buffer_text(
            tell->out,
            "    The balance lacks more than a thousandth: a smaller --rtol or --step will be closer.\n");
}

static void put_count(hbg_buffer *out, const char *before, int64_t count, const char *one, const char *many) {
    hbg_buffer_print(out, "%s%lld %s", before, (long long)count, count == 1 ? one : many);
}

static void put_effort(teller *tell) {
    const hbg_sim_result *result = &tell->story->result;
    put_count(tell->out, "\n", result->steps, "step", "steps");
    if (result->rejected > 0) put_count(tell->out, ", ", result->rejected, "rejected", "rejected");
    if (result->crossings > 0) put_count(tell->out, ", ", result->crossings, "crossing", "crossings");
    if (result->commits > 0) put_count(tell->out, ", ", result->commits, "mode change", "mode changes");
    put_count(tell->out, ", ", result->rates, "evaluation", "evaluations");
    if (result->jacobians > 0) put_count(tell->out, ", ", result->jacobians, "Jacobian", "Jacobians");
    hbg_buffer_char(tell->out, '\n');
}

/* What the experiment would have done later. */
static void put_unreached(teller *tell) {
    int32_t count = tell->story->state->unreached;
    if (count == 0) return;
    put_count(tell->out, "", count, "action of the experiment lies", "actions of the experiment lie");
    hbg_buffer_text(tell->out, count == 1 ? " behind the end and is not reached\n"
                                          : " behind the end and are not reached\n");
}

const char *hbg_run_first_warning(hbg_session *session, const hbg_sim_result *result) {
    if (result->warnings == 0) return "";
    if (result->rests == 0) return result->warning;
    bool one = result->rests_first && result->rests == 1 && !strchr(result->rested, ',');
    return one ? hbg_arena_print(&session->scratch, "%s; from here on the contact rests", result->warning)
               : hbg_arena_print(&session->scratch, "%s; contacts at rest%s: %s", result->warning,
                                 result->rests_first ? " from here on" : "", result->rested);
}

void hbg_run_print(hbg_session *session, const hbg_run_story *story, hbg_buffer *out) {
    teller tell = {session, story, out};
    put_head(&tell);
    put_solver(&tell);
    put_faults(&tell);
    put_unreached(&tell);
    put_start(&tell);
    put_values(&tell);
    put_balance(&tell);
    put_effort(&tell);
}
