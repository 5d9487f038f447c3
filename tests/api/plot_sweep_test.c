/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The table of a sweep is drawn over what was swept. */
#include "api/run_fixture_impl.h"

#define END "end,mode changes,residual,verdict,reason\n"

/* The picture of a table, or the reason why there is none; for the caller to free. */
static char *plot(const char *text, const char *columns, hbg_status expected) {
    hbg_session *session;
    hbg_text picture;
    hbg_plot_options options = {.columns = columns};
    FILE *file = fopen("plot_sweep_test.csv", "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    hbg_status status = hbg_plot(session, "plot_sweep_test.csv", &options, &picture);
    if (status != expected) fail_msg("%s", hbg_session_reason(session));
    char *copy = strdup(status == HBG_OK ? picture.data : hbg_session_reason(session));
    if (status == HBG_OK) hbg_text_free(session, &picture);
    hbg_session_free(session);
    remove("plot_sweep_test.csv");
    return copy;
}

static void says(char *found, const char *words, bool expected) {
    if ((strstr(found, words) != NULL) != expected) fail_msg("\"%s\" in\n%.2000s", words, found);
}

static void one_parameter_is_the_axis(void **state) {
    (void)state;
    // the rows fall, as a grid with its larger end first does
    char *svg = plot("run,D,seed,v final,v max," END "0,0.7,1,7,8,1,2,1e-9,finished,\n"
                     "1,0.3,2,3,4,1,2,1e-9,zeno,\"at t = 1 s: events, many\"\n",
                     NULL, HBG_OK);
    says(svg, ">D<", true);
    says(svg, ">v final<", true);
    says(svg, ">v max<", true);
    says(svg, ">v<", true); // the panel
    says(svg, "residual", false);
    says(svg, ">seed<", false);
    free(svg);
}

static void others_are_drawn_over_the_runs(void **state) {
    (void)state;
    char *svg =
        plot("run,D,R1,seed,v final," END "0,0.7,1,1,8,1,2,1e-9,finished,\n1,0.3,2,2,3,1,2,0,finished,\n",
             NULL, HBG_OK);
    says(svg, ">run<", true);
    free(svg);
    svg = plot("run,fault,seed,v final," END
               "0,\"at 1 [s]: R1 stuck 3\",1,8,1,2,1e-9,finished,\n1,,2,2,3,1,2,finished,\n",
               NULL, HBG_OK);
    says(svg, ">run<", true);
    free(svg);
}

static void columns_can_be_asked_for(void **state) {
    (void)state;
    const char *table =
        "run,D,seed,v final," END "0,0.7,1,7,1,2,1e-9,finished,\n1,0.8,2,3,1,2,1e-9,finished,\n";
    char *svg = plot(table, "residual", HBG_OK);
    says(svg, ">residual<", true);
    says(svg, ">v final<", false);
    free(svg);
    free(plot(table, "verdict", HBG_NOT_FOUND));
}

static void words_elsewhere_are_refused(void **state) {
    (void)state;
    char *reason = plot("run,D,seed,v final," END "0,0.7,1,many,1,2,1e-9,finished,\n", NULL, HBG_CANNOT_READ);
    says(reason, "`many` is not a number", true);
    free(reason);
    reason = plot("run,D,seed," END "0,0.7,1,1,2,1e-9,finished,\n", NULL, HBG_BAD_ARGUMENT);
    says(reason, "nothing was recorded", true);
    free(reason);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_parameter_is_the_axis),
        cmocka_unit_test(others_are_drawn_over_the_runs),
        cmocka_unit_test(columns_can_be_asked_for),
        cmocka_unit_test(words_elsewhere_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
