/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bode plot: magnitude and phase of an output over frequency, for an input or a parameter that moves a little. */
#include "api/linearize_impl.h"

#include <math.h>
#include <string.h>

#define POINTS  600
#define DECADES 2 /* beyond the slowest and the fastest eigenvalue */

/* Angular frequencies around the eigenvalues, and those of the eigenvalues themselves, where a peak may be sharp. */
static int32_t choose_frequencies(hbg_session *session, const hbg_linear_model *linear, double **omega) {
    int32_t n = linear->linear.state_count, count = 0;
    double low = INFINITY, high = 0;
    for (int32_t i = 0; i < n; i++) {
        double size = hypot(linear->real[i], linear->imaginary[i]);
        if (size > 0) low = fmin(low, size);
        high = fmax(high, size);
    }
    if (!(high > 0)) low = high = 2 * M_PI;
    double from = floor(log10(low / (2 * M_PI))) - DECADES + 1,
           to = ceil(log10(high / (2 * M_PI))) + DECADES - 1;
    *omega = HBG_NEW_ARRAY(&session->scratch, double, POINTS + n);
    for (; count < POINTS; count++)
        (*omega)[count] = 2 * M_PI * pow(10, from + (to - from) * count / (POINTS - 1));
    for (int32_t i = 0; i < n; i++)
        if (linear->imaginary[i] > 0) (*omega)[count++] = linear->imaginary[i];
    hbg_base_sort_numbers(*omega, count);
    return count;
}

typedef struct {
    double *hertz, *decibel, *degrees;
} bode_curves;

/* In Hz, dB and degrees; the phase is continued where it would jump by a turn. */
static void make_curves(int32_t count, const double *omega, double *real, double *imaginary,
                        bode_curves *curves) {
    double last = 0, turns = 0;
    for (int32_t i = 0; i < count; i++) {
        double phase = atan2(imaginary[i], real[i]) / M_PI * 180;
        if (isfinite(phase)) {
            turns -= 360 * round((phase + turns - last) / 360);
            last = phase + turns;
        }
        curves->hertz[i] = omega[i] / (2 * M_PI);
        curves->decibel[i] = 20 * log10(hypot(real[i], imaginary[i]));
        curves->degrees[i] = isfinite(phase) ? last : NAN;
    }
}

/* Where nothing gets from the input to the output there is no curve. */
static hbg_status check_answer(hbg_session *session, const char *input, const char *output, int32_t count,
                               const double *real, const double *imaginary) {
    bool answers = false, any = false;
    for (int32_t i = 0; i < count; i++) {
        any = any || (isfinite(real[i]) && isfinite(imaginary[i]));
        answers =
            answers || (isfinite(real[i]) && real[i] != 0) || (isfinite(imaginary[i]) && imaginary[i] != 0);
    }
    if (answers) return HBG_OK;
    if (any)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "nothing to draw: `%s` does not answer to `%s` at any frequency in this mode", output, input);
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "nothing to draw: the answer of `%s` to `%s` is no number at any frequency",
                                output, input);
}

static int32_t find_knob(const hbg_linear_model *linear, const char *name) {
    int32_t knob = 0;
    while (knob + 1 < linear->linear.knob_count && strcmp(linear->names[knob].name, name) != 0) knob++;
    return knob;
}

static hbg_status draw(hbg_session *session, const hbg_linear_model *linear, const char *input,
                       hbg_draw_format format, hbg_buffer *picture) {
    hbg_arena *arena = &session->scratch;
    const char *output = linear->state->system->outputs[0].name;
    double *omega;
    int32_t count = choose_frequencies(session, linear, &omega);
    double *real = HBG_NEW_ARRAY(arena, double, count), *imaginary = HBG_NEW_ARRAY(arena, double, count);
    bode_curves curves = {HBG_NEW_ARRAY(arena, double, count), HBG_NEW_ARRAY(arena, double, count),
                          HBG_NEW_ARRAY(arena, double, count)};
    if (!hbg_sim_frequency_response(arena, &linear->linear, find_knob(linear, input), 0, omega, count, real,
                                    imaginary))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the frequency response was not found");
    HBG_TRY(check_answer(session, input, output, count, real, imaginary));
    make_curves(count, omega, real, imaginary, &curves);
    const char *name = hbg_base_arena_print(arena, "%s / %s", output, input);
    const hbg_draw_series series[] = {
        {.name = name, .unit = "dB", .x = curves.hertz, .y = curves.decibel, .count = count},
        {.name = name, .unit = "deg", .x = curves.hertz, .y = curves.degrees, .count = count}};
    const hbg_draw_panel panels[] = {
        {.label = "magnitude", .unit = "dB", .series = &series[0], .series_count = 1},
        {.label = "phase", .unit = "deg", .series = &series[1], .series_count = 1}};
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    figure.title = hbg_api_linearize_title(session, linear);
    figure.x_label = "frequency";
    figure.x_unit = "Hz";
    figure.x_logarithmic = true;
    figure.panels = panels;
    figure.panel_count = 2;
    return hbg_api_plot_figure(session, &figure, format, picture);
}

static hbg_status bode(hbg_session *session, const hbg_model *model, const hbg_linearize_options *options,
                       const char *input, hbg_draw_format format, hbg_buffer *picture) {
    hbg_linear_model *linear = HBG_NEW(&session->scratch, hbg_linear_model);
    HBG_TRY(hbg_api_linearize_at(session, model, options, input, linear));
    if (linear->output_count == 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "nothing is recorded whose response could be drawn");
    return draw(session, linear, input, format, picture);
}

hbg_status hbg_bode(hbg_session *session, const hbg_model *model, const hbg_linearize_options *options,
                    const char *input, hbg_draw_format format, hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_RUN_ENTER(session);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = bode(session, model, options, input, format, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, picture);
    return hbg_api_run_leave(session, status);
}
