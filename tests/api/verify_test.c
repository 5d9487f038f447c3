/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Verification through the public header: answers, text, JSON, pictures, and memory that runs out anywhere. */
#include <string.h>

#include "api/api_impl.h"
#include "api/run_fixture_impl.h"
#include "support/soak.h"

#define RELAY(on, off)                                                                                       \
    "model M { C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"               \
    "state x = 0 : der = store.f;\n"                                                                         \
    "automaton a { off open -> closed when " on "; on closed -> open when " off "; } }\n"

static hbg_answer ask(run_fixture *f, bool json, hbg_text *text) {
    hbg_verify_model_options options = {.json = json};
    hbg_answer answer;
    assert_int_equal(hbg_verify_model(f->session, f->model, &options, &answer, text), HBG_OK);
    return answer;
}

static void the_text_says_what_was_proved(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 2", "store.q < 1"), NULL);
    hbg_text text;
    assert_int_equal(ask(&f, false, &text), HBG_PROVED);
    assert_non_null(
        strstr(text.data, "M: the switching is consistent: at every instant it comes to an end\n"));
    assert_non_null(strstr(text.data, "a: consistent: every search ends, and every chain of modes\n"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Between the two thresholds of a relay both of its states are real. */
static void the_text_says_where_two_modes_are_real(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 2", "store.q < 1"), NULL);
    hbg_text text;
    assert_int_equal(ask(&f, false, &text), HBG_PROVED);
    assert_non_null(strstr(text.data,
                           "  a=open and a=closed are both real where 1 <= store.q <= 2: which one a "
                           "run is in depends on the way there\n"));
    hbg_text_free(f.session, &text);
    assert_int_equal(ask(&f, true, &text), HBG_PROVED);
    json_t *json = read_json(&f, &text);
    json_t *group = json_array_get(json_object_get(json, "groups"), 0);
    assert_string_equal(json_string_value(json_object_get(group, "overlap")), "yes");
    assert_string_equal(json_string_value(json_array_get(json_object_get(group, "overlap_where"), 0)),
                        "1 <= store.q <= 2");
    json_decref(json);
    fixture_free(&f);
}

static void the_text_says_where_it_is_not_so_and_why(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 1", "store.q < 2"), NULL);
    hbg_text text;
    assert_int_equal(ask(&f, false, &text), HBG_VIOLATED);
    assert_non_null(strstr(text.data, "where 1 < store.q < 2\n"));
    assert_non_null(strstr(text.data, "by a: open -> closed when store.q > 1  (model.hbg:3)\n"));
    assert_non_null(strstr(text.data, "by a: closed -> open when store.q < 2  (model.hbg:3)\n"));
    assert_non_null(strstr(text.data, "to mend it, write in model.hbg:3\n"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void json_has_the_witness(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 1", "store.q < 2"), NULL);
    hbg_text text;
    assert_int_equal(ask(&f, true, &text), HBG_VIOLATED);
    json_t *json = read_json(&f, &text);
    assert_string_equal(json_string_value(json_object_get(json, "verdict")), "violated");
    json_t *group = json_array_get(json_object_get(json, "groups"), 0);
    json_t *finding = json_array_get(json_object_get(group, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(finding, "kind")), "cycle");
    assert_string_equal(json_string_value(json_array_get(json_object_get(finding, "region"), 0)),
                        "1 < store.q < 2");
    double value = number_of(named(json_object_get(finding, "values"), "store.q"), "value");
    assert_true(value > 1 && value < 2);
    json_t *steps = json_object_get(finding, "steps");
    assert_int_equal(json_array_size(steps), 3);
    json_t *taken = json_array_get(json_object_get(json_array_get(steps, 1), "taken"), 0);
    assert_string_equal(json_string_value(json_object_get(taken, "automaton")), "a");
    assert_int_equal(json_integer_value(json_object_get(taken, "line")), 3);
    json_t *repair = json_object_get(finding, "repair");
    assert_string_equal(json_string_value(json_object_get(repair, "condition")), "pre(store.q) >= 2");
    assert_string_equal(json_string_value(json_object_get(repair, "file")), "model.hbg");
    assert_string_equal(json_string_value(json_object_get(repair, "write")),
                        "automaton a { off open -> closed when store.q > 1 && pre(store.q) >= 2; "
                        "on closed -> open when store.q < 2; } }");
    assert_string_equal(json_string_value(json_object_get(group, "real_mode")), "violated");
    json_t *area = json_array_get(json_object_get(group, "areas"), 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(area, "states"), "a")), "open");
    assert_string_equal(json_string_value(json_array_get(json_object_get(area, "left_where"), 0)),
                        "store.q > 1");
    json_decref(json);
    fixture_free(&f);
}

/* Keys of all objects but those that are named by the model. */
static void look_up_keys(json_t *json, const char *page, bool names) {
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_array(json)) json_array_foreach(json, i, value) look_up_keys(value, page, false);
    if (!json_is_object(json)) return;
    json_object_foreach(json, key, value) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "`%s`", key);
        if (!names && !strstr(page, wanted)) fail_msg("docs/verify.md does not say what %s is", wanted);
        look_up_keys(value, page, strcmp(key, "states") == 0);
    }
}

/* A model with everything in it: a cycle with a repair, a forbidden guard, an input, what never happens, a mode without causality. */
static void every_key_of_the_json_is_documented(void **state) {
    (void)state;
    static char page[100000];
    static const char *const models[] = {
        RELAY("store.q > 1", "store.q < 2"),
        "model M { input bool sw = false; C c(1); C h(1); 0 n; 1 j when a; n -> c; n -> j -> h; Se s(1); 1 k "
        "when b;\n"
        "s -> k -> n; automaton a { off o -> x when sw; on x -> o when c.e == h.e && time < -1; }\n"
        "automaton b { off p -> y when c.e > 1 || 1/c.q > 5; on y -> p when c.e < 3; } }\n",
        RELAY("exp(store.q) > 2", "exp(store.q) < 3")};
    FILE *file = fopen(HBG_SOURCE_DIR "/docs/verify.md", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        run_fixture f = fixture_load(models[i], NULL);
        hbg_text text;
        ask(&f, true, &text);
        json_t *json = read_json(&f, &text);
        look_up_keys(json, page, false);
        json_decref(json);
        fixture_free(&f);
    }
}

static void a_picture_has_a_panel_for_every_state_and_their_conjunction(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 1", "store.q < 2"), NULL);
    hbg_verify_plot_options options = {.axes = "store.q,x", .format = HBG_DRAW_SVG};
    hbg_answer answer;
    hbg_text text;
    assert_int_equal(hbg_verify_plot(f.session, f.model, &options, &answer, &text), HBG_OK);
    assert_non_null(strstr(text.data, ">a=open<"));
    assert_non_null(strstr(text.data, ">a=closed<"));
    assert_non_null(strstr(text.data, ">conjunction<"));
    assert_non_null(strstr(text.data, "\"area departed\""));
    assert_non_null(strstr(text.data, "\"area endless\""));
    assert_non_null(strstr(text.data, ">the switching does not end<"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* What is refused says why, and what would do. */
static void axes_and_values_that_are_none_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *axes, *at, *reason;
    } wrong[] = {
        {"store.q", NULL, "a phase space has two axes: --plot coil.p,store.q"},
        {"store.q,x,x", NULL, "a phase space has two axes: --plot coil.p,store.q"},
        {"x,x", NULL, "a phase space has two different axes, not `x` twice"},
        {"stor.q,x", NULL, "there is no energy variable or real input `stor.q`; did you mean `store.q`?"},
        {"store.q,horse", NULL,
         "there is no energy variable or real input `horse`; there are `store.q`, `x`, `u`, `time`"},
        {"store.q,sw", NULL, "`sw` is true or false and no axis; --at sw=true draws the one slice"},
        {"store.q,x", "u", "`u` says no value: --at x=0.5"},
        {"store.q,x", "x=1", "`x` is an axis of the picture: it has all values"},
        {"store.q,x", "u=many", "`many` is no value of `u`: a number"},
        {"store.q,x", "sw=1", "`1` is no value of `sw`: true or false"},
        {"store.q,x", "u=9", "u = 9 is outside of its range in the model, 0 to 4"}};
    run_fixture f = fixture_load(
        "model M { input real u = 3; input bool sw = false; C store(1); R load(1); 0 node; 1 j when a;\n"
        "node -> store; node -> j -> load; state x = 0 : der = store.f; verify { range u in [0, 4]; }\n"
        "automaton a { off open -> closed when store.q > u || sw; on closed -> open when store.q < 2; } }\n",
        NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hbg_verify_plot_options options = {.axes = wrong[i].axes,
                                           .format = HBG_DRAW_SVG,
                                           .at = &wrong[i].at,
                                           .at_count = wrong[i].at != NULL};
        hbg_answer answer;
        hbg_text text;
        assert_int_not_equal(hbg_verify_plot(f.session, f.model, &options, &answer, &text), HBG_OK);
        assert_string_equal(hbg_session_reason(f.session), wrong[i].reason);
    }
    fixture_free(&f);
}

/* A model that does not switch has nothing to prove. */
static void without_automata_it_is_proved(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_text text;
    assert_int_equal(ask(&f, false, &text), HBG_PROVED);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

typedef hbg_status question(hbg_session *session, hbg_model *model, hbg_answer *answer, hbg_text *text);

static hbg_status ask_report(hbg_session *session, hbg_model *model, hbg_answer *answer, hbg_text *text) {
    hbg_verify_model_options options = {0};
    return hbg_verify_model(session, model, &options, answer, text);
}

static hbg_status ask_picture(hbg_session *session, hbg_model *model, hbg_answer *answer, hbg_text *text) {
    hbg_verify_plot_options options = {.axes = "store.q,x"};
    return hbg_verify_plot(session, model, &options, answer, text);
}

/* Whichever allocation fails, the call says so and nothing is lost. */
static void assert_memory_may_run_out(question *ask, int64_t small, int64_t large) {
    static const char model_text[] = RELAY("store.q > 1", "store.q < 2");
    bool finished = false;
    for (int64_t at = 1; !finished; at += at < 300 ? small : large) {
        hbg_session_options limits = hbg_session_options_default();
        hbg_session *session;
        hbg_model *model;
        hbg_text text;
        hbg_answer answer;
        limits.fail_at = at;
        if (hbg_session_new(&limits, &session) != HBG_OK) continue;
        hbg_status status = hbg_load_text(session, "m.hbg", model_text, strlen(model_text), NULL, &model);
        if (status == HBG_OK) status = ask(session, model, &answer, &text);
        finished = status == HBG_OK;
        assert_true(finished || status == HBG_NO_MEMORY);
        if (finished) hbg_text_free(session, &text);
        hbg_session_free(session);
    }
}

static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    assert_memory_may_run_out(ask_report, 37, 1999);
}

static void memory_may_run_out_while_a_picture_is_drawn(void **state) {
    (void)state;
    assert_memory_may_run_out(ask_picture, 41, 997);
}

/* Most memory ever held for so many independent relays. */
static size_t memory_of(int groups, const char *off) {
    char *text = malloc((size_t)groups * 300 + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, "model Many {\n");
    for (int i = 0; i < groups; i++)
        at += sprintf(at,
                      "Se s%d(10); R r%d(1); C c%d(1); 1 j%d when a%d; s%d -> j%d; j%d -> r%d; j%d -> c%d;\n"
                      "automaton a%d { off o -> x when c%d.e < 1; on x -> o when c%d.e > %s; }\n",
                      i, i, i, i, i, i, i, i, i, i, i, i, i, i, off);
    strcpy(at, "}\n");
    run_fixture f = fixture_load(text, NULL);
    hbg_text report;
    (void)ask(&f, false, &report);
    size_t most = f.session->memory.peak;
    hbg_text_free(f.session, &report);
    fixture_free(&f);
    free(text);
    return most;
}

/* Nothing that is as large as the model is kept for each of its groups: a group more takes what its lines of the model and of the
 * report take, however many there are. */
static void memory_grows_with_the_groups_and_not_with_their_square(void **state) {
    (void)state;
    static const char *const offs[] = {"2", "0.5"}; // proved, and violated
    int k = trials(1, 2);
    for (int i = 0; i < 2; i++) {
        double small = (double)memory_of(4 * k, offs[i]), twice = (double)memory_of(8 * k, offs[i]),
               large = (double)memory_of(20 * k, offs[i]);
        double first = (twice - small) / (4 * k),
               later = (large - twice) / (12 * k); // bytes for a group more
        if (first > 100e3 || later > 1.5 * first + 5e3)
            fail_msg("%s: a group takes %.0f bytes, later %.0f", offs[i], first, later);
    }
}

static bool stop_at(void *context, int32_t group, int32_t groups) {
    assert_true(group < groups);
    return group < *(const int32_t *)context;
}

/* Two relays that have nothing to do with each other: what was decided before the end stays, the rest says why it is not. */
static void a_proof_that_is_ended_keeps_what_it_has(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "component Cell() { C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"
        "automaton a { off open -> closed when store.q > 2; on closed -> open when store.q < 1; } }\n"
        "model M { Cell one(); Cell two(); }\n",
        NULL);
    for (int32_t last = 0; last < 3; last++) {
        hbg_verify_model_options options = {.json = true, .progress = stop_at, .context = &last};
        hbg_answer answer;
        hbg_text text;
        assert_int_equal(hbg_verify_model(f.session, f.model, &options, &answer, &text), HBG_OK);
        assert_int_equal(answer, last < 2 ? HBG_NOT_DECIDED : HBG_PROVED);
        json_t *json = read_json(&f, &text), *groups = json_object_get(json, "groups");
        assert_int_equal(json_array_size(groups), last < 2 ? last + 1 : 2);
        for (int32_t i = 0; i < (int32_t)json_array_size(groups); i++) {
            json_t *group = json_array_get(groups, (size_t)i);
            const char *reason = json_string_value(json_object_get(group, "reason"));
            assert_string_equal(json_string_value(json_object_get(group, "verdict")),
                                i < last ? "proved" : "not decided");
            if (i == last) assert_string_equal(reason, "it was interrupted");
        }
        json_decref(json);
    }
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_grows_with_the_groups_and_not_with_their_square),
        cmocka_unit_test(a_proof_that_is_ended_keeps_what_it_has),
        cmocka_unit_test(the_text_says_what_was_proved),
        cmocka_unit_test(the_text_says_where_two_modes_are_real),
        cmocka_unit_test(the_text_says_where_it_is_not_so_and_why),
        cmocka_unit_test(json_has_the_witness),
        cmocka_unit_test(every_key_of_the_json_is_documented),
        cmocka_unit_test(a_picture_has_a_panel_for_every_state_and_their_conjunction),
        cmocka_unit_test(axes_and_values_that_are_none_are_refused),
        cmocka_unit_test(without_automata_it_is_proved),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(memory_may_run_out_while_a_picture_is_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
