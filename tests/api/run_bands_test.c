/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What events add to a plot: strips of the automata that switched, points of what was for an instant only. */
#include "api/run_events_fixture_impl.h"

static char *plot_of(run_fixture *f, const char *experiment) {
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.plot = "bands.svg";
    hbg_text text = run_words(f, options, HBG_RUN_FINISHED);
    hbg_text_free(f->session, &text);
    return file_text("bands.svg");
}

static int count_of(const char *text, const char *words) {
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

static void every_automaton_that_switched_has_a_strip(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 2);
    assert_int_equal(count_of(picture, ">conducting<"), 1);
    assert_int_equal(count_of(picture, ">blocking<"), 2); // before, and from 4 s on
    free(picture);
    fixture_free(&f);
}

static void what_never_switched_has_none(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "0.5 [s]"};
    run_fixture f = fixture_load(FREEWHEELING, &load);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 0);
    free(picture);
    fixture_free(&f);
}

static void a_start_mode_that_was_mythical_has_no_band(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model M { state x = 1 : der = -1;\n"
                     "automaton a { off wrong -> high when x > 0; on high -> low when x < 0; off low; }\n"
                     "output y = x; experiment opening { stop 2 [s]; plot y; } }\n",
                     NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, ">high<"), 1);
    assert_int_equal(count_of(picture, ">wrong<"), 0);
    free(picture);
    fixture_free(&f);
}

static void every_output_that_jumps_has_a_point_at_a_pinnacle(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    char *picture = plot_of(&f, "once");
    assert_int_equal(count_of(picture, ">bouncing<"), 1);
    assert_int_equal(count_of(picture, "<circle"), 2); // momentum and speed; height does not jump
    free(picture);
    fixture_free(&f);
}

/* One after the other at t = 1 s: the second body is hit and hits, and stands again. */
static void a_body_that_hits_on_at_once_has_its_point_far_from_its_line(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHAIN, NULL);
    char *picture = plot_of(&f, "elastic");
    assert_int_equal(count_of(picture, "<circle"), 3);
    // the line of v_2 lies at 0 before and behind, its point as high as the line of v_1 began
    const char *second = strstr(picture, "<title>v_2</title>"),
               *first = strstr(picture, "<title>v_1</title>");
    assert_true(first && second);
    double start_of_first = 0, x = 0, point = 0;
    const char *line = strstr(first, "class=\"curve"), *ring = strstr(second, "<circle");
    assert_int_equal(sscanf(strstr(line, "d=\"M"), "d=\"M%lf %lf", &x, &start_of_first), 2);
    assert_int_equal(sscanf(strstr(ring, "cy="), "cy=\"%lf", &point), 1);
    assert_near(point, start_of_first, 0.11);
    free(picture);
    fixture_free(&f);
}

static void on_states_are_strong_and_off_states_pale(void **state) {
    (void)state;
    run_fixture f = fixture_load("model M { state x = 0 : der = 1;\n"
                                 "automaton a { off one -> two when x > 1; on two -> three when x > 2;\n"
                                 "  off three -> four when x > 3; on four; }\n"
                                 "output y = x; experiment opening { stop 4 [s]; plot y; } }\n",
                                 NULL);
    char *picture = plot_of(&f, "opening");
    const char *const looks[] = {"band0", "strong0", "band1", "strong1"};
    const char *const names[] = {">one<", ">two<", ">three<", ">four<"};
    for (int i = 0; i < 4; i++) {
        char mark[64];
        snprintf(mark, sizeof mark, "<rect class=\"%s\"", looks[i]);
        const char *band = strstr(picture, mark), *name = strstr(picture, names[i]);
        assert_int_equal(count_of(picture, mark), 1);
        if (!band || !name || name < band || name - band > 300)
            fail_msg("%s is not on a %s", names[i], looks[i]);
    }
    free(picture);
    fixture_free(&f);
}

/* Five turns in few steps of the solver, some twenty a turn: the picture shows waves and not polygons, which would be
 * more than a pixel beside them. */
static void a_curve_is_smooth_also_where_steps_are_long(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model Swing { C spring(1 [m/N]); I mass(1 [kg], f = 1 [m/s]); 1 j; j -> spring; j -> mass;\n"
        "output v = mass.f; experiment opening { stop 10*pi*(1 [s]); record v; plot v; } }\n",
        NULL);
    hbg_run_options options = hbg_run_options_default();
    const char *const files[] = {"bands.csv"};
    options.plot = "bands.svg";
    options.files = files;
    options.file_count = 1;
    options.rtol = 1e-3;
    hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
    hbg_text_free(f.session, &text);
    char *rows = file_text("bands.csv"), *picture = file_text("bands.svg");
    assert_in_range(count_of(rows, "\n"), 50, 200); // a row for each step, and no more
    const char *at = strstr(strstr(picture, "class=\"curve"), "d=\"") + 3;
    double low = 1e9, high = -1e9, left = 1e9, right = -1e9, x, y, px[2000], py[2000];
    int count = 0, used;
    for (; count < 2000 && sscanf(at, "%*1[ML]%lf %lf%n", &x, &y, &used) == 2; at += used, count++) {
        px[count] = x;
        py[count] = y;
        low = fmin(low, y), high = fmax(high, y), left = fmin(left, x), right = fmax(right, x);
    }
    assert_true(count > 40);
    for (int i = 0; i + 1 < count; i++) { // the middle of each piece is on the cosine too
        double turn = ((px[i] + px[i + 1]) / 2 - left) / (right - left) * 10 * M_PI;
        double on_curve = (low + high) / 2 - (high - low) / 2 * cos(turn);
        if (!(fabs((py[i] + py[i + 1]) / 2 - on_curve) < 0.7)) fail_msg("piece %d", i);
    }
    free(rows);
    free(picture);
    fixture_free(&f);
}

/* A current p that rises by Δ = 2/9 in a third of each second and falls again, and the charge q of what it is more than its mean
 * Δ/2: q is 0 whenever p turns. From there to where p is Δ/2 it is half as long as p rises, or falls: q is −Δ/2·1/6/2 = −1/108
 * then, and Δ/2·1/3/2 = 1/54; together Δ/8, as ΔI·T/8C of a converter. */
#define RIPPLE                                                                                               \
    "model Ripple { state p = 0 : der = time % 1 < 1/3 ? 2/3 : -1/3; state q = 0 : der = p - 1/9;\n"         \
    "  output y = q, least = -1/108, greatest = 1/54;\n"                                                     \
    "  experiment opening { stop 4000 [s]; record y; plot y, least, greatest; } }\n"

typedef struct {
    double low, high; /* px */
    int points;
} extent;

/* Of the next curve of a picture. */
static extent curve_extent(const char **at) {
    extent found = {INFINITY, -INFINITY, 0};
    double x, y;
    int used;
    *at = strstr(strstr(*at, "class=\"curve"), "d=\"") + 3;
    for (; sscanf(*at, "%*1[ML]%lf %lf%n", &x, &y, &used) == 2; *at += used, found.points++) {
        found.low = fmin(found.low, y);
        found.high = fmax(found.high, y);
    }
    return found;
}

/* No step ends where q turns, and of 4000 periods a picture has room for less than one point each: as in one of the last alone the
 * curve fills what is between the lines of its extremes, and that is smooth. The rows are those of a run without a picture. */
static void a_ripple_is_as_high_as_it_is_in_any_window(void **state) {
    (void)state;
    const char *const windows[] = {NULL, "3000:3500", "3999:4000", NULL};
    char *rows[4];
    for (int k = 0; k < 4; k++) {
        run_fixture f = fixture_load(RIPPLE, NULL);
        hbg_run_options options = hbg_run_options_default();
        const char *const files[] = {"ripple.csv"};
        options.files = files;
        options.file_count = 1;
        options.plot = k < 3 ? "ripple.svg" : NULL;
        options.look.window = windows[k];
        hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
        hbg_text_free(f.session, &text);
        rows[k] = file_text("ripple.csv");
        fixture_free(&f);
        if (k == 3) break;
        char *picture = file_text("ripple.svg");
        const char *at = picture;
        extent ripple = curve_extent(&at), least = curve_extent(&at), greatest = curve_extent(&at);
        assert_near(ripple.low, greatest.low, 0.05);
        assert_near(ripple.high, least.high, 0.05);
        assert_true(least.high - greatest.low > 100);
        assert_true(ripple.points > 40);
        free(picture);
    }
    for (int k = 0; k < 3; k++) assert_string_equal(rows[k], rows[3]);
    for (int k = 0; k < 4; k++) free(rows[k]);
    remove("ripple.svg"), remove("ripple.csv");
}

static void strips_that_are_left_out_are_counted_in_the_title(void **state) {
    (void)state;
    char text[2048] = "model Many { input event e;\n";
    for (int i = 0; i < 8; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "automaton a%d { off off_ -> on_ when e; on on_ -> off_ when e; }\n", i);
    strcat(text,
           "state x = 0 : der = 1; output y = x; experiment opening { stop 1 [s]; at 0.5 [s]: e; } }\n");
    run_fixture f = fixture_load(text, NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 6);
    assert_says(picture, "(2 more automata switch, not shown)");
    free(picture);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_automaton_that_switched_has_a_strip),
        cmocka_unit_test(what_never_switched_has_none),
        cmocka_unit_test(a_start_mode_that_was_mythical_has_no_band),
        cmocka_unit_test(every_output_that_jumps_has_a_point_at_a_pinnacle),
        cmocka_unit_test(a_body_that_hits_on_at_once_has_its_point_far_from_its_line),
        cmocka_unit_test(on_states_are_strong_and_off_states_pale),
        cmocka_unit_test(a_curve_is_smooth_also_where_steps_are_long),
        cmocka_unit_test(a_ripple_is_as_high_as_it_is_in_any_window),
        cmocka_unit_test(strips_that_are_left_out_are_counted_in_the_title),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
