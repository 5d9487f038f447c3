/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy balance of a run in its report: the work of every element for programs, a table of sums for people. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"
#include "rt/bands.h"

#define MOST_ELEMENTS 8 /* listed one by one in the balance */

typedef struct {
    hbg_session *session;
    const hbg_run_story *story;
} teller;

/* ---- for people --------------------------------------------------------------------------------------- */

typedef struct {
    const char *label, *name;
    double value;
    const char *note;
} balance_line;

typedef HBG_VEC(balance_line) balance;

static void add_line(const teller *tell, balance *lines, const char *label, const char *name, double value) {
    if (fabs(value) <= HBG_RT_NO_ENERGY * tell->story->result.scale) value = 0;
    HBG_PUSH(&tell->session->scratch, *lines, (balance_line){label, name, value, ""});
}

static double total(const double *values, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

static void add_stored(const teller *tell, balance *lines, const char *label, const double *stored,
                       bool each) {
    const hbg_rt_description *system = tell->story->state->system;
    if (!each || system->storage_count != 1)
        add_line(tell, lines, label, "", total(stored, system->storage_count));
    for (int32_t i = 0; each && i < system->storage_count; i++)
        add_line(tell, lines, system->storage_count == 1 ? label : "", system->storages[i].name, stored[i]);
}

/* Parameters that may creep can modulate every storage; those that do not are not worth a line. */
static bool is_told(const hbg_rt_power *power, hbg_rt_power_kind kind, double work) {
    return power->kind == kind && (kind != HBG_RT_MODULATED || work != 0);
}

static void add_work(const teller *tell, balance *lines, const char *label, hbg_rt_power_kind kind,
                     bool each) {
    const hbg_rt_description *system = tell->story->state->system;
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

/* N·m has the dimension of J but means a torque: it is spelt with a newton. */
static bool is_torque(const char *unit) {
    return strchr(unit, 'N') || strstr(unit, "newton");
}

/* The unit in which the model shows an energy, else J. */
static hbg_display shown_in(const hbg_model *model) {
    hbg_dimension joule = hbg_model_dimension_joule();
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_display *display = &model->signals.items[i].display;
        bool energy = display->unit && display->dimension.known &&
                      hbg_model_dimension_agree(display->dimension, joule) && !is_torque(display->unit);
        if (energy) return *display;
    }
    return (hbg_display){"J", 1, 0, joule};
}

static void say_lines(hbg_api_report *report, const balance *lines, const hbg_display *unit) {
    int width = 8;
    for (int32_t i = 0; i < lines->count; i++) {
        int name = hbg_api_run_width(lines->items[i].name);
        if (name > width && name <= 40) width = name;
    }
    for (int32_t i = 0; i < lines->count; i++) {
        const balance_line *line = &lines->items[i];
        hbg_api_say(report, "    %s%*s%s%*s%.6g %s%s\n", line->label, 17 - hbg_api_run_width(line->label), "",
                    line->name, hbg_api_run_room(line->name, width + 2), "",
                    hbg_model_displayed(unit, line->value), unit->unit, line->note);
    }
}

static void say_balance(const teller *tell, hbg_api_report *report) {
    const hbg_run_story *story = tell->story;
    const hbg_sim_result *result = &story->result;
    const hbg_rt_description *system = story->state->system;
    const char *const *names = hbg_api_run_energy_names;
    int32_t told = system->storage_count;
    for (int32_t i = 0; i < system->power_count; i++)
        told += is_told(&system->powers[i], system->powers[i].kind, result->work[i]);
    bool each = story->options->every_element || told <= MOST_ELEMENTS;
    balance lines = {0};
    add_stored(tell, &lines, names[HBG_RUN_STORED_BEFORE], result->stored_at_start, each);
    add_stored(tell, &lines, names[HBG_RUN_STORED_AFTER], result->stored_at_end, each);
    add_work(tell, &lines, names[HBG_RUN_SUPPLIED], HBG_RT_SUPPLIED, each);
    add_work(tell, &lines, names[HBG_RUN_DISSIPATED], HBG_RT_DISSIPATED, each);
    add_work(tell, &lines, names[HBG_RUN_BY_MODULATION], HBG_RT_MODULATED, each);
    if (result->by_parameters != 0)
        add_line(tell, &lines, names[HBG_RUN_BY_PARAMETERS], "", result->by_parameters);
    if (fabs(result->lost_in_jumps) > HBG_RT_NO_ENERGY * result->scale)
        add_line(tell, &lines, names[HBG_RUN_LOST_IN_JUMPS], "", result->lost_in_jumps);
    HBG_PUSH(&tell->session->scratch, lines,
             (balance_line){names[HBG_RUN_RESIDUAL], "", result->residual, ""});
    if (result->scale > 0 && result->residual != 0)
        lines.items[lines.count - 1].note = hbg_base_arena_print(
            &tell->session->scratch, " (%.1e of the largest)", fabs(result->residual) / result->scale);
    hbg_display unit = shown_in(story->state->model);
    hbg_api_say(report, "\n  energy\n");
    say_lines(report, &lines, &unit);
    if (fabs(result->residual) > HBG_RT_TRUSTED * result->scale)
        hbg_api_say(
            report,
            "    The balance lacks more than a thousandth: a smaller --rtol or --step will be closer.\n");
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void put_stored(const teller *tell, hbg_api_report *ledger) {
    const hbg_sim_result *result = &tell->story->result;
    const hbg_rt_description *system = tell->story->state->system;
    hbg_api_report *stored = hbg_api_list(ledger, "stored");
    for (int32_t i = 0; i < system->storage_count; i++) {
        hbg_api_report *object = hbg_api_object(stored, NULL);
        hbg_api_text(object, "name", system->storages[i].name);
        hbg_api_number(object, "before", result->stored_at_start[i]);
        hbg_api_number(object, "after", result->stored_at_end[i]);
    }
}

void hbg_api_run_put_ledger(hbg_session *session, const hbg_run_story *story, hbg_api_report *report) {
    static const char *const kinds[] = {
        [HBG_RT_SUPPLIED] = "supplied", [HBG_RT_DISSIPATED] = "dissipated", [HBG_RT_MODULATED] = "modulated"};
    const hbg_sim_result *result = &story->result;
    const hbg_rt_description *system = story->state->system;
    teller tell = {session, story};
    if (!story->sim.ledger || !result->work) {
        hbg_api_text(report, "ledger", NULL);
        return;
    }
    hbg_api_report *ledger = hbg_api_object(report, "ledger");
    put_stored(&tell, ledger);
    hbg_api_report *work = hbg_api_list(ledger, "work");
    for (int32_t i = 0; i < system->power_count; i++) {
        hbg_api_report *object = hbg_api_object(work, NULL);
        hbg_api_text(object, "name", system->powers[i].name);
        hbg_api_text(object, "kind", kinds[system->powers[i].kind]);
        hbg_api_number(object, "work", result->work[i]);
    }
    hbg_api_number(ledger, "lost_in_jumps", result->lost_in_jumps);
    hbg_api_number(ledger, "by_parameters", result->by_parameters);
    hbg_api_number(ledger, "residual", result->residual);
    hbg_api_number(ledger, "scale", result->scale);
    if (story->rows.count > 0) say_balance(&tell, ledger);
}
