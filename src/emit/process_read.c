/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads what process.c and paper.c write, by the grammar of docs/processes.md: definitions of processes, of
 * clauses and of jumps. Predicates become terms, as they were before they were written; what is not an
 * operator is a variable of that name.
 *
 * Predicates have a separate parser: src/emit may not include src/lang, and they do not describe a model.
 * Names need no declaration, old(…), new(…), impulse(…) and work(…) make variables, numbers have no units,
 * and a bond without a name is `a>b`. Both parsers take operators, precedences and functions from the table
 * of the model; numbers and names are those of src/lang/lexer.c. */
#include <string.h>

#include "emit/process_read_impl.h"

/* The reader recurses over nesting, and the printer of a term over operators inside of each other, as in a
 * long sum. */
#define NESTING 500
#define DEPTH   5000

static const char space[] = " \t\n\v\f\r";

typedef struct {
    process_text *made;
    hbg_arena *arena;
    hbg_diagnostics *diagnostics;
    const hbg_source *source;
    const char *at; /* the next token begins here */
    int nesting;
    HBG_VEC(int32_t) depths; /* by term */
    bool in_clause;
    bool failed;
} reader;

/* ---- tokens -------------------------------------------------------------------------------------------- */

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

/* The size of the name here, with its parts, primes and indices; 0: there is none. The dot at the end of a
 * definition is not part of it. */
static size_t name_size(const char *at) {
    size_t size = 0;
    if (!is_first(*at)) return 0;
    for (;;) {
        char c = at[size], next = c ? at[size + 1] : '\0';
        if (c == '[' && is_digit(next)) {
            size_t digits = strspn(at + size + 1, "0123456789");
            if (at[size + 1 + digits] != ']') return size;
            size += digits + 2;
        } else if (is_first(c) || is_digit(c) || c == '\'' || (c == '.' && is_first(next))) {
            size++;
        } else {
            return size;
        }
    }
}

/* The same, or the name of an unnamed bond: by its ends, `a>b`, a second one between the same two `a>b#2`. */
static size_t bond_size(const char *at) {
    size_t from = name_size(at), to = from > 0 && at[from] == '>' ? name_size(at + from + 1) : 0;
    if (to == 0) return from;
    size_t size = from + 1 + to, digits = at[size] == '#' ? strspn(at + size + 1, "0123456789") : 0;
    return digits > 0 ? size + 1 + digits : size;
}

/* The same, of a variable: effort or flow of such a bond, `a>b.e`. Any other `a>b` is a comparison, as in the
 * language. */
static size_t variable_size(const char *at) {
    size_t name = name_size(at), size = bond_size(at);
    if (size > name && at[size] == '.') size += 1 + name_size(at + size + 1); // after the number of a bond
    bool is_quantity = size > name && at[size - 2] == '.' && (at[size - 1] == 'e' || at[size - 1] == 'f');
    return is_quantity ? size : name;
}

static const char *accept_name(reader *r, size_t (*size_of)(const char *at)) {
    size_t size = r->failed ? 0 : size_of(r->at);
    if (size == 0) return NULL;
    const char *name = hbg_base_arena_copy(r->arena, r->at, size);
    r->at += size;
    skip(r);
    return name;
}

static bool at_word(const reader *r, const char *word) {
    size_t size = strlen(word);
    return name_size(r->at) == size && strncmp(r->at, word, size) == 0;
}

static bool enter(reader *r) {
    if (++r->nesting > NESTING) fail(r, r->at, "something that is not nested so deep");
    return !r->failed;
}

/* ---- terms --------------------------------------------------------------------------------------------- */

/* The depth of a term. Arguments come before the term that uses them. */
static int32_t depth_of(reader *r, hbg_term term) {
    while (r->depths.count <= term) {
        const term_node *node = &r->made->terms.nodes.items[r->depths.count];
        int32_t depth = 0;
        for (int i = 0; i < hbg_term_arity(node); i++) {
            int32_t own = r->depths.items[hbg_term_argument(node, i)];
            if (own > depth) depth = own;
        }
        HBG_PUSH(r->arena, r->depths, depth + 1);
    }
    return r->depths.items[term];
}

/* A substitute for a predicate that could not be read. */
static hbg_term nothing(reader *r) {
    return hbg_term_integer(&r->made->terms, 0);
}

static hbg_term make(reader *r, hbg_operator op, hbg_term a, hbg_term b, hbg_term c) {
    if (r->failed) return nothing(r);
    hbg_term made = hbg_term_make(&r->made->terms, op, a, b, c);
    if (depth_of(r, made) > DEPTH)
        fail(r, r->at,
             hbg_base_arena_print(r->arena, "a predicate of at most %d operators inside of each other",
                                  DEPTH));
    return made;
}

static hbg_term variable(reader *r, const char *name) {
    return hbg_term_variable(&r->made->terms, hbg_base_names_add(&r->made->names, name, strlen(name)));
}

/* ---- predicates ---------------------------------------------------------------------------------------- */

static hbg_term read_binary(reader *r, int precedence);

/* A choice `a ? b : c` binds loosest, and its last part is as long as possible. */
static hbg_term read_expression(reader *r) {
    hbg_term made = enter(r) ? read_binary(r, 1) : HBG_NONE;
    if (accept(r, "?")) {
        hbg_term yes = read_expression(r);
        hbg_term no = expect(r, ":") ? read_expression(r) : HBG_NONE;
        made = make(r, HBG_OP_SELECT, made, yes, no);
    }
    r->nesting--;
    return r->failed ? nothing(r) : made;
}

static hbg_operator find_function(const char *name, int32_t count) {
    for (int op = 0; op < HBG_OP_TABLE; op++) { // later ones in the list have more than arguments
        const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)op);
        if (info->precedence == 0 && info->arity == count && strcmp(info->text, name) == 0)
            return (hbg_operator)op;
    }
    return HBG_OP_COUNT;
}

/* Names that belong to jumps: the two sides, pulses and works do not occur while time advances. */
static bool is_of_jumps(const char *name) {
    return strcmp(name, "old") == 0 || strcmp(name, "new") == 0 || strcmp(name, "impulse") == 0 ||
           strcmp(name, "work") == 0;
}

static hbg_term read_work(reader *r) {
    const char *bond = accept_name(r, bond_size);
    if (!bond) fail(r, r->at, "a bond");
    return expect(r, ")") ? variable(r, hbg_base_arena_print(r->arena, "work(%s)", bond)) : nothing(r);
}

static bool is_function(const char *name) {
    bool found = false;
    for (int32_t count = 1; count <= 3; count++) found = found || find_function(name, count) != HBG_OP_COUNT;
    return found;
}

/* A function, or the name of a variable: old(x), impulse(b.e), and variables without a formula, as
 * solved(impulse(c.f)). */
static hbg_term read_call(reader *r, const char *name) {
    hbg_term arguments[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    int32_t count = 0;
    hbg_buffer text;
    hbg_base_buffer_init(&text, r->arena);
    hbg_base_buffer_print(&text, "%s(", name);
    bool in_clause = r->in_clause;
    r->in_clause = in_clause && is_function(name); // the name of a variable may contain a pulse
    do {
        hbg_term own = read_expression(r);
        hbg_base_buffer_text(&text, count > 0 ? ", " : "");
        hbg_emit_process_read_term(r->made, own, &text);
        if (count < 3) arguments[count] = own;
        count++;
    } while (accept(r, ","));
    expect(r, ")");
    r->in_clause = in_clause;
    hbg_base_buffer_char(&text, ')');
    hbg_operator op = find_function(name, count);
    return op == HBG_OP_COUNT ? variable(r, text.data)
                              : make(r, op, arguments[0], arguments[1], arguments[2]);
}

static size_t digits_size(const char *at) {
    return strspn(at, "0123456789");
}

/* 12, 1.5, .5, 7.5e-6 */
static hbg_term read_number(reader *r) {
    hbg_decimal value;
    size_t size = digits_size(r->at);
    if (r->at[size] == '.') size += 1 + digits_size(r->at + size + 1);
    size_t e = r->at[size] == 'e' || r->at[size] == 'E';
    size_t sign = e && (r->at[size + 1] == '-' || r->at[size + 1] == '+');
    size_t digits = e ? digits_size(r->at + size + 1 + sign) : 0;
    if (digits > 0) size += 1 + sign + digits;
    if (is_first(r->at[size]) || !hbg_base_decimal_parse(r->arena, r->at, size, &value)) {
        fail(r, r->at, "a number");
        return nothing(r);
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
        return nothing(r);
    }
    const char *text = hbg_base_arena_copy(r->arena, r->at, size + 2);
    r->at += size + 2;
    skip(r);
    return variable(r, text);
}

static hbg_term read_named(reader *r) {
    const char *start = r->at, *name = accept_name(r, variable_size);
    if (!name) {
        fail(r, r->at, "a predicate");
        return nothing(r);
    }
    if (!accept(r, "("))
        return strcmp(name, "pi") == 0 ? make(r, HBG_OP_PI, HBG_NONE, HBG_NONE, HBG_NONE) : variable(r, name);
    if (r->in_clause && is_of_jumps(name)) fail(r, start, "nothing of a jump in a clause");
    return strcmp(name, "work") == 0 ? read_work(r) : read_call(r, name);
}

static hbg_term read_operand(reader *r) {
    if (is_digit(*r->at) || (*r->at == '.' && is_digit(r->at[1]))) return read_number(r);
    if (*r->at == '"') return read_quoted(r);
    if (!accept(r, "(")) return read_named(r);
    hbg_term made = read_expression(r);
    expect(r, ")");
    return made;
}

/* The longest operator of two arguments here; HBG_OP_COUNT: none. */
static hbg_operator find_operator(const reader *r) {
    hbg_operator found = HBG_OP_COUNT;
    size_t longest = 0;
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)op);
        size_t size = strlen(info->text);
        bool infix = info->precedence > 0 && info->precedence < 100 && info->arity == 2;
        if (!infix || size <= longest || strncmp(r->at, info->text, size) != 0) continue;
        longest = size;
        found = (hbg_operator)op;
    }
    return found;
}

/* A sign binds tighter than a product, and looser than a power. */
static hbg_term read_unary(reader *r) {
    hbg_operator op = *r->at == '-'                      ? HBG_OP_NEGATE
                      : *r->at == '!' && r->at[1] != '=' ? HBG_OP_NOT
                                                         : HBG_OP_COUNT;
    hbg_term made = HBG_NONE;
    if (!enter(r)) return nothing(r);
    if (op != HBG_OP_COUNT) {
        accept(r, op == HBG_OP_NEGATE ? "-" : "!");
        made = make(r, op, read_unary(r), HBG_NONE, HBG_NONE);
    } else {
        made = read_operand(r);
        if (find_operator(r) == HBG_OP_POWER_OF && accept(r, "^"))
            made = make(r, HBG_OP_POWER_OF, made, read_unary(r), HBG_NONE); // the exponent reads its own sign
    }
    r->nesting--;
    return made;
}

static hbg_term read_binary(reader *r, int precedence) {
    hbg_term made = read_unary(r);
    while (!r->failed) {
        hbg_operator op = find_operator(r);
        int own = op == HBG_OP_COUNT ? 0 : hbg_model_operator_info_get(op)->precedence;
        if (own == 0 || own < precedence) break;
        accept(r, hbg_model_operator_info_get(op)->text);
        made = make(r, op, made, read_binary(r, own + 1), HBG_NONE);
    }
    return made;
}

/* ---- clauses and jumps --------------------------------------------------------------------------------- */

/* The set V in front of a bar, if there is one. */
static void read_set(reader *r, process_text_node *node) {
    const char *start = r->at;
    process_text_names set = {0};
    do {
        const char *name = accept_name(r, variable_size);
        if (!name) break;
        HBG_PUSH(r->arena, set, name);
    } while (accept(r, ","));
    bool bar = set.count > 0 && r->at[0] == '|' && r->at[1] != '|' && accept(r, "|");
    if (bar)
        node->set = set;
    else
        r->at = start;
}

static process_text_node *read_brackets(reader *r) {
    process_text_node *node = HBG_NEW(r->arena, process_text_node);
    r->in_clause = *r->at == '{';
    node->kind = r->in_clause ? PROCESS_TEXT_CLAUSE : PROCESS_TEXT_JUMP;
    expect(r, r->in_clause ? "{" : "[");
    read_set(r, node);
    do HBG_PUSH(r->arena, node->predicates, read_expression(r));
    while (accept(r, ";"));
    expect(r, r->in_clause ? "}" : "]");
    return node;
}

/* ---- processes ----------------------------------------------------------------------------------------- */

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
        r->nesting--;
        expect(r, ")");
        return made;
    }
    process_text_node *node = HBG_NEW(r->arena, process_text_node);
    node->kind = PROCESS_TEXT_NAME;
    node->name = accept_name(r, name_size);
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
    r->nesting--;
    return made;
}

static process_text_node *read_prefix(reader *r) {
    if (*r->at != '[') return read_disrupt(r);
    process_text_node *jump = read_brackets(r);
    expect(r, ">>");
    process_text_node *after = enter(r) ? read_prefix(r) : NULL;
    r->nesting--;
    return join(r, PROCESS_TEXT_AFTER, jump, after);
}

/* One part, or several with a sign between. */
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

/* The name of a jump, as d1. */
static process_text_node *read_jump(reader *r) {
    if (*r->at != '[') fail(r, r->at, "another jump, `[`");
    return read_brackets(r);
}

/* A process, or jumps alone: if the first is followed by something, it is read again as the beginning of a
 * process. */
static process_text_node *read_definition(reader *r) {
    const char *start = r->at;
    if (*start != '[') return read_process(r);
    process_text_node *jumps = read_list(r, PROCESS_TEXT_CHOICE, "(+)", read_jump);
    if (r->failed || strncmp(r->at, ">>", 2) != 0) return jumps;
    r->at = start;
    return read_process(r);
}

bool hbg_emit_process_read(hbg_arena *arena, hbg_diagnostics *diagnostics, const hbg_source *source,
                           process_text *made) {
    reader r = {
        .made = made, .arena = arena, .diagnostics = diagnostics, .source = source, .at = source->text};
    const char *nul = memchr(source->text, '\0', source->size);
    *made = (process_text){0};
    hbg_term_init(&made->terms, arena, 0, 0);
    hbg_base_names_init(&made->names, arena);
    if (nul) fail(&r, nul, "text, but here is a NUL byte");
    for (skip(&r); *r.at && !r.failed;) {
        process_text_definition own = {accept_name(&r, name_size), NULL};
        if (!own.name) fail(&r, r.at, "the name of a process");
        if (expect(&r, ":")) own.is = read_definition(&r);
        expect(&r, ".");
        HBG_PUSH(arena, made->definitions, own);
    }
    return !r.failed;
}
