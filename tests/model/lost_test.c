/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with an element, in words. */
#include "lang/fixture_impl.h"

#include "model/model_impl.h"

static void says(fixture *f, const hbg_model *model, hbg_lost lost, const char *when, const char *wanted) {
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].kind == (lost.element == 0 ? HBG_KIND_R : HBG_KIND_C)) {
            lost.element = i;
            break;
        }
    assert_string_equal(hbg_model_lost_text(&f->arena, model, &lost, "x", when), wanted);
}

static void every_way_has_its_words(void **state) {
    fixture *f = *state;
    const hbg_model *model =
        read_good(f, "model M { Se v(1); R r(1); C c(1); 1 j; v -> j -> r; j -> c; output o = c.e; }");
    enum { R = 0, C = 1 };
    says(f, model, (hbg_lost){.kind = HBG_LOST_VALUE, .element = R, .value = -15}, " at 3 s",
         "the resistance of `x` negative at 3 s: -15");
    says(f, model, (hbg_lost){.kind = HBG_LOST_VALUE, .element = C, .value = 0}, "",
         "the value of `x` 0: a capacitor stores energy and needs a positive one");
    says(f, model, (hbg_lost){.kind = HBG_LOST_SIGN, .element = R, .value = -1}, "",
         "the value of `x` negative, whatever modulates it");
    says(f, model, (hbg_lost){.kind = HBG_LOST_MATRIX, .element = C, .row = HBG_NONE}, "",
         "the matrix of `x` no longer positive definite: for some efforts it would hold less than no energy");
    says(f, model,
         (hbg_lost){.kind = HBG_LOST_MATRIX, .element = C, .value = 7, .row = 0, .column = 1, .limit = 6}, "",
         "the matrix of `x` no longer positive definite: its entry 1,2 is 7, and has to stay below 6, the "
         "root of "
         "1,1 times 2,2");
    says(
        f, model,
        (hbg_lost){.kind = HBG_LOST_POWER, .element = R, .value = -2, .at = 1, .given = 'e', .argument = 'f'},
        "", "`x`, which takes power, give some: for f = 1 it has e = -2");
    says(f, model, (hbg_lost){.kind = HBG_LOST_RISE, .element = C, .value = 0}, " at 1 s",
         "the law of `x`, which rises, fall at 1 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_way_has_its_words, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
