/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_compile: a model and one of its experiments as an image in a file, with all its local modes, so that running it needs
 * neither the text nor a compiler. */
#include "api/run_impl.h"
#include "rt/package.h"

/* Parameters that the experiment sets, with their values. */
static int32_t list_settings(hbg_session *session, const hbg_run_state *state,
                             hbg_rt_package_setting **list) {
    const hbg_model *model = state->model;
    int32_t count = 0;
    if (state->experiment == HBG_NONE) return 0;
    const hbg_experiment *experiment = &model->experiments.items[state->experiment];
    *list = HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_setting, experiment->settings.count + 1);
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        hbg_object target = experiment->settings.items[i].target;
        if (target.kind != HBG_OBJECT_PARAM) continue;
        (*list)[count++] =
            (hbg_rt_package_setting){.value = model->param_values[target.index], .param = target.index};
    }
    return count;
}

static hbg_status refuse_what_is_missing(hbg_session *session, const hbg_run_state *state,
                                         hbg_sim_options *sim) {
    if (state->watched_count > 0)
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "values that a fault moves have to be judged in every step, which needs the model: "
            "compile an experiment without such faults");
    HBG_TRY(hbg_run_split(session, sim));
    if (state->apart)
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the model falls into %d parts that have nothing to do with each other and are run each "
            "with steps of its own; an image holds one part only: compile them one by one, or with a "
            "fixed-step solver",
            (int)state->part_count);
    return HBG_OK;
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

static hbg_status write_package(hbg_session *session, const hbg_rt_package *package, const char *path) {
    hbg_rt_provider provider = hbg_code_provider(session->run->code);
    void *bytes = NULL;
    size_t size = 0;
    const char *reason;
    if (hbg_rt_package_write(package, &provider, hbg_code_memory(&session->memory), &bytes, &size) !=
        HBG_RT_OK)
        return HBG_NO_MEMORY;
    hbg_status status = hbg_file_write(path, bytes, size, NULL, &reason);
    hbg_memory_free(&session->memory, bytes, size);
    if (status == HBG_OK) return HBG_OK;
    return hbg_session_fail(session, HBG_CANNOT_WRITE, "the image cannot be written to `%s`: %s", path,
                            reason);
}

static hbg_status compile(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                          const char *path) {
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true};
    hbg_sim_options sim;
    char reason[240];
    HBG_TRY(hbg_run_prepare(session, model, &wish));
    HBG_TRY(hbg_run_sim_options(session, options, NAN, &sim));
    hbg_run_state *state = session->run;
    HBG_TRY(refuse_what_is_missing(session, state, &sim));
    hbg_rt_provider provider = hbg_code_provider(state->code);
    hbg_rt_status status = hbg_rt_image_complete(hbg_code_image(state->code), &provider,
                                                 hbg_code_memory(&session->memory), reason, sizeof reason);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK)
        return hbg_session_fail(session, HBG_BAD_ARGUMENT, "the model cannot be compiled completely: %s",
                                reason[0] ? reason : hbg_rt_status_text(status));
    hbg_rt_package_action *actions =
        HBG_NEW_ARRAY(&session->scratch, hbg_rt_package_action, sim.action_count + 1);
    for (int32_t i = 0; i < sim.action_count; i++)
        actions[i] = (hbg_rt_package_action){
            .time = sim.actions[i].time, .value = sim.actions[i].value, .input = sim.actions[i].input};
    hbg_rt_package_setting *settings = NULL;
    const hbg_model *sorted = state->model;
    hbg_rt_package package = {
        .image = hbg_code_image(state->code),
        .system = state->system,
        .version = hbg_version(),
        .model = hbg_names_get(sorted->names, sorted->name),
        .experiment = state->experiment == HBG_NONE
                          ? NULL
                          : hbg_names_get(sorted->names, sorted->experiments.items[state->experiment].name),
        .pace = {.stop = sim.stop,
                 .step = sim.step,
                 .rtol = sim.rtol,
                 .atol = sim.atol,
                 .every = sim.record_every,
                 .solver = (int32_t)sim.solver,
                 .records = state->record_count},
        .actions = actions,
        .action_count = sim.action_count};
    package.setting_count = list_settings(session, state, &settings);
    package.settings = settings;
    list_overrides(session, &sim, &package);
    return write_package(session, &package, path);
}

hbg_status hbg_compile(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                       const char *path) {
    HBG_RUN_ENTER(session);
    return hbg_run_leave(session, compile(session, model, options, path));
}
