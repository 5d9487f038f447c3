/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what may follow at a place, by the words of the statement before it. */
#include "lang/service_complete_impl.h"

#include <string.h>

void hbg_lang_complete_offer(completing *c, hbg_service_kind kind, const char *label, const char *insert,
                             const char *detail, int32_t rank) {
    if (c->items.count >= HBG_SERVICE_COMPLETIONS) return;
    hbg_service_completion item = {
        .kind = kind, .label = label, .insert = insert, .detail = detail, .document = ""};
    item.rank = rank;
    HBG_PUSH(c->arena, c->items, item);
}

void hbg_lang_complete_words(completing *c, const char *const *words, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const service_word *word = hbg_lang_service_find_word(words[i], strlen(words[i]));
        hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, words[i],
                                hbg_base_arena_print(c->arena, "%s ", words[i]), word ? word->what : "", 3);
    }
}

#define WORDS(c, ...)                                                                                        \
    hbg_lang_complete_words(c, (const char *const[]){__VA_ARGS__},                                           \
                            (int32_t)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

/* ---- the statement so far ------------------------------------------------------------------------------ */

static bool is(const completing *c, int32_t token, const char *word) {
    return hbg_lang_service_token_is(c->reading, token, word);
}

static hbg_token_kind kind_of(const completing *c, int32_t token) {
    return token >= c->context.first && token < c->context.end ? c->reading->file->tokens.items[token].kind
                                                               : TOKEN_END;
}

static bool has(const completing *c, hbg_token_kind kind) {
    for (int32_t i = c->context.first; i < c->context.end; i++)
        if (kind_of(c, i) == kind) return true;
    return false;
}

/* Whether an operand ends just before the place: another one cannot begin there. */
static bool after_operand(const completing *c) {
    static const char *const before[] = {"when", "after",  "every", "restitution", "stop",  "step",  "record",
                                         "plot", "assume", "range", "at",          "until", "set",   "abrupt",
                                         "bias", "drift",  "stuck", "incipient",   "in",    "always"};
    int32_t last = c->context.end - 1;
    switch (kind_of(c, last)) {
    case TOKEN_NUMBER:
    case TOKEN_UNIT:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_STRING: return true;
    case TOKEN_NAME:
        for (size_t i = 0; i < sizeof before / sizeof *before; i++)
            if (is(c, last, before[i])) return false;
        return true;
    default: return false;
    }
}

static void offer_value(completing *c) {
    hbg_lang_complete_names(c, WANT_VALUE);
}

/* ---- inside a model or component ------------------------------------------------------------------------ */

static void offer_kinds(completing *c) {
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        const char *insert =
            hbg_base_arena_print(c->arena, info->ports == 0 ? "%s $1;$0" : "%s $1($2);$0", info->text);
        hbg_lang_complete_offer(c, HBG_SERVICE_KIND, info->text, insert, info->name, 1);
    }
    hbg_lang_complete_offer(c, HBG_SERVICE_KIND, "Sw", "Sw $1 when $2;$0", "switch", 1);
}

static void offer_statement(completing *c) {
    offer_kinds(c);
    WORDS(c, "param", "choice", "input", "output", "signal", "state", "sample", "sensor", "function", "port");
    hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "automaton",
                            "automaton $1 {\n    off $2 -> $3 when $4;\n    on $3 -> $2 when $5;\n}$0",
                            "states that are on or off", 3);
    hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "experiment",
                            "experiment $1 {\n    stop $2 [s];\n    record $3;\n}$0",
                            "what is run and recorded", 3);
    hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "verify", "verify {\n    assume $1;\n}$0",
                            "what proofs take for granted", 3);
    hbg_lang_complete_components(c);
    hbg_lang_complete_names(c, WANT_BOND);
}

static void offer_domains(completing *c) {
    for (int domain = 0; domain < HBG_DOMAIN_COUNT; domain++)
        hbg_lang_complete_offer(c, HBG_SERVICE_DOMAIN, hbg_model_domain_name(domain),
                                hbg_model_domain_name(domain), "physical domain", 1);
}

static void complete_port(completing *c) {
    int32_t count = c->context.end - c->context.first;
    bool directed = is(c, c->context.first + 1, "in") || is(c, c->context.first + 1, "out");
    if (count == 1)
        WORDS(c, "in", "out");
    else if (kind_of(c, c->context.end - 1) == TOKEN_COLON && directed)
        WORDS(c, "real", "bool", "event");
    else if (kind_of(c, c->context.end - 1) == TOKEN_COLON)
        offer_domains(c);
    else if (has(c, TOKEN_ASSIGN) && !after_operand(c))
        offer_value(c);
}

/* Arguments that can be named: of a component, or of an element. */
static void offer_arguments(completing *c) {
    const hbg_lang_reading *reading = c->reading;
    const hbg_token *type = &reading->file->tokens.items[c->context.first];
    const char *text = hbg_lang_service_copy(reading, c->arena, type->span, true);
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        if (strcmp(info->text, text) != 0) continue;
        bool stores = info->kind == HBG_KIND_C || info->kind == HBG_KIND_I;
        for (const char *letter = stores ? info->variables : ""; *letter; letter++)
            hbg_lang_complete_offer(c, HBG_SERVICE_VARIABLE, hbg_base_arena_print(c->arena, "%c =", *letter),
                                    hbg_base_arena_print(c->arena, "%c = ", *letter), "at the start", 0);
        return;
    }
    int32_t component =
        type->kind == TOKEN_NAME ? hbg_lang_service_member(reading, HBG_NONE, type->name) : HBG_NONE;
    const syntax_definition *definition =
        component == HBG_NONE ? NULL : reading->symbols.items[component].definition;
    for (int32_t i = 0; definition && i < definition->declarations.count; i++) {
        if (!hbg_lang_elaborate_takes_argument(definition, i)) continue;
        const char *name = hbg_lang_service_name(reading, definition->declarations.items[i].name);
        int32_t symbol = hbg_lang_service_find(reading, component, name);
        hbg_lang_complete_offer(c, HBG_SERVICE_PARAMETER, hbg_base_arena_print(c->arena, "%s =", name),
                                hbg_base_arena_print(c->arena, "%s = ", name),
                                symbol == HBG_NONE ? "" : hbg_lang_service_line(reading, c->arena, symbol),
                                0);
    }
}

/* `TYPE NAME ( … ) : law` */
static void complete_object(completing *c) {
    int32_t commas, last = c->context.end - 1;
    hbg_name named;
    int32_t paren = hbg_lang_service_open_paren(c->reading, &c->context, &commas, &named);
    if (after_operand(c)) return;
    bool begins = kind_of(c, last) == TOKEN_LEFT_PAREN || kind_of(c, last) == TOKEN_COMMA;
    if (paren == c->context.first + 2 && begins) offer_arguments(c);
    if (paren == HBG_NONE && begins) return;
    if (kind_of(c, last) == TOKEN_COLON && paren == HBG_NONE) {
        for (const char *letter = "efqp"; *letter; letter++)
            hbg_lang_complete_offer(c, HBG_SERVICE_VARIABLE, hbg_base_arena_print(c->arena, "%c", *letter),
                                    hbg_base_arena_print(c->arena, "%c = ", *letter), "law", 0);
        return;
    }
    offer_value(c);
}

static void complete_junction(completing *c) {
    if (is(c, c->context.end - 1, "off"))
        WORDS(c, "effort", "flow");
    else if (after_operand(c))
        WORDS(c, "when", "off", "restitution");
    else
        offer_value(c);
}

/* A declaration with a value: parameters, signals and their kin. */
static void complete_signal(completing *c, const char *keyword) {
    int32_t count = c->context.end - c->context.first;
    if (count == 1 && strcmp(keyword, "input") == 0) {
        WORDS(c, "real", "bool", "event");
        return;
    }
    if (after_operand(c)) {
        if (strcmp(keyword, "sensor") == 0) WORDS(c, "every", "noise");
        if (strcmp(keyword, "sample") == 0) WORDS(c, "every");
        return;
    }
    int32_t last = c->context.end - 1;
    if (kind_of(c, last) == TOKEN_COLON && strcmp(keyword, "state") == 0)
        WORDS(c, "der");
    else if (has(c, TOKEN_ASSIGN) || is(c, last, "every"))
        offer_value(c);
}

static void complete_body(completing *c) {
    static const char *const signals[] = {"param",  "choice", "signal", "input",
                                          "output", "state",  "sample", "sensor"};
    int32_t first = c->context.first, count = c->context.end - first, last = c->context.end - 1;
    if (count == 0) {
        offer_statement(c);
        return;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (is(c, first, signals[i])) {
            complete_signal(c, signals[i]);
            return;
        }
    if (is(c, first, "port"))
        complete_port(c);
    else if (is(c, first, "function")) {
        if (has(c, TOKEN_ASSIGN) && !after_operand(c)) offer_value(c);
    } else if (is(c, first, "automaton")) {
        if (count == 2) WORDS(c, "every");
    } else if (kind_of(c, first) == TOKEN_NUMBER || is(c, first, "Sw")) {
        if (count > 1) complete_junction(c);
    } else if (kind_of(c, last) == TOKEN_ARROW || (count == 2 && kind_of(c, last) == TOKEN_COLON)) {
        hbg_lang_complete_names(c, WANT_BOND);
    } else if (kind_of(c, first + 1) == TOKEN_NAME && count > 2) {
        complete_object(c);
    }
}

/* ---- other blocks -------------------------------------------------------------------------------------- */

static void complete_automaton(completing *c) {
    int32_t last = c->context.end - 1;
    if (c->context.end == c->context.first && c->context.block == CONTEXT_AUTOMATON)
        WORDS(c, "on", "off", "start");
    else if (is(c, last, "start") || kind_of(c, last) == TOKEN_ARROW || is(c, last, "on") ||
             is(c, last, "off"))
        hbg_lang_complete_states(c, c->context.automaton);
    else if (has(c, TOKEN_ARROW) && after_operand(c))
        WORDS(c, "when", "after");
    else if (has(c, TOKEN_ARROW))
        offer_value(c);
}

static void offer_solvers(completing *c) {
    for (int i = 0; i < HBG_SOLVER_COUNT; i++)
        hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, hbg_model_solver_text(i), hbg_model_solver_text(i),
                                "solver", 1);
}

static void complete_fault(completing *c) {
    int32_t last = c->context.end - 1, colon = last;
    while (colon > c->context.first && kind_of(c, colon) != TOKEN_COLON) colon--;
    bool timed = colon > c->context.first;
    if (c->context.end - c->context.first == 1) {
        WORDS(c, "at");
    } else if (!timed) {
        if (after_operand(c))
            WORDS(c, "until");
        else
            offer_value(c);
    } else if (last == colon) {
        hbg_lang_complete_names(c, WANT_TARGET);
    } else if (is(c, last, "stuck")) {
        int32_t target = hbg_lang_complete_resolve(c, last);
        if (target != HBG_NONE && c->reading->symbols.items[target].kind == HBG_SERVICE_AUTOMATON) {
            hbg_lang_complete_states(c, target);
            WORDS(c, "on", "off");
        } else {
            offer_value(c);
        }
    } else if (after_operand(c)) {
        for (int kind = 0; kind < HBG_FAULT_COUNT; kind++)
            hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, hbg_model_fault_kind_text(kind),
                                    hbg_base_arena_print(c->arena, "%s ", hbg_model_fault_kind_text(kind)),
                                    "kind of fault", 0);
    } else {
        offer_value(c);
    }
}

static void complete_setting(completing *c) {
    int32_t last = c->context.end - 1;
    if (is(c, last, "set") || kind_of(c, last) == TOKEN_COMMA) {
        hbg_lang_complete_names(c, WANT_SETTING);
        return;
    }
    if (after_operand(c)) return;
    int32_t target = kind_of(c, last) == TOKEN_ASSIGN ? hbg_lang_complete_resolve(c, last) : HBG_NONE;
    if (target != HBG_NONE && c->reading->symbols.items[target].kind == HBG_SERVICE_AUTOMATON)
        hbg_lang_complete_states(c, target);
    else
        offer_value(c);
}

static void complete_experiment(completing *c) {
    int32_t first = c->context.first, last = c->context.end - 1;
    if (c->context.end == first) {
        WORDS(c, "stop", "solver", "set", "at", "fault", "record", "plot");
    } else if (is(c, first, "solver")) {
        if (last == first)
            offer_solvers(c);
        else if (is(c, last, "step"))
            offer_value(c);
        else if (last == first + 1)
            WORDS(c, "step");
    } else if (is(c, first, "fault")) {
        complete_fault(c);
    } else if (is(c, first, "set")) {
        complete_setting(c);
    } else if (is(c, first, "at") && has(c, TOKEN_COLON) &&
               (kind_of(c, last) == TOKEN_COLON || kind_of(c, last) == TOKEN_COMMA)) {
        hbg_lang_complete_names(c, WANT_INPUT);
    } else if (is(c, first, "record") && after_operand(c)) {
        WORDS(c, "every");
    } else if (!after_operand(c)) {
        offer_value(c);
    }
}

static void complete_import(completing *c) {
    service_library library = {0};
    hbg_lang_service_library(c->reading, c->arena, &library);
    for (int32_t i = 0; i < library.count; i++) {
        if (i > 0 && strcmp(library.items[i].file, library.items[i - 1].file) == 0) continue;
        hbg_lang_complete_offer(c, HBG_SERVICE_FILE, library.items[i].file,
                                hbg_base_arena_print(c->arena, "\"%s\"", library.items[i].file), "library",
                                1);
    }
}

/* What the words of the statement require of a name after a dot. */
static service_want wanted(const completing *c) {
    int32_t first = c->context.first;
    if (c->context.block == CONTEXT_EXPERIMENT && is(c, first, "set") && !after_operand(c))
        return WANT_SETTING;
    if (c->context.block == CONTEXT_EXPERIMENT && is(c, first, "fault")) return WANT_TARGET;
    if (c->context.block != CONTEXT_BODY) return WANT_VALUE;
    bool chain = has(c, TOKEN_ARROW);
    if (!chain) { // a path at the start of a statement begins a bond
        chain = true;
        for (int32_t i = first; i < c->context.end && chain; i++)
            chain = kind_of(c, i) == ((i - first) % 2 == 0 ? TOKEN_NAME : TOKEN_DOT);
    }
    return chain ? WANT_BOND : WANT_VALUE;
}

static void complete(completing *c) {
    int32_t last = c->context.end - 1;
    if (c->context.in_comment) return;
    if (c->context.in_text) {
        if (is(c, last, "import")) complete_import(c);
        return;
    }
    if (c->context.in_unit) {
        hbg_lang_complete_units(c);
        return;
    }
    if (kind_of(c, last) == TOKEN_DOT) {
        hbg_lang_complete_path(c, wanted(c));
        return;
    }
    switch (c->context.block) {
    case CONTEXT_TOP:
        if (c->context.end == c->context.first) {
            WORDS(c, "import");
            hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "model", "model $1 {\n    $0\n}",
                                    "a hybrid bond graph", 1);
            hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "component",
                                    "component $1 {\n    port $2 : $3;\n    $0\n}", "a part with ports", 1);
            hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, "function", "function $1($2) = $3;$0",
                                    "a formula", 1);
        } else if (is(c, c->context.first, "function") && has(c, TOKEN_ASSIGN) && !after_operand(c)) {
            offer_value(c);
        }
        break;
    case CONTEXT_BODY: complete_body(c); break;
    case CONTEXT_AUTOMATON:
    case CONTEXT_STATE: complete_automaton(c); break;
    case CONTEXT_EXPERIMENT: complete_experiment(c); break;
    case CONTEXT_VERIFY:
        if (c->context.end == c->context.first)
            WORDS(c, "range", "assume", "always");
        else if (!after_operand(c))
            offer_value(c);
        else if (is(c, c->context.first, "range"))
            WORDS(c, "in");
        break;
    }
}

void hbg_lang_service_complete(const hbg_lang_reading *reading, const hbg_lang_reading *good,
                               hbg_arena *arena, size_t offset, hbg_service_completions *found) {
    completing c = {.reading = reading, .good = good, .arena = arena};
    c.context = hbg_lang_service_context(reading, offset);
    complete(&c);
    *found = (hbg_service_completions){c.items.items, c.items.count,
                                       hbg_lang_service_place(reading, c.context.word)};
}
