/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hybrid automata for SpaceEx: the run of every example that is affine (of a quarter of them outside soak) is a run of its automaton,
 * walked through the file as it was written; files that were spoiled are noticed, by their structure or by the walk. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "emit/spaceex_walk_impl.h"
#include "hbg/export.h"
#include "support/soak.h"

#define WITHIN 1e-6 /* of the size of a variable: runs have a tolerance of 1e-9 */

static const char *const library = HBG_SOURCE_DIR "/lib";

typedef struct {
    hbg_session *session;
    char *automaton, *settings; /* the files */
    file_automaton *file;
    walk *walk;
    const hbg_results *run;
} fixture;

static char *read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    long size = ftell(in);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    rewind(in);
    assert_int_equal(fread(text, 1, (size_t)size, in), size);
    fclose(in);
    return text;
}

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->file = malloc(sizeof *f->file);
    f->walk = malloc(sizeof *f->walk);
    *state = f;
    return f->file && f->walk ? 0 : 1;
}

static int teardown(void **state) {
    fixture *f = *state;
    free(f->file);
    free(f->walk);
    free(f);
    return 0;
}

static void close_model(fixture *f) {
    if (f->run) hbg_results_free(f->session, f->run);
    hbg_session_free(f->session);
    free(f->automaton);
    free(f->settings);
    f->session = NULL;
    f->run = NULL;
    f->automaton = f->settings = NULL;
}

/* Exports a model; false if it is refused, and then nothing is written. */
static bool export_model(fixture *f, const char *path, const char *experiment) {
    hbg_model *model;
    hbg_text text;
    hbg_run_options options = hbg_run_options_default();
    hbg_export_options how = {.folder = "walked.xml"};
    unlink("walked.xml");
    unlink("walked.cfg");
    hbg_session_options session = hbg_session_options_default();
    session.search = &library;
    session.search_count = 1;
    assert_int_equal(hbg_session_new(&session, &f->session), HBG_OK);
    assert_int_equal(hbg_load_file(f->session, path, NULL, &model), HBG_OK);
    options.experiment = experiment;
    hbg_status status = hbg_export_spaceex(f->session, model, &options, &how, &text);
    if (status != HBG_OK) {
        assert_int_equal(status, HBG_BAD_MODEL);
        assert_int_not_equal(access("walked.xml", F_OK), 0);
        assert_int_not_equal(access("walked.cfg", F_OK), 0);
        return false;
    }
    hbg_text_free(f->session, &text);
    f->automaton = read_file("walked.xml");
    f->settings = read_file("walked.cfg");
    return true;
}

/* A run that records what the automaton has of the model. */
static void run_model(fixture *f, const char *path, const char *experiment) {
    char records[4096] = "";
    hbg_model *model;
    hbg_load_options load = {.records = records, .experiment = experiment};
    hbg_run_options options = hbg_run_options_default();
    for (int i = 0; i < f->file->component_count; i++)
        for (int k = 0; k < f->file->components[i].variable_count; k++) {
            const char *name = f->file->components[i].originals[k];
            size_t used = strlen(records);
            if (strcmp(name, "time") != 0 && strncmp(name, "wait ", 5) != 0 &&
                strncmp(name, "clock ", 6) != 0 && strncmp(name, "saw ", 4) != 0 &&
                strncmp(name, "pre(", 4) != 0)
                snprintf(records + used, sizeof records - used, "%s%s", used ? "," : "", name);
        }
    assert_int_equal(hbg_load_file(f->session, path, &load, &model), HBG_OK);
    options.experiment = experiment;
    options.rtol = 1e-9;
    options.no_summary = true;
    assert_int_equal(hbg_run_results(f->session, model, &options, &f->run), HBG_OK);
}

static const char *walk_all(fixture *f) {
    for (int i = 0; i < f->file->component_count; i++) {
        const char *fault = walk_run(f->walk, &f->file->components[i], f->run, f->settings, WITHIN);
        if (fault) return fault;
    }
    return NULL;
}

/* ---- examples ------------------------------------------------------------------------------------------- */

/* Words of the diagnostic behind the last colon: why. */
static void tell_refusal(fixture *f, const char *name) {
    hbg_text text;
    assert_int_equal(hbg_diagnostics_text(f->session, false, &text), HBG_OK);
    assert_non_null(strstr(text.data, "error[E0901]"));
    assert_non_null(strstr(text.data, "-->")); // the place
    printf("  %s: %.*s\n", name, (int)strcspn(text.data, "\n"), text.data);
    hbg_text_free(f->session, &text);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* One part of several. */
static void walk_examples(fixture *f, int part, int parts, int *walked, int *refused) {
    struct dirent **found;
    int count = scandir(HBG_SOURCE_DIR "/examples", &found, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char path[1000];
        const char *name = found[i]->d_name;
        snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
        if (name[0] != '.' && access(path, F_OK) == 0 && i % parts == part) {
            if (export_model(f, path, NULL)) {
                const char *fault = file_read(f->file, f->automaton);
                if (fault) fail_msg("%s: %s", name, fault);
                run_model(f, path, NULL);
                fault = walk_all(f);
                if (fault) fail_msg("%s: %s", name, fault);
                printf("  %s: %d flows, %d instants\n", name, f->walk->flows, f->walk->instants);
                ++*walked;
            } else {
                tell_refusal(f, name);
                ++*refused;
            }
            close_model(f);
        }
        free(found[i]);
    }
    free(found);
}

static void runs_of_examples_are_runs_of_their_automata(void **state) {
    int walked = 0, refused = 0, parts = trials(4, 1);
    walk_examples(*state, 0, parts, &walked, &refused);
    printf("%d examples walked, %d refused\n", walked, refused);
    assert_true(walked >= (parts == 1 ? 75 : 10) && refused > 0);
}

/* ---- spoiled files --------------------------------------------------------------------------------------- */

/* What is wrong with the file where `from` has become `to` everywhere; NULL: nothing is noticed. */
static const char *spoil(fixture *f, const char *from, const char *to) {
    static char made[1 << 20];
    size_t used = 0, size = strlen(from);
    int found = 0;
    for (const char *at = f->automaton; *at && used + strlen(to) + 1 < sizeof made;) {
        bool here = strncmp(at, from, size) == 0;
        found += here;
        used += (size_t)snprintf(made + used, sizeof made - used, "%.*s", here ? (int)strlen(to) : 1,
                                 here ? to : at);
        at += here ? size : 1;
    }
    if (found == 0) fail_msg("there is no `%s` in the file", from);
    const char *fault = file_read(f->file, made);
    return fault ? fault : walk_all(f);
}

static void open_example(fixture *f, const char *name) {
    char path[1000];
    snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    assert_true(export_model(f, path, NULL));
    assert_null(file_read(f->file, f->automaton));
    run_model(f, path, NULL);
    const char *fault = walk_all(f);
    if (fault) fail_msg("%s: %s", name, fault);
}

/* The ball bounces with 0.8 of its speed and falls with 9.8 m/s2 times 0.2 kg. */
static void a_wrong_jump_flow_or_guard_is_noticed(void **state) {
    fixture *f = *state;
    open_example(f, "ball-restitution");
    assert_null(spoil(f, "mass_p := -0.8*mass_p", "mass_p := -0.8*mass_p"));
    assert_non_null(strstr(spoil(f, "mass_p := -0.8*mass_p", "mass_p := -0.79*mass_p"), "an instant"));
    assert_non_null(strstr(spoil(f, "mass_p' == -1.96", "mass_p' == -1.97"), "time flows"));
    assert_non_null(strstr(spoil(f, "<guard>x &lt;= 0", "<guard>x &lt;= -0.1"), "an instant"));
    assert_non_null(strstr(spoil(f, "x &gt;= 0", "x &gt;= 0.1"), "time flows"));
    close_model(f);
}

/* The diode conducts from 100 µs on, which is its fourth location, with the flux falling by 0.6 V. */
static void a_location_that_is_missing_is_noticed(void **state) {
    fixture *f = *state;
    open_example(f, "diode-inductor");
    assert_non_null(strstr(spoil(f, "target=\"4\"", "target=\"44\""), "from or to nowhere"));
    assert_non_null(
        strstr(spoil(f, "location 4: diode=conducting", "location 4: diode=blocking"), "an instant"));
    assert_non_null(strstr(spoil(f, "coil_p' == -0.6", "coil_p' == 0.6"), "time flows"));
    close_model(f);
}

/* The switch of the buck converter is closed while time%(10 us) is below 5 us: it opens there, and closes where the saw begins anew. A
 * saw that is slower, longer or not reset leads elsewhere. */
static void a_wrong_saw_is_noticed(void **state) {
    fixture *f = *state;
    open_example(f, "buck");
    assert_non_null(strstr(f->automaton, "saw 1, time % T"));
    assert_null(spoil(f, "saw_1' == 1", "saw_1' == 1"));
    assert_non_null(spoil(f, "saw_1' == 1", "saw_1' == 0.9"));
    assert_non_null(spoil(f, "saw_1 == 1e-05", "saw_1 == 1.1e-05"));
    assert_non_null(spoil(f, "saw_1 := 0", "saw_1 := 1e-06"));
    assert_non_null(spoil(f, "saw_1 &lt;= 5e-06", "saw_1 &lt;= 4e-06"));
    close_model(f);
}

static void what_is_not_the_format_is_noticed(void **state) {
    fixture *f = *state;
    static const char *const spoiled[][2] = {{"flow>", "flows>"},
                                             {"</label>", "x</label>"},
                                             {"version=\"0.2\"", "version=\"0.1\""},
                                             {"dynamics=\"any\"", "dynamics=\"const\""},
                                             {"<map key=\"x\">x</map>", ""},
                                             {"name=\"time\"", "name=\"ti me\""},
                                             {" id=\"2\"", " id=\"1\""},
                                             {"time' == 1", "time == 1"},
                                             {"time' == 1", "x' == 1"},
                                             {"x' == 5*mass_p &amp; ", ""},
                                             {"x' == 5*mass_p", "x' == mass_p*mass_p"},
                                             {"x' == 5*mass_p", "x' == 5*speed"},
                                             {"<bind component=\"", "<bind component=\"other"},
                                             {" &amp; ", " &amp;&amp; "}};
    open_example(f, "ball-restitution");
    for (size_t i = 0; i < sizeof spoiled / sizeof *spoiled; i++) {
        const char *from = spoiled[i][0], *to = spoiled[i][1];
        if (!spoil(f, from, to)) fail_msg("`%s` instead of `%s` is not noticed", to, from);
    }
    close_model(f);
}

/* ---- parts and names ------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Two tanks that have nothing to do with one another, each with a valve of its own. */
static const char *const two_parts =
    "component Tank(high = 1 [Pa]) { C tank(1 [m^3/Pa], e = 3 [Pa]); R drain(2 [Pa.s/m^3]); 0 bottom; 1 "
    "outlet when valve;\n"
    "    bottom -> tank; bottom -> outlet -> drain;\n"
    "    automaton valve { on open -> shut when bottom.e < high; off shut -> open after 2 [s]; } }\n"
    "model Two { Tank first(high = 2 [Pa]); Tank loc(high = 1 [Pa]); experiment e { stop 9 [s]; record "
    "first.bottom.e; } }\n";

static void independent_parts_are_components(void **state) {
    fixture *f = *state;
    write_file("two.hbg", two_parts);
    assert_true(export_model(f, "two.hbg", NULL));
    assert_null(file_read(f->file, f->automaton));
    assert_int_equal(f->file->component_count, 2);
    assert_int_equal(f->file->components[0].location_count, 2);
    run_model(f, "two.hbg", NULL);
    assert_null(walk_all(f));
    // e = 3 exp(-t/2): the valve shuts where that is 2, and 1
    assert_non_null(
        strstr(spoil(f, "first_tank_q' == -0.5*first_tank_q", "first_tank_q' == -0.4*first_tank_q"), "time"));
    assert_non_null(
        strstr(spoil(f, "wait_loc_valve &gt;= 2", "wait_loc_valve &gt;= 3"), "nothing leads there"));
    close_model(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_of_examples_are_runs_of_their_automata, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_jump_flow_or_guard_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_location_that_is_missing_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_saw_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_the_format_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(independent_parts_are_components, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
