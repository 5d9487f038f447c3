/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report of a linearized model: the point, matrices with names, eigenvalues. */
#include "api/linearize_impl.h"
#include "rt/bands.h"

#include <math.h>
#include <string.h>

#define MOST_COLUMNS 10 /* of a matrix that is printed */

typedef struct {
    hbg_session *session;
    const hbg_linear_model *linear;
    hbg_api_report *report;
    int width; /* of names */
} writer;

/* ---- the point ---------------------------------------------------------------------------------------- */

const char *hbg_api_linearize_title(hbg_session *session, const hbg_linear_model *linear) {
    const hbg_model *model = linear->state->model;
    return hbg_base_arena_print(
        &session->scratch, "%s at %.6g s%s%s%s%s", hbg_base_names_get(model->names, model->name), linear->t,
        linear->steady ? ", where nothing moves" : "", linear->switched ? ", just switched" : "",
        linear->mode[0] ? ", in mode " : "", linear->mode);
}

const char *hbg_api_linearize_held(const hbg_linear_model *linear, int32_t clock) {
    const hbg_rt_description *system = linear->state->system;
    for (int32_t i = 0; i < system->automaton_count; i++)
        if (strcmp(system->automata[i].name, system->clocks[clock].name) == 0) return NULL;
    return system->clocks[clock].name;
}

static const hbg_rt_variable *state_name(const hbg_linear_model *linear, int32_t i) {
    return &linear->state->system->states[linear->linear.states[i]];
}

/* The requested mode is held: time need not be able to advance in it. */
static void put_exits(const writer *w) {
    const hbg_steady_exits *exits = &w->linear->exits;
    hbg_api_report *list = hbg_api_list(w->report, "left_by");
    if (exits->count > 0) hbg_api_say(list, "\n  held in this mode; a run would leave it\n");
    for (int32_t i = 0; i < exits->count; i++) {
        hbg_api_text(list, NULL, exits->items[i].text);
        hbg_api_say(list, "    %s\n", exits->items[i].text);
    }
}

/* Sampled values are constants between samples: their feedback is not in the matrices. Programs read this
 * first, people last. */
static void put_held(const writer *w, hbg_api_report *list, hbg_api_report *words) {
    const hbg_rt_description *system = w->linear->state->system;
    for (int32_t i = 0; i < system->clock_count; i++) {
        const char *name = hbg_api_linearize_held(w->linear, i);
        if (!name) continue;
        if (!list->first) hbg_api_say(words, "\n  held between samples, and constant in these matrices\n");
        hbg_api_say(words, "    %-*s  every %s\n", w->width, name,
                    hbg_api_run_value_text(w->session, system->clocks[i].period, "s"));
        hbg_api_text(list, NULL, name);
    }
}

/* Truths are numbers here, like everything that is differentiated. */
static void put_point(const writer *w, hbg_api_report *list, hbg_rt_variable of, double value) {
    of.is_bool = false;
    hbg_api_run_put_value(list, &of, value, w->width);
}

static void put_points(const writer *w) {
    const hbg_linear_model *linear = w->linear;
    hbg_api_report *states = hbg_api_run_put_table(w->report, "states", linear->linear.state_count);
    for (int32_t i = 0; i < linear->linear.state_count; i++)
        put_point(w, states, *state_name(linear, i), linear->x[linear->linear.states[i]]);
    hbg_api_report *inputs = hbg_api_run_put_table(w->report, "inputs", linear->linear.knob_count);
    for (int32_t i = 0; i < linear->linear.knob_count; i++)
        put_point(w, inputs, linear->names[i], linear->knobs[i].value);
    hbg_api_report *outputs = hbg_api_run_put_table(w->report, "outputs", linear->output_count);
    for (int32_t i = 0; i < linear->output_count; i++)
        put_point(w, outputs, linear->state->system->outputs[i], linear->y[i]);
}

/* ---- matrices ----------------------------------------------------------------------------------------- */

typedef struct {
    const char *title;
    const double *values;
    int32_t rows, columns;
    bool state_rows, state_columns; /* names: of states, otherwise of outputs and of inputs */
} named_matrix;

static void say_head(const writer *w, hbg_api_report *list, const named_matrix *matrix) {
    const hbg_linear_model *linear = w->linear;
    hbg_api_say(list, "\n  %-*s", w->width + 2, matrix->title);
    if (matrix->columns > MOST_COLUMNS)
        hbg_api_say(list, "  %d by %d; as JSON there is all of it", matrix->rows, matrix->columns);
    for (int32_t j = 0; j < matrix->columns && matrix->columns <= MOST_COLUMNS; j++)
        hbg_api_say(list, "  %12s",
                    matrix->state_columns ? state_name(linear, j)->name : linear->names[j].name);
    hbg_api_say(list, "\n");
}

static void put_matrix(const writer *w, const named_matrix *matrix) {
    const hbg_linear_model *linear = w->linear;
    hbg_api_report *list = hbg_api_list(w->report, matrix->title);
    bool told = matrix->rows > 0 && matrix->columns > 0;
    if (told) say_head(w, list, matrix);
    for (int32_t i = 0; i < matrix->rows; i++) {
        const double *values = matrix->values + (size_t)i * matrix->columns;
        hbg_api_numbers(list, NULL, values, matrix->columns);
        if (!told || matrix->columns > MOST_COLUMNS) continue;
        hbg_api_say(list, "    %-*s", w->width,
                    matrix->state_rows ? state_name(linear, i)->name
                                       : linear->state->system->outputs[i].name);
        for (int32_t j = 0; j < matrix->columns; j++) hbg_api_say(list, "  %12.6g", values[j]);
        hbg_api_say(list, "\n");
    }
}

/* ---- eigenvalues -------------------------------------------------------------------------------------- */

static void say_eigenvalue(hbg_api_report *object, double real, double imaginary) {
    double size = hypot(real, imaginary);
    bool turns = imaginary != 0, still = fabs(real) <= HBG_RT_EIGEN * size;
    hbg_api_say(object, "    %.6g", still ? 0 : real);
    if (turns) hbg_api_say(object, " ± %.6gj", fabs(imaginary));
    hbg_api_say(object, " 1/s");
    const char *between = ": ";
    if (turns) {
        hbg_api_say(object, "%s%.6g Hz, damping %.4g", between, fabs(imaginary) / (2 * M_PI),
                    still ? 0 : -real / size);
        between = ", ";
    }
    if (!still && real < 0)
        hbg_api_say(object, "%stime constant %.6g s", between, -1 / real);
    else if (!still)
        hbg_api_say(object, "%sgrows e-fold in %.6g s", between, 1 / real);
    hbg_api_say(object, "\n");
}

static void put_eigenvalues(const writer *w) {
    const hbg_linear_model *linear = w->linear;
    hbg_api_report *list = hbg_api_list(w->report, "eigenvalues");
    if (linear->linear.state_count > 0) hbg_api_say(list, "\n  eigenvalues of A\n");
    for (int32_t i = 0; i < linear->linear.state_count; i++) {
        double real = linear->real[i], imaginary = linear->imaginary[i], size = hypot(real, imaginary);
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_number(object, "real", real);
        hbg_api_number(object, "imaginary", imaginary);
        hbg_api_number(object, "time_constant", real < 0 ? -1 / real : NAN);
        hbg_api_number(object, "damping", size > 0 ? -real / size : NAN);
        if (!(imaginary < 0)) say_eigenvalue(object, real, imaginary); // of a pair the first stands for both
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static int width_of(const hbg_linear_model *linear) {
    int width = 12;
    for (int32_t i = 0; i < linear->linear.state_count; i++)
        width = (int)fmax(width, fmin(40, (double)strlen(state_name(linear, i)->name)));
    for (int32_t i = 0; i < linear->output_count; i++)
        width = (int)fmax(width, fmin(40, (double)strlen(linear->state->system->outputs[i].name)));
    return width;
}

static hbg_api_report *report_of(hbg_session *session, const hbg_linear_model *linear) {
    const hbg_sim_linear *l = &linear->linear;
    const hbg_model *model = linear->state->model;
    const named_matrix matrices[] = {{"A", l->a, l->state_count, l->state_count, true, true},
                                     {"B", l->b, l->state_count, l->knob_count, true, false},
                                     {"C", l->c, linear->output_count, l->state_count, false, true},
                                     {"D", l->d, linear->output_count, l->knob_count, false, false}};
    hbg_api_report *report = hbg_api_report_new(session);
    writer w = {session, linear, report, width_of(linear)};
    hbg_api_text(report, "model", hbg_base_names_get(model->names, model->name));
    hbg_api_number(report, "time", linear->t);
    hbg_api_flag(report, "steady", linear->steady);
    hbg_api_text(report, "mode", linear->mode);
    hbg_api_say(report, "%s\n", hbg_api_linearize_title(session, linear));
    put_exits(&w);
    hbg_api_flag(report, "just_switched", linear->switched);
    hbg_api_report *held = hbg_api_list(report, "held");
    put_points(&w);
    put_held(&w, held, report);
    for (int i = 0; i < 4; i++) put_matrix(&w, &matrices[i]);
    hbg_api_number(report, "error", l->error);
    put_eigenvalues(&w);
    if (l->error > HBG_RT_ROUGHLY)
        hbg_api_say(
            report,
            "\n  B, C and D are differences; they are good to %.1e only: the model has a kink near here\n",
            l->error);
    return report;
}

hbg_status hbg_linearize(hbg_session *session, const hbg_model *model, const hbg_linearize_options *options,
                         hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    hbg_linear_model *linear = HBG_NEW(&session->scratch, hbg_linear_model);
    hbg_status status = hbg_api_linearize_at(session, model, options, NULL, linear);
    if (status == HBG_OK) status = hbg_api_report_print(report_of(session, linear), options->json, text);
    return hbg_api_run_leave(session, status);
}
