/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_export_c: a model and one of its experiments as a folder of C. */
#include <math.h>
#include <string.h>

#include "api/export_impl.h"

typedef hbg_api_exporting exporting;

/* ---- rows ----------------------------------------------------------------------------------------------- */

static void put_char(void *context, char c) {
    hbg_base_buffer_char(context, c);
}

static void describe_rows(exporting *e) {
    hbg_arena *arena = &e->session->scratch;
    hbg_run_rows *rows = HBG_NEW(arena, hbg_run_rows);
    double *periods = HBG_NEW_ARRAY(arena, double, HBG_RUN_RULERS);
    hbg_buffer head;
    rows->state = e->state;
    hbg_api_run_add_rulers(rows, &e->sim);
    for (int i = 0; i < rows->ruler_count; i++) periods[i] = rows->rulers[i].step;
    e->of.periods = periods;
    e->of.period_count = rows->ruler_count;
    e->of.columns = e->state->record_count;
    hbg_base_buffer_init(&head, arena);
    hbg_base_buffer_text(&head, "time");
    for (int32_t i = 0; i < e->state->record_count; i++) {
        hbg_base_buffer_char(&head, ',');
        const hbg_rt_variable *output = &e->state->system->outputs[i];
        bool in_name = e->state->outputs[i].unit != NULL; // shown in a unit of its own, as in files of a run
        hbg_sim_csv_head(&(hbg_sim_column){output->name, output->unit, in_name}, put_char, &head);
    }
    hbg_base_buffer_char(&head, '\n');
    e->of.csv_head = head.data;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static const char *notes_of(exporting *e) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &e->session->scratch);
    for (int32_t i = 0; i < e->warning_count; i++)
        hbg_base_buffer_print(&out, "%s- %s\n", i == 0 ? "\n" : "", e->warnings[i]);
    return out.data;
}

static hbg_status report(exporting *e, const hbg_export_options *how, hbg_text *text) {
    hbg_api_report *to = hbg_api_report_new(e->session);
    hbg_api_text(to, "target", "c");
    hbg_api_text(to, "folder", how->folder);
    hbg_api_say(to, "wrote %s: %d files\n", how->folder, (int)e->file_count);
    hbg_api_export_report(e, to);
    return hbg_api_report_print(to, how->json, text);
}

static hbg_status export_c(exporting *e, const hbg_model *model, const hbg_run_options *options,
                           const hbg_export_options *how, hbg_text *text) {
    hbg_session *session = e->session;
    hbg_run_wish wish = {.experiment = options->experiment,
                         .time_flows = true,
                         .ready = {.jumps = how->breakable, .sampled = true}};
    hbg_emit_files files = {0};
    const char *reason = "";
    HBG_TRY(hbg_api_export_name(session, model, how->name, &e->name));
    HBG_TRY(hbg_api_export_check_folder(session, how->folder));
    HBG_TRY(hbg_api_export_check(session, model));
    HBG_TRY(hbg_api_export_prepare(e, model, options, &wish));
    describe_rows(e);
    e->of.notes = notes_of(e);
    hbg_status status = hbg_emit_export_c(&session->scratch, &e->of, &files, &reason);
    if (status != HBG_OK) return hbg_api_session_fail(session, status, "%s", reason);
    HBG_TRY(hbg_api_export_write_folder(session, how->folder, &files));
    e->file_count = files.count;
    e->output_count = e->state->system->output_count;
    return report(e, how, text);
}

hbg_status hbg_export_c(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                        const hbg_export_options *how, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    exporting *e = HBG_NEW(&session->scratch, exporting);
    e->session = session;
    e->sources = how->sources;
    hbg_run_options used = hbg_api_run_options(session, model, options);
    hbg_status status = export_c(e, model, &used, how, text);
    return hbg_api_run_leave(session, hbg_api_export_end(session, "c", how->json, status, text));
}
