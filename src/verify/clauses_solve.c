/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clauses handed to Z3. A search makes its own solver and releases it; only the names of the variables stay.
 * Z3 reports what goes wrong inside it by an error code, which here means that nothing was decided. */
#include "verify/prover_impl.h"

/* ---- life ------------------------------------------------------------------------------------------------
 */

hbg_verify_prover *hbg_verify_prover_new(hbg_memory *memory) {
    hbg_verify_prover *prover = hbg_base_memory_alloc(memory, sizeof *prover);
    if (!prover) return NULL;
    prover->memory = memory;
    hbg_base_arena_init(&prover->group, memory);
    Z3_config config = Z3_mk_config();
    prover->context = config ? Z3_mk_context_rc(config) : NULL;
    if (config) Z3_del_config(config);
    if (!prover->context) {
        hbg_base_memory_free(memory, prover, sizeof *prover);
        return NULL;
    }
    Z3_set_error_handler(prover->context, NULL); // codes, no jumps and no exit
    hbg_verify_watch_init(&prover->watch);
    return prover;
}

void hbg_verify_prover_free(hbg_verify_prover *prover) {
    if (!prover) return;
    hbg_verify_watch_fini(&prover->watch);
    hbg_verify_end_work(prover);
    hbg_base_arena_fini(&prover->group);
    for (int32_t i = 0; i < prover->capacity; i++)
        if (prover->variables[i]) Z3_dec_ref(prover->context, prover->variables[i]);
    Z3_del_context(prover->context);
    hbg_base_memory_free(prover->memory, prover->variables, (size_t)prover->capacity * sizeof(Z3_ast));
    hbg_base_memory_free(prover->memory, prover, sizeof *prover);
}

const char *hbg_verify_why_unknown(const hbg_verify_prover *prover) {
    return prover->why;
}

/* ---- building --------------------------------------------------------------------------------------------
 */

/* A search in progress; `failed` once Z3 has failed or memory has run out. */
typedef struct {
    hbg_verify_prover *prover;
    Z3_context context;
    Z3_solver solver;
    Z3_ast *arguments; /* of a clause */
    bool failed;
} search;

static bool has_error(const search *s) {
    return Z3_get_error_code(s->context) != Z3_OK;
}

/* Keeps what Z3 made until Z3_dec_ref releases it. */
static Z3_ast keep(search *s, Z3_ast ast) {
    if (!ast || has_error(s)) {
        s->failed = true;
        return NULL;
    }
    Z3_inc_ref(s->context, ast);
    return ast;
}

static void name_variables(search *s, int32_t count) {
    hbg_verify_prover *prover = s->prover;
    if (count >= prover->capacity) {
        int32_t capacity = count < INT32_MAX / 2 ? 2 * count + 64 : INT32_MAX;
        Z3_ast *grown = hbg_base_memory_alloc(prover->memory, (size_t)capacity * sizeof *grown);
        s->failed = !grown;
        if (!grown) return;
        if (prover->capacity > 0) memcpy(grown, prover->variables, (size_t)prover->capacity * sizeof *grown);
        hbg_base_memory_free(prover->memory, prover->variables, (size_t)prover->capacity * sizeof *grown);
        prover->variables = grown;
        prover->capacity = capacity;
    }
    for (int32_t i = LITERAL_TRUE; i <= count && !s->failed; i++) {
        if (prover->variables[i]) continue;
        Z3_symbol symbol = Z3_mk_int_symbol(s->context, i);
        prover->variables[i] = keep(s, Z3_mk_const(s->context, symbol, Z3_mk_bool_sort(s->context)));
    }
}

/* A literal, kept. */
static Z3_ast make_literal(search *s, int32_t literal) {
    Z3_ast variable = s->prover->variables[literal > 0 ? literal : -literal];
    return keep(s, literal > 0 ? variable : Z3_mk_not(s->context, variable));
}

/* Asserts that one of the literals holds, or with `most` 0 or above that at most so many do. */
static void assert_literals(search *s, const int32_t *literals, int32_t count, int32_t most) {
    int32_t made = 0;
    for (; made < count && !s->failed; made++) s->arguments[made] = make_literal(s, literals[made]);
    if (!s->failed) {
        Z3_ast ast =
            keep(s, most < 0 ? Z3_mk_or(s->context, (unsigned)count, s->arguments)
                             : Z3_mk_atmost(s->context, (unsigned)count, s->arguments, (unsigned)most));
        if (ast) {
            Z3_solver_assert(s->context, s->solver, ast);
            s->failed = s->failed || has_error(s);
            Z3_dec_ref(s->context, ast);
        }
    }
    for (int32_t i = 0; i < made; i++)
        if (s->arguments[i]) Z3_dec_ref(s->context, s->arguments[i]);
}

static void assert_all(search *s, const verify_clauses *clauses) {
    int32_t truth = LITERAL_TRUE;
    assert_literals(s, &truth, 1, -1);
    for (int32_t i = 0; i < clauses->literals.count && !s->failed;) {
        int32_t end = i;
        while (clauses->literals.items[end] != 0) end++;
        assert_literals(s, clauses->literals.items + i, end - i, -1);
        i = end + 1;
    }
    for (int32_t i = 0; i < clauses->limits.count && !s->failed; i++) {
        const verify_limit *limit = &clauses->limits.items[i];
        assert_literals(s, clauses->limited.items + limit->first, limit->count, limit->most);
    }
}

static size_t longest(const verify_clauses *clauses) {
    int32_t most = 1, length = 0;
    for (int32_t i = 0; i < clauses->literals.count; i++) {
        length = clauses->literals.items[i] == 0 ? 0 : length + 1;
        if (length > most) most = length;
    }
    for (int32_t i = 0; i < clauses->limits.count; i++)
        if (clauses->limits.items[i].count > most) most = clauses->limits.items[i].count;
    return (size_t)most;
}

/* ---- searching -------------------------------------------------------------------------------------------
 */

static void make_solver(search *s, uint32_t effort) {
    // finite domains: a plain satisfiability solver that knows about cardinalities
    s->solver = Z3_mk_solver_for_logic(s->context, Z3_mk_string_symbol(s->context, "QF_FD"));
    s->failed = !s->solver || has_error(s);
    if (s->failed) return;
    Z3_solver_inc_ref(s->context, s->solver);
    Z3_params params = Z3_mk_params(s->context);
    s->failed = !params || has_error(s);
    if (s->failed) return;
    Z3_params_inc_ref(s->context, params);
    Z3_params_set_bool(s->context, params, Z3_mk_string_symbol(s->context, "ctrl_c"), false);
    if (effort > 0) Z3_params_set_uint(s->context, params, Z3_mk_string_symbol(s->context, "rlimit"), effort);
    Z3_solver_set_params(s->context, s->solver, params);
    Z3_params_dec_ref(s->context, params);
    s->failed = has_error(s);
}

static void read_values(search *s, int32_t count, bool *values) {
    Z3_model model = Z3_solver_get_model(s->context, s->solver);
    s->failed = !model || has_error(s);
    if (s->failed) return;
    Z3_model_inc_ref(s->context, model);
    for (int32_t i = LITERAL_TRUE; i <= count; i++) {
        Z3_func_decl name = Z3_get_app_decl(s->context, Z3_to_app(s->context, s->prover->variables[i]));
        Z3_ast value = Z3_model_get_const_interp(s->context, model, name);
        values[i] = value && Z3_get_bool_value(s->context, value) == Z3_L_TRUE;
    }
    Z3_model_dec_ref(s->context, model);
    s->failed = has_error(s);
}

static verify_answer run(search *s, const verify_clauses *clauses, int32_t timeout_ms, bool *values) {
    assert_all(s, clauses);
    if (s->failed) return ANSWER_UNKNOWN;
    Z3_lbool answer = hbg_verify_watch_check(&s->prover->watch, s->context, s->solver, timeout_ms);
    if (answer == Z3_L_FALSE) return ANSWER_NONE;
    if (answer == Z3_L_TRUE) {
        read_values(s, clauses->variables, values);
        return s->failed ? ANSWER_UNKNOWN : ANSWER_FOUND;
    }
    const char *why = s->prover->watch.late ? "timeout" : Z3_solver_get_reason_unknown(s->context, s->solver);
    strncpy(s->prover->why, why ? why : "unknown", WHY_SIZE - 1);
    return ANSWER_UNKNOWN;
}

verify_answer hbg_verify_solve(hbg_verify_prover *prover, const verify_clauses *clauses, int32_t timeout_ms,
                               uint32_t effort, bool *values) {
    search s = {.prover = prover, .context = prover->context};
    size_t size = longest(clauses) * sizeof(Z3_ast);
    memset(prover->why, 0, sizeof prover->why);
    s.arguments = hbg_base_memory_alloc(prover->memory, size);
    s.failed = !s.arguments;
    if (!s.failed) name_variables(&s, clauses->variables);
    if (!s.failed) make_solver(&s, effort);
    verify_answer answer = s.failed ? ANSWER_UNKNOWN : run(&s, clauses, timeout_ms, values);
    if (s.failed) strncpy(prover->why, "the prover ran out of memory", WHY_SIZE - 1);
    if (s.solver) {
        Z3_solver_reset(s.context, s.solver);
        Z3_solver_dec_ref(s.context, s.solver);
    }
    hbg_base_memory_free(prover->memory, s.arguments, size);
    return answer;
}
