/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code for a run. Both engines compute the same bits, so one can replace the other in the middle of
 * a run: it begins with the interpreter, and if it turns out long the rest is compiled. Length is judged by
 * operations done and to come, checked about every 50 ms. */
#include <math.h>

#include "api/run_impl.h"

/* Operations after which compiling is considered, an eighth of a second, and the number that must remain for
 * each one the compiler reads: it takes half a millisecond for one, and twice as long if it makes strides of
 * them. */
static const double worth_while = 1e8, for_each = 5e5;
/* Unless a compiler was requested, a run waits for it at most this many seconds, and not at all in a very
 * large model. */
static const double patience = 60, largest = 3e5;

static hbg_rt_native_options options_of(const hbg_run_state *state, const hbg_sim_options *sim) {
    hbg_rt_native_options options = {.books = sim->ledger, .lines = state->plan && state->plan->lines};
    options.strides = sim->solver >= HBG_SIM_EULER && sim->solver < HBG_SIM_TRAPEZOIDAL;
    if (options.strides) options.method = (hbg_rt_method)(sim->solver - HBG_SIM_EULER);
    if (options.strides && sim->summary) options.extent = sim->summary->count;
    return options;
}

/* A run that waits for a compiler. */
typedef struct {
    const hbg_run_options *options;
    double t, stop;
    bool stopped;
} waiting;

static bool goes_on(void *context) {
    waiting *who = context;
    const hbg_run_options *options = who->options;
    who->stopped =
        who->stopped || (options->progress && !options->progress(options->context, who->t, who->stop));
    return !who->stopped;
}

static hbg_run_waiter waiter(waiting *who) {
    return (hbg_run_waiter){goes_on, who, who->options->engine == HBG_ENGINE_NATIVE, 0};
}

static hbg_status load_code(hbg_session *session, hbg_code *code, hbg_emit_library **library,
                            const hbg_sim_options *sim, const char *folder, const hbg_run_waiter *who,
                            const char **reason) {
    hbg_rt_native_options options = options_of(session->run, sim);
    hbg_buffer text;
    if (options.strides) options.lanes = who->lanes;
    session->run->compiled = true;
    hbg_base_buffer_init(&text, &session->scratch);
    hbg_code_print_native(code, &options, &text);
    hbg_emit_native native = {.text = text.data, .size = text.size, .folder = folder};
    native.lanes = options.lanes;
    native.goes_on = who->goes_on;
    native.context = who->context;
    if (!who->patient) native.timeout = patience;
    HBG_TRY(hbg_emit_load(&session->scratch, &native, library, reason));
    const void *table = hbg_emit_symbol(*library, HBG_CODE_NATIVE);
    if (table && hbg_code_use_native(code, &options, table)) return HBG_OK;
    hbg_emit_unload(*library);
    *library = NULL;
    *reason = "the compiled code is not that of this model";
    return HBG_NO_PROGRAM;
}

hbg_status hbg_api_run_load_native(hbg_session *session, const hbg_sim_options *sim, const char *folder,
                                   const hbg_run_waiter *who, const char **reason) {
    hbg_run_state *state = session->run;
    return load_code(session, state->code, &state->library, sim, folder, who, reason);
}

/* Code for another device is compiled again. */
static hbg_status begin_device(hbg_session *session, hbg_emit_native *native, hbg_run_device *made,
                               const char **reason) {
    char why[400] = "";
    for (int i = 0; i < 2; i++) {
        native->anew = i > 0;
        HBG_TRY(hbg_emit_load(&session->scratch, native, &made->library, reason));
        made->table = hbg_emit_symbol(made->library, HBG_CODE_DEVICE);
        bool ours = made->table && made->table->version == HBG_RT_DEVICE_VERSION;
        int failed = ours ? made->table->begin(why, sizeof why) : 1;
        if (failed == 0) return HBG_OK;
        hbg_emit_unload(made->library);
        *made = (hbg_run_device){0};
        if (failed != HBG_RT_DEVICE_ANOTHER) break;
    }
    *reason = why[0] ? hbg_base_arena_print(&session->scratch, "CUDA: %s", why)
                     : "the compiled code is not that of this version";
    return HBG_NO_PROGRAM;
}

hbg_status hbg_api_run_load_device(hbg_session *session, const hbg_sim_options *sim, const char *folder,
                                   const hbg_run_waiter *who, const bool *varies, hbg_run_device *made,
                                   const char **reason) {
    hbg_rt_native_options options = options_of(session->run, sim);
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    *made = (hbg_run_device){0};
    *reason = hbg_code_print_device(session->run->code, &options, varies, &text);
    if (*reason) return HBG_NO_PROGRAM;
    hbg_emit_native native = {.text = text.data, .size = text.size, .folder = folder, .device = true};
    native.goes_on = who->goes_on;
    native.context = who->context;
    return begin_device(session, &native, made, reason);
}

bool hbg_api_run_is_native(const hbg_run_state *state) {
    bool native = state->library != NULL;
    for (int32_t i = 0; i < state->part_count; i++) native = native || state->parts[i].library;
    return native;
}

/* The compiler's time, in operations. */
static double price(const hbg_run_state *state, const hbg_sim_options *sim, double size) {
    return worth_while + for_each * (options_of(state, sim).strides ? 2 : 1) * size;
}

bool hbg_api_run_pays_native(const hbg_run_state *state, const hbg_sim_options *sim, double steps) {
    double size = (double)hbg_code_size(state->code);
    return steps * 4 * size > price(state, sim, size);
}

/* What a run computes: the whole, or one of its parts. */
typedef struct {
    hbg_code *code;
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_emit_library **library;
} machine;

static machine machine_of(hbg_run_state *state, int32_t part) {
    hbg_run_part *of = state->apart ? &state->parts[part] : NULL;
    if (!of) return (machine){state->code, state->system, state->instance, &state->library};
    return (machine){of->code, of->system, of->instance, &of->library};
}

static hbg_status compile(hbg_session *session, const hbg_run_story *story, machine of,
                          const hbg_run_waiter *who, const char **reason) {
    hbg_rt_status entered = hbg_rt_enter(of.instance, NULL); // its blocks are compiled too
    if (entered == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (entered != HBG_RT_OK) return HBG_OK;            // the run says why
    if (!options_of(story->state, &story->sim).strides) // so is the Jacobian, if the solver may ask for one
        (void)hbg_rt_jacobian_pattern(of.instance);
    return load_code(session, of.code, of.library, &story->sim, story->options->cache, who, reason);
}

hbg_status hbg_api_run_compile_native(hbg_session *session, hbg_run_story *story) {
    const char *reason = "";
    hbg_status status = HBG_OK;
    if (story->options->engine != HBG_ENGINE_NATIVE) return HBG_OK;
    waiting who = {.options = story->options, .stop = story->sim.stop};
    hbg_run_waiter waits = waiter(&who);
    int32_t parts = story->state->apart ? story->state->part_count : 1;
    for (int32_t i = 0; i < parts && status == HBG_OK; i++)
        status = compile(session, story, machine_of(story->state, i), &waits, &reason);
    if (status != HBG_NO_PROGRAM) return status;
    if (who.stopped) return HBG_OK; // the run asks again as it begins, and ends
    hbg_api_run_discard_files(session, story->options);
    hbg_api_run_events_discard(session, story->state);
    return hbg_api_session_fail(session, HBG_NO_PROGRAM, "%s; `--engine interpreter` needs no compiler",
                                reason);
}

/* Running out of memory in the middle of a run is no reason to end it here. */
static void try_load(hbg_run_story *story, hbg_code *code, hbg_emit_library **library, double t) {
    hbg_session *session = story->session;
    hbg_memory *memory = session->scratch.memory;
    jmp_buf guard, *outer = memory->exhausted;
    const char *ignored;
    waiting who = {.options = story->options, .t = t, .stop = story->sim.stop};
    hbg_run_waiter waits = waiter(&who);
    if (!HBG_GUARD(memory, guard) &&
        load_code(session, code, library, &story->sim, story->options->cache, &waits, &ignored) != HBG_OK)
        (void)hbg_code_use_native(code, NULL, NULL);
    memory->exhausted = outer;
}

enum { MOST_PARTS = 8 }; /* more are not compiled separately */

/* Operations in an evaluation; of a run in parts the sum over them. */
static double size_of(const hbg_run_state *state) {
    double size = 0;
    if (!state->apart) return (double)hbg_code_size(state->code);
    for (int32_t i = 0; i < state->part_count; i++) size += (double)hbg_code_size(state->parts[i].code);
    return size;
}

void hbg_api_run_consider_native(hbg_run_story *story, double t) {
    const hbg_run_state *state = story->state;
    int32_t parts = state->apart ? state->part_count : 1;
    bool open = story->options->engine == HBG_ENGINE_AUTO || story->options->engine == HBG_ENGINE_CUDA;
    if (!open || state->compiled || parts > MOST_PARTS) return;
    double size = size_of(state);
    double done = (double)story->result.steps * 4 * size / parts; // a step is one of one part
    if (done < worth_while || size > largest) return;
    double left = t > 0 ? done / t * (story->sim.stop - t) : INFINITY;
    if (left <= price(state, &story->sim, size)) return;
    if (!state->apart) try_load(story, state->code, &story->state->library, t);
    for (int32_t i = 0; state->apart && i < parts; i++)
        try_load(story, state->parts[i].code, &state->parts[i].library, t);
}
