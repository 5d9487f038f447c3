/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_compile: a model and one of its experiments as an image in a file: code with all its local modes, of
 * the whole and of its parts, without and with room for faults; and the tables of the model, which hold the
 * names. Nothing else is needed to run it. */
#include <math.h>
#include <string.h>

#include "api/image_impl.h"
#include "api/run_impl.h"

/* Parameters that a run gives a value, other than the one its code has. */
static int32_t list_settings(hbg_session *session, const hbg_run_state *state,
                             hbg_rt_package_setting **list) {
    const hbg_model *model = state->model;
    int32_t count = 0;
    *list = HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_setting, model->params.count + 1);
    for (int32_t i = 0; i < model->params.count; i++)
        if (hbg_api_run_sets_param(state, i))
            (*list)[count++] = (hbg_rt_package_setting){.value = model->param_values[i], .param = i};
    return count;
}

/* Faults as the engine takes them; sensors are numbered. */
static void list_overrides(hbg_session *session, const hbg_sim_options *sim, hbg_rt_package *package) {
    size_t count = (size_t)sim->override_count;
    hbg_rt_package_override *made = HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_override, count + 1);
    hbg_rt_package_sensor *sensors = HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_sensor, count + 1);
    for (int32_t i = 0; i < sim->override_count; i++) {
        const hbg_sim_override *of = &sim->overrides[i];
        const hbg_rt_sensor *from = of->sensor;
        made[i] = (hbg_rt_package_override){.time = of->time,
                                            .value = of->value,
                                            .slope = of->slope,
                                            .kind = (int32_t)of->kind,
                                            .index = of->index,
                                            .state = of->state,
                                            .cause = of->cause,
                                            .is_line = of->is_line,
                                            .sensor = from ? package->sensor_count : HBG_NONE};
        if (!from) continue;
        sensors[package->sensor_count++] = (hbg_rt_package_sensor){.scale = from->scale,
                                                                   .scale_rate = from->scale_rate,
                                                                   .bias = from->bias,
                                                                   .bias_rate = from->bias_rate,
                                                                   .mean = from->mean,
                                                                   .deviation = from->deviation,
                                                                   .stuck = from->stuck,
                                                                   .seed = from->seed,
                                                                   .key = from->key,
                                                                   .is_stuck = from->is_stuck};
    }
    package->overrides = made;
    package->override_count = sim->override_count;
    package->sensors = sensors;
}

/* The experiment as the engine takes it: enough to run the image by the engine alone. */
void hbg_api_compile_describe(hbg_session *session, const hbg_sim_options *sim, hbg_rt_package *package) {
    const hbg_run_state *state = session->run;
    hbg_rt_package_action *actions =
        HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_action, sim->action_count + 1);
    for (int32_t i = 0; i < sim->action_count; i++)
        actions[i] = (hbg_rt_package_action){
            .time = sim->actions[i].time, .value = sim->actions[i].value, .input = sim->actions[i].input};
    hbg_rt_package_setting *settings = NULL;
    package->pace = (hbg_rt_package_pace){.stop = sim->stop,
                                          .step = sim->step,
                                          .rtol = sim->rtol,
                                          .atol = sim->atol,
                                          .every = sim->record_every,
                                          .solver = (int32_t)sim->solver,
                                          .records = state->record_count};
    package->actions = actions;
    package->action_count = sim->action_count;
    package->setting_count = list_settings(session, state, &settings);
    package->settings = settings;
    list_overrides(session, sim, package);
}

/* ---- code ----------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_session *session;
    HBG_VEC(hbg_rt_bundle_item) items;
    const hbg_sim_options *sim; /* of the experiment; NULL: it is not to be run */
    hbg_code *rehearsed;        /* code whose modes are those of a run */
} bundling;

static bool has_key(const bundling *b, uint64_t key) {
    for (int32_t i = 0; i < b->items.count; i++)
        if (b->items.items[i].kind == HBG_RT_BUNDLE_IMAGE && b->items.items[i].key == key) return true;
    return false;
}

/* A mode that occurred in a run: everything that any solver needs there. */
static void visit_modes(void *context, const hbg_sim_event *event) {
    bundling *b = context;
    hbg_rt_provider provider = hbg_code_provider(b->rehearsed);
    hbg_rt_memory memory = hbg_code_memory(&b->session->memory);
    for (int32_t i = 0; i < event->visit_count; i++)
        if (event->visits[i].kind != HBG_RT_MYTHICAL)
            (void)hbg_rt_image_visit(hbg_code_image(b->rehearsed), &provider, memory,
                                     event->visits[i].states);
}

/* Where there are too many modes to compile all of them, the experiment is run and the modes it visits are
 * compiled. */
static hbg_status rehearse(bundling *b, hbg_code *code) {
    hbg_session *session = b->session;
    const hbg_run_state *state = session->run;
    hbg_sim_options sim = *b->sim;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    hbg_rt_status status;
    sim.ledger = true;
    sim.context = b;
    if (code == state->code) {
        b->rehearsed = code;
        sim.event = visit_modes;
        status = hbg_sim_run(&session->scratch, state->system, state->instance, &sim, result);
    } else if (!b->rehearsed) {
        b->rehearsed = code;
        status = hbg_sim_run_parts(&session->scratch, state->system, state->apart, state->part_count, &sim,
                                   result);
    } else {
        return HBG_OK;
    }
    return status == HBG_RT_NO_MEMORY ? HBG_NO_MEMORY : HBG_OK;
}

static hbg_status complete(bundling *b, hbg_code *code) {
    hbg_session *session = b->session;
    char reason[240] = "";
    hbg_rt_provider provider = hbg_code_provider(code);
    hbg_rt_status status = hbg_rt_image_complete(hbg_code_image(code), &provider,
                                                 hbg_code_memory(&session->memory), reason, sizeof reason);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_OK) return HBG_OK;
    if (status == HBG_RT_NOT_THERE && b->sim) return rehearse(b, code);
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the model cannot be compiled completely: %s",
                                reason[0] ? reason : hbg_rt_status_text(status));
}

/* A copy in scratch memory; NULL if memory is exhausted. It returns instead of jumping out, so that the
 * caller can free the bytes. */
const char *hbg_api_keep_bytes(hbg_session *session, const void *bytes, size_t size) {
    hbg_memory *memory = &session->memory;
    jmp_buf guard, *outer = memory->exhausted;
    const char *kept = NULL;
    if (!HBG_GUARD(memory, guard)) kept = hbg_base_arena_copy(&session->scratch, bytes, size);
    memory->exhausted = outer;
    return kept;
}

/* The image of a model and its code. */
static hbg_status add_image(bundling *b, const hbg_model *model, const hbg_eqn_options *options,
                            hbg_code *code, hbg_rt_package *package) {
    hbg_session *session = b->session;
    uint64_t *keys = HBG_NEW_ARRAY(&session->scratch, uint64_t, options->output_count + 1);
    uint64_t key = hbg_api_run_code_key(&session->scratch, model, options, keys);
    void *bytes = NULL;
    size_t size = 0;
    if (has_key(b, key)) return HBG_OK;
    HBG_TRY(complete(b, code));
    hbg_code_index_values(code);
    hbg_rt_provider provider = hbg_code_provider(code);
    package->image = hbg_code_image(code);
    package->system = hbg_code_system(code);
    package->version = hbg_version();
    package->model = hbg_base_names_get(model->names, model->name);
    package->keys = keys;
    if (hbg_rt_package_write(package, &provider, hbg_code_memory(&session->memory), &bytes, &size) !=
        HBG_RT_OK)
        return HBG_NO_MEMORY;
    const char *kept = hbg_api_keep_bytes(session, bytes, size);
    hbg_base_memory_free(&session->memory, bytes, size);
    if (!kept) return HBG_NO_MEMORY;
    hbg_rt_bundle_item item = {HBG_RT_BUNDLE_IMAGE, kept, size, key};
    HBG_PUSH(&session->scratch, b->items, item);
    return HBG_OK;
}

hbg_status hbg_api_compile_run(hbg_session *session, const hbg_sim_options *sim, hbg_rt_package *package,
                               const void **bytes, size_t *size) {
    const hbg_run_state *state = session->run;
    bundling b = {.session = session, .sim = sim};
    hbg_eqn_options used = hbg_api_run_eqn_options(state);
    HBG_TRY(add_image(&b, state->model, &used, state->code, package));
    *bytes = b.items.items[0].bytes;
    *size = b.items.items[0].size;
    return HBG_OK;
}

static hbg_status add_parts(bundling *b) {
    hbg_run_state *state = b->session->run;
    HBG_TRY(hbg_api_run_make_parts(b->session));
    for (int32_t i = 0; state->apart && i < state->part_count; i++) {
        hbg_rt_package package = {0};
        hbg_eqn_options options = hbg_api_run_part_options(state, &state->parts[i]);
        HBG_TRY(add_image(b, state->parts[i].model, &options, state->parts[i].code, &package));
    }
    return HBG_OK;
}

/* The requested experiment; its image is the first of the file. */
static hbg_status add_asked(bundling *b, const hbg_model *model, const hbg_run_options *options) {
    hbg_session *session = b->session;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true, .plots = true};
    hbg_sim_options sim;
    hbg_rt_package package = {0};
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &sim));
    const hbg_run_state *state = session->run;
    const hbg_model *sorted = state->model;
    if (state->experiment != HBG_NONE)
        package.experiment =
            hbg_base_names_get(sorted->names, sorted->experiments.items[state->experiment].name);
    hbg_api_compile_describe(session, &sim, &package);
    hbg_eqn_options used = hbg_api_run_eqn_options(state);
    b->sim = &sim;
    hbg_status status = add_image(b, sorted, &used, state->code, &package);
    b->rehearsed = NULL;
    if (status == HBG_OK) status = add_parts(b);
    b->sim = NULL;
    return status;
}

/* Code with room for faults that a run may be given. What cannot be compiled is left out, and refused on
 * request. */
static hbg_status add_ready(bundling *b, const hbg_model *model, const hbg_run_options *options,
                            hbg_fault_ready ready) {
    hbg_session *session = b->session;
    hbg_run_wish wish = {
        .experiment = options->experiment, .time_flows = true, .plots = true, .ready = ready};
    hbg_api_run_release(session);
    HBG_TRY(hbg_api_run_compile(session, model, &wish));
    const hbg_run_state *state = session->run;
    if (ready.watches && state->watched_count == 0) return HBG_OK;
    hbg_rt_package package = {0};
    hbg_eqn_options used = hbg_api_run_eqn_options(state);
    hbg_status status = add_image(b, state->model, &used, state->code, &package);
    if (status == HBG_OK) status = add_parts(b);
    return status == HBG_NO_MEMORY ? status : HBG_OK;
}

/* ---- what stands beside it ------------------------------------------------------------------------------ */

static void add_note(bundling *b, hbg_rt_bundle_kind kind, const char *bytes, size_t size) {
    HBG_PUSH(&b->session->scratch, b->items, ((hbg_rt_bundle_item){kind, bytes, size, 0}));
}

static void add_option(bundling *b, char what, const char *text) {
    if (!text) return;
    const char *note = hbg_base_arena_print(&b->session->scratch, "%c%s", what, text);
    add_note(b, HBG_RT_BUNDLE_OPTION, note, strlen(note));
}

static void add_number(bundling *b, char what, double number) {
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, number);
    if (number > 0) add_option(b, what, text);
}

static void add_notes(bundling *b, const hbg_model *model, int32_t experiment,
                      const hbg_run_options *options) {
    hbg_buffer tables;
    hbg_base_buffer_init(&tables, &b->session->scratch);
    hbg_model_store(model, experiment, &tables);
    add_note(b, HBG_RT_BUNDLE_MODEL, tables.data, tables.size);
    add_option(b, 'S', options->solver);
    add_number(b, 'R', options->rtol);
    add_number(b, 'A', options->atol);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static hbg_status write_file(bundling *b, const char *path) {
    hbg_session *session = b->session;
    void *bytes = NULL;
    size_t size = 0;
    const char *reason;
    if (hbg_rt_bundle_write(b->items.items, b->items.count, hbg_code_memory(&session->memory), &bytes,
                            &size) != HBG_RT_OK)
        return HBG_NO_MEMORY;
    hbg_status status = hbg_base_file_write(path, bytes, size, NULL, &reason);
    hbg_base_memory_free(&session->memory, bytes, size);
    if (status == HBG_OK) return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the image cannot be written to `%s`: %s", path,
                                reason);
}

static hbg_status compile(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                          const char *path) {
    static const hbg_fault_ready others[] = {
        {.jumps = true},
        {.jumps = true, .creeps = true},
        {.jumps = true, .params = true},
        {.jumps = true, .creeps = true, .params = true},
        {.watches = true},
        {.jumps = true, .watches = true},
        {.jumps = true, .creeps = true, .watches = true},
        {.jumps = true, .params = true, .watches = true},
        {.jumps = true, .creeps = true, .params = true, .watches = true}};
    bundling b = {.session = session};
    if (hbg_api_origin_of(session, model))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this is an image already");
    HBG_TRY(add_asked(&b, model, options));
    int32_t experiment = session->run->experiment; // sorting keeps their order
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        HBG_TRY(add_ready(&b, model, options, others[i]));
    add_notes(&b, model, experiment, options);
    return write_file(&b, path);
}

hbg_status hbg_compile(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                       const char *path) {
    HBG_RUN_ENTER(session);
    return hbg_api_run_leave(session, compile(session, model, options, path));
}
