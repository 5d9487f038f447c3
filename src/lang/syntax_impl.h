/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Syntax trees: what a file says, before any name has a meaning. Everything lives in the scratch arena of the
 * reading. Lists are arrays with a count; spans point at the words themselves. */
#ifndef HBG_LANG_SYNTAX_IMPL_H
#define HBG_LANG_SYNTAX_IMPL_H

#include "lang/lexer_impl.h"

/* ---- expressions -------------------------------------------------------------------------------------- */

typedef struct syntax_expr syntax_expr;

/* Indices that are known only when the parameters are: `r[i + 1]`, `cell[i][2]`. */
typedef struct {
    syntax_expr **items;
    int32_t count; /* at least 1 */
} syntax_indices;

typedef struct {
    hbg_name name;
    int32_t index;           /* `gear[1]`: 1; HBG_NONE without brackets */
    hbg_span span;           /* with the brackets */
    syntax_indices *indices; /* instead of the index, until expand.c has found the values; or NULL */
} syntax_segment;

/* `inverter.boost.L1` or `gear[1]` */
typedef struct {
    syntax_segment *segments;
    int32_t count; /* at least 1 */
} syntax_path;

static inline hbg_span hbg_lang_path_span(const syntax_path *path) {
    return hbg_base_span_join(path->segments[0].span, path->segments[path->count - 1].span);
}

typedef enum {
    SYNTAX_NUMBER,   /* text (span of the digits) and perhaps a unit */
    SYNTAX_INTEGER,  /* the number that replaced a loop variable */
    SYNTAX_BOOLEAN,  /* op is HBG_OP_TRUE or HBG_OP_FALSE */
    SYNTAX_PATH,     /* a name with dots and indices */
    SYNTAX_CALL,     /* function (arguments) */
    SYNTAX_OPERATOR, /* op on one to three arguments */
    SYNTAX_STRING,   /* names a file or a column of a table */
    SYNTAX_BAD       /* reported already */
} syntax_expr_kind;

struct syntax_expr { /* the most frequent part of a tree: kept small */
    syntax_expr_kind kind : 8;
    hbg_operator op : 16;
    int32_t argument_count; /* of an operator or a call */
    hbg_span span;
    union {
        hbg_span unit; /* of a number: brackets included; {0,0} if none */
        int64_t integer;
        syntax_path path; /* of a path */
        struct {
            syntax_segment *function; /* of a call */
            syntax_expr **arguments;
        };
    };
};

#define HBG_LANG_FIELD_PORTS 100 /* of an R, C or I, at most */

/* ---- declarations ------------------------------------------------------------------------------------- */

/* `name = value` among the arguments of an element or instance, or one law. */
typedef struct {
    hbg_name name;  /* 0: positional */
    int32_t index;  /* `p[2] = …`: 2; HBG_NONE without */
    hbg_span span;  /* of the name, or of the value if positional */
    hbg_span whole; /* from the name, or the value, to the end of the value */
    syntax_expr *value;
} syntax_argument;
typedef HBG_VEC(syntax_argument) syntax_arguments;

typedef struct {
    int32_t rows, columns; /* columns of the first row */
    syntax_expr **entries; /* by rows */
    bool ragged;
    hbg_span span;
} syntax_matrix;

typedef struct {
    hbg_name target;
    hbg_span target_span, span;
    syntax_expr *guard, *after; /* NULL where not given */
    syntax_expr *held;          /* `when guard for held`; NULL: at once */
} syntax_transition;

typedef struct {
    hbg_name name;
    hbg_span span;
    bool on;
    HBG_VEC(syntax_transition) transitions;
} syntax_state;

/* `0.5 .. 0.9`: an interval to choose from. */
typedef struct {
    syntax_expr *low, *high;
    bool loss;              /* `loss 10 .. 60 [%]` */
    bool anew;              /* whenever an automaton moves, not once */
    syntax_expr *automaton; /* whose moves count; NULL: the moves of all */
    syntax_expr *middle;    /* of a loss, as it is */
    hbg_span span;
} syntax_interval;

typedef enum {
    DECLARE_PARAM,
    DECLARE_ELEMENT,  /* Se Sf R C I TF GY */
    DECLARE_JUNCTION, /* 0, 1, Sw */
    DECLARE_CHAIN,    /* bonds */
    DECLARE_AUTOMATON,
    DECLARE_SIGNAL, /* signal, state, sample, input, sensor, output, and signal ports */
    DECLARE_PORT,   /* energy port */
    DECLARE_INSTANCE,
    DECLARE_FUNCTION,
    DECLARE_TEXT, /* a parameter whose default is a text, as names of files and columns are */
    DECLARE_FOR,  /* blocks: none is left after expand.c */
    DECLARE_IF
} syntax_declaration_kind;

typedef enum { PORT_NOT, PORT_IN, PORT_OUT } syntax_port_direction;

typedef struct {
    hbg_element_kind form;
    int32_t ports;           /* from `[n]`, else the element's own */
    syntax_expr *port_count; /* where `n` is an expression, until it is known */
    syntax_arguments arguments;
    hbg_span parentheses;  /* around them; {0,0} where there are none */
    syntax_matrix *matrix; /* NULL unless the first argument is one */
    syntax_arguments laws;
} syntax_element;

typedef struct {
    hbg_element_kind kind;
    bool is_switch; /* `Sw`: a source of no effort attached to the junction */
    bool dual_off;
    syntax_expr *control;
    syntax_expr *restitution; /* of an interval the value without a decision */
    syntax_interval *chosen;  /* NULL: one value */
} syntax_junction;

typedef struct {
    syntax_path *ends;
    int32_t count; /* at least 2 */
} syntax_chain;

typedef struct {
    HBG_VEC(syntax_state) states;
    hbg_name start;
    hbg_span start_span; /* {0,0}: the first state */
    syntax_expr *every;
    HBG_VEC(syntax_segment) mentions; /* of states before their transitions, also a second time */
    hbg_span body;                    /* braces included */
} syntax_automaton;

typedef struct {
    hbg_signal_kind kind;
    hbg_type type;
    syntax_port_direction direction;
    syntax_expr *value, *initial, *every, *noise_mean, *noise_variance;
    hbg_span display; /* outputs: the unit after `in`, brackets included; {0,0} if none */
} syntax_signal;

typedef struct {
    hbg_name component;
    hbg_span component_span;
    syntax_expr *count; /* of an array, `Resistor r[n]`; NULL: one */
    syntax_arguments arguments;
    hbg_span parentheses; /* as of an element */
} syntax_instance;

typedef struct syntax_block syntax_block;

typedef struct {
    HBG_VEC(syntax_segment) parameters;
    syntax_expr *body; /* NULL: empty */
    bool visiting;     /* being inlined: a second visit is a recursion */
} syntax_function;

typedef struct {
    syntax_declaration_kind kind;
    hbg_name name;           /* 0 for an unnamed bond */
    syntax_indices *indices; /* of the name, `R r[i]` in a loop over i; or NULL */
    hbg_span span;           /* of the name, or of the whole where there is none */
    hbg_span unit;           /* declared unit, brackets included */
    hbg_drawn_at place;
    hbg_span place_span; /* of `@ (x, y)`; without one, empty and at the place where it would be */
    hbg_span
        whole; /* from its name to the comma or semicolon, where a statement declares several; else all */
    hbg_span statement; /* from its first word to its semicolon or brace */
    const char *doc;
    union {
        struct {
            syntax_expr *param;      /* value; of an interval the value without a decision */
            syntax_interval *chosen; /* NULL: one value */
        };
        syntax_element *element;
        syntax_junction *junction;
        syntax_chain *chain;
        syntax_automaton *automaton;
        syntax_signal *signal;
        syntax_segment domain; /* port */
        syntax_instance *instance;
        syntax_function *function;
        syntax_block *block;
    };
} syntax_declaration;
typedef HBG_VEC(syntax_declaration) syntax_declarations;

/* `for NAME in low .. high { body }`, or `if condition { body } else { otherwise }` */
struct syntax_block {
    hbg_name variable;
    syntax_expr *low, *high, *condition;
    syntax_declarations body, otherwise;
};

/* ---- experiments -------------------------------------------------------------------------------------- */

typedef struct {
    syntax_path target;
    syntax_expr *value; /* a state name is a path */
} syntax_setting;

typedef struct {
    syntax_expr *time;
    syntax_path target;
    syntax_expr *value; /* NULL: an event */
} syntax_action;

typedef struct {
    syntax_expr *at, *until;
    syntax_path target;
    hbg_fault_kind kind;
    hbg_span kind_span, span;
    syntax_expr *value, *value2; /* `stuck closed` is a path */
    const char *text;            /* target, kind and value as one sentence; NULL: as in the span */
} syntax_fault;

typedef struct {
    hbg_name name;
    hbg_span span;
    const char *doc;
    syntax_expr *stop, *step, *record_every, *tolerance;
    hbg_span stop_span, solver_span; /* {0,0} where not said */
    hbg_solver solver;
    HBG_VEC(syntax_setting) settings;
    HBG_VEC(syntax_action) actions;
    HBG_VEC(syntax_fault) faults;
    HBG_VEC(syntax_expr *) records;
    HBG_VEC(syntax_expr *) plots;
    HBG_VEC(hbg_span) sentences; /* all of them, semicolons included */
    hbg_span body;               /* braces included */
    hbg_span statement;          /* from `experiment` on */
} syntax_experiment;

typedef struct {
    syntax_expr *value, *low, *high;
    hbg_span span;
} syntax_range;

/* ---- components, models, files ------------------------------------------------------------------------ */

/* What holds at every jump: a condition, or a bound on what a junction loses. */
typedef struct {
    syntax_expr *lost;  /* the path of the junction; NULL: a condition */
    syntax_expr *value; /* condition or bound */
    bool strict;        /* `<` before the bound */
    hbg_span span;
} syntax_always;

/* A component or a model. */
typedef struct {
    bool is_model;
    hbg_name name;
    hbg_span span;
    const char *doc;
    syntax_declarations declarations; /* parameters of the header come first */
    int32_t header_count;             /* how many those are */
    bool structural; /* has blocks, arrays or indices whose values decide which parts exist */
    HBG_VEC(syntax_experiment) experiments;
    HBG_VEC(syntax_range) ranges;
    HBG_VEC(syntax_expr *) assumptions;
    HBG_VEC(syntax_always) always;
    hbg_span body;      /* braces included */
    hbg_span statement; /* from `model` or `component` on */
    int32_t number;     /* among all definitions, scope of its functions in tables */
    int32_t taking;     /* the same for the names of its arguments: each expansion has its own */
    bool visiting;      /* being instantiated: a second visit is a recursion */
    int64_t size;       /* objects of an instance with all inside; 0 before they are counted */
} syntax_definition;

typedef struct {
    const char *path; /* as written */
    hbg_span span;
    hbg_span statement; /* semicolon included */
} syntax_import;

typedef struct {
    int32_t source;
    HBG_VEC(syntax_import) imports;
    HBG_VEC(syntax_definition *) definitions;
    HBG_VEC(syntax_declaration) functions;
    HBG_VEC(hbg_token) tokens; /* all that was read, for the formatter and for editors */
} syntax_file;

/* What to write instead of a function, a value, or an operator of another language; NULL if it is not
 * known. */
const char *hbg_lang_foreign_function(const char *word);
const char *hbg_lang_foreign_value(const char *word);
const char *hbg_lang_foreign_operator(const char *word);

#endif
