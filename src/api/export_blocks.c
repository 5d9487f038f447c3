/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_export_blocks: a model and one of its experiments as a block diagram. It is made in memory first, so a
 * failed export leaves no files. */
#include <math.h>
#include <string.h>

#include "api/export_impl.h"

enum { MOST_ELEMENTS = 30000, SHOWN_LOOPS = 8 };

static const struct {
    const char *name;
    void (*print)(const hbg_emit_blocks *of, hbg_buffer *out);
    const char *(*refuses)(const hbg_emit_blocks *of); /* NULL: it takes every diagram */
} printers[] = {{"json", hbg_emit_blocks_json, NULL},
                {"xcos", hbg_emit_blocks_xcos, NULL},
                {"simulink", hbg_emit_blocks_simulink, hbg_emit_blocks_simulink_refuses}};
enum { PRINTERS = sizeof printers / sizeof *printers };

typedef struct {
    hbg_session *session;
    const hbg_export_blocks_options *how;
    int printer;
    hbg_sim_options sim;
    hbg_emit_blocks_of of;
    hbg_emit_blocks *made;
    const char *warnings[4];
    int32_t warning_count;
} exporting;

static hbg_status refuse(const exporting *e, const char *why) {
    return hbg_api_session_fail(e->session, HBG_BAD_ARGUMENT,
                                "the model cannot be exported as a block diagram: %s", why);
}

/* ---- what is asked for -------------------------------------------------------------------------------- */

static hbg_status find_printer(exporting *e) {
    const char *to = e->how->to ? e->how->to : "json";
    while (e->printer < PRINTERS && strcmp(printers[e->printer].name, to) != 0) e->printer++;
    if (e->printer < PRINTERS) return HBG_OK;
    return hbg_api_session_fail(
        e->session, HBG_BAD_ARGUMENT,
        "a block diagram is not written as `%s`; there are `json`, `xcos` and `simulink`", to);
}

static hbg_status check_model(const exporting *e, const hbg_model *model) {
    if (model->elements.count <= MOST_ELEMENTS) return HBG_OK;
    return hbg_api_session_fail(
        e->session, HBG_TOO_LARGE,
        "the model cannot be exported: it has %d elements, and no block diagram of more than %d is of use",
        (int)model->elements.count, (int)MOST_ELEMENTS);
}

static hbg_status check_experiment(const exporting *e) {
    if (e->sim.solver < HBG_SIM_EULER || e->sim.solver == HBG_SIM_TRAPEZOIDAL)
        return refuse(e,
                      "its guards are judged at the end of each step, so it needs an explicit solver of a "
                      "fixed step: euler, heun, ode3 or rk4; "
                      "write `--solver rk4 --step '1 [ms]'`, or `solver rk4 step 1 [ms];` in the experiment");
    if (e->sim.override_count > 0 || e->session->run->plan->fault_count > 0)
        return refuse(e, "the experiment has faults or noise, and a diagram has none of them");
    return HBG_OK;
}

/* ---- the report --------------------------------------------------------------------------------------- */

static void warn_of_loops(exporting *e) {
    const char *names[SHOWN_LOOPS];
    int32_t count = hbg_emit_blocks_count(e->made).constraints;
    int32_t shown = hbg_emit_blocks_loops(e->made, names, SHOWN_LOOPS);
    hbg_buffer text;
    if (count == 0) return;
    hbg_base_buffer_init(&text, &e->session->scratch);
    hbg_base_buffer_text(&text, "algebraic loops are left, which have to be solved in every step, for ");
    for (int32_t i = 0; i < shown; i++) hbg_base_buffer_print(&text, "%s`%s`", i > 0 ? ", " : "", names[i]);
    if (count > shown) hbg_base_buffer_print(&text, " and %d more", (int)(count - shown));
    e->warnings[e->warning_count++] = text.data;
}

static hbg_status report(exporting *e, size_t size, hbg_text *text) {
    hbg_emit_blocks_counts counts = hbg_emit_blocks_count(e->made);
    hbg_api_report *to = hbg_api_report_new(e->session);
    warn_of_loops(e);
    hbg_api_text(to, "target", "blocks");
    hbg_api_text(to, "to", printers[e->printer].name);
    hbg_api_text(to, "file", e->how->file);
    hbg_api_text(to, "model", e->of.model);
    hbg_api_text(to, "experiment", e->of.experiment);
    hbg_api_text(to, "solver", e->of.solver);
    hbg_api_number(to, "stop", e->of.stop);
    hbg_api_number(to, "step", e->of.step);
    hbg_api_count(to, "blocks", counts.blocks);
    hbg_api_count(to, "integrators", counts.integrators);
    hbg_api_count(to, "resets", counts.resets);
    hbg_api_count(to, "switches", counts.switches);
    hbg_api_count(to, "lookups", counts.lookups);
    hbg_api_count(to, "constraints", counts.constraints);
    hbg_api_count(to, "automata", e->of.system->automaton_count);
    hbg_api_count(to, "transitions", counts.transitions);
    hbg_api_count(to, "bytes", (int64_t)size);
    hbg_api_texts(to, "warnings", e->warnings, e->warning_count);
    hbg_api_say(to, "wrote %s: %d blocks, of which %d are integrators (%d with a reset) and %d switches\n",
                e->how->file, (int)counts.blocks, (int)counts.integrators, (int)counts.resets,
                (int)counts.switches);
    for (int32_t i = 0; i < e->warning_count; i++) hbg_api_say(to, "warning: %s\n", e->warnings[i]);
    return hbg_api_report_print(to, e->how->json, text);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* Rows are named after the script; after the model if its name would need quotes. */
static const char *name_rows(exporting *e) {
    static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const char *slash = strrchr(e->how->file, '/'), *file = slash ? slash + 1 : e->how->file;
    const char *dot = strrchr(file, '.');
    size_t size = dot && dot != file ? (size_t)(dot - file) : strlen(file);
    if (strspn(file, plain) < size || file[0] == '-')
        return hbg_base_arena_print(&e->session->scratch, "%s.csv", e->of.name);
    return hbg_base_arena_print(&e->session->scratch, "%.*s.csv", (int)size, file);
}

static hbg_status describe(exporting *e) {
    const hbg_run_state *state = e->session->run;
    const hbg_model *model = state->model;
    double *start = HBG_NEW_ARRAY(&e->session->scratch, double, state->system->state_count + 1);
    hbg_rt_status status = hbg_rt_declare(state->instance, start);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK) return refuse(e, hbg_rt_status_text(status));
    e->of.eqn = hbg_code_equations(state->code);
    e->of.system = state->system;
    e->of.model = hbg_base_names_get(model->names, model->name);
    if (state->experiment != HBG_NONE)
        e->of.experiment = hbg_base_names_get(model->names, model->experiments.items[state->experiment].name);
    e->of.rows = name_rows(e);
    e->of.version = hbg_version();
    e->of.solver = hbg_model_solver_text((hbg_solver)e->sim.solver);
    e->of.start = start;
    e->of.actions = e->sim.actions;
    e->of.action_count = e->sim.action_count;
    e->of.stop = e->sim.stop;
    e->of.step = e->sim.step;
    e->of.every = e->sim.record_every;
    e->of.columns = state->record_count;
    return HBG_OK;
}

static hbg_status write(exporting *e, hbg_text *text) {
    hbg_session *session = e->session;
    const char *reason = "";
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    printers[e->printer].print(e->made, &out);
    if (strcmp(e->how->file, "-") == 0) return hbg_api_text_of(session, out.data, out.size, text);
    hbg_status status = hbg_base_file_write(e->how->file, out.data, out.size, NULL, &reason);
    if (status == HBG_NO_MEMORY) return status;
    if (status != HBG_OK)
        return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the diagram cannot be written to `%s`: %s",
                                    e->how->file, reason);
    return report(e, out.size, text);
}

static hbg_status export_blocks(exporting *e, const hbg_model *model, const hbg_run_options *options,
                                hbg_text *text) {
    hbg_session *session = e->session;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true};
    const char *reason = NULL;
    HBG_TRY(find_printer(e));
    HBG_TRY(hbg_api_export_name(session, model, e->how->name, &e->of.name));
    HBG_TRY(check_model(e, model));
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &e->sim));
    HBG_TRY(check_experiment(e));
    HBG_TRY(describe(e));
    e->made = hbg_emit_blocks_new(&session->scratch, &e->of, &reason);
    if (e->made && printers[e->printer].refuses) reason = printers[e->printer].refuses(e->made);
    return reason ? refuse(e, reason) : write(e, text);
}

hbg_status hbg_export_blocks(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                             const hbg_export_blocks_options *how, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    exporting *e = HBG_NEW(&session->scratch, exporting);
    e->session = session;
    e->how = how;
    hbg_run_options used = hbg_api_run_options(session, model, options);
    hbg_status status = export_blocks(e, model, &used, text);
    return hbg_api_run_leave(session, hbg_api_export_end(session, "blocks", how->json, status, text));
}
