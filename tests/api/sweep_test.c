/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps through the public header: which runs there are, that each is what hbg_run makes of the same values, the same bits for any
 * number of threads, going on after an interruption, memory that does not grow. */
#include "run_fixture_impl.h"

#include <sys/stat.h>

#include "api/sweep_impl.h"

/* v = V·(1 - exp(-t/(R1·C1))) at 50 ms, with a relay that switches and a meter with noise. */
#define METERED                                                                                              \
    "model Rc { param V = 10 [V], R1 = 1 [kOhm], C1 = 10 [uF], twice = 2*R1; input bool shut = true;\n"      \
    "  Se supply(V); R series(R1); C cap(C1); R leak(twice); 1 loop when relay; 0 node;\n"                   \
    "  supply -> loop -> series; loop -> node; node -> cap; node -> leak;\n"                                 \
    "  automaton relay { on closed -> open when node.e > 0.6*V; off open -> closed when node.e < 0.5*V; }\n" \
    "  sensor meter = node.e every 5 [ms] noise(0 [V], 0.01 [V2]); output v = cap.e, shown = meter;\n"       \
    "  experiment charge { stop 50 [ms]; } }\n"

static const char table[] = "at,until,target,kind,value\n"
                            "10 [ms],,R1,abrupt,50 [%]\n"
                            "20 [ms],30 [ms],relay,stuck,off\n";

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* ---- reading tables ----------------------------------------------------------------------------------- */

/* The cell of a table without quotes, by row (0 is the head) and column; NULL beyond the end. */
static const char *cell(const char *text, int row, int column) {
    static char found[512];
    for (; row > 0 && text; row--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    for (; column > 0 && text && *text; column--) {
        text += strcspn(text, ",\n");
        text += *text == ',';
    }
    if (!text || !*text) return NULL;
    snprintf(found, sizeof found, "%.*s", (int)strcspn(text, ",\n"), text);
    return found;
}

static int column_of(const char *text, const char *name) {
    for (int i = 0; i < 64; i++) {
        const char *own = cell(text, 0, i);
        if (own && strcmp(own, name) == 0) return i;
    }
    fail_msg("there is no column %s", name);
    return -1;
}

static double value(const char *text, int row, const char *name) {
    const char *own = cell(text, row, column_of(text, name));
    assert_non_null(own);
    return strtod(own, NULL);
}

static int count_rows(const char *text) {
    int count = -1;
    for (; *text; text++) count += *text == '\n';
    return count;
}

/* ---- sweeping ----------------------------------------------------------------------------------------- */

static hbg_sweep_options sweep_to(const char *file, int threads) {
    hbg_sweep_options options = hbg_sweep_options_default();
    options.file = file;
    options.threads = threads;
    return options;
}

/* The table of a sweep that is to end so. */
static char *sweep(const char *model, const hbg_load_options *load, hbg_sweep_options options,
                   hbg_run_end expected) {
    run_fixture f = fixture_load(model, load);
    hbg_text words;
    hbg_run_end end;
    hbg_status status = hbg_sweep(f.session, f.model, &options, &end, &words);
    if (status != HBG_OK) fail_msg("%d: %s", status, hbg_session_reason(f.session));
    assert_int_equal(end, expected);
    assert_null(((struct hbg_session *)f.session)->sweep);
    hbg_text_free(f.session, &words);
    fixture_free(&f);
    return expected == HBG_RUN_INTERRUPTED ? NULL : file_text(options.file);
}

static void refused(const char *model, const hbg_load_options *load, hbg_sweep_options options,
                    hbg_status expected, const char *reason) {
    run_fixture f = fixture_load(model, load);
    hbg_text words;
    hbg_run_end end;
    assert_int_equal(hbg_sweep(f.session, f.model, &options, &end, &words), expected);
    if (expected == HBG_BAD_MODEL) {
        assert_int_equal(hbg_diagnostics_text(f.session, false, &words), HBG_OK);
        if (!strstr(words.data, reason)) fail_msg("%s", words.data);
        hbg_text_free(f.session, &words);
    } else if (!strstr(hbg_session_reason(f.session), reason))
        fail_msg("%s", hbg_session_reason(f.session));
    fixture_free(&f);
}

static void a_grid_has_a_run_for_each_point(void **state) {
    (void)state;
    const char *sweeps[] = {"R1=1 [kOhm]:1.2 [kOhm]:100", "C1=20uF,10uF", "V=20 [V]"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 3};
    hbg_sweep_options options = sweep_to("grid.csv", 2);
    options.run.rtol = 1e-9;
    char *text = sweep(CHARGING, &load, options, HBG_RUN_FINISHED);
    assert_int_equal(count_rows(text), 6);
    static const double r[] = {1000, 1000, 1100, 1100, 1200, 1200}, c[] = {2e-5, 1e-5};
    for (int i = 0; i < 6; i++) {
        double tau = r[i] * c[i % 2];
        assert_true(value(text, i + 1, "run") == i);
        assert_true(value(text, i + 1, "R1") == r[i]);
        assert_true(value(text, i + 1, "C1") == c[i % 2]);
        assert_near(value(text, i + 1, "v final"), 20 * (1 - exp(-0.05 / tau)), 1e-6);
        assert_near(value(text, i + 1, "v min"), 0, 0);
        assert_near(value(text, i + 1, "v max"), 20 * (1 - exp(-0.05 / tau)), 1e-6);
        // Simpson's rule over the steps of the solver
        assert_near(value(text, i + 1, "v mean"), 20 * (1 - tau / 0.05 * (1 - exp(-0.05 / tau))), 1e-6);
        // all that is supplied goes through the charge: V·q, half of q·v of it stays
        double q = c[i % 2] * value(text, i + 1, "v final"), kept = q * value(text, i + 1, "v final") / 2;
        assert_near(value(text, i + 1, "stored before"), 0, 0);
        assert_near(value(text, i + 1, "stored after"), kept, 1e-12);
        assert_near(value(text, i + 1, "supplied"), 20 * q, 1e-9);
        assert_near(value(text, i + 1, "dissipated"), 20 * q - kept, 1e-9);
        assert_near(value(text, i + 1, "lost in jumps"), 0, 0);
        assert_true(fabs(value(text, i + 1, "residual")) < 1e-9);
    }
    assert_string_equal(cell(text, 1, column_of(text, "verdict")), "finished");
    free(text);
}

/* Two capacitors are joined at 0.5 s: (2·3)/(2 + 1) = 2 V for both, and 3 J of 9 J are lost; the mean of the first is
 * (3 + 2)/2. Rows, of which there are two, do not decide what is least or greatest. */
static void jumps_count_on_both_sides_whatever_is_recorded(void **state) {
    (void)state;
    static const char model[] =
        "model J { param V = 3 [V]; input bool on = false; C a(2 [F], e = V); C b(1 [F]); 0 n; 0 m; 1 j when "
        "k;\n"
        "  n -> a; n -> j -> m -> b; automaton k { on shut -> open when !on; off open -> shut when on; }\n"
        "  state x = 0 : der = 20*pi*cos(20*pi*time/1 [s])/1 [s]; output v = a.e, w = b.e, y = x;\n"
        "  experiment e { stop 1 [s]; at 0.5 [s]: on = true; record v, w, y every %s [s]; } }\n";
    char text[800], *tables[2];
    const char *sweeps[] = {"V=3,6"}, *every[] = {"1", "0.01"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, model, every[i]);
        tables[i] = sweep(text, &load, sweep_to("jumps.csv", 1), HBG_RUN_FINISHED);
    }
    assert_string_equal(tables[0], tables[1]);
    assert_near(value(tables[0], 1, "v max"), 3, 1e-12);
    assert_near(value(tables[0], 1, "v min"), 2, 1e-12);
    assert_near(value(tables[0], 1, "v mean"), 2.5, 1e-12);
    assert_near(value(tables[0], 1, "w max"), 2, 1e-12);
    assert_near(value(tables[0], 1, "w min"), 0, 0);
    assert_near(value(tables[0], 1, "lost in jumps"), 3, 1e-12);
    assert_near(value(tables[0], 2, "lost in jumps"), 12, 1e-12);
    // sin(20·π·t), of which rows at 0 and 1 s see nothing
    assert_near(value(tables[0], 1, "y max"), 1, 0.05);
    assert_near(value(tables[0], 1, "y min"), -1, 0.05);
    free(tables[0]);
    free(tables[1]);
}

static void a_grid_may_go_down_and_has_the_numbers_one_would_write(void **state) {
    (void)state;
    const char *sweeps[] = {"V=1.3:1:0.1"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    char *text = sweep(CHARGING, &load, sweep_to("down.csv", 1), HBG_RUN_FINISHED);
    static const char *const expected[] = {"1.3", "1.2", "1.1", "1"};
    assert_int_equal(count_rows(text), 4);
    for (int i = 0; i < 4; i++) assert_string_equal(cell(text, i + 1, 1), expected[i]);
    free(text);
}

/* The last values and the rows of a run are those that hbg_run has with the same values, to the last bit. */
static void a_run_of_a_sweep_is_what_a_run_is(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~lognormal(1 [kOhm], 0.1)", "V=9,11"};
    put_file("faults.csv", table);
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 2, .fault_table = "faults.csv"};
    hbg_sweep_options options = sweep_to("like.csv", 2);
    options.runs = 2;
    options.run.seed = 5;
    options.traces = "all";
    char *text = sweep(METERED, &load, options, HBG_RUN_FINISHED);
    assert_int_equal(count_rows(text), 8);
    for (int i = 0; i < 8; i++) {
        char r1[100], v[100], path[100];
        snprintf(r1, sizeof r1, "R1=%s", cell(text, i + 1, column_of(text, "R1")));
        snprintf(v, sizeof v, "V=%s", cell(text, i + 1, column_of(text, "V")));
        bool first = i / 2 % 2 == 0; // draws are innermost, then faults, then points
        const char *fault =
            first ? "at 10 [ms]: R1 abrupt 50 [%]" : "at 20 [ms] until 30 [ms]: relay stuck off";
        assert_string_equal(cell(text, i + 1, column_of(text, "fault")),
                            first ? "at 0.01 [s]: R1 abrupt 50 [%]"
                                  : "at 0.02 [s] until 0.03 [s]: relay stuck off");
        const char *parameters[] = {r1, v}, *files[] = {"one.csv"};
        hbg_load_options one = {
            .parameters = parameters, .parameter_count = 2, .faults = &fault, .fault_count = 1};
        run_fixture f = fixture_load(METERED, &one);
        hbg_run_options run = hbg_run_options_default();
        run.seed = (uint64_t)value(text, i + 1, "seed");
        assert_int_equal(run.seed, 5 + i);
        run.files = files;
        run.file_count = 1;
        json_t *json = run_json(&f, run, HBG_RUN_FINISHED);
        assert_true(final_value(json, "v") == value(text, i + 1, "v final"));
        assert_true(final_value(json, "shown") == value(text, i + 1, "shown final"));
        json_decref(json);
        fixture_free(&f);
        snprintf(path, sizeof path, "like-traces/run-%06d.csv", i);
        char *traced = file_text(path), *alone = file_text("one.csv");
        assert_string_equal(traced, alone);
        free(traced);
        free(alone);
    }
    free(text);
}

/* What an experiment sets is said in terms of the model with the values of the run; the stop follows them too. */
static void settings_and_times_follow_what_is_swept(void **state) {
    (void)state;
    static const char model[] = "model Rc { param V = 10 [V], R1 = 1 [kOhm], C1 = 10 [uF], k = 2; Se "
                                "supply(V); R series(R1); C cap(C1); 1 loop;\n"
                                "  supply -> loop -> series; loop -> cap; output v = cap.e, q = cap.q;\n"
                                "  experiment e { stop k*R1*C1; set C1 = R1*1e-8 [F/Ohm], cap.e = V/4; } }\n";
    const char *sweeps[] = {"R1=500:1500:500", "V=8,12"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 2};
    char *text = sweep(model, &load, sweep_to("set.csv", 2), HBG_RUN_FINISHED);
    assert_int_equal(count_rows(text), 6);
    for (int i = 1; i <= 6; i++) {
        double r = value(text, i, "R1"), v = value(text, i, "V"), c = r * 1e-8;
        char r1[100], source[100];
        snprintf(r1, sizeof r1, "R1=%.17g", r);
        snprintf(source, sizeof source, "V=%.17g", v);
        const char *parameters[] = {r1, source};
        hbg_load_options one = {.parameters = parameters, .parameter_count = 2};
        run_fixture f = fixture_load(model, &one);
        json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
        assert_true(final_value(json, "v") == value(text, i, "v final"));
        assert_true(final_value(json, "q") == value(text, i, "q final"));
        assert_near(value(text, i, "end"), 2 * r * c, 1e-15);
        assert_near(value(text, i, "v final"), v - 0.75 * v * exp(-2), 1e-4);
        json_decref(json);
        fixture_free(&f);
    }
    free(text);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~normal(1 [kOhm], 50)", "C1~uniform(9uF, 11uF)", "V=9,10,11"};
    put_file("faults.csv", table);
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 3, .fault_table = "faults.csv"};
    hbg_sweep_options options = sweep_to("threads.csv", 1);
    options.runs = 10;
    options.nominal = true;
    char *one = sweep(METERED, &load, options, HBG_RUN_FINISHED);
    assert_int_equal(count_rows(one), 3 * 3 * 10);
    assert_string_equal(cell(one, 1, column_of(one, "fault")), "");
    for (int threads = 2; threads <= 5; threads++) {
        options.threads = threads;
        char *many = sweep(METERED, &load, options, HBG_RUN_FINISHED);
        assert_string_equal(one, many);
        free(many);
    }
    free(one);
}

/* Draws follow from seed, name and number of the run: what else is swept changes nothing. */
static void draws_do_not_depend_on_other_axes(void **state) {
    (void)state;
    const char *alone[] = {"R1~normal(1000, 50)"}, *both[] = {"C1~uniform(9uF, 11uF)", "R1~normal(1000, 50)"};
    hbg_load_options load = {.sweeps = alone, .sweep_count = 1}, other = {.sweeps = both, .sweep_count = 2};
    hbg_sweep_options options = sweep_to("draws.csv", 1);
    options.runs = 20;
    char *first = sweep(CHARGING, &load, options, HBG_RUN_FINISHED);
    char *second = sweep(CHARGING, &other, options, HBG_RUN_FINISHED);
    for (int i = 1; i <= 20; i++) assert_true(value(first, i, "R1") == value(second, i, "R1"));
    options.run.seed = 2;
    char *third = sweep(CHARGING, &load, options, HBG_RUN_FINISHED);
    assert_true(value(first, 1, "R1") != value(third, 1, "R1"));
    free(first);
    free(second);
    free(third);
}

/* ---- what does not go well ---------------------------------------------------------------------------- */

static void wrong_values_are_told_before_anything_runs(void **state) {
    (void)state;
    const char *sweeps[] = {"C1~normal(1uF, 1uF)"}, *same[] = {"V=1,2"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1}, plain = {.sweeps = same, .sweep_count = 1};
    hbg_sweep_options options = sweep_to("wrong.csv", 2);
    options.runs = 100;
    refused(CHARGING, &load, options, HBG_BAD_MODEL, "the parameters make the value of `cap` -");
    refused(CHARGING, &plain, options, HBG_BAD_ARGUMENT, "100 runs would all be the same");
    options.runs = 0;
    options.traces = "3-1";
    refused(CHARGING, &plain, options, HBG_BAD_ARGUMENT, "`--trace 3-1` does not list runs");
    options.traces = "0-2";
    refused(CHARGING, &plain, options, HBG_BAD_ARGUMENT, "names run 2, but there are 2");
    options = sweep_to("no/such/folder.csv", 1);
    refused(CHARGING, &plain, options, HBG_CANNOT_WRITE, "its folder does not exist");
    options = sweep_to("-", 1);
    options.resume = true;
    refused(CHARGING, &plain, options, HBG_BAD_ARGUMENT, "--resume needs a file");
    options = sweep_to("wrong.csv", 1);
    options.run.experiment = "chrge";
    refused(CHARGING, &plain, options, HBG_NOT_FOUND, "did you mean `charge`?");
    assert_int_equal(access("wrong.csv", F_OK), -1);
}

/* x' = x²/s reaches infinity at 1/x0: one of three runs does not get to 0.7 s. */
static void a_run_that_does_not_finish_has_its_row(void **state) {
    (void)state;
    static const char model[] = "model Boom { param x0 = 1; state x = x0 : der = x*x/(1 [s]); output y = x; "
                                "experiment e { stop 0.7 [s]; } }\n";
    const char *sweeps[] = {"x0=0.5:1.5:0.5"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    char *text = sweep(model, &load, sweep_to("boom.csv", 2), HBG_RUN_NOT_FINISHED);
    assert_int_equal(count_rows(text), 3);
    assert_string_equal(cell(text, 2, column_of(text, "verdict")), "finished");
    assert_string_equal(cell(text, 3, column_of(text, "verdict")), "not finished");
    assert_near(value(text, 2, "y final"), 1 / 0.3, 1e-4);
    assert_near(value(text, 3, "end"), 1 / 1.5, 1e-3);
    free(text);
}

/* ---- interruption ------------------------------------------------------------------------------------- */

static bool stop_at_once(void *context, int64_t done, int64_t runs) {
    int64_t *seen = context;
    *seen = done;
    return done >= runs;
}

static void an_interrupted_sweep_goes_on_to_the_same_table(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~normal(1000, 50)"}, *other[] = {"R1~normal(1000, 51)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1},
                     changed = {.sweeps = other, .sweep_count = 1};
    hbg_sweep_options options = sweep_to("whole.csv", 2);
    int64_t seen = -1;
    options.runs = 1500;
    char *whole = sweep(METERED, &load, options, HBG_RUN_FINISHED);
    options.file = "cut.csv";
    options.progress = stop_at_once;
    options.context = &seen;
    sweep(METERED, &load, options, HBG_RUN_INTERRUPTED);
    char *cut = file_text("cut.csv.partial");
    assert_true(count_rows(cut) < 1500);
    assert_int_equal(strncmp(whole, cut, strlen(cut)), 0);
    free(cut);
    options.progress = NULL;
    options.resume = true;
    refused(METERED, &changed, options, HBG_BAD_ARGUMENT, "belongs to another model, or to other options");
    options.threads = 1;
    char *resumed = sweep(METERED, &load, options, HBG_RUN_FINISHED);
    assert_string_equal(whole, resumed);
    assert_int_equal(access("cut.csv.partial", F_OK), -1);
    assert_int_equal(access("cut.csv.resume", F_OK), -1);
    char *anew = sweep(METERED, &load, options, HBG_RUN_FINISHED); // nothing is left to go on with
    assert_string_equal(whole, anew);
    free(anew);
    free(whole);
    free(resumed);
}

static void write_course(const char *text) {
    FILE *file = fopen("course.csv", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Rows of before and of after a change of a table must not stand in one file. */
static void a_sweep_does_not_go_on_when_a_table_of_the_model_has_changed(void **state) {
    (void)state;
    static const char model[] =
        "model M { param r = 1; Se s(table(\"course.csv\", \"v\", time)); R load(r); C c(1); 1 j;\n"
        "  s -> j -> c; j -> load; experiment e { stop 1; record c.q; } }\n";
    const char *sweeps[] = {"r~normal(1000, 50)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    hbg_sweep_options options = sweep_to("course-cut.csv", 2);
    int64_t seen = -1;
    options.runs = 1500;
    options.progress = stop_at_once;
    options.context = &seen;
    write_course("t [s],v [V]\n0,1\n10,2\n");
    sweep(model, &load, options, HBG_RUN_INTERRUPTED);
    options.progress = NULL;
    options.resume = true;
    write_course("t [s],v [V]\n0,1\n10,3\n");
    refused(model, &load, options, HBG_BAD_ARGUMENT, "belongs to another model, or to other options");
    write_course("t [s],v [V]\n0,1\n10,2\n");
    free(sweep(model, &load, options, HBG_RUN_FINISHED));
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* What one worker holds after many runs is what it held after few. */
static void memory_does_not_grow_with_the_number_of_runs(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~normal(1000, 50)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    run_fixture f = fixture_load(METERED, &load);
    struct hbg_session *session = f.session;
    hbg_sweep_options options = sweep_to("-", 1);
    hbg_sweep_list list;
    hbg_sweep_worker worker = {.options = &options, .list = &list};
    hbg_sweep_slot slot;
    atomic_bool stop = false;
    size_t early = 0;
    jmp_buf guard;
    options.runs = 10000;
    assert_false(HBG_GUARD(&session->memory, guard));
    assert_int_equal(hbg_api_sweep_list_init(session, f.model, &options, &list), HBG_OK);
    assert_int_equal(hbg_api_sweep_compile(session, f.model, &options, &worker.compiled), HBG_OK);
    assert_int_equal(hbg_api_sweep_worker_init(session, &worker, NULL), HBG_OK);
    slot.capacity = hbg_api_sweep_row_limit(&worker);
    slot.row = calloc(1, slot.capacity);
    for (int64_t run = 0; run < 300; run++) {
        bool interrupted;
        assert_int_equal(hbg_api_sweep_worker_run(&worker, run, &stop, &slot, &interrupted), HBG_OK);
        assert_true(slot.size < slot.capacity);
        assert_int_equal(worker.context.memory.used, 0);
        if (run == 20) early = worker.compiled->memory.used;
    }
    assert_int_equal(worker.compiled->memory.used, early);
    hbg_api_sweep_worker_fini(&worker);
    hbg_api_sweep_compiled_free(worker.compiled);
    HBG_GUARD_END(&session->memory);
    free(slot.row);
    fixture_free(&f);
}

/* Values that make no number of a constant are told with their run, and leave nothing behind for the next: the third run has its
 * action at 0.1·(1 + √2) s whatever the first one was. */
static void a_run_leaves_nothing_behind_for_the_next(void **state) {
    (void)state;
    static const char model[] =
        "model N { param A = 2, B = sqrt(A - 1), T = 1 + B; input bool on = false; Se s(1); R r(1); C c(1);\n"
        "  1 j; s -> j -> r; j -> c; signal w = on ? time : 0; output x = w;\n"
        "  experiment e { stop 1 [s]; at T * 0.1 [s]: on = true; } }\n";
    const char *both[] = {"A=2,3"}, *wrong[] = {"A=0.5,2,3"};
    hbg_load_options load = {.sweeps = both, .sweep_count = 1};
    char *text = sweep(model, &load, sweep_to("both.csv", 1), HBG_RUN_FINISHED);
    double mean = value(text, 2, "x mean"), begun = 0.1 * (1 + sqrt(2));
    assert_near(mean, (1 - begun * begun) / 2, 1e-9); // trapezoids are exact for a ramp
    free(text);
    load.sweeps = wrong;
    refused(model, &load, sweep_to("wrong.csv", 1), HBG_BAD_MODEL,
            "in run 0 the value of `B` is not a finite number");
}

/* A coil that a relay cuts off: its blocks are others while it is open. */
#define CUT                                                                                                  \
    "model Cut { param V = 10 [V], R1 = 5 [Ohm]; Se s(V); R r(R1); I coil(2 [H]); 1 j when relay;\n"         \
    "  s -> j -> r; j -> coil; output f = coil.f;\n"                                                         \
    "  automaton relay { on closed -> open after 20 [ms]; off open -> closed after 10 [ms]; }\n"             \
    "  experiment e { stop 100 [ms]; } }\n"

/* What a second worker runs has been compiled by the first: the relay has been open and closed. */
static void workers_share_one_compiled_model(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~normal(5, 0.1)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    run_fixture f = fixture_load(CUT, &load);
    struct hbg_session *session = f.session, *compiled = NULL;
    hbg_sweep_options options = sweep_to("-", 2);
    hbg_sweep_list list;
    hbg_sweep_worker workers[2] = {{.options = &options, .list = &list},
                                   {.options = &options, .list = &list}};
    hbg_sweep_slot slot = {0};
    atomic_bool stop = false;
    int64_t made = 0;
    jmp_buf guard;
    options.runs = 100;
    assert_false(HBG_GUARD(&session->memory, guard));
    assert_int_equal(hbg_api_sweep_list_init(session, f.model, &options, &list), HBG_OK);
    assert_int_equal(hbg_api_sweep_compile(session, f.model, &options, &compiled), HBG_OK);
    for (int i = 0; i < 2; i++) {
        bool interrupted;
        workers[i].compiled = compiled;
        assert_int_equal(hbg_api_sweep_worker_init(session, &workers[i], i > 0 ? workers : NULL), HBG_OK);
        slot.capacity = hbg_api_sweep_row_limit(&workers[i]);
        if (!slot.row) slot.row = calloc(1, slot.capacity);
        assert_int_equal(hbg_api_sweep_worker_run(&workers[i], i, &stop, &slot, &interrupted), HBG_OK);
        assert_ptr_equal(workers[i].state.code, workers[0].state.code);
        assert_ptr_not_equal(workers[i].state.model, compiled->run->model);
        if (i == 0) made = hbg_code_compiled(workers[0].state.code);
    }
    assert_true(made >= 2);
    assert_int_equal(hbg_code_compiled(workers[1].state.code), made);
    for (int i = 0; i < 2; i++) hbg_api_sweep_worker_fini(&workers[i]);
    hbg_api_sweep_compiled_free(compiled);
    HBG_GUARD_END(&session->memory);
    free(slot.row);
    fixture_free(&f);
}

/* Whichever allocation of the calling session fails: the call says so, nothing leaks, nothing of the workers stays. Some of them, and
 * all where there is time. */
static void sweeps_survive_failures(void **state) {
    (void)state;
    int64_t stride = getenv("HBG_SOAK") ? 1 : 5;
    const char *sweeps[] = {"R1~normal(1000, 50)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    bool reached = true;
    for (int64_t n = 1; reached; n += stride) {
        hbg_session_options session_options = hbg_session_options_default();
        hbg_sweep_options options = sweep_to("memory.csv", 2);
        hbg_session *session;
        hbg_model *model;
        hbg_text words;
        hbg_run_end end;
        session_options.fail_at = n;
        options.runs = 3;
        hbg_status status = hbg_session_new(&session_options, &session);
        if (status == HBG_NO_MEMORY) continue;
        status = hbg_load_text(session, "m.hbg", METERED, strlen(METERED), &load, &model);
        if (status == HBG_OK) status = hbg_sweep(session, model, &options, &end, &words);
        if (status == HBG_OK) hbg_text_free(session, &words);
        reached = ((struct hbg_session *)session)->memory.calls >= n;
        bool out = status == HBG_NO_MEMORY || status == HBG_CANNOT_WRITE;
        if (out != reached) fail_msg("allocation %lld: status %d", (long long)n, status);
        assert_null(((struct hbg_session *)session)->sweep);
        hbg_session_free(session);
    }
}

/* The same where the memory of everybody is small: workers run out of theirs in their threads. */
static void sweeps_survive_small_memories(void **state) {
    (void)state;
    const char *sweeps[] = {"R1~normal(1000, 50)"};
    hbg_load_options load = {.sweeps = sweeps, .sweep_count = 1};
    int finished = 0, out = 0;
    for (size_t limit = 20000; finished < 3; limit += limit / 60) { // for what comes behind the reading
        hbg_sweep_options options = sweep_to("small.csv", 2);
        hbg_session *session;
        hbg_model *model;
        hbg_text words;
        hbg_run_end end;
        options.runs = 4;
        assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
        assert_int_equal(hbg_load_text(session, "m.hbg", METERED, strlen(METERED), &load, &model), HBG_OK);
        ((struct hbg_session *)session)->memory.limit = ((struct hbg_session *)session)->memory.used + limit;
        hbg_status status = hbg_sweep(session, model, &options, &end, &words);
        out += status == HBG_NO_MEMORY;
        if (status == HBG_OK) hbg_text_free(session, &words);
        if (status != HBG_OK && status != HBG_NO_MEMORY && status != HBG_CANNOT_WRITE)
            fail_msg("%zu bytes: status %d: %s", limit, status, hbg_session_reason(session));
        finished += status == HBG_OK;
        hbg_session_free(session);
        assert_true(limit < ((size_t)1 << 30));
    }
    assert_true(out > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_a_run_for_each_point),
        cmocka_unit_test(jumps_count_on_both_sides_whatever_is_recorded),
        cmocka_unit_test(a_grid_may_go_down_and_has_the_numbers_one_would_write),
        cmocka_unit_test(a_run_of_a_sweep_is_what_a_run_is),
        cmocka_unit_test(settings_and_times_follow_what_is_swept),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(draws_do_not_depend_on_other_axes),
        cmocka_unit_test(wrong_values_are_told_before_anything_runs),
        cmocka_unit_test(a_run_that_does_not_finish_has_its_row),
        cmocka_unit_test(an_interrupted_sweep_goes_on_to_the_same_table),
        cmocka_unit_test(a_sweep_does_not_go_on_when_a_table_of_the_model_has_changed),
        cmocka_unit_test(memory_does_not_grow_with_the_number_of_runs),
        cmocka_unit_test(workers_share_one_compiled_model),
        cmocka_unit_test(a_run_leaves_nothing_behind_for_the_next),
        cmocka_unit_test(sweeps_survive_failures),
        cmocka_unit_test(sweeps_survive_small_memories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
