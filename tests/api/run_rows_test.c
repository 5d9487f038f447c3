/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of results files at instants: one before, and one for each mode that became real. */
#include "api/run_events_fixture_impl.h"

enum { MOST_ROWS = 2000, MOST_COLUMNS = 8 };

typedef struct {
    double at[MOST_ROWS][MOST_COLUMNS]; /* time first */
    int count;
} row_table;

static row_table *run_rows(const char *model, const char *experiment, const hbg_load_options *load) {
    run_fixture f = fixture_load(model, load);
    hbg_run_options options = hbg_run_options_default();
    const char *const files[] = {"rows.csv"};
    options.experiment = experiment;
    options.files = files;
    options.file_count = 1;
    options.rtol = 1e-9;
    hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
    hbg_text_free(f.session, &text);
    row_table *table = calloc(1, sizeof *table);
    char *all = file_text("rows.csv"), *rest = strchr(all, '\n') + 1;
    for (char *line = strsep(&rest, "\n"); line && line[0]; line = strsep(&rest, "\n")) {
        assert_true(table->count < MOST_ROWS);
        int column = 0;
        for (char *number = strsep(&line, ","); number; number = strsep(&line, ",")) {
            assert_true(column < MOST_COLUMNS);
            table->at[table->count][column++] = atof(number);
        }
        table->count++;
    }
    free(all);
    remove("rows.csv");
    fixture_free(&f);
    return table;
}

/* The first of the rows that share the time, which is near that given; how many there are. */
static int rows_at(const row_table *table, double time, int *first) {
    int count = 0;
    *first = -1;
    for (int i = 0; i < table->count; i++) {
        if (fabs(table->at[i][0] - time) > 1e-7) continue;
        if (*first < 0) *first = i;
        if (table->at[i][0] == table->at[*first][0]) count++;
    }
    return count;
}

static void assert_row(const row_table *table, int row, int columns, const double *expected) {
    for (int i = 0; i < columns; i++) assert_near(table->at[row][i + 1], expected[i], 1e-7);
}

static void a_chain_of_collisions_has_a_row_before_and_one_for_each_commit(void **state) {
    (void)state;
    // v_1, v_2, v_3, whether the first two collide, whether the last two do
    const double expected[4][5] = {{1, 0, 0, 0, 0}, {0, 1, 0, 1, 0}, {0, 0, 1, 0, 1}, {0, 0, 1, 0, 0}};
    row_table *table = run_rows(CHAIN, "elastic", NULL);
    int first;
    assert_int_equal(rows_at(table, 1, &first), 4);
    for (int i = 0; i < 4; i++) assert_row(table, first + i, 5, expected[i]);
    free(table);
}

static void a_bounce_has_three_rows_also_where_rows_have_their_own_pace(void **state) {
    (void)state;
    const double expected[3][3] = {{0, -10, 0}, {0, 5, 1}, {0, 5, 0}}; // height, momentum, whether it touches
    const char *const paces[] = {NULL, "0.2 [s]"};
    for (int k = 0; k < 2; k++) {
        hbg_load_options load = {.records = "height, momentum, touch.bouncing", .every = paces[k]};
        row_table *table = run_rows(BOUNCING, "once", &load);
        int first;
        assert_int_equal(rows_at(table, 0.5, &first), 3);
        for (int i = 0; i < 3; i++) assert_row(table, first + i, 3, expected[i]);
        if (k == 1)
            assert_int_equal(table->count, 4 + 3 + 1); // 0 to 0.6 s, three at 0.5 s, the end at 0.75 s
        free(table);
    }
}

/* Two charged capacitors joined: 3 µC and 1 µC become 2 µC each. */
static const char joined[] =
    "model Joined { input bool sw = false; C a(1 [uF], q = 3 [uC]); C b(1 [uF], q = 1 [uC]); 0 n; 0 m; 1 j "
    "when k;\n"
    "  n -> a; n -> j -> m; m -> b; automaton k { off open -> shut when sw; on shut -> open when !sw; }\n"
    "  output q_a = a.q, q_b = b.q; experiment e { stop 2 [s]; at 1 [s]: sw = true; record q_a, q_b, k.shut; "
    "} }\n";

static void a_mode_that_lasts_is_one_row_behind_that_before(void **state) {
    (void)state;
    row_table *table = run_rows(joined, "e", NULL);
    int first;
    assert_int_equal(rows_at(table, 1, &first), 2);
    assert_row(table, first, 3, (const double[]){3e-6, 1e-6, 0});
    assert_near(table->at[first + 1][1], 2e-6, 1e-15);
    assert_near(table->at[first + 1][3], 1, 0);
    free(table);
}

/* The last mode changes no output: the instant has its rows where every step has one, and none where rows have a pace. */
static const char quiet[] =
    "model Quiet { state x = 0 : der = 1; automaton a { off low -> high when x > 0.55; on high; }\n"
    "  output y = x; experiment e { stop 1 [s]; } }\n";

static void a_pace_is_kept_where_nothing_jumps(void **state) {
    (void)state;
    hbg_load_options load = {.every = "0.1 [s]"};
    row_table *table = run_rows(quiet, "e", &load);
    int first;
    assert_int_equal(table->count, 11);
    assert_int_equal(rows_at(table, 0.55, &first), 0);
    free(table);
    table = run_rows(quiet, "e", NULL);
    assert_int_equal(rows_at(table, 0.55, &first), 2);
    free(table);
}

static void a_plot_takes_no_rows_from_a_file_and_gives_it_none(void **state) {
    (void)state;
    int lines[2];
    for (int k = 0; k < 2; k++) {
        run_fixture f = fixture_load(BOUNCING, NULL);
        hbg_run_options options = hbg_run_options_default();
        const char *const files[] = {k ? "plain.csv" : "plotted.csv"};
        options.experiment = "once";
        options.files = files;
        options.file_count = 1;
        options.plot = k ? NULL : "rows.svg";
        hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
        hbg_text_free(f.session, &text);
        char *all = file_text(files[0]);
        lines[k] = 0;
        for (const char *at = all; *at; at++) lines[k] += *at == '\n';
        free(all);
        remove(files[0]);
        fixture_free(&f);
    }
    remove("rows.svg");
    assert_int_equal(lines[0], lines[1]);
}

/* Somebody who listens gets the rows of the file, and every event of the log with its words. */
typedef struct {
    char rows[1 << 16], events[1 << 16];
    int columns, words;
} heard;

static void hear_columns(void *context, const char *const *names, const char *const *units, int32_t count) {
    ((heard *)context)->columns = count;
    assert_string_equal(names[0], "time");
    assert_string_equal(units[0], "s");
}

static bool hear_row(void *context, const double *values) {
    heard *of = context;
    for (int i = 0; i < of->columns; i++)
        sprintf(of->rows + strlen(of->rows), "%.17g%c", values[i], i + 1 < of->columns ? ',' : '\n');
    return true;
}

static void hear_event(void *context, const char *json, const char *words) {
    heard *of = context;
    sprintf(of->events + strlen(of->events), "%s\n", json);
    of->words += strncmp(words, "t = ", 4) == 0;
}

static void who_listens_hears_the_rows_of_the_file_and_the_events_of_the_log(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = hbg_run_options_default();
    heard *of = calloc(1, sizeof *of);
    hbg_run_listener listener = {hear_columns, hear_row, hear_event, of};
    const char *const files[] = {"heard.csv"};
    options.experiment = "once";
    options.files = files;
    options.file_count = 1;
    options.events = "heard.jsonl";
    options.listener = &listener;
    hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
    hbg_text_free(f.session, &text);
    char *log = file_text("heard.jsonl"), *all = file_text("heard.csv"), *line = strchr(all, '\n') + 1;
    assert_string_equal(of->events, log);
    assert_true(of->words > 1);
    for (const char *row = of->rows; *row; row = strchr(row, '\n') + 1, line = strchr(line, '\n') + 1)
        for (const char *a = row, *b = line; *a && *a != '\n'; a += *a == ',', b += *b == ',') {
            char *end_a, *end_b;
            assert_true(strtod(a, &end_a) == strtod(b, &end_b));
            a = end_a;
            b = end_b;
        }
    assert_int_equal(*line, 0);
    free(log);
    free(all);
    free(of);
    remove("heard.csv");
    remove("heard.jsonl");
    fixture_free(&f);
}

static bool hear_enough(void *context, const double *values) {
    (void)values;
    return ++*(int *)context < 3;
}

static void who_listens_can_end_the_run(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = hbg_run_options_default();
    int count = 0;
    hbg_run_listener listener = {.row = hear_enough, .context = &count};
    options.experiment = "once";
    options.listener = &listener;
    hbg_text text = run_words(&f, options, HBG_RUN_INTERRUPTED);
    hbg_text_free(f.session, &text);
    assert_int_equal(count, 3);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_collisions_has_a_row_before_and_one_for_each_commit),
        cmocka_unit_test(a_bounce_has_three_rows_also_where_rows_have_their_own_pace),
        cmocka_unit_test(a_mode_that_lasts_is_one_row_behind_that_before),
        cmocka_unit_test(a_pace_is_kept_where_nothing_jumps),
        cmocka_unit_test(a_plot_takes_no_rows_from_a_file_and_gives_it_none),
        cmocka_unit_test(who_listens_hears_the_rows_of_the_file_and_the_events_of_the_log),
        cmocka_unit_test(who_listens_can_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
