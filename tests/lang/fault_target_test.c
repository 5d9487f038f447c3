/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults named after a component: which of its parts is meant is told. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "component Lamp(resistance = 5 [Ohm]) { port a : electrical; R filament(resistance); a -> filament; }\n" \
    "component Relay { port a : electrical; port b : electrical; 1 j when armature; a -> j -> b;\n"          \
    "  automaton armature { on shut -> open when a.e > 1 [V]; off open -> shut when a.e < 0 [V]; } }\n"      \
    "component Box { port a : electrical; port b : electrical; Relay inner; a -> inner.a; inner.b -> b; }\n" \
    "model M { Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j; 0 n; Lamp bulb; Box box; s -> j -> r; j -> n;\n"  \
    "  n -> c; n -> box.a; box.b -> bulb.a; experiment e { stop 10 [s]; } }\n"

/* The one error that the sentence gets, and its help. */
static void gets(fixture *f, const char *sentence, const char *error, const char *help) {
    hbg_lang_options options = {.faults = &sentence, .fault_count = 1};
    int32_t before = f->diagnostics.items.count;
    assert_null(read_with(f, CIRCUIT, &options));
    assert_int_equal(f->diagnostics.items.count, before + 1);
    const hbg_diagnostic *item = &f->diagnostics.items.items[before];
    assert_string_equal(item->text, error);
    assert_string_equal(item->fix, help);
}

static void a_component_is_told_by_its_parts(void **state) {
    fixture *f = *state;
    gets(f, "at 1: bulb abrupt -30 [%]", "`bulb` is a component: a fault is of a part of it",
         "in `bulb` such a fault can be of `bulb.resistance`, `bulb.filament`");
    gets(f, "at 1: box.inner stuck on", "`box.inner` is a component: a fault is of a part of it",
         "did you mean `box.inner.armature`?");
    gets(f, "at 1: bulb noise(0, 1)", "`bulb` is a component: a fault is of a part of it",
         "nothing in `bulb` can have such a fault");
}

static void parts_of_parts_are_told_where_there_are_no_others(void **state) {
    gets(*state, "at 1: box stuck off", "`box` is a component: a fault is of a part of it",
         "did you mean `box.inner.armature`?");
}

static void a_member_that_is_not_there_is_told_by_those_that_are(void **state) {
    gets(*state, "at 1: bulb.R abrupt -30 [%]", "nothing is called `R` in `bulb`",
         "in `bulb` such a fault can be of `bulb.resistance`, `bulb.filament`");
}

static void a_name_that_is_nearly_there_is_told(void **state) {
    gets(*state, "at 1: bulb.resistence abrupt -30 [%]", "nothing is called `resistence` in `bulb`",
         "did you mean `bulb.resistance`?");
}

/* A unit per second is shown as one would write it. */
static void the_unit_of_an_incipient_fault_is_readable(void **state) {
    fixture *f = *state;
    const char *sentence = "at 1: bulb.resistance incipient 1 [V]";
    hbg_lang_options options = {.faults = &sentence, .fault_count = 1};
    hbg_model *model = read_with(f, CIRCUIT, &options);
    if (model) hbg_model_check(model);
    assert_int_equal(f->diagnostics.items.count, 1);
    assert_non_null(strstr(f->diagnostics.items.items[0].text, "is in Ohm/s, but"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_component_is_told_by_its_parts),
        TEST(parts_of_parts_are_told_where_there_are_no_others),
        TEST(a_member_that_is_not_there_is_told_by_those_that_are),
        TEST(a_name_that_is_nearly_there_is_told),
        TEST(the_unit_of_an_incipient_fault_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
