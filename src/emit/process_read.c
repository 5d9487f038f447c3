/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads what process.c and paper.c write, by the grammar of docs/processes.md: definitions of processes, of clauses and of jumps. Predicates
 * become terms, as they were before they were written; what is no operator is a variable that is called as it stands there. */
#include <string.h>

#include "emit/process_read_impl.h"

#define NESTING 500
#define CHAIN   5000 /* operators of one level in a row */

static const char space[] = " \t\r\n";

typedef struct {
    process_text *made;
    hbg_arena *arena;
    hbg_diagnostics *diagnostics;
    const hbg_source *source;
    const char *at; /* the next token begins here */
    int depth;
    bool failed;
} reader;

/* ---- tokens -------------------------------------------------------------------------------------------------- */

static void skip(reader *r) {
    for (;;) {
        r->at += strspn(r->at, space);
        if (strncmp(r->at, "//", 2) != 0) return;
        r->at += strcspn(r->at, "\n");
    }
}

static hbg_diagnostic *fail(reader *r, const char *at, const char *what) {
    uint32_t start = r->source->base + (uint32_t)(at - r->source->text);
    hbg_span span = {start, start + (*at ? 1 : 0)};
    hbg_diagnostic *report = NULL;
    if (!r->failed) report = hbg_base_report(r->diagnostics, HBG_E_SYNTAX, span, "expected %s", what);
    r->failed = true;
    return report;
}

static bool accept(reader *r, const char *token) {
    size_t size = strlen(token);
    if (r->failed || strncmp(r->at, token, size) != 0) return false;
    r->at += size;
    skip(r);
    return true;
}

static bool expect(reader *r, const char *token) {
    if (accept(r, token)) return true;
    fail(r, r->at, hbg_base_arena_print(r->arena, "`%s`", token));
    return false;
}

static bool is_first(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Of the name there, with its parts, primes and indices, a bond between two junctions being called by both, `a>b`; 0: there is none. The
 * dot at the end of a definition is none of it. */
static size_t name_size(const char *at) {
    size_t size = 0;
    if (!is_first(*at)) return 0;
    for (;;) {
        char c = at[size], next = c ? at[size + 1] : '\0';
        if (c == '[' && is_digit(next)) {
            size_t digits = strspn(at + size + 1, "0123456789");
            if (at[size + 1 + digits] != ']') return size;
            size += digits + 2;
        } else if (is_first(c) || is_digit(c) || c == '\'' || ((c == '.' || c == '>') && is_first(next))) {
            size++;
        } else {
            return size;
        }
    }
}

static const char *accept_name(reader *r) {
    size_t size = r->failed ? 0 : name_size(r->at);
    if (size == 0) return NULL;
    const char *name = hbg_base_arena_print(r->arena, "%.*s", (int)size, r->at);
    r->at += size;
    skip(r);
    return name;
}

static bool at_word(const reader *r, const char *word) {
    size_t size = strlen(word);
    return name_size(r->at) == size && strncmp(r->at, word, size) == 0;
}

static bool enter(reader *r) {
    if (++r->depth > NESTING) fail(r, r->at, "something that is not nested so deep");
    return !r->failed;
}

/* ---- predicates ------------------------------------------------------------------------------------------------ */

static hbg_term read_binary(reader *r, int precedence);

static hbg_term read_expression(reader *r) {
    hbg_term made = HBG_NONE;
    if (enter(r)) made = read_binary(r, 1);
    r->depth--;
    return r->failed ? hbg_term_integer(&r->made->terms, 0) : made;
}

static hbg_term variable(reader *r, const char *name) {
    for (int32_t i = 0; i < r->made->names.count; i++)
        if (strcmp(r->made->names.items[i], name) == 0) return hbg_term_variable(&r->made->terms, i);
    HBG_PUSH(r->arena, r->made->names, name);
    return hbg_term_variable(&r->made->terms, r->made->names.count - 1);
}

static hbg_operator find_function(const char *name, int32_t count) {
    for (int op = 0; op < HBG_OP_TABLE; op++) { // what is behind it has more than its arguments
        const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)op);
        if (info->precedence == 0 && info->arity == count && strcmp(info->text, name) == 0)
            return (hbg_operator)op;
    }
    return HBG_OP_COUNT;
}

/* A function, or what stands for a variable: old(x), impulse(b.e). */
static hbg_term read_call(reader *r, const char *name) {
    hbg_term arguments[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    int32_t count = 0;
    hbg_buffer text;
    hbg_base_buffer_init(&text, r->arena);
    hbg_base_buffer_print(&text, "%s(", name);
    do {
        hbg_term own = read_expression(r);
        hbg_base_buffer_text(&text, count > 0 ? ", " : "");
        hbg_emit_process_read_term(r->made, own, &text);
        if (count < 3) arguments[count] = own;
        count++;
    } while (accept(r, ","));
    expect(r, ")");
    hbg_base_buffer_char(&text, ')');
    hbg_operator op = find_function(name, count);
    if (op == HBG_OP_COUNT) return variable(r, text.data);
    return hbg_term_make(&r->made->terms, op, arguments[0], arguments[1], arguments[2]);
}

static hbg_term read_number(reader *r) {
    hbg_decimal value;
    size_t size = strspn(r->at, "0123456789.");
    size_t sign = r->at[size] == 'e' && (r->at[size + 1] == '-' || r->at[size + 1] == '+');
    size_t digits = r->at[size] == 'e' ? strspn(r->at + size + 1 + sign, "0123456789") : 0;
    if (digits > 0) size += 1 + sign + digits;
    if (!hbg_base_decimal_parse(r->arena, r->at, size, &value)) {
        fail(r, r->at, "a number");
        return hbg_term_integer(&r->made->terms, 0);
    }
    r->at += size;
    skip(r);
    return hbg_term_number(&r->made->terms, value);
}

/* The file or the column of a table. */
static hbg_term read_quoted(reader *r) {
    size_t size = strcspn(r->at + 1, "\"\n");
    if (r->at[size + 1] != '"') {
        fail(r, r->at, "a text with its closing quote");
        return hbg_term_integer(&r->made->terms, 0);
    }
    const char *text = hbg_base_arena_print(r->arena, "%.*s", (int)size + 2, r->at);
    r->at += size + 2;
    skip(r);
    return variable(r, text);
}

static hbg_term read_operand(reader *r) {
    hbg_terms *terms = &r->made->terms;
    if (is_digit(*r->at)) return read_number(r);
    if (*r->at == '"') return read_quoted(r);
    if (accept(r, "(")) {
        hbg_term made = read_expression(r);
        expect(r, ")");
        return made;
    }
    const char *name = accept_name(r);
    if (!name) {
        fail(r, r->at, "a predicate");
        return hbg_term_integer(terms, 0);
    }
    if (accept(r, "(")) return read_call(r, name);
    return strcmp(name, "pi") == 0 ? hbg_term_make(terms, HBG_OP_PI, HBG_NONE, HBG_NONE, HBG_NONE)
                                   : variable(r, name);
}

/* The operator of two or three arguments that stands there, the longest; HBG_OP_COUNT: none. */
static hbg_operator find_operator(const reader *r) {
    hbg_operator found = HBG_OP_COUNT;
    size_t longest = 0;
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)op);
        size_t size = op == HBG_OP_SELECT ? 1 : strlen(info->text); // of `?:` the first mark
        bool infix = info->precedence > 0 && info->precedence < 100 && info->arity >= 2;
        if (!infix || size <= longest || strncmp(r->at, info->text, size) != 0) continue;
        longest = size;
        found = (hbg_operator)op;
    }
    return found;
}

/* A sign binds tighter than a product, and less than a power. */
static hbg_term read_unary(reader *r) {
    hbg_operator op = *r->at == '-'                      ? HBG_OP_NEGATE
                      : *r->at == '!' && r->at[1] != '=' ? HBG_OP_NOT
                                                         : HBG_OP_COUNT;
    hbg_term made = HBG_NONE;
    if (!enter(r)) return hbg_term_integer(&r->made->terms, 0);
    if (op != HBG_OP_COUNT) {
        accept(r, op == HBG_OP_NEGATE ? "-" : "!");
        hbg_term own = read_unary(r);
        made = op == HBG_OP_NEGATE ? hbg_term_negate(&r->made->terms, own)
                                   : hbg_term_make(&r->made->terms, op, own, HBG_NONE, HBG_NONE);
    } else {
        made = read_operand(r);
        if (find_operator(r) == HBG_OP_POWER_OF && accept(r, "^")) {
            hbg_term exponent = read_unary(r); // which reads what it is raised to itself
            made = hbg_term_make(&r->made->terms, HBG_OP_POWER_OF, made, exponent, HBG_NONE);
        }
    }
    r->depth--;
    return made;
}

static hbg_term read_binary(reader *r, int precedence) {
    hbg_terms *terms = &r->made->terms;
    hbg_term made = read_unary(r);
    for (int count = 0; !r->failed; count++) {
        if (count == CHAIN) fail(r, r->at, "something that is not so long");
        hbg_operator op = find_operator(r);
        int own = op == HBG_OP_COUNT ? 0 : hbg_model_operator_info_get(op)->precedence;
        if (own == 0 || own < precedence) break;
        accept(r, op == HBG_OP_SELECT ? "?" : hbg_model_operator_info_get(op)->text);
        hbg_term second = read_binary(r, op == HBG_OP_SELECT ? own : own + 1), third = HBG_NONE;
        if (op == HBG_OP_SELECT && expect(r, ":")) third = read_binary(r, own);
        if (!r->failed) made = hbg_term_make(terms, op, made, second, third);
    }
    return made;
}

/* ---- clauses and jumps -------------------------------------------------------------------------------------------- */

/* The set V in front of a bar, if there is one. */
static void read_set(reader *r, process_text_node *node) {
    const char *start = r->at;
    process_text_names set = {0};
    do {
        const char *name = accept_name(r);
        if (!name) break;
        HBG_PUSH(r->arena, set, name);
    } while (accept(r, ","));
    bool bar = set.count > 0 && r->at[0] == '|' && r->at[1] != '|' && accept(r, "|");
    if (bar)
        node->set = set;
    else
        r->at = start;
}

/* Two sides of an instant, pulses and works do not occur while time flows. */
static void check_words(reader *r, const process_text_node *node, const char *at) {
    static const char *const of_jumps[] = {"old(", "new(", "impulse(", "work("};
    for (int32_t i = 0; i < node->predicates.count && node->kind == PROCESS_TEXT_CLAUSE; i++) {
        hbg_term_walk(&r->made->terms, node->predicates.items[i]);
        for (int32_t k = 0; k < r->made->terms.walk.count; k++) {
            const term_node *own = &r->made->terms.nodes.items[r->made->terms.walk.items[k]];
            const char *name = own->op == TERM_VARIABLE ? r->made->names.items[own->a] : "";
            for (int n = 0; n < 4; n++)
                if (strncmp(name, of_jumps[n], strlen(of_jumps[n])) == 0)
                    fail(r, at, "nothing of a jump in a clause");
        }
    }
}

static process_text_node *read_brackets(reader *r) {
    const char *start = r->at;
    process_text_node *node = HBG_NEW(r->arena, process_text_node);
    node->kind = *r->at == '{' ? PROCESS_TEXT_CLAUSE : PROCESS_TEXT_JUMP;
    bool clause = accept(r, "{") || !accept(r, "[");
    read_set(r, node);
    do HBG_PUSH(r->arena, node->predicates, read_expression(r));
    while (accept(r, ";"));
    expect(r, clause ? "}" : "]");
    check_words(r, node, start);
    return node;
}

/* ---- processes ---------------------------------------------------------------------------------------------------- */

static process_text_node *read_process(reader *r);

static void refuse(reader *r, const char *operator) {
    hbg_diagnostic *report = r->failed ? NULL : fail(r, r->at, "a process that can be made linear");
    if (report)
        hbg_base_report_fix(r->diagnostics, report, "`%s` is read, and nothing is made of it: %s", operator,
                            strcmp(operator, "/>") == 0 ? "p |> q is (p /> q) (+) q"
                                                        : "a model has no actions that it could keep in");
}

static process_text_node *read_atom(reader *r) {
    if (*r->at == '{') return read_brackets(r);
    if (at_word(r, "encap")) refuse(r, "encap");
    if (accept(r, "(")) {
        process_text_node *made = enter(r) ? read_process(r) : NULL;
        r->depth--;
        expect(r, ")");
        return made;
    }
    process_text_node *node = HBG_NEW(r->arena, process_text_node);
    node->kind = PROCESS_TEXT_NAME;
    node->name = accept_name(r);
    if (!node->name) fail(r, r->at, "a clause, a name, `delta` or `(`");
    return node;
}

static process_text_node *join(reader *r, process_text_kind kind, process_text_node *a,
                               process_text_node *b) {
    process_text_node *made = HBG_NEW(r->arena, process_text_node);
    made->kind = kind;
    HBG_PUSH(r->arena, made->parts, a);
    HBG_PUSH(r->arena, made->parts, b);
    return made;
}

static process_text_node *read_disrupt(reader *r) {
    process_text_node *made = enter(r) ? read_atom(r) : NULL;
    if (!r->failed && strncmp(r->at, "/>", 2) == 0) refuse(r, "/>");
    if (accept(r, "|>")) made = join(r, PROCESS_TEXT_DISRUPT, made, read_disrupt(r));
    r->depth--;
    return made;
}

static process_text_node *read_prefix(reader *r) {
    if (*r->at != '[') return read_disrupt(r);
    process_text_node *jump = read_brackets(r);
    if (r->depth == 0 && strncmp(r->at, ">>", 2) != 0) return jump; // what a name of a jump stands for
    expect(r, ">>");
    process_text_node *behind = enter(r) ? read_prefix(r) : NULL;
    r->depth--;
    return join(r, PROCESS_TEXT_BEHIND, jump, behind);
}

/* One of them, or several with a sign between. */
static process_text_node *read_list(reader *r, process_text_kind kind, const char *sign,
                                    process_text_node *(*read_one)(reader *r)) {
    process_text_node *made = read_one(r), *list = NULL;
    while (accept(r, sign)) {
        process_text_node *next = read_one(r);
        if (list)
            HBG_PUSH(r->arena, list->parts, next);
        else
            made = list = join(r, kind, made, next);
    }
    return made;
}

static process_text_node *read_parallel(reader *r) {
    return read_list(r, PROCESS_TEXT_PARALLEL, "||", read_prefix);
}

static process_text_node *read_process(reader *r) {
    return read_list(r, PROCESS_TEXT_CHOICE, "(+)", read_parallel);
}

bool hbg_emit_process_read(hbg_arena *arena, hbg_diagnostics *diagnostics, const hbg_source *source,
                           process_text *made) {
    reader r = {made, arena, diagnostics, source, source->text, 0, false};
    *made = (process_text){0};
    hbg_term_init(&made->terms, arena, 0, 0);
    for (skip(&r); *r.at && !r.failed;) {
        process_text_definition own = {accept_name(&r), NULL};
        if (!own.name) fail(&r, r.at, "the name of a process");
        if (expect(&r, ":")) own.is = read_process(&r);
        expect(&r, ".");
        HBG_PUSH(arena, made->definitions, own);
    }
    return !r.failed;
}
