/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a sweep, each from its number alone. Random numbers follow from seed, name of the parameter and
 * number of the run, so that runs can be made in any order, and a resumed sweep draws the same numbers. */
#include <math.h>
#include <string.h>

#include "api/sweep_impl.h"
#include "rt/bands.h"
#include "rt/sensor.h"

static const double most_runs = 1e12; /* more would take centuries */

/* ---- axes --------------------------------------------------------------------------------------------- */

static double number_of(const hbg_model *model, hbg_expr expr) {
    double value;
    return hbg_model_constant(model, expr, &value) ? value : NAN;
}

/* The numbers as a model has them. */
static void read_numbers(hbg_session *session, const hbg_model *model, const hbg_experiment *request,
                         hbg_sweep_axis *axis) {
    const hbg_axis *of = axis->axis;
    axis->list = HBG_NEW_ARRAY(&session->scratch, double, of->count + 1);
    for (int32_t i = 0; i < of->count; i++) {
        axis->list[i] = number_of(model, request->settings.items[of->first + i].value);
        if (i < 3) axis->numbers[i] = axis->list[i];
    }
    if (of->spread != HBG_NONE) axis->spread = number_of(model, of->spread);
}

/* `-p` refuses a bare number for a parameter declared in mV, and warns of one for a temperature in degC. */
static const char *said_unit(hbg_session *session, const hbg_model *model, int32_t param) {
    const hbg_param *of = &model->params.items[param];
    bool misread = of->display.unit && (of->display.offset != 0 || (of->in_unit && of->display.scale != 1));
    return misread ? hbg_api_text_object_unit(session, model, (hbg_object){HBG_OBJECT_PARAM, param}) : NULL;
}

static void read_axis(hbg_session *session, const hbg_model *model, const hbg_experiment *request,
                      const hbg_axis *axis, hbg_sweep_axis *made) {
    *made = (hbg_sweep_axis){.axis = axis, .points = 1};
    made->name = hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_PARAM, axis->param});
    made->unit = said_unit(session, model, axis->param);
    made->key = hbg_rt_sensor_key(made->name);
    read_numbers(session, model, request, made);
    if (axis->kind == HBG_AXIS_LIST) made->points = axis->count;
    if (axis->kind == HBG_AXIS_GRID) { // the end belongs to it, also if rounding left it slightly beyond
        double steps = fabs(made->numbers[1] - made->numbers[0]) / made->numbers[2];
        made->points = (int64_t)floor(steps * (1 + HBG_RT_GRID) + HBG_RT_GRID_STEP) + 1;
    }
}

/* from + index·step, in readable form: 1 + 2·0.1 is 1.2. */
static double grid_value(hbg_arena *arena, const hbg_sweep_axis *axis, int64_t index) {
    double from = axis->numbers[0], step = axis->numbers[1] < from ? -axis->numbers[2] : axis->numbers[2];
    hbg_decimal product, sum, count = hbg_base_decimal_of_double(arena, (double)index);
    if (!hbg_base_decimal_multiply(arena, hbg_base_decimal_of_double(arena, step), count, &product) ||
        !hbg_base_decimal_add(arena, hbg_base_decimal_of_double(arena, from), product, &sum))
        return from + step * (double)index;
    return hbg_base_decimal_to_double(sum);
}

/* Number of the draw. Of the plan "sobol" a group has two draws, A and B, and A with one axis of B after the other. */
static int64_t draw_of(const hbg_sweep_list *list, int32_t axis, int64_t run) {
    if (list->group == 1) return run;
    int64_t in = run % list->group;
    bool second = in == 1 || in - 2 == axis;
    return run / list->group * 2 + (in > 0 && second);
}

static double drawn(const hbg_sweep_list *list, const hbg_sweep_axis *axis, int64_t draw) {
    uint64_t number = (uint64_t)draw;
    switch (axis->axis->kind) {
    case HBG_AXIS_NORMAL:
        return axis->numbers[0] + axis->numbers[1] * hbg_rt_gauss(list->seed, axis->key, number);
    case HBG_AXIS_UNIFORM:
        return axis->numbers[0] +
               (axis->numbers[1] - axis->numbers[0]) * hbg_rt_uniform(list->seed, axis->key, number);
    default: return axis->numbers[0] * exp(axis->spread * hbg_rt_gauss(list->seed, axis->key, number));
    }
}

/* By axis: which of its values it has. */
static int64_t *find_point(hbg_arena *arena, const hbg_sweep_list *list, int64_t run) {
    int64_t *indices = HBG_NEW_ARRAY(arena, int64_t, list->axis_count + 1);
    int64_t point = run / list->samples / list->case_count;
    for (int32_t i = list->axis_count; i-- > 0;) {
        indices[i] = point % list->axes[i].points;
        point /= list->axes[i].points;
    }
    return indices;
}

/* A copy of the declared model that can be given values, with its place in a run. */
static hbg_run_state *make_guess(hbg_session *session, const hbg_sweep_list *list) {
    const hbg_model *declared = list->model;
    hbg_run_state *guess = HBG_NEW(&session->scratch, hbg_run_state);
    hbg_model *model = guess->model = HBG_NEW(&session->scratch, hbg_model);
    *model = *declared;
    model->param_values = HBG_NEW_ARRAY(&session->scratch, double, declared->params.count + 1);
    model->expr_values = HBG_NEW_ARRAY(&session->scratch, double, declared->exprs.count + 1);
    for (int32_t i = 0; i < declared->params.count; i++) model->param_values[i] = declared->param_values[i];
    for (int32_t i = 0; i < declared->exprs.count; i++) model->expr_values[i] = declared->expr_values[i];
    guess->experiment = guess->request = HBG_NONE;
    return guess;
}

void hbg_api_sweep_values(hbg_session *session, const hbg_sweep_list *list, int64_t run, double *values) {
    hbg_arena *arena = &session->scratch;
    const int64_t *indices = find_point(arena, list, run);
    hbg_run_state *guess = list->follows ? make_guess(session, list) : NULL;
    double *before = HBG_NEW_ARRAY(arena, double, list->axis_count + 1);
    for (int32_t k = 0; k < list->axis_count; k++) {
        int32_t i = list->order[k];
        hbg_sweep_axis axis = list->axes[i];
        if (guess && axis.follows) {
            hbg_api_run_vary(session, guess, &list->constants, list->params, before, k);
            read_numbers(session, guess->model, list->request, &axis);
        }
        values[i] = before[k] = axis.axis->kind == HBG_AXIS_LIST ? axis.list[indices[i]]
                                : axis.axis->kind == HBG_AXIS_GRID
                                    ? grid_value(arena, &axis, indices[i])
                                    : drawn(list, &axis, draw_of(list, i, run));
    }
}

/* Each axis after those it follows: the check of the model has found that there is such an order. */
static void order_axes(hbg_session *session, hbg_sweep_list *list) {
    int32_t count = list->axis_count, placed = 0;
    hbg_arena *arena = &session->scratch;
    bool *reads = HBG_NEW_ARRAY(arena, bool, count + 1), *done = HBG_NEW_ARRAY(arena, bool, count + 1);
    list->order = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    list->params = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t round = 0; placed < count && round < count; round++)
        for (int32_t i = 0; i < count; i++) {
            bool ready = !done[i];
            if (ready) hbg_model_axis_reads(arena, list->model, list->request, i, reads);
            for (int32_t k = 0; k < count && !done[i]; k++) {
                list->axes[i].follows = list->axes[i].follows || reads[k];
                ready = ready && (!reads[k] || done[k]);
            }
            if (!ready) continue;
            done[i] = true;
            list->params[placed] = list->axes[i].axis->param;
            list->order[placed++] = i;
        }
    for (int32_t i = 0; i < count; i++) list->follows = list->follows || list->axes[i].follows;
    hbg_run_state *guess = make_guess(session, list);
    hbg_api_run_find_constants(session, guess, list->params, count, &list->constants);
}

int32_t hbg_api_sweep_case(const hbg_sweep_list *list, int64_t run) {
    return (int32_t)(run / list->samples % list->case_count);
}

/* ---- faults ------------------------------------------------------------------------------------------- */

static void put_time(const hbg_model *model, hbg_expr expr, const char *before, hbg_buffer *out) {
    char text[HBG_DOUBLE_TEXT];
    double time;
    if (expr == HBG_NONE || !hbg_model_constant(model, expr, &time)) return;
    hbg_base_double_print(text, time);
    hbg_base_buffer_print(out, "%s %s [s]", before, text);
}

const char *hbg_api_sweep_sentence(hbg_arena *arena, const hbg_model *model, const hbg_fault *fault) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    put_time(model, fault->at, "at", &out);
    put_time(model, fault->until, " until", &out);
    hbg_base_buffer_print(&out, ": %s", fault->text ? fault->text : "");
    return out.data;
}

/* Faults of the plan are those of the experiment, then those requested: numbers as in hbg_fault_plan_new. */
static void list_cases(hbg_session *session, const hbg_model *model, const hbg_experiment *request,
                       const hbg_sweep_options *options, hbg_sweep_list *list) {
    int32_t before =
        request->added_to == HBG_NONE ? 0 : model->experiments.items[request->added_to].faults.count;
    list->faults = HBG_NEW_ARRAY(&session->scratch, int32_t, request->faults.count + 2);
    list->fault_texts = HBG_NEW_ARRAY(&session->scratch, const char *, request->faults.count + 2);
    for (int32_t i = 0; i < request->faults.count; i++)
        list->has_table |= request->faults.items[i].from_table;
    if (!list->has_table || options->nominal) {
        list->faults[list->case_count] = HBG_NONE;
        list->fault_texts[list->case_count++] = "";
    }
    for (int32_t i = 0; i < request->faults.count; i++) {
        const hbg_fault *fault = &request->faults.items[i];
        if (!fault->from_table) continue;
        list->faults[list->case_count] = before + i;
        list->fault_texts[list->case_count++] = hbg_api_sweep_sentence(&session->scratch, model, fault);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static bool has_draws(const hbg_sweep_list *list) {
    for (int32_t i = 0; i < list->axis_count; i++)
        if (list->axes[i].axis->kind > HBG_AXIS_LIST) return true;
    return false;
}

/* Noisy sensors also make runs with the same values differ. */
static bool has_noise(const hbg_model *model) {
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].noise_variance != HBG_NONE) return true;
    return false;
}

static bool chooses_at_random(const hbg_sweep_options *options) {
    bool random = false;
    for (int i = 0; i < options->run.choose_count; i++)
        random = random || strstr(options->run.choose[i], "random");
    return random;
}

static hbg_status take_plan(hbg_session *session, const hbg_sweep_options *options, hbg_sweep_list *list) {
    if (strcmp(options->plan, "sobol") != 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "there is no plan `%s`: the one there is, is `sobol`", options->plan);
    for (int32_t i = 0; i < list->axis_count; i++)
        if (list->axes[i].axis->kind <= HBG_AXIS_LIST)
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "--plan sobol draws all that is swept, and `%s` is a grid or a list: write "
                "`%s~uniform(LOW, HIGH)`",
                list->axes[i].name, list->axes[i].name);
    if (list->axis_count == 0 || list->has_table)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    list->has_table
                                        ? "--plan sobol and a table of faults do not go together"
                                        : "--plan sobol needs what is drawn: `-p 'NAME~uniform(LOW, HIGH)'`");
    list->group = list->axis_count + 2;
    if (list->samples > (int64_t)most_runs / list->group)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this makes more than %.0e runs", most_runs);
    list->samples *= list->group;
    return HBG_OK;
}

hbg_status hbg_api_sweep_list_init(hbg_session *session, const hbg_model *model,
                                   const hbg_sweep_options *options, hbg_sweep_list *list) {
    static const hbg_experiment nothing = {.added_to = HBG_NONE};
    int32_t count = model->experiments.count;
    const hbg_experiment *request = &nothing;
    if (count > 0 && model->experiments.items[count - 1].name == 0)
        request = &model->experiments.items[count - 1];
    *list = (hbg_sweep_list){
        .axis_count = request->axes.count, .seed = options->run.seed, .model = model, .request = request};
    list->axes = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_axis, request->axes.count + 1);
    for (int32_t i = 0; i < request->axes.count; i++)
        read_axis(session, model, request, &request->axes.items[i], &list->axes[i]);
    order_axes(session, list);
    list_cases(session, model, request, options, list);
    if (request->faults_apart && !list->has_table)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "the table of faults has no rows: there is nothing to run with a fault");
    list->samples = options->runs > 0 ? options->runs : 1;
    list->group = 1;
    if (options->plan) HBG_TRY(take_plan(session, options, list));
    if (options->runs > 1 && !has_draws(list) && !has_noise(model) && !chooses_at_random(options))
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "%lld runs would all be the same: nothing is drawn; write `-p 'NAME~normal(MEAN, "
            "DEVIATION)'`, or leave --runs out",
            (long long)options->runs);
    double runs = (double)list->samples * list->case_count;
    for (int32_t i = 0; i < list->axis_count; i++) runs *= (double)list->axes[i].points;
    if (runs > most_runs)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this makes %.3g runs, more than %.0e", runs,
                                    most_runs);
    list->runs = (int64_t)runs;
    if (list->seed >
        (uint64_t)INT64_MAX - (uint64_t)list->runs + 1) // each run has its own, which --seed takes
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "each of %lld runs has a seed of its own, and from %llu on there are not as many",
            (long long)list->runs, (unsigned long long)list->seed);
    return hbg_api_sweep_shard_init(session, options->shard, list);
}
