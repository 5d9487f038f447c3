/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model and one of its experiments for other programs: what all targets share. The image has to be
 * complete, since there is no compiler where it runs; all else is printed from it. Everything is made in
 * memory first, so a failed export leaves no files. */
#include <math.h>
#include <string.h>

#include "api/export_impl.h"
#include "rt/ship.h"

/* Limits of what can be shipped. With more local modes programs are interpreted; with more instructions
 * likewise, since compilers take more than proportional time. A loop without a sparse solver costs the square
 * of its unknowns in memory and their cube in time. */
enum {
    MOST_ELEMENTS = 30000,     /* of the model */
    MOST_PRINTED = 4096,       /* local modes */
    MOST_INSTRUCTIONS = 60000, /* of printed programs: some ten seconds of a compiler */
    MOST_UNKNOWNS = 2000,      /* of a loop, or states of an implicit method of fixed step */
    MOST_IMPLICIT = 300,       /* states of the one with variable steps */
    MOST_IMAGE = 64 << 20      /* bytes */
};

typedef hbg_api_exporting exporting;

void hbg_api_export_warn(hbg_api_exporting *e, const char *text) {
    if (e->warning_count < 8) e->warnings[e->warning_count++] = text;
}

/* ---- the solver ----------------------------------------------------------------------------------------- */

/* For a solver without a fixed step: the embedded pair, with the engine's implicit method where a run takes
 * one. */
static hbg_rt_stiffness stiffness_of(const exporting *e) {
    if (e->state->system->state_count > MOST_IMPLICIT) return HBG_RT_EXPLICIT;
    return e->sim.solver == HBG_SIM_BDF    ? HBG_RT_IMPLICIT
           : e->sim.solver == HBG_SIM_AUTO ? HBG_RT_WHERE_STIFF
                                           : HBG_RT_EXPLICIT;
}

/* The engine's own methods ship; those of other libraries do not. */
static void choose_solver(exporting *e) {
    static const char *const names[] = {"erk", "erk, and rodas where it is stiff", "rodas"};
    hbg_arena *arena = &e->session->scratch;
    hbg_sim_solver solver = e->sim.solver;
    bool fixed = solver >= HBG_SIM_EULER;
    hbg_rt_stiffness stiffness = stiffness_of(e);
    const char *asked = hbg_model_solver_text((hbg_solver)solver);
    e->of.options = (hbg_rt_options){.stop = e->sim.stop,
                                     .fixed = fixed,
                                     .stiffness = stiffness,
                                     .method = fixed ? (hbg_rt_method)(solver - HBG_SIM_EULER) : HBG_RT_EULER,
                                     .step = e->sim.step,
                                     .rtol = e->sim.rtol,
                                     .atol = e->sim.atol,
                                     .ledger = e->sim.ledger,
                                     .strict = e->sim.strict,
                                     .zeno_rest = e->sim.zeno_rest,
                                     .slides = e->sim.slides,
                                     .every = e->sim.record_every};
    e->of.solver = fixed ? asked : names[stiffness];
    if (solver == HBG_SIM_BDF || solver == HBG_SIM_ADAMS)
        hbg_api_export_warn(
            e, hbg_base_arena_print(arena,
                                    "the solver %s belongs to another library and is not shipped: %s, a "
                                    "method of the engine's own, takes its place",
                                    asked, names[stiffness]));
    if (solver != HBG_SIM_ERK && !fixed && e->state->system->state_count > MOST_IMPLICIT)
        hbg_api_export_warn(
            e, hbg_base_arena_print(
                   arena,
                   "it has %d states, and the implicit method that is shipped is for %d at most: "
                   "if it is stiff, erk takes many steps",
                   (int)e->state->system->state_count, (int)MOST_IMPLICIT));
}

/* ---- the image ------------------------------------------------------------------------------------------ */

/* Names what has too many local modes: the automata, and their number. */
static hbg_status refuse_modes(const exporting *e) {
    const hbg_rt_description *system = e->state->system;
    int32_t *automata = HBG_NEW_ARRAY(&e->session->scratch, int32_t, system->automaton_count + 1);
    double modes;
    int32_t count = hbg_rt_image_widest(hbg_code_image(e->state->code), automata, &modes);
    hbg_buffer names;
    hbg_base_buffer_init(&names, &e->session->scratch);
    for (int32_t i = 0; i < count && i < 3; i++)
        hbg_base_buffer_print(&names, "%s`%s`", i > 0 ? ", " : "", system->automata[automata[i]].name);
    if (count > 3) hbg_base_buffer_print(&names, " and %d more", (int)count - 3);
    return hbg_api_session_fail(
        e->session, HBG_TOO_LARGE,
        "the model cannot be exported: the automata %s switch junctions whose equations "
        "are solved together, and have %.3g local modes, more than %d",
        names.data, modes, (int)HBG_RT_MOST_LOCAL_MODES);
}

static hbg_status complete(exporting *e) {
    hbg_session *session = e->session;
    hbg_code *code = e->state->code;
    char reason[400] = "";
    hbg_rt_provider provider = hbg_code_provider(code);
    hbg_rt_status status = hbg_rt_image_complete(hbg_code_image(code), &provider,
                                                 hbg_code_memory(&session->memory), reason, sizeof reason);
    if (status == HBG_RT_OK) return HBG_OK;
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_NOT_THERE) return refuse_modes(e);
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the model cannot be exported: %s",
                                reason[0] ? reason : hbg_rt_status_text(status));
}

static hbg_status check_sizes(const exporting *e) {
    const hbg_rt_image *image = hbg_code_image(e->state->code);
    int32_t states = e->state->system->state_count, widest = 0;
    for (int32_t i = 0; i < image->pool.loops.count; i++) {
        int32_t count = HBG_RT_AT(image->pool.loops, i)->count;
        widest = count > widest ? count : widest;
    }
    if (widest > MOST_UNKNOWNS)
        return hbg_api_session_fail(
            e->session, HBG_TOO_LARGE,
            "the model cannot be exported: %d of its variables depend on each other, and "
            "without a sparse solver more than %d take too long",
            (int)widest, (int)MOST_UNKNOWNS);
    if (e->of.options.fixed && e->of.options.method == HBG_RT_TRAPEZOIDAL && states > MOST_UNKNOWNS)
        return hbg_api_session_fail(
            e->session, HBG_TOO_LARGE,
            "the model cannot be exported: it has %d states, and without a sparse solver "
            "the trapezoidal method takes too long for more than %d",
            (int)states, (int)MOST_UNKNOWNS);
    return HBG_OK;
}

/* A run solves by sparse matrices what is large, in another order. */
static void warn_of_rounding(exporting *e) {
    const hbg_rt_image *image = hbg_code_image(e->state->code);
    int32_t states = e->state->system->state_count, widest = 0;
    for (int32_t i = 0; i < image->pool.loops.count; i++) {
        const hbg_rt_loop *loop = HBG_RT_AT(image->pool.loops, i);
        if (loop->sparse && loop->count > widest) widest = loop->count;
    }
    if (widest > 0)
        hbg_api_export_warn(
            e, hbg_base_arena_print(&e->session->scratch,
                                    "the sparse solver for loops, of up to %d unknowns, is not shipped: "
                                    "values agree within rounding",
                                    (int)widest));
    if (e->of.options.fixed && e->of.options.method == HBG_RT_TRAPEZOIDAL && states > HBG_RT_DENSE_STATES)
        hbg_api_export_warn(
            e, hbg_base_arena_print(&e->session->scratch,
                                    "the sparse solver for the trapezoidal method of %d states is not "
                                    "shipped: values agree within rounding",
                                    (int)states));
}

/* The package; its bytes are in scratch memory, aligned. */
static hbg_status make_image(exporting *e) {
    hbg_session *session = e->session;
    const hbg_model *model = e->state->model;
    hbg_rt_package package = {.image = hbg_code_image(e->state->code),
                              .system = hbg_code_system(e->state->code),
                              .version = hbg_version(),
                              .model = hbg_base_names_get(model->names, model->name),
                              .experiment = e->of.experiment};
    hbg_code_index_values(e->state->code);
    hbg_rt_provider provider = hbg_code_provider(e->state->code);
    void *bytes = NULL;
    hbg_api_compile_describe(session, &e->sim, &package);
    package.keys = HBG_NEW_ARRAY(&session->scratch, uint64_t, package.system->output_count + 1);
    if (hbg_rt_package_write(&package, &provider, hbg_code_memory(&session->memory), &bytes,
                             &e->of.image_size) != HBG_RT_OK)
        return HBG_NO_MEMORY;
    const char *kept =
        e->of.image_size > MOST_IMAGE ? NULL : hbg_api_keep_bytes(session, bytes, e->of.image_size);
    hbg_base_memory_free(&session->memory, bytes, e->of.image_size);
    if (e->of.image_size > MOST_IMAGE)
        return hbg_api_session_fail(
            session, HBG_TOO_LARGE,
            "the model cannot be exported: its image has %zu MiB, and no compiler takes "
            "more than %d MiB of constants in good time",
            e->of.image_size >> 20, (int)MOST_IMAGE >> 20);
    e->of.image = (const unsigned char *)kept;
    return kept ? HBG_OK : HBG_NO_MEMORY;
}

/* ---- its programs --------------------------------------------------------------------------------------- */

static void print_code(exporting *e) {
    hbg_code *code = e->state->code;
    int32_t variants = hbg_code_image(code)->pool.variants.count, instructions = hbg_code_size(code);
    hbg_rt_native_options options = {.books = e->sim.ledger,
                                     .lines = e->state->plan && e->state->plan->lines};
    hbg_buffer text;
    if (variants > MOST_PRINTED || instructions > MOST_INSTRUCTIONS) {
        hbg_api_export_warn(
            e, hbg_base_arena_print(
                   &e->session->scratch,
                   "its programs are interpreted: as C they would be %d instructions in %d local "
                   "modes",
                   (int)instructions, (int)variants));
        return;
    }
    options.strides = e->of.options.fixed && e->of.options.method != HBG_RT_TRAPEZOIDAL;
    if (options.strides) options.method = e->of.options.method;
    hbg_base_buffer_init(&text, &e->session->scratch);
    hbg_code_print_shipped(code, &options, hbg_base_arena_print(text.arena, "%s_code", e->name), &text);
    e->of.code = text.data;
    e->of.code_size = text.size;
}

/* Bytes of an instance, by making one. */
static hbg_status measure(exporting *e) {
    hbg_rt_shipped model = {.image = e->of.image, .image_size = e->of.image_size, .options = e->of.options};
    hbg_rt_status status = hbg_rt_shipped_measure(&model, hbg_code_memory(&e->session->memory), &e->of.size);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_OK) return HBG_OK;
    return hbg_api_session_fail(e->session, HBG_BAD_ARGUMENT, "the model cannot be exported: %s",
                                hbg_rt_status_text(status));
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static void describe(exporting *e) {
    const hbg_model *model = e->state->model;
    e->of.name = e->name;
    e->of.model = hbg_base_names_get(model->names, model->name);
    e->of.version = hbg_version();
    e->of.sources = e->sources;
    e->of.system = e->state->system;
    if (e->state->experiment != HBG_NONE)
        e->of.experiment =
            hbg_base_names_get(model->names, model->experiments.items[e->state->experiment].name);
    if (e->state->watched_count > 0)
        hbg_api_export_warn(
            e, "faults may make an element impossible, and nothing watches that it stays possible");
    choose_solver(e);
}

hbg_status hbg_api_export_check(hbg_session *session, const hbg_model *model) {
    if (model->elements.count > MOST_ELEMENTS)
        return hbg_api_session_fail(
            session, HBG_TOO_LARGE,
            "the model cannot be exported: it has %d elements, and the constants of more "
            "than %d are too many for a compiler",
            (int)model->elements.count, (int)MOST_ELEMENTS);
    return HBG_OK;
}

hbg_status hbg_api_export_prepare(hbg_api_exporting *e, const hbg_model *model,
                                  const hbg_run_options *options, const hbg_run_wish *wish) {
    HBG_TRY(hbg_api_run_prepare(e->session, model, wish));
    e->state = e->session->run;
    HBG_TRY(hbg_api_run_sim_options(e->session, options, NAN, &e->sim));
    describe(e);
    HBG_TRY(complete(e));
    HBG_TRY(check_sizes(e));
    warn_of_rounding(e);
    HBG_TRY(make_image(e));
    HBG_TRY(measure(e));
    print_code(e);
    return HBG_OK;
}

/* ---- the report ----------------------------------------------------------------------------------------- */

static void say_counted(hbg_api_report *to, const char *before, int32_t count, const char *thing) {
    hbg_api_say(to, "%s%d %s%s", before, (int)count, thing, count == 1 ? "" : "s");
}

void hbg_api_export_report(hbg_api_exporting *e, hbg_api_report *to) {
    const hbg_rt_description *system = e->state->system;
    hbg_api_text(to, "name", e->name);
    hbg_api_text(to, "model", e->of.model);
    hbg_api_text(to, "experiment", e->of.experiment);
    hbg_api_text(to, "solver", e->of.solver);
    hbg_api_number(to, "stop", e->of.options.stop);
    hbg_api_number(to, "step", e->of.options.step);
    hbg_api_count(to, "states", system->state_count);
    hbg_api_count(to, "parameters", system->param_count);
    hbg_api_count(to, "inputs", system->input_count);
    hbg_api_count(to, "outputs", e->output_count);
    hbg_api_count(to, "automata", system->automaton_count);
    hbg_api_count(to, "relations", system->root_count);
    hbg_api_count(to, "local_modes", hbg_code_image(e->state->code)->pool.variants.count);
    hbg_api_flag(to, "programs_as_code", e->of.code != NULL);
    hbg_api_count(to, "image_bytes", (int64_t)e->of.image_size);
    hbg_api_count(to, "instance_bytes", (int64_t)e->of.size);
    hbg_api_count(to, "files", e->file_count);
    hbg_api_texts(to, "warnings", e->warnings, e->warning_count);
    say_counted(to, "", system->state_count, "state");
    say_counted(to, ", ", system->root_count, "relation");
    say_counted(to, ", ", hbg_code_image(e->state->code)->pool.variants.count, "local mode");
    hbg_api_say(to, "; solver %s\n", e->of.solver);
    hbg_api_say(to, "constants %zu bytes, an instance %zu bytes\n", e->of.image_size, e->of.size);
    for (int32_t i = 0; i < e->warning_count; i++) hbg_api_say(to, "warning: %s\n", e->warnings[i]);
}

hbg_status hbg_api_export_end(hbg_session *session, const char *target, bool json, hbg_status status,
                              hbg_text *text) {
    if (!json || status == HBG_OK || status == HBG_NO_MEMORY) return status;
    const char *reason = hbg_session_reason(session);
    hbg_api_report *to = hbg_api_report_new(session);
    hbg_api_text(to, "target", target);
    hbg_api_text(to, "error", reason[0] ? reason : hbg_status_text(status));
    return hbg_api_report_print(to, true, text) == HBG_NO_MEMORY ? HBG_NO_MEMORY : status;
}
