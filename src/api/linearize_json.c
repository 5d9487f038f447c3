/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A linearized model for programs. */
#include "api/linearize_impl.h"

#include <math.h>

typedef struct {
    hbg_session *session;
    const hbg_linear_model *linear;
} writer;

static json_t *set_array(writer *w, json_t *object, const char *key) {
    json_t *array = json_array();
    hbg_json_set(w->session, object, key, array);
    return array;
}

static void put_point(writer *w, json_t *array, const hbg_rt_variable *of, double value) {
    json_t *object = json_object();
    hbg_json_append(w->session, array, object);
    hbg_json_set(w->session, object, "name", hbg_json_text(w->session, of->name));
    hbg_json_set(w->session, object, "unit", hbg_run_json_unit(w->session, of->unit));
    hbg_json_set(w->session, object, "value", hbg_run_json_number(value));
}

static void put_matrix(writer *w, json_t *root, const char *key, const double *values, int32_t rows,
                       int32_t columns) {
    json_t *matrix = set_array(w, root, key);
    for (int32_t i = 0; i < rows; i++) {
        json_t *row = json_array();
        hbg_json_append(w->session, matrix, row);
        for (int32_t j = 0; j < columns; j++)
            hbg_json_append(w->session, row, hbg_run_json_number(values[(size_t)i * columns + j]));
    }
}

static void put_eigenvalues(writer *w, json_t *root) {
    const hbg_linear_model *linear = w->linear;
    json_t *array = set_array(w, root, "eigenvalues");
    for (int32_t i = 0; i < linear->linear.state_count; i++) {
        double real = linear->real[i], imaginary = linear->imaginary[i], size = hypot(real, imaginary);
        json_t *object = json_object();
        hbg_json_append(w->session, array, object);
        hbg_json_set(w->session, object, "real", hbg_run_json_number(real));
        hbg_json_set(w->session, object, "imaginary", hbg_run_json_number(imaginary));
        hbg_json_set(w->session, object, "time_constant", hbg_run_json_number(real < 0 ? -1 / real : NAN));
        hbg_json_set(w->session, object, "damping", hbg_run_json_number(size > 0 ? -real / size : NAN));
    }
}

void hbg_linearize_json(hbg_session *session, const hbg_linear_model *linear) {
    const hbg_sim_linear *l = &linear->linear;
    const hbg_rt_system *system = linear->state->system;
    const hbg_model *model = linear->state->model;
    writer w = {session, linear};
    json_t *root = session->json = hbg_json_new(session, json_object());
    hbg_json_set(session, root, "model", hbg_json_text(session, hbg_names_get(model->names, model->name)));
    hbg_json_set(session, root, "time", hbg_run_json_number(linear->t));
    hbg_json_set(session, root, "mode", hbg_json_text(session, linear->mode));
    json_t *exits = set_array(&w, root, "left_by");
    for (int32_t i = 0; i < linear->exits.count; i++)
        hbg_json_append(session, exits, hbg_json_text(session, linear->exits.items[i].text));
    hbg_json_set(session, root, "just_switched", json_boolean(linear->switched));
    json_t *held = set_array(&w, root, "held");
    for (int32_t i = 0; i < system->clock_count; i++) {
        const char *name = hbg_linearize_held(linear, i);
        if (name) hbg_json_append(session, held, hbg_json_text(session, name));
    }
    json_t *states = set_array(&w, root, "states");
    for (int32_t i = 0; i < l->state_count; i++)
        put_point(&w, states, &system->states[l->states[i]], linear->x[l->states[i]]);
    json_t *inputs = set_array(&w, root, "inputs");
    for (int32_t i = 0; i < l->knob_count; i++)
        put_point(&w, inputs, &linear->names[i], linear->knobs[i].value);
    json_t *outputs = set_array(&w, root, "outputs");
    for (int32_t i = 0; i < linear->output_count; i++)
        put_point(&w, outputs, &system->outputs[i], linear->y[i]);
    put_matrix(&w, root, "A", l->a, l->state_count, l->state_count);
    put_matrix(&w, root, "B", l->b, l->state_count, l->knob_count);
    put_matrix(&w, root, "C", l->c, linear->output_count, l->state_count);
    put_matrix(&w, root, "D", l->d, linear->output_count, l->knob_count);
    hbg_json_set(session, root, "error", hbg_run_json_number(l->error));
    put_eigenvalues(&w, root);
}
