/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Verification through the public header: answers, text, JSON, pictures, and memory that runs out anywhere. */
#include <string.h>

#include "api/run_fixture_impl.h"

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

static void the_text_says_where_it_is_not_so_and_why(void **state) {
    (void)state;
    run_fixture f = fixture_load(RELAY("store.q > 1", "store.q < 2"), NULL);
    hbg_text text;
    assert_int_equal(ask(&f, false, &text), HBG_VIOLATED);
    assert_non_null(strstr(text.data, "where store.q > 1, store.q < 2\n"));
    assert_non_null(strstr(text.data, "by a: open -> closed when store.q > 1\n"));
    assert_non_null(strstr(text.data, "by a: closed -> open when store.q < 2\n"));
    assert_non_null(strstr(text.data, "to mend it, write: in a, open -> closed when"));
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
                        "store.q > 1, store.q < 2");
    double value = number_of(named(json_object_get(finding, "values"), "store.q"), "value");
    assert_true(value > 1 && value < 2);
    assert_int_equal(json_array_size(json_object_get(finding, "steps")), 3);
    assert_string_equal(json_string_value(json_object_get(group, "real_mode")), "violated");
    json_t *area = json_array_get(json_object_get(group, "areas"), 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(area, "states"), "a")), "open");
    assert_string_equal(json_string_value(json_array_get(json_object_get(area, "left_where"), 0)),
                        "store.q > 1");
    json_decref(json);
    fixture_free(&f);
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
    assert_non_null(strstr(text.data, "\"area bad\""));
    hbg_text_free(f.session, &text);
    static const char *const wrong[] = {"store.q", "store.q,x,x", "store.q,y", "stor.q,x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.axes = wrong[i];
        assert_int_not_equal(hbg_verify_plot(f.session, f.model, &options, &answer, &text), HBG_OK);
        assert_true(hbg_session_reason(f.session)[0] != 0);
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

/* Whichever allocation fails, the call says so and nothing is lost. */
static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    static const char model_text[] = RELAY("store.q > 1", "store.q < 2");
    hbg_verify_model_options options = {0};
    bool finished = false;
    for (int64_t at = 1; !finished; at += at < 600 ? 37 : 1999) {
        hbg_session_options limits = hbg_session_options_default();
        hbg_session *session;
        hbg_model *model;
        hbg_text text;
        hbg_answer answer;
        limits.fail_at = at;
        if (hbg_session_new(&limits, &session) != HBG_OK) continue;
        hbg_status status = hbg_load_text(session, "m.hbg", model_text, strlen(model_text), NULL, &model);
        if (status == HBG_OK) status = hbg_verify_model(session, model, &options, &answer, &text);
        finished = status == HBG_OK;
        assert_true(finished || status == HBG_NO_MEMORY);
        if (finished) hbg_text_free(session, &text);
        hbg_session_free(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_says_what_was_proved),
        cmocka_unit_test(the_text_says_where_it_is_not_so_and_why),
        cmocka_unit_test(json_has_the_witness),
        cmocka_unit_test(a_picture_has_a_panel_for_every_state_and_their_conjunction),
        cmocka_unit_test(without_automata_it_is_proved),
        cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
