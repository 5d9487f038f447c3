/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every jump of every example: what a storage gains is the area of the pulse into it (semantics, section 4), in mythical modes as
 * in real ones. Pulses obey the laws of junctions, so that this is conservation: see
 * run_balance_impl.h. The energy that is lost in the instant is what is
 * missing of x²/2C and x²/2L and of the work of sources, value times area (semantics, section 7), and none is made out of nothing. */
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

#include "api/run_balance_impl.h"
#include "hbg/hbg.h"

typedef struct {
    int experiments, instants, jumps;
    int with_jumps, mythical, verdicts; /* instants; modes */
    int ledgers,
        apart; /* instants whose energy was looked at; with laws, fields, sources that follow something */
    balance_sums balances;
} sums;

typedef struct {
    const char *where;
    const json_t *model;    /* as `list` tells it */
    const json_t *elements; /* of it */
    bool as_declared;       /* no parameter has another value in this experiment */
    sums *all;
} look;

/* ---- energy --------------------------------------------------------------------------------------------- */

static const json_t *element_called(const look *at, const char *name, size_t size) {
    size_t i;
    json_t *element;
    json_array_foreach(at->elements, i, element) {
        const char *own = json_string_value(json_object_get(element, "name"));
        if (strlen(own) == size && strncmp(own, name, size) == 0) return element;
    }
    return NULL;
}

/* The number behind a one-port that has just one; NAN: a law, a field, a value that is no constant. */
static double value_of(const json_t *element) {
    const json_t *numbers = json_object_get(element, "numbers");
    bool plain = json_integer_value(json_object_get(element, "ports")) == 1 && json_array_size(numbers) == 1;
    const json_t *number = plain ? json_array_get(numbers, 0) : NULL;
    const char *unit = json_string_value(json_array_get(json_object_get(element, "units"), 0));
    if (unit && strcmp(unit, "J/K") == 0) return NAN; // heat is energy by itself
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* What a storage loses; 0 for an integrator. */
static double missing(const look *at, const char *state, const json_t *pair) {
    size_t size = strlen(state);
    double before = json_number_value(json_array_get(pair, 0)),
           behind = json_number_value(json_array_get(pair, 1));
    if (size < 3 || state[size - 2] != '.') return 0;
    const json_t *element = element_called(at, state, size - 2);
    return element ? (before - behind) * (before + behind) / 2 / value_of(element) : NAN;
}

/* Value times area, of what has a name of its own among the bonds. */
static double work_of(const look *at, const char *bond, const json_t *areas) {
    const json_t *element = element_called(at, bond, strlen(bond));
    const char *kind = element ? json_string_value(json_object_get(element, "kind")) : "";
    bool effort = strcmp(kind, "Se") == 0, flow = strcmp(kind, "Sf") == 0;
    if (!effort && !flow) return 0;
    double area = json_number_value(json_object_get(areas, effort ? "f" : "e"));
    return area == 0 ? 0 : value_of(element) * area;
}

static void look_at_energy(const look *at, const json_t *instant) {
    double told = json_number_value(json_object_get(instant, "energy_lost")), sum = 0, size = 0;
    const char *verdict = json_string_value(json_object_get(instant, "verdict")), *name;
    size_t i;
    json_t *visit, *value;
    json_array_foreach(json_object_get(instant, "trace"), i, visit) {
        bool mythical = strcmp(json_string_value(json_object_get(visit, "kind")), "mythical") == 0;
        at->all->mythical += mythical;
        if (mythical) continue;
        json_object_foreach(json_object_get(visit, "jump"), name, value) {
            double part = missing(at, name, value);
            sum += part;
            size += fabs(part);
        }
        json_object_foreach(json_object_get(visit, "impulses"), name, value) {
            double part = work_of(at, name, value);
            sum += part;
            size += fabs(part);
        }
    }
    double least = 1e-20; // J; what is less is rounding
    at->all->with_jumps += size > least;
    at->all->verdicts += verdict != NULL;
    if (verdict && strcmp(verdict, "energy-created") == 0) return;
    if (told < -1e-9 * size - least) fail_msg("%s: %.15g J are lost", at->where, told);
    if (size <= least) return;
    if (isnan(sum) || !at->as_declared) {
        at->all->apart++;
        return;
    }
    if (fabs(told - sum) > 1e-9 * size)
        fail_msg("%s, t = %.15g: %.15g J are lost, the storages and sources say %.15g", at->where,
                 json_number_value(json_object_get(instant, "t")), told, sum);
    at->all->ledgers++;
}

/* ---- jumps ---------------------------------------------------------------------------------------------- */

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

static void look_at_line(const look *at, const char *line) {
    json_t *instant = json_loads(line, 0, NULL), *visit;
    size_t i;
    if (!instant) fail_msg("%s: no JSON: %s", at->where, line);
    at->all->instants++;
    look_at_energy(at, instant);
    json_array_foreach(json_object_get(instant, "trace"), i, visit) {
        const char *state;
        json_t *pair;
        look_at_balance(at->where, json_number_value(json_object_get(instant, "t")), at->model, visit,
                        &at->all->balances);
        json_object_foreach(json_object_get(visit, "jump"), state, pair)
            look_at_jump(at->where, state, pair, json_object_get(visit, "impulses"), at->all);
    }
    json_decref(instant);
}

static void look_at_log(const look *at, const char *path) {
    char *line = NULL, partial[100];
    size_t capacity = 0;
    snprintf(partial, sizeof partial, "%s.partial", path);
    FILE *file = fopen(path, "r");
    if (!file) file = fopen(partial, "r");
    if (!file) return;
    while (getline(&line, &capacity, file) > 0)
        if (line[strlen(line) - 1] == '\n') look_at_line(at, line);
    free(line);
    fclose(file);
    remove(path);
    remove(partial);
}

/* Whether an experiment leaves parameters as the model has them. */
static bool keeps_parameters(const char *text, const char *experiment) {
    char head[100];
    snprintf(head, sizeof head, "experiment %s ", experiment);
    const char *start = strstr(text, head);
    const char *end = start ? strstr(start, "\n    }") : NULL;
    if (!end) return false;
    for (const char *at = start; at < end; at++)
        if (strncmp(at, " set ", 5) == 0 || strncmp(at, " fault ", 7) == 0) return false;
    return true;
}

static void run_one(hbg_session *session, hbg_model *model, const char *path, const char *text_of,
                    const char *experiment, sums *all) {
    hbg_text list;
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    char where[300];
    options.experiment = experiment;
    options.events = "conservation.jsonl";
    if (hbg_run(session, model, &options, &end, &text) != HBG_OK) return;
    hbg_text_free(session, &text);
    snprintf(where, sizeof where, "%s, %s", strrchr(path, '/') + 1, experiment);
    assert_int_equal(hbg_list_json(session, model, &list), HBG_OK);
    json_t *told = json_loads(list.data, 0, NULL);
    hbg_text_free(session, &list);
    assert_non_null(told);
    look at = {where, told, json_object_get(told, "elements"), keeps_parameters(text_of, experiment), all};
    look_at_log(&at, options.events);
    json_decref(told);
    all->experiments++;
}

/* The experiments of a model are read off its text: the name is what follows the word. */
static void run_example(const char *path, sums *all) {
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    hbg_session_options settings = hbg_session_options_default();
    hbg_session *session;
    hbg_model *model;
    static char text[1 << 17];
    char line[400], name[64];
    settings.search = search;
    settings.search_count = 1;
    assert_int_equal(hbg_session_new(&settings, &session), HBG_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    rewind(file);
    if (hbg_load_file(session, path, NULL, &model) == HBG_OK)
        while (fgets(line, sizeof line, file))
            if (sscanf(line, " experiment %63[A-Za-z0-9_]", name) == 1)
                run_one(session, model, path, text, name, all);
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
    printf("%d experiments, %d instants, %.0f %% of them with jumps of energy, %d mythical modes, %d "
           "verdicts; %d jumps; "
           "%d ledgers, %d with laws, fields or sources that follow something left to random graphs\n",
           all.experiments, all.instants, 100.0 * all.with_jumps / all.instants, all.mythical, all.verdicts,
           all.jumps, all.ledgers, all.apart);
    printf("areas fit at %d junctions and %d transformers or gyrators with pulses; %d totals of momentum or "
           "charge are conserved\n",
           all.balances.junctions, all.balances.moduli, all.balances.totals);
    assert_true(all.experiments > 100 && all.jumps > 200 && all.ledgers > 60);
    assert_true(all.balances.junctions > 200 && all.balances.moduli > 0 && all.balances.totals > 20);
}

/* 1 F with 4 V is switched onto 10 V: 6 C come with 60 J, 42 J stay, 18 J = C·(V − v)²/2 are lost. */
static void work_of_a_source_in_a_jump_is_on_the_books(void **state) {
    sums all = {0};
    (void)state;
    FILE *file = fopen("./on-source.hbg", "w");
    assert_non_null(file);
    fputs("model M { input bool close = false; Se supply(10); C store(1, e = 4); 1 j when s; supply -> j -> "
          "store;\n"
          "automaton s { off open -> shut when close; on shut -> open when !close; }\n"
          "    experiment e {\n        stop 2; at 1: close = true; record store.q;\n    }\n}\n",
          file);
    fclose(file);
    run_example("./on-source.hbg", &all);
    remove("./on-source.hbg");
    assert_int_equal(all.experiments, 1);
    assert_int_equal(all.jumps, 1);
    assert_int_equal(all.ledgers, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_jump_of_every_example_is_the_area_of_its_pulse),
        cmocka_unit_test(work_of_a_source_in_a_jump_is_on_the_books),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
