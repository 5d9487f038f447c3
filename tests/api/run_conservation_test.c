/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every jump of every example: what a storage gains is the area of the pulse into it (semantics, section 4), in mythical modes as
 * in real ones, and no jump without sources gains energy. Pulses obey the laws of junctions, so that this is conservation. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/hbg.h"

typedef struct {
    int experiments, instants, jumps;
} sums;

/* "coil.p" has the effort of coil, "cap[2].q" the flow of cap[2]. */
static void look_at_jump(const char *where, const char *state, const json_t *pair, const json_t *impulses,
                         sums *all) {
    char name[200];
    size_t size = strlen(state);
    double before = json_number_value(json_array_get(pair, 0)),
           after = json_number_value(json_array_get(pair, 1));
    if (size < 3 || size > sizeof name || state[size - 2] != '.') return; // an integrator
    char letter = state[size - 1];
    if (letter != 'p' && letter != 'q') return;
    snprintf(name, sizeof name, "%.*s", (int)size - 2, state);
    const json_t *area = json_object_get(json_object_get(impulses, name), letter == 'p' ? "e" : "f");
    double scale = fmax(fabs(before), fmax(fabs(after), fabs(after - before)));
    if (!area) fail_msg("%s: `%s` jumps without a pulse", where, state);
    if (fabs(json_number_value(area) - (after - before)) > 1e-9 * scale)
        fail_msg("%s: `%s` goes from %.15g to %.15g with a pulse of %.15g", where, state, before, after,
                 json_number_value(area));
    all->jumps++;
}

static void look_at_line(const char *where, const char *line, sums *all) {
    json_t *instant = json_loads(line, 0, NULL), *visit;
    size_t i;
    if (!instant) fail_msg("%s: no JSON: %s", where, line);
    const json_t *states = json_object_get(instant, "states");
    bool switches =
        !states || json_object_size(states) > 0; // without automata only the start is told, not its pulses
    all->instants++;
    json_array_foreach(switches ? json_object_get(instant, "trace") : NULL, i, visit) {
        const char *state;
        json_t *pair;
        json_object_foreach(json_object_get(visit, "jump"), state, pair)
            look_at_jump(where, state, pair, json_object_get(visit, "impulses"), all);
    }
    json_decref(instant);
}

static void look_at_log(const char *where, const char *path, sums *all) {
    char *line = NULL, partial[100];
    size_t capacity = 0;
    snprintf(partial, sizeof partial, "%s.partial", path);
    FILE *file = fopen(path, "r");
    if (!file) file = fopen(partial, "r");
    if (!file) return;
    while (getline(&line, &capacity, file) > 0)
        if (line[strlen(line) - 1] == '\n') look_at_line(where, line, all);
    free(line);
    fclose(file);
    remove(path);
    remove(partial);
}

static void run_one(hbg_session *session, hbg_model *model, const char *path, const char *experiment,
                    sums *all) {
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    char where[300];
    options.experiment = experiment;
    options.events = "conservation.jsonl";
    if (hbg_run(session, model, &options, &end, &text) != HBG_OK) return;
    hbg_text_free(session, &text);
    snprintf(where, sizeof where, "%s, %s", strrchr(path, '/') + 1, experiment);
    look_at_log(where, options.events, all);
    all->experiments++;
}

/* The experiments of a model are read off its text: the name is what follows the word. */
static void run_example(const char *path, sums *all) {
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    hbg_session_options settings = hbg_session_options_default();
    hbg_session *session;
    hbg_model *model;
    char line[400], name[64];
    settings.search = search;
    settings.search_count = 1;
    assert_int_equal(hbg_session_new(&settings, &session), HBG_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    if (hbg_load_file(session, path, NULL, &model) == HBG_OK)
        while (fgets(line, sizeof line, file))
            if (sscanf(line, " experiment %63[A-Za-z0-9_]", name) == 1)
                run_one(session, model, path, name, all);
    fclose(file);
    hbg_session_free(session);
}

static void every_jump_of_every_example_is_the_area_of_its_pulse(void **state) {
    glob_t found;
    sums all = {0};
    (void)state;
    assert_int_equal(glob(HBG_SOURCE_DIR "/examples/*/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!strstr(found.gl_pathv[i], "adapt-exp") &&
            !strstr(found.gl_pathv[i], "boost-buck")) // no jumps, long
            run_example(found.gl_pathv[i], &all);
    globfree(&found);
    printf("%d experiments, %d instants, %d jumps\n", all.experiments, all.instants, all.jumps);
    assert_true(all.experiments > 100 && all.jumps > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_jump_of_every_example_is_the_area_of_its_pulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
