/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_export_fmu: a model and one of its experiments as an FMU. Start values of variables are taken from a
 * run of the image. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/export_impl.h"
#include "draw/draw.h"
#include "fmu/fmu.h"
#include "rt/package.h"

typedef struct {
    hbg_api_exporting base;
    const hbg_export_fmu_options *how;
    const hbg_run_options *options;
    bool stopped; /* while the binary was compiled */
    hbg_emit_fmu of;
    HBG_VEC(hbg_emit_fmu_unit) units;
    const char *bytes; /* of the archive */
    size_t size;
} exporting;

/* The earliest day a zip can store: the same model gives the same FMU, whenever it is made. */
static const char *const usual_date = "1980-01-01T00:00:00Z";

static const char *const slides_warning =
    "runs that may slide along a surface cannot be saved: the FMU does not offer its state";

/* ---- what is read --------------------------------------------------------------------------------------- */

/* By input the output that reads it; -1: none, -2: it is an event. */
static void find_readers(exporting *e) {
    const hbg_run_state *state = e->base.state;
    const hbg_rt_outside *outside = &hbg_code_image(state->code)->instants.outside;
    int32_t *read_by = HBG_NEW_ARRAY(&e->base.session->scratch, int32_t, state->system->input_count + 1);
    for (int32_t i = 0; i < state->system->input_count; i++)
        read_by[i] = outside->inputs[i].is_event ? -2 : -1;
    for (int32_t i = 0; i < state->input_count; i++)
        read_by[state->inputs[i]] = state->output_count - state->input_count + i;
    e->of.read_by = read_by;
    e->of.shown = state->record_count;
}

/* An area of effort is a momentum, one of flow a displacement. */
static void find_area_units(exporting *e) {
    const hbg_model *model = e->base.state->model;
    int32_t bonds = e->base.state->system->bond_count;
    const char **units = HBG_NEW_ARRAY(&e->base.session->scratch, const char *, 2 * bonds + 1);
    for (int32_t i = 0; i < 2 * bonds; i++) {
        int32_t net = model->bonds.items[i % bonds].net;
        hbg_domain domain = net < 0 ? HBG_DOMAIN_ANY : model->net_domain[net];
        hbg_variable of = i < bonds ? HBG_VARIABLE_MOMENTUM : HBG_VARIABLE_DISPLACEMENT;
        units[i] = hbg_api_text_unit(e->base.session, hbg_model_domain_dimension(domain, of));
    }
    e->of.area_units = units;
}

/* Creeping moves parameters, and sliding mixes modes: then everything may depend on everything. */
static void find_dependences(exporting *e) {
    const hbg_run_state *state = e->base.state;
    hbg_arena *arena = &e->base.session->scratch;
    hbg_code_dependences *found = HBG_NEW(arena, hbg_code_dependences);
    bool moves = state->plan && state->plan->lines;
    if (moves || e->base.of.options.slides) return;
    if (hbg_code_depend(hbg_code_image(state->code), arena, found)) e->of.depends = found;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

/* Whether an expression has a parameter in it. */
static bool *find_formulas(exporting *e) {
    const hbg_model *model = e->base.state->model;
    bool *has = HBG_NEW_ARRAY(&e->base.session->scratch, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        has[i] = node->op == HBG_OP_PARAM;
        for (int k = 0; k < hbg_model_expr_arity(node) && !has[i]; k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            has[i] = part >= 0 && has[part];
        }
    }
    return has;
}

/* A unit of another size than that of SI; NULL: it has the size of SI, or another unit has its name. Numbers
 * are few: each one is written once. */
static const char *add_unit(exporting *e, const hbg_display *shown) {
    bool coherent = !shown->unit || (shown->scale == 1 && shown->offset == 0);
    if (coherent || !(shown->scale > 0) || !isfinite(shown->offset)) return NULL;
    for (int32_t i = 0; i < e->units.count; i++) {
        const hbg_emit_fmu_unit *of = &e->units.items[i];
        if (strcmp(of->name, shown->unit) != 0) continue;
        return of->scale == shown->scale && of->offset == shown->offset ? of->name : NULL;
    }
    hbg_emit_fmu_unit made = {shown->unit, hbg_api_text_unit(e->base.session, shown->dimension), shown->scale,
                              shown->offset};
    HBG_PUSH(&e->base.session->scratch, e->units, made);
    return shown->unit;
}

/* A parameter that the experiment or the user gives a value is no formula any more. */
static void describe_params(exporting *e) {
    const hbg_run_state *state = e->base.state;
    const hbg_model *model = state->model;
    const bool *has = find_formulas(e);
    hbg_emit_fmu_param *params =
        HBG_NEW_ARRAY(&e->base.session->scratch, hbg_emit_fmu_param, model->params.count + 1);
    for (int32_t i = 0; i < model->params.count; i++) {
        hbg_expr value = model->params.items[i].value;
        params[i].start = model->param_values[i];
        params[i].description = model->params.items[i].doc;
        params[i].constant = model->params.items[i].structural;
        params[i].shown_in = add_unit(e, &model->params.items[i].display);
        params[i].calculated = value != HBG_NONE && has[value] && !hbg_api_run_sets_param(state, i);
    }
    e->of.params = params;
    for (int32_t i = 0; i < model->signals.count; i++) (void)add_unit(e, &model->signals.items[i].display);
    e->of.units = e->units.items;
    e->of.unit_count = e->units.count;
}

/* ---- starts --------------------------------------------------------------------------------------------- */

/* The default of a switch that the experiment does not set. */
static void take_defaults(const exporting *e, double *starts) {
    const hbg_model *model = e->base.state->model;
    int32_t input = 0;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (signal->kind != HBG_SIGNAL_INPUT) continue;
        double value = signal->value == HBG_NONE ? 0 : model->expr_values[signal->value];
        starts[input++] = isfinite(value) ? value : 0;
    }
}

/* Parameters, and inputs that are numbers, where a run starts. */
static void read_starts(exporting *e, hbg_rt_run *run, hbg_emit_fmu_param *params, double *starts) {
    hbg_arena *arena = &e->base.session->scratch;
    const hbg_rt_description *system = e->base.state->system;
    double *values = HBG_NEW_ARRAY(arena, double, system->param_count + 1),
           *outputs = HBG_NEW_ARRAY(arena, double, system->output_count + 1);
    if (hbg_rt_run_read(run, HBG_RT_READ_PARAMS, values) == HBG_RT_OK)
        for (int32_t i = 0; i < system->param_count; i++)
            if (isfinite(values[i])) params[i].start = values[i];
    if (hbg_rt_run_start(run) != HBG_RT_OK || hbg_rt_run_read(run, HBG_RT_READ_OUTPUTS, outputs) != HBG_RT_OK)
        return;
    for (int32_t i = 0; i < system->input_count; i++)
        if (e->of.read_by[i] >= 0 && isfinite(outputs[e->of.read_by[i]]))
            starts[i] = outputs[e->of.read_by[i]];
}

/* ---- sizes ---------------------------------------------------------------------------------------------- */

enum { TRIAL = 1000 }; /* steps */

static bool goes_on_a_while(void *context) {
    return --*(int *)context > 0;
}

/* One digit of the largest value of a state in the first steps of a run; if it stays 0, that of others with
 * its unit. */
static void find_nominals(exporting *e, hbg_rt_run *run) {
    const hbg_rt_description *system = e->base.state->system;
    hbg_arena *arena = &e->base.session->scratch;
    double *nominals = HBG_NEW_ARRAY(arena, double, system->state_count + 1),
           *sizes = HBG_NEW_ARRAY(arena, double, system->state_count + 1);
    if (run) (void)hbg_rt_run_advance(run, e->base.of.options.stop); // a verdict comes late enough
    if (!run || hbg_rt_run_read(run, HBG_RT_READ_SIZES, sizes) != HBG_RT_OK)
        memset(sizes, 0, (size_t)system->state_count * sizeof *sizes);
    for (int32_t i = 0; i < system->state_count; i++) {
        double size = sizes[i];
        const char *unit = system->states[i].unit;
        for (int32_t k = 0; !(size > 0) && k < system->state_count; k++)
            if (unit && system->states[k].unit && strcmp(unit, system->states[k].unit) == 0) size = sizes[k];
        char text[32];
        (void)snprintf(text, sizeof text, "%.0e", size > 0 && isfinite(size) ? size : 1);
        nominals[i] = strtod(text, NULL);
    }
    e->of.nominals = nominals;
}

static hbg_status find_starts(exporting *e) {
    hbg_session *session = e->base.session;
    hbg_rt_memory memory = hbg_code_memory(&session->memory);
    hbg_rt_options options = e->base.of.options;
    hbg_rt_loaded *loaded;
    hbg_rt_run *run = NULL;
    char reason[240];
    double *starts = HBG_NEW_ARRAY(&session->scratch, double, e->base.state->system->input_count + 1);
    hbg_emit_fmu_param *params = (hbg_emit_fmu_param *)e->of.params;
    take_defaults(e, starts);
    e->of.input_starts = starts;
    options.memory = memory;
    hbg_rt_status status =
        hbg_rt_package_place(e->base.of.image, e->base.of.image_size, memory, &loaded, reason, sizeof reason);
    int left = TRIAL;
    hbg_rt_setup setup = {
        .observer = {.context = &left, .goes_on = goes_on_a_while, .no_long_strides = true}};
    if (status == HBG_RT_OK)
        status = hbg_rt_run_with(loaded, hbg_rt_loaded_package(loaded), &options, &setup, &run);
    if (status == HBG_RT_OK) read_starts(e, run, params, starts);
    find_nominals(e, run);
    hbg_rt_run_free(run);
    hbg_rt_loaded_free(loaded);
    return status == HBG_RT_NO_MEMORY ? HBG_NO_MEMORY : HBG_OK;
}

/* ---- what it is known by -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t number, const void *bytes, size_t size) {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it does not follow the bytes of numbers
    for (size_t i = 0; i < size; i++) number = (number ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return number;
}

static uint64_t number_of(const exporting *e, uint64_t seed) {
    const hbg_rt_options *o = &e->base.of.options;
    const double numbers[] = {o->stop,         o->step,          o->rtol,      o->atol,
                              o->every,        o->fixed,         o->method,    (double)o->stiffness,
                              o->ledger,       o->zeno_rest,     o->slides,    o->strict,
                              e->how->version, e->how->exchange, e->how->steps};
    seed = mix(seed, numbers, sizeof numbers);
    seed = mix(seed, e->base.name, strlen(e->base.name));
    seed = mix(seed, hbg_version(), strlen(hbg_version()));
    return mix(seed, e->base.of.image, e->base.of.image_size);
}

/* A number of 128 bits that is derived from everything the FMU computes, in the form of a GUID. */
static const char *token_of(exporting *e) {
    uint64_t one = number_of(e, 14695981039346656037u), two = number_of(e, one);
    return hbg_base_arena_print(&e->base.session->scratch, "{%08x-%04x-%04x-%04x-%012llx}",
                                (unsigned)(one >> 32), (unsigned)(one >> 16 & 0xffff),
                                (unsigned)(one & 0xffff), (unsigned)(two >> 48),
                                (unsigned long long)(two & 0xffffffffffffu));
}

/* ---- the drawing ---------------------------------------------------------------------------------------- */

enum { ICON = 512 }; /* pixels of its longer side at most */

static void draw_icon(exporting *e) {
    hbg_arena *arena = &e->base.session->scratch;
    const char *reason = "";
    hbg_buffer png;
    hbg_base_buffer_init(&png, arena);
    if (hbg_draw_icon(e->of.drawing, e->of.drawing_size, ICON, &png, &reason) == HBG_OK) {
        e->of.icon = png.data;
        e->of.icon_size = png.size;
        return;
    }
    hbg_api_export_warn(&e->base, hbg_base_arena_print(arena, "it has no icon: %s", reason));
}

/* An FMU is valid without a drawing. */
static void draw(exporting *e) {
    hbg_diagram_options options = hbg_emit_diagram_options_default();
    const char *reason = "";
    hbg_buffer svg;
    hbg_base_buffer_init(&svg, &e->base.session->scratch);
    if (hbg_emit_diagram(e->base.state->model, &options, &svg, &reason) == HBG_OK) {
        e->of.drawing = svg.data;
        e->of.drawing_size = svg.size;
        draw_icon(e);
        return;
    }
    hbg_api_export_warn(&e->base,
                        hbg_base_arena_print(&e->base.session->scratch, "it has no drawing: %s", reason));
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static void describe(exporting *e) {
    const hbg_model *model = e->base.state->model;
    e->of.c = e->base.of;
    e->of.c.csv_head = "";
    e->of.c.notes = "";
    e->of.version = e->how->version;
    e->of.exchange = e->how->exchange;
    e->of.steps = e->how->steps;
    e->of.saves = !e->base.of.options.slides;
    e->of.token = token_of(e);
    e->of.date = usual_date;
    e->of.description = model->doc;
    if (e->base.of.options.slides) hbg_api_export_warn(&e->base, slides_warning);
}

static hbg_status report(exporting *e, hbg_text *text) {
    hbg_api_report *to = hbg_api_report_new(e->base.session);
    hbg_api_text(to, "target", "fmu");
    hbg_api_text(to, "file", e->how->file);
    hbg_api_count(to, "fmi", e->how->version);
    hbg_api_flag(to, "model_exchange", e->how->exchange);
    hbg_api_flag(to, "co_simulation", e->how->steps);
    hbg_api_flag(to, "binary", !e->how->no_binary);
    hbg_api_count(to, "bytes", (int64_t)e->size);
    hbg_api_count(to, "indicators", hbg_fmu_indicators_of(e->base.state->system, &e->base.of.options));
    hbg_api_text(to, "token", e->of.token);
    hbg_api_say(to, "wrote %s: FMI %d, %zu bytes\n", e->how->file, e->how->version, e->size);
    hbg_api_export_report(&e->base, to);
    return hbg_api_report_print(to, e->how->json, text);
}

static bool goes_on(void *context) {
    exporting *e = context;
    const hbg_run_options *options = e->options;
    e->stopped = e->stopped || (options->progress && !options->progress(options->context, 0, 0));
    return !e->stopped;
}

static hbg_status pack(exporting *e) {
    hbg_session *session = e->base.session;
    hbg_emit_files files = {0};
    const char *reason = "";
    hbg_status status = hbg_emit_export_fmu(&session->scratch, &e->of, &files, &reason);
    hbg_emit_compiler with = {.engine = e->how->engine, .goes_on = goes_on, .context = e};
    if (status == HBG_OK && !e->how->no_binary)
        status = hbg_emit_fmu_binary(&session->scratch, &e->of, &with, &files, &reason);
    if (e->stopped)
        return hbg_api_session_fail(session, HBG_NO_PROGRAM,
                                    "interrupted while its binary was compiled; nothing is written");
    if (status == HBG_OK) status = hbg_emit_zip(&session->scratch, &files, &e->bytes, &e->size, &reason);
    if (status == HBG_OK) status = hbg_base_file_write(e->how->file, e->bytes, e->size, NULL, &reason);
    e->base.file_count = files.count;
    if (status == HBG_OK || status == HBG_NO_MEMORY) return status;
    return hbg_api_session_fail(session, status, "the FMU cannot be made: %s", reason);
}

static hbg_status export_fmu(exporting *e, const hbg_model *model, const hbg_run_options *options,
                             hbg_text *text) {
    hbg_session *session = e->base.session;
    hbg_run_wish wish = {.experiment = options->experiment,
                         .time_flows = true,
                         .inputs = true,
                         .ready = {.jumps = e->how->breakable, .sampled = true}};
    HBG_TRY(hbg_api_export_name(session, model, e->how->name, &e->base.name));
    HBG_TRY(hbg_api_export_check_file(session, e->how->file));
    HBG_TRY(hbg_api_export_check(session, model));
    HBG_TRY(hbg_api_export_prepare(&e->base, model, options, &wish));
    describe(e);
    find_readers(e);
    find_area_units(e);
    find_dependences(e);
    hbg_api_export_find_terminals(e->base.session, &e->of);
    describe_params(e);
    HBG_TRY(find_starts(e));
    draw(e);
    HBG_TRY(pack(e));
    e->base.output_count = e->of.shown;
    return report(e, text);
}

hbg_status hbg_export_fmu(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                          const hbg_export_fmu_options *how, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    exporting *e = HBG_NEW(&session->scratch, exporting);
    e->base.session = session;
    e->base.sources = how->sources;
    e->how = how;
    hbg_run_options used = hbg_api_run_options(session, model, options);
    e->options = &used;
    hbg_status status = export_fmu(e, model, &used, text);
    return hbg_api_run_leave(session, hbg_api_export_end(session, "fmu", how->json, status, text));
}
