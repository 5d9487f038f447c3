/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model linearized at a point of a run, and that for people: matrices with names, eigenvalues. */
#include "api/linearize_impl.h"
#include "api/mode_impl.h"

#include <math.h>
#include <string.h>

/* ---- knobs -------------------------------------------------------------------------------------------- */

static void list_inputs(const hbg_run_state *state, hbg_linear_model *result) {
    const hbg_rt_system *system = state->system;
    for (int32_t i = 0; i < state->input_count; i++) {
        result->knobs[i] = (hbg_sim_knob){false, state->inputs[i], result->y[result->output_count + i]};
        result->names[i] = system->inputs[state->inputs[i]];
    }
}

/* An input that is a number is among the knobs already. */
static hbg_status add_parameter(hbg_session *session, const char *name, hbg_linear_model *result,
                                int32_t *count) {
    const hbg_rt_system *system = result->state->system;
    hbg_nearest nearest;
    hbg_nearest_init(&nearest, name);
    for (int32_t i = 0; i < *count; i++) {
        if (strcmp(result->names[i].name, name) == 0) return HBG_OK;
        hbg_nearest_offer(&nearest, result->names[i].name);
    }
    for (int32_t i = 0; i < system->param_count; i++) {
        hbg_nearest_offer(&nearest, system->params[i].name);
        if (strcmp(system->params[i].name, name) != 0) continue;
        result->names[*count] = system->params[i];
        result->knobs[(*count)++] = (hbg_sim_knob){true, i, result->state->model->param_values[i]};
        return HBG_OK;
    }
    if (nearest.best)
        return hbg_session_fail(session, HBG_NOT_FOUND,
                                "there is no input or parameter `%s`; did you mean `%s`?", name,
                                nearest.best);
    return hbg_session_fail(session, HBG_NOT_FOUND, "there is no input or parameter `%s` that is a number",
                            name);
}

/* ---- at a point --------------------------------------------------------------------------------------- */

static hbg_status failed(hbg_session *session, hbg_rt_status status) {
    const hbg_run_state *state = session->run;
    const hbg_rt_failure *said = state->system->failure(state->instance);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    return hbg_session_fail(session, HBG_BAD_ARGUMENT, "there is no linearization at this point: %s%s%s",
                            hbg_rt_status_text(status), said && said->text[0] ? "; " : "",
                            said ? said->text : "");
}

/* Slowest first: what matters longest. */
static void sort_eigenvalues(hbg_linear_model *result) {
    for (int32_t i = 1; i < result->linear.state_count; i++) {
        double real = result->real[i], imaginary = result->imaginary[i];
        int32_t k = i;
        for (; k > 0; k--) {
            double before = hypot(result->real[k - 1], result->imaginary[k - 1]),
                   size = hypot(real, imaginary);
            bool later = before > size || (before == size && result->imaginary[k - 1] < imaginary);
            if (!later) break;
            result->real[k] = result->real[k - 1];
            result->imaginary[k] = result->imaginary[k - 1];
        }
        result->real[k] = real;
        result->imaginary[k] = imaginary;
    }
}

static hbg_status find_eigenvalues(hbg_session *session, hbg_linear_model *result) {
    size_t n = (size_t)result->linear.state_count;
    double *copy = HBG_NEW_ARRAY(&session->scratch, double, n *n + 1);
    memcpy(copy, result->linear.a, n * n * sizeof *copy);
    result->real = HBG_NEW_ARRAY(&session->scratch, double, n + 1);
    result->imaginary = HBG_NEW_ARRAY(&session->scratch, double, n + 1);
    if (!hbg_sim_eigenvalues(&session->scratch, (int32_t)n, copy, result->real, result->imaginary))
        return hbg_session_fail(session, HBG_BAD_ARGUMENT, "the eigenvalues of A were not found");
    sort_eigenvalues(result);
    return HBG_OK;
}

static hbg_status linearize(hbg_session *session, const char *parameter, hbg_linear_model *result) {
    hbg_arena *arena = &session->scratch;
    hbg_run_state *state = result->state;
    const hbg_rt_system *system = state->system;
    int32_t count = state->input_count;
    result->output_count = state->output_count - state->input_count;
    result->y = HBG_NEW_ARRAY(arena, double, system->output_count + 1);
    result->knobs = HBG_NEW_ARRAY(arena, hbg_sim_knob, count + 2);
    result->names = HBG_NEW_ARRAY(arena, hbg_rt_variable, count + 2);
    system->thaw(state->instance);
    hbg_rt_status status = system->output_count == 0
                               ? HBG_RT_OK
                               : system->outputs_at(state->instance, result->t, result->x, result->y);
    if (status != HBG_RT_OK) return failed(session, status);
    list_inputs(state, result);
    if (parameter) HBG_TRY(add_parameter(session, parameter, result, &count));
    status = hbg_sim_linearize(arena, system, state->instance, result->t, result->x, result->knobs, count,
                               &result->linear);
    return status == HBG_RT_OK ? find_eigenvalues(session, result) : failed(session, status);
}

hbg_status hbg_linearize_at(hbg_session *session, const hbg_model *model,
                            const hbg_linearize_options *options, const char *parameter,
                            hbg_linear_model *result) {
    hbg_run_wish wish = {
        .experiment = options->experiment, .mode = options->mode, .inputs = true, .time_flows = true};
    hbg_sim_result run;
    const char *failure;
    HBG_TRY(hbg_run_prepare(session, model, &wish));
    *result = (hbg_linear_model){.state = session->run};
    if (result->state->system->state_count > HBG_LINEARIZE_STATES)
        return hbg_session_fail(session, HBG_TOO_LARGE,
                                "there are %d states, but matrices are made of %d at most",
                                result->state->system->state_count, HBG_LINEARIZE_STATES);
    HBG_TRY(hbg_run_hold_mode(session, true));
    HBG_TRY(hbg_run_to_point(session, &failure, &run));
    if (failure)
        return hbg_session_fail(session, HBG_BAD_ARGUMENT, "the run does not get to this point: %s", failure);
    result->t = run.t;
    result->x = run.state;
    result->mode = hbg_mode_text(session, result->state->model, run.modes);
    result->switched = run.t > 0 && result->state->switched_at == run.t;
    HBG_TRY(linearize(session, parameter, result));
    if (!result->state->named) return HBG_OK;
    HBG_TRY(hbg_run_hold_mode(session, false));
    return hbg_steady_find_guards(session, result->t, result->x, run.modes, &result->exits);
}

/* ---- for people --------------------------------------------------------------------------------------- */

#define MOST_COLUMNS 10 /* of a matrix that is printed */

typedef struct {
    hbg_session *session;
    const hbg_linear_model *linear;
    hbg_buffer *out;
    int width; /* of names */
} teller;

static void put_point(teller *tell, const char *title, const hbg_rt_variable *of, double value) {
    if (title) hbg_buffer_print(tell->out, "\n  %s\n", title);
    hbg_buffer_print(tell->out, "    %-*s  %s\n", tell->width, of->name,
                     hbg_run_value_text(tell->session, value, of->unit));
}

static const hbg_rt_variable *state_name(const hbg_linear_model *linear, int32_t i) {
    return &linear->state->system->states[linear->linear.states[i]];
}

static void put_points(teller *tell) {
    const hbg_linear_model *linear = tell->linear;
    for (int32_t i = 0; i < linear->linear.state_count; i++)
        put_point(tell, i ? NULL : "states", state_name(linear, i), linear->x[linear->linear.states[i]]);
    for (int32_t i = 0; i < linear->linear.knob_count; i++)
        put_point(tell, i ? NULL : "inputs", &linear->names[i], linear->knobs[i].value);
    for (int32_t i = 0; i < linear->output_count; i++)
        put_point(tell, i ? NULL : "outputs", &linear->state->system->outputs[i], linear->y[i]);
}

typedef struct {
    const char *title;
    const double *values;
    int32_t rows, columns;
    bool state_rows, state_columns; /* names: of states, otherwise of outputs and of inputs */
} named_matrix;

static void put_matrix(teller *tell, const named_matrix *matrix) {
    const hbg_linear_model *linear = tell->linear;
    if (matrix->rows == 0 || matrix->columns == 0) return;
    hbg_buffer_print(tell->out, "\n  %-*s", tell->width + 2, matrix->title);
    if (matrix->columns > MOST_COLUMNS) {
        hbg_buffer_print(tell->out, "  %d by %d; as JSON there is all of it\n", matrix->rows,
                         matrix->columns);
        return;
    }
    for (int32_t j = 0; j < matrix->columns; j++)
        hbg_buffer_print(tell->out, "  %12s",
                         matrix->state_columns ? state_name(linear, j)->name : linear->names[j].name);
    hbg_buffer_char(tell->out, '\n');
    for (int32_t i = 0; i < matrix->rows; i++) {
        hbg_buffer_print(tell->out, "    %-*s", tell->width,
                         matrix->state_rows ? state_name(linear, i)->name
                                            : linear->state->system->outputs[i].name);
        for (int32_t j = 0; j < matrix->columns; j++)
            hbg_buffer_print(tell->out, "  %12.6g", matrix->values[(size_t)i * matrix->columns + j]);
        hbg_buffer_char(tell->out, '\n');
    }
}

static void put_eigenvalue(teller *tell, double real, double imaginary) {
    double size = hypot(real, imaginary);
    bool turns = imaginary != 0, still = fabs(real) <= 1e-12 * size;
    hbg_buffer_print(tell->out, "    %.6g", still ? 0 : real);
    if (turns) hbg_buffer_print(tell->out, " ± %.6gj", fabs(imaginary));
    hbg_buffer_text(tell->out, " 1/s");
    const char *between = ": ";
    if (turns) {
        hbg_buffer_print(tell->out, "%s%.6g Hz, damping %.4g", between, fabs(imaginary) / (2 * M_PI),
                         still ? 0 : -real / size);
        between = ", ";
    }
    if (!still && real < 0)
        hbg_buffer_print(tell->out, "%stime constant %.6g s", between, -1 / real);
    else if (!still)
        hbg_buffer_print(tell->out, "%sgrows e-fold in %.6g s", between, 1 / real);
    hbg_buffer_char(tell->out, '\n');
}

static void put_eigenvalues(teller *tell) {
    const hbg_linear_model *linear = tell->linear;
    int32_t n = linear->linear.state_count;
    if (n == 0) return;
    hbg_buffer_text(tell->out, "\n  eigenvalues of A\n");
    for (int32_t i = 0; i < n; i++) // of a pair the first stands for both
        if (!(linear->imaginary[i] < 0)) put_eigenvalue(tell, linear->real[i], linear->imaginary[i]);
}

const char *hbg_linearize_title(hbg_session *session, const hbg_linear_model *linear) {
    const hbg_model *model = linear->state->model;
    return hbg_arena_print(&session->scratch, "%s at %.6g s%s%s%s", hbg_names_get(model->names, model->name),
                           linear->t, linear->switched ? ", just switched" : "",
                           linear->mode[0] ? ", in mode " : "", linear->mode);
}

const char *hbg_linearize_held(const hbg_linear_model *linear, int32_t clock) {
    const hbg_rt_system *system = linear->state->system;
    for (int32_t i = 0; i < system->automaton_count; i++)
        if (strcmp(system->automata[i].name, system->clocks[clock].name) == 0) return NULL;
    return system->clocks[clock].name;
}

/* Sampled values are constants between samples: what is fed back by them is not in the matrices. */
static void put_held(teller *tell) {
    const hbg_rt_system *system = tell->linear->state->system;
    bool any = false;
    for (int32_t i = 0; i < system->clock_count; i++) {
        const char *name = hbg_linearize_held(tell->linear, i);
        if (!name) continue;
        hbg_buffer_print(tell->out, "%s",
                         any ? "" : "\n  held between samples, and constant in these matrices\n");
        hbg_buffer_print(tell->out, "    %-*s  every %s\n", tell->width, name,
                         hbg_run_value_text(tell->session, system->clocks[i].period, "s"));
        any = true;
    }
}

/* A mode that was asked for is held: it need not be one in which time would flow. */
static void put_exits(teller *tell) {
    const hbg_steady_exits *exits = &tell->linear->exits;
    if (exits->count > 0) hbg_buffer_text(tell->out, "\n  held in this mode; a run would leave it\n");
    for (int32_t i = 0; i < exits->count; i++) hbg_buffer_print(tell->out, "    %s\n", exits->items[i].text);
}

static void print(hbg_session *session, const hbg_linear_model *linear, hbg_buffer *out) {
    const hbg_sim_linear *l = &linear->linear;
    teller tell = {session, linear, out, 12};
    for (int32_t i = 0; i < l->state_count; i++)
        tell.width = (int)fmax(tell.width, fmin(40, (double)strlen(state_name(linear, i)->name)));
    for (int32_t i = 0; i < linear->output_count; i++)
        tell.width = (int)fmax(tell.width, fmin(40, (double)strlen(linear->state->system->outputs[i].name)));
    const named_matrix matrices[] = {{"A", l->a, l->state_count, l->state_count, true, true},
                                     {"B", l->b, l->state_count, l->knob_count, true, false},
                                     {"C", l->c, linear->output_count, l->state_count, false, true},
                                     {"D", l->d, linear->output_count, l->knob_count, false, false}};
    hbg_buffer_print(out, "%s\n", hbg_linearize_title(session, linear));
    put_exits(&tell);
    put_points(&tell);
    put_held(&tell);
    for (int i = 0; i < 4; i++) put_matrix(&tell, &matrices[i]);
    put_eigenvalues(&tell);
    if (l->error > 1e-5)
        hbg_buffer_print(
            out,
            "\n  B, C and D are differences; they are good to %.1e only: the model has a kink near here\n",
            l->error);
}

hbg_status hbg_linearize(hbg_session *session, const hbg_model *model, const hbg_linearize_options *options,
                         hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    hbg_linear_model *linear = HBG_NEW(&session->scratch, hbg_linear_model);
    hbg_status status = hbg_linearize_at(session, model, options, NULL, linear);
    if (status == HBG_OK && options->json) {
        hbg_linearize_json(session, linear);
        status = hbg_text_of_json(session, text);
    } else if (status == HBG_OK) {
        hbg_buffer out;
        hbg_buffer_init(&out, &session->scratch);
        print(session, linear, &out);
        status = hbg_text_of(session, out.data, out.size, text);
    }
    return hbg_run_leave(session, status);
}
