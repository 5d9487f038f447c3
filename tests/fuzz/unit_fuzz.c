/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a unit: `mH`, `kg.m2/s3`, and everything that is none. A unit that is refused says why; one
 * that is taken has a dimension and a size, its square has twice the dimension, and numbers in it have a
 * value in SI. */
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/unit_impl.h"

#define MEMORY_LIMIT ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *claim) {
    if (condition) return;
    fprintf(stderr, "does not hold: %s\n", claim);
    abort();
}

static void convert(hbg_arena *arena, const hbg_unit *unit) {
    static const char *const numbers[] = {"0", "1", "-1", "7.5", "1e-300", "1e300"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hbg_decimal value, result;
        expect(hbg_base_decimal_parse(arena, numbers[i], strlen(numbers[i]), &value), "a number is one");
        if (!hbg_lang_unit_to_si(arena, *unit, value, &result)) continue;
        expect(!isnan(hbg_base_decimal_to_double(result)), "a value in SI is a number");
    }
}

static void parse(hbg_arena *arena, hbg_units *units, const char *text, size_t size) {
    hbg_unit unit, square;
    const char *reason = NULL, *near = NULL;
    if (!hbg_lang_units_parse(units, arena, text, size, &unit, &reason, &near)) {
        expect(reason && reason[0], "what is no unit is told why");
        return;
    }
    expect(unit.dimension.known, "a unit has a dimension");
    expect(unit.factor.digits && unit.divisor.digits, "a unit has a size");
    convert(arena, &unit);
    const char *twice = hbg_base_arena_print(arena, "(%.*s)2", (int)size, text);
    if (!hbg_lang_units_parse(units, arena, twice, strlen(twice), &square, &reason, &near)) return;
    hbg_dimension product = hbg_model_dimension_multiply(unit.dimension, unit.dimension);
    expect(hbg_model_dimension_agree(product, square.dimension), "a square has twice the dimension");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static hbg_units *units; // the database of units takes longer to read than a unit
    if (!units) units = hbg_lang_units_new();
    hbg_memory memory = {.limit = MEMORY_LIMIT};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    jmp_buf guard;
    if (units && !HBG_GUARD(&memory, guard)) parse(&arena, units, (const char *)data, size);
    HBG_GUARD_END(&memory);
    hbg_base_arena_fini(&arena);
    expect(memory.used == 0, "nothing is left behind");
    return 0;
}
