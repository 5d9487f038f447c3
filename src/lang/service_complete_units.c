/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: units that fit between the brackets at a place. */
#include "lang/service_complete_impl.h"

#include <string.h>

static const char *const units[] = {
    "V",     "mV",       "kV",    "A",     "mA",    "uA",   "kA",        "Ohm",     "mOhm",      "kOhm",
    "MOhm",  "F",        "mF",    "uF",    "nF",    "pF",   "H",         "mH",      "uH",        "C",
    "mC",    "Wb",       "mWb",   "S",     "W",     "kW",   "N",         "kN",      "m/s",       "km/h",
    "m",     "mm",       "um",    "cm",    "N.s/m", "N/m",  "m/N",       "kg",      "g",         "t",
    "N.s",   "N.m",      "rad/s", "rpm",   "rad",   "deg",  "N.m.s/rad", "N.m/rad", "rad/(N.m)", "kg.m2",
    "N.m.s", "Pa",       "kPa",   "bar",   "MPa",   "m3/s", "l/min",     "m3",      "l",         "Pa.s/m3",
    "m3/Pa", "Pa.s2/m3", "Pa.s",  "K",     "degC",  "K/W",  "J/K",       "kJ/K",    "W/K",       "J",
    "kJ",    "s",        "ms",    "us",    "ns",    "min",  "h",         "Hz",      "kHz",       "1/s",
    "m/s2",  "m2",       "cm2",   "kg/m3", "%",     "1",    "N.m/A",     "V.s/rad", "dB",        "A/V",
    "Wb/s"};

/* A dimension that fits, or several. */
typedef struct {
    hbg_dimension any[HBG_DOMAIN_COUNT];
    int count; /* 0: all do */
} expected;

static void expect(expected *e, hbg_dimension dimension) {
    if (dimension.known && e->count < HBG_DOMAIN_COUNT) e->any[e->count++] = dimension;
}

static void expect_quantity(expected *e, hbg_domain domain, hbg_quantity quantity) {
    if (quantity == HBG_QUANTITY_NONE) return;
    for (int i = 0; i < HBG_DOMAIN_COUNT; i++)
        if (i != HBG_DOMAIN_ANY && (domain == HBG_DOMAIN_ANY || domain == (hbg_domain)i))
            expect(e, hbg_model_domain_quantity(i, quantity));
}

/* The dimension of a symbol in the last valid model. */
static hbg_dimension known_dimension(const completing *c, int32_t symbol) {
    const hbg_lang_reading *from = c->reading->model ? c->reading : c->good;
    if (symbol == HBG_NONE || !from || !from->model) return hbg_model_dimension_any;
    int32_t same = from == c->reading ? symbol : hbg_lang_service_same(c->reading, symbol, from);
    hbg_object object =
        same == HBG_NONE ? (hbg_object){HBG_OBJECT_NONE, HBG_NONE} : hbg_lang_service_object(from, same);
    if (object.kind == HBG_OBJECT_PARAM) return from->model->params.items[object.index].dimension;
    if (object.kind == HBG_OBJECT_SIGNAL) return from->model->signals.items[object.index].dimension;
    return hbg_model_dimension_any;
}

static hbg_domain known_domain(const completing *c, int32_t symbol) {
    const hbg_lang_reading *from = c->reading->model ? c->reading : c->good;
    if (symbol == HBG_NONE || !from || !from->model) return HBG_DOMAIN_ANY;
    int32_t same = from == c->reading ? symbol : hbg_lang_service_same(c->reading, symbol, from);
    return same == HBG_NONE ? HBG_DOMAIN_ANY
                            : hbg_lang_service_domain(from->model, hbg_lang_service_object(from, same));
}

static hbg_dimension dimension_of_text(const completing *c, const char *text, size_t size) {
    hbg_unit unit;
    const char *reason, *near = NULL;
    return hbg_lang_units_parse(c->reading->workspace->units, c->arena, text, size, &unit, &reason, &near)
               ? unit.dimension
               : hbg_model_dimension_any;
}

/* An argument of a component: the default of its parameter shows its unit. */
static void expect_argument(completing *c, int32_t component, hbg_name named, int32_t commas, expected *e) {
    const syntax_definition *definition = c->reading->symbols.items[component].definition;
    const syntax_declaration *found = NULL;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        if (named ? declaration->name == named : i < definition->header_count && i == commas)
            found = declaration;
    }
    if (!found || found->kind != DECLARE_PARAM) return;
    hbg_span unit = found->unit.end > 0                                   ? found->unit
                    : found->param && found->param->kind == SYNTAX_NUMBER ? found->param->unit
                                                                          : (hbg_span){0, 0};
    if (unit.end < unit.start + 2) return;
    const char *text =
        hbg_lang_service_copy(c->reading, c->arena, (hbg_span){unit.start + 1, unit.end - 1}, false);
    expect(e, dimension_of_text(c, text, strlen(text)));
}

static void expect_in_object(completing *c, expected *e) {
    const hbg_token *tokens = c->reading->file->tokens.items;
    int32_t first = c->context.first, commas;
    hbg_name named;
    if (hbg_lang_service_open_paren(c->reading, &c->context, &commas, &named) != first + 2) return;
    const char *type = hbg_lang_service_copy(c->reading, c->arena, tokens[first].span, true);
    int32_t own = c->context.definition == HBG_NONE
                      ? HBG_NONE
                      : hbg_lang_service_member(c->reading, c->context.definition, tokens[first + 1].name);
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        if (strcmp(info->text, type) != 0) continue;
        const char *letter = named ? hbg_lang_service_name(c->reading, named) : "";
        hbg_quantity quantity = !named ? info->quantity : HBG_QUANTITY_NONE;
        for (int v = 0; v < HBG_VARIABLE_COUNT; v++) // the first quantities are the variables
            if (strcmp(hbg_model_variable_text(v), letter) == 0) quantity = (hbg_quantity)v;
        expect_quantity(e, known_domain(c, own), quantity);
        return;
    }
    int32_t component = tokens[first].kind == TOKEN_NAME
                            ? hbg_lang_service_member(c->reading, HBG_NONE, tokens[first].name)
                            : HBG_NONE;
    if (component != HBG_NONE && c->reading->symbols.items[component].definition)
        expect_argument(c, component, named, commas, e);
}

/* A number of a sentence about time, directly after the word that requires it. */
static bool expects_time(const completing *c) {
    static const char *const words[] = {"stop", "step", "at", "until", "every", "after"};
    for (int32_t token = c->context.end - 2; token >= c->context.end - 3 && token >= c->context.first;
         token--)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (hbg_lang_service_token_is(c->reading, token, words[i])) return true;
    return false;
}

static expected expect_at(completing *c) {
    const hbg_token *tokens = c->reading->file->tokens.items;
    expected e = {.count = 0};
    int32_t end = c->context.end, first = c->context.first;
    if (expects_time(c)) {
        hbg_dimension time = hbg_model_dimension_pure;
        time.exponent[2] = HBG_DIMENSION_DENOMINATOR;
        expect(&e, time);
    } else if (c->context.block == CONTEXT_BODY && end - first > 3 && tokens[first + 1].kind == TOKEN_NAME &&
               tokens[first + 2].kind == TOKEN_LEFT_PAREN) {
        expect_in_object(c, &e);
    } else if (end - first >= 3 && tokens[end - 2].kind == TOKEN_ASSIGN &&
               tokens[end - 3].kind == TOKEN_NAME &&
               c->context.definition != HBG_NONE) { // `param x = 5 [`, `set x = 5 [`
        expect(&e, known_dimension(c, hbg_lang_complete_resolve(c, end - 2)));
    }
    return e;
}

void hbg_lang_complete_units(completing *c) {
    expected e = expect_at(c);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        hbg_dimension dimension = dimension_of_text(c, units[i], strlen(units[i]));
        bool fits = e.count == 0;
        for (int k = 0; k < e.count && !fits; k++) fits = hbg_model_dimension_agree(dimension, e.any[k]);
        if (!fits) continue;
        const char *si = hbg_model_dimension_unit(c->arena, dimension);
        hbg_lang_complete_offer(c, HBG_SERVICE_UNIT, units[i], units[i], si, 1);
    }
}
