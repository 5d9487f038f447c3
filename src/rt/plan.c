/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations that time alone decides: time > t0, time % T < D*T, floor(time/T), tables over time, and other
 * functions of time and of values held between instants: parameters, inputs, samples, states of automata.
 * They are never searched for. Between two breaks each of their terms is linear in time, (begin +
 * slope·t)/by, so the next break is a quotient: border k of time % T is k·T, rounded once, however many
 * periods have passed. A break that changes the truth of a guard, or the branch of a law, is an instant, and
 * the side that holds from there on follows from the break, not from values that rounding may have put on
 * either side of it.
 *
 * `begin` has two numbers, of which the second is the rounding error of the first: k·T + D·T is rounded only
 * once as well. */
#include <math.h>

#include "rt/field.h"
#include "rt/run_impl.h"

enum { LOOKS = 32 }; /* breaks that are passed at once if none of them changes a truth */

/* ---- what can be planned ------------------------------------------------------------------------------- */

/* A term by what changes it: nothing between instants; time, in steps; time, linearly; anything else.
 * Besides, whether an instant may change it: it reads more than time and parameters. */
enum { PLAN_HELD, PLAN_STEPS, PLAN_LINES, PLAN_NOT, PLAN_KINDS = 3, PLAN_CHANGES = 4 };

static bool is_held(const hbg_rt_instance *run, const hbg_rt_cell *cell) {
    const hbg_rt_instants *instants = &run->image->instants;
    const hbg_rt_outside *outside = &instants->outside;
    if (cell->view != HBG_RT_VIEW_VALUE || cell->home < 0) return false;
    if (cell->kind == HBG_RT_CELL_PARAM) return true;
    for (int32_t i = 0; i < outside->input_count; i++)
        if (cell->home == outside->inputs[i].value || cell->home == outside->inputs[i].given)
            return !outside->inputs[i].is_event;
    for (int32_t i = 0; i < outside->clock_count; i++)
        if (cell->home == outside->clocks[i].held) return outside->clocks[i].automaton == HBG_RT_NONE;
    for (int32_t i = 0; i < instants->counts.automata; i++)
        if (cell->home == instants->switching.automata[i].reg) return true;
    return false;
}

static int kind_of_variable(const hbg_rt_instance *run, const hbg_rt_plan_step *step) {
    const hbg_rt_cell *cell = &run->image->instants.values.cells[step->cell];
    if (cell->view == HBG_RT_VIEW_VALUE && cell->home == run->image->layout.time) return PLAN_LINES;
    if (!is_held(run, cell)) return PLAN_NOT;
    return cell->kind == HBG_RT_CELL_PARAM ? PLAN_HELD : PLAN_HELD | PLAN_CHANGES;
}

/* Of an operator, from the kinds of its arguments and the last of these. */
static int kind_of_operator(const hbg_rt_plan_step *step, const int *kind, int most) {
    if (most <= PLAN_STEPS)
        return step->op < HBG_RT_OP_VARIABLE || step->op == HBG_RT_OP_SLOPE ? most : PLAN_NOT;
    if (most == PLAN_NOT) return PLAN_NOT;
    switch (hbg_rt_branch_of(step->op)) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_ABOVE:
    case BRANCH_SIGN:
    case BRANCH_FLOOR:
    case BRANCH_CEIL: return PLAN_STEPS;
    case BRANCH_LESSER:
    case BRANCH_GREATER:
    case BRANCH_ABSOLUTE: return PLAN_LINES;
    case BRANCH_REMAINDER: return kind[1] < PLAN_LINES ? PLAN_LINES : PLAN_NOT;
    case BRANCH_TABLE: return step->op == HBG_OP_TABLE ? PLAN_LINES : PLAN_STEPS;
    }
    switch (step->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_NEGATE:
    case HBG_OP_FINITE: return PLAN_LINES;
    case HBG_OP_SELECT: return kind[0] < PLAN_LINES ? PLAN_LINES : PLAN_NOT;
    case HBG_OP_MULTIPLY: return kind[0] < PLAN_LINES || kind[1] < PLAN_LINES ? PLAN_LINES : PLAN_NOT;
    case HBG_OP_DIVIDE: return kind[1] < PLAN_LINES ? PLAN_LINES : PLAN_NOT;
    default: return PLAN_NOT;
    }
}

static int kind_of(const hbg_rt_instance *run, const hbg_rt_plan_step *step) {
    const uint8_t *kinds = run->at.watch.plan.kind;
    const int32_t arguments[] = {step->a, step->b, step->c};
    int kind[3] = {0}, most = PLAN_HELD, changes = 0;
    if (step->op == HBG_RT_OP_VARIABLE) return kind_of_variable(run, step);
    assert(step->arity <= 3);
    for (int i = 0; i < step->arity; i++) {
        kind[i] = kinds[arguments[i]] & PLAN_KINDS;
        most = kind[i] > most ? kind[i] : most;
        changes |= kinds[arguments[i]] & PLAN_CHANGES;
    }
    return kind_of_operator(step, kind, most) | changes;
}

/* ---- linear functions of time -------------------------------------------------------------------------- */

static hbg_rt_moving constant(double value) {
    return (hbg_rt_moving){.begin = value, .by = 1, .next = INFINITY};
}

static double value_of(hbg_rt_moving a) { // of a constant one
    return (a.begin + a.rest) / a.by;
}

/* The sum of two numbers, and its rounding error. */
static void add_rest(double a, double b, double *sum, double *rest) {
    double s = a + b, part = s - a;
    *sum = s;
    *rest = isfinite(s) ? (a - (s - part)) + (b - part) : 0;
}

static hbg_rt_moving scaled(hbg_rt_moving a, double factor) {
    double begin = a.begin * factor, rest = isfinite(begin) ? fma(a.begin, factor, -begin) : 0;
    return (hbg_rt_moving){begin, rest + a.rest * factor, a.slope * factor, a.by, a.next};
}

/* Divides by a constant; a value without a slope is divided at once. */
static hbg_rt_moving divided(hbg_rt_moving a, double by) {
    if (a.slope == 0) return (hbg_rt_moving){value_of(a) / by, 0, 0, 1, a.next};
    if (by < 0) a = scaled(a, -1);
    a.by *= fabs(by);
    return a;
}

static hbg_rt_moving over(hbg_rt_moving a, double by) {
    if (a.by == by) return a;
    if (a.slope == 0) a.begin = value_of(a), a.rest = 0, a.by = 1;
    a = scaled(a, by / a.by);
    a.by = by;
    return a;
}

static hbg_rt_moving sum(hbg_rt_moving a, hbg_rt_moving b) {
    hbg_rt_moving made = {.by = a.slope == 0 ? b.by : a.by, .next = fmin(a.next, b.next)};
    a = over(a, made.by);
    b = over(b, made.by);
    add_rest(a.begin, b.begin, &made.begin, &made.rest);
    add_rest(made.begin, made.rest + a.rest + b.rest, &made.begin, &made.rest);
    made.slope = a.slope + b.slope;
    return made;
}

static hbg_rt_moving difference(hbg_rt_moving a, hbg_rt_moving b) {
    return sum(a, scaled(b, -1));
}

/* When it reaches the level: one quotient. */
static double time_of(hbg_rt_moving a, double level) {
    hbg_rt_moving left =
        difference(over(constant(level), a.by), (hbg_rt_moving){a.begin, a.rest, 0, a.by, 0});
    return (left.begin + left.rest) / a.slope;
}

static bool has_come(double time, double t) {
    return time <= t || hbg_rt_same_instant(time, t);
}

/* ---- just after a time --------------------------------------------------------------------------------- */

/* The side of 0 on which it is. */
static int side_after(hbg_rt_moving a, double t, double *next) {
    double begin = a.begin + a.rest;
    int up = (a.slope > 0) - (a.slope < 0);
    if (up == 0) return (begin > 0) - (begin < 0);
    double when = time_of(a, 0);
    if (has_come(when, t)) return up;
    *next = fmin(*next, when);
    return -up;
}

/* The whole number below it. */
static double cell_after(hbg_rt_moving a, double t, double *next) {
    if (a.slope == 0) return floor(value_of(a));
    bool up = a.slope > 0;
    double cell = floor((a.begin + a.rest + a.slope * t) / a.by); // up to rounding, and to the border itself
    for (double tried = cell - 1; tried <= cell + 2; tried++) {
        double end = time_of(a, up ? tried + 1 : tried);
        if (up ? !has_come(end, t) : has_come(time_of(a, tried + 1), t) && !has_come(end, t)) {
            *next = fmin(*next, end);
            return tried;
        }
    }
    return cell;
}

/* The last point of a table at or before it. */
static int32_t interval_after(hbg_rt_moving a, const double *x, int32_t count, double t, double *next) {
    int32_t low = -1, high = count;
    bool down = a.slope < 0;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        bool below = a.slope == 0 ? x[middle] <= value_of(a) : has_come(time_of(a, x[middle]), t) != down;
        if (below)
            low = middle;
        else
            high = middle;
    }
    if (a.slope > 0 && high < count) *next = fmin(*next, time_of(a, x[high]));
    if (down && low >= 0) *next = fmin(*next, time_of(a, x[low]));
    return low;
}

/* ---- terms --------------------------------------------------------------------------------------------- */

/* A term just after a time: how it continues, and which branch of its operator that is (interpret.c). */
typedef struct {
    hbg_rt_moving value;
    double branch;
} planned;

static planned on_branch(double branch, hbg_rt_moving value, double next) {
    value.next = fmin(value.next, next);
    return (planned){value, branch};
}

static planned relation_after(int op, hbg_rt_moving a, hbg_rt_moving b, double t) {
    hbg_rt_moving of = difference(a, b);
    double next = of.next;
    int side = side_after(of, t, &next);
    bool holds = side == 0 ? hbg_rt_at_equality(op)
                           : (side > 0) == (op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL);
    return on_branch(holds, constant(holds), next);
}

static planned remainder_after(hbg_rt_moving a, hbg_rt_moving b, double t) {
    double by = value_of(b), next = fmin(a.next, b.next);
    if (a.slope == 0) {
        double whole = hbg_rt_quotient(value_of(a), by);
        return on_branch(whole < 0 ? ceil(whole) - 1 : floor(whole),
                         constant(hbg_rt_remainder(value_of(a), by)), next);
    }
    double cell = cell_after(divided(a, by), t, &next);
    double whole = cell < 0 ? cell + 1 : cell; // truncated towards 0
    return on_branch(cell, difference(a, scaled(constant(by), whole)), next);
}

static planned table_after(const hbg_rt_instance *run, const hbg_rt_plan_step *step, hbg_rt_moving a,
                           double t) {
    const hbg_rt_table *of = HBG_RT_AT(run->image->pool.tables, step->b);
    const double *x = HBG_RT_AT(run->image->pool.numbers, of->x),
                 *y = HBG_RT_AT(run->image->pool.numbers, of->y);
    double next = a.next;
    int32_t at = interval_after(a, x, of->count, t, &next);
    bool outside = at < 0 || at >= of->count - 1;
    double slope = outside ? 0 : (y[at + 1] - y[at]) / (x[at + 1] - x[at]);
    if (step->op == HBG_RT_OP_SLOPE) return on_branch(at, constant(slope), next);
    if (outside) return on_branch(at, constant(y[at < 0 ? 0 : at]), next);
    return on_branch(at, sum(scaled(difference(a, constant(x[at])), slope), constant(y[at])), next);
}

static planned branch_after(const hbg_rt_instance *run, const hbg_rt_plan_step *step, hbg_rt_moving a,
                            hbg_rt_moving b, double t) {
    hbg_rt_branch kind = hbg_rt_branch_of(step->op);
    double next = fmin(a.next, step->arity > 1 ? b.next : INFINITY);
    switch (kind) {
    case BRANCH_LESSER:
    case BRANCH_GREATER: {
        int side = side_after(difference(a, b), t, &next);
        bool first = kind == BRANCH_LESSER ? side < 0 : side > 0;
        return on_branch(first, first ? a : b, next);
    }
    case BRANCH_ABSOLUTE: {
        bool positive = side_after(a, t, &next) >= 0;
        return on_branch(positive, positive ? a : scaled(a, -1), next);
    }
    case BRANCH_SIGN: {
        int side = side_after(a, t, &next);
        return on_branch(side, constant(side), next);
    }
    case BRANCH_FLOOR: {
        double cell = cell_after(a, t, &next);
        return on_branch(cell, constant(cell), next);
    }
    case BRANCH_CEIL: {
        double cell = a.slope == 0 ? ceil(value_of(a)) - 1 : cell_after(a, t, &next);
        return on_branch(cell, constant(cell + 1), next);
    }
    case BRANCH_REMAINDER: return remainder_after(a, b, t);
    case BRANCH_TABLE: return table_after(run, step, a, t);
    default: return relation_after(step->op, a, b, t);
    }
}

static hbg_rt_moving cell_at(const hbg_rt_instance *run, const hbg_rt_plan_step *step) {
    int32_t home = run->image->instants.values.cells[step->cell].home;
    if (home == run->image->layout.time) return (hbg_rt_moving){.slope = 1, .by = 1, .next = INFINITY};
    return constant(run->r[home]);
}

/* If the first decides, the second does not count. */
static hbg_rt_moving both_or_either(int op, hbg_rt_moving a, hbg_rt_moving b) {
    bool deciding = op == HBG_OP_OR, one = value_of(a) != 0, other = value_of(b) != 0;
    hbg_rt_moving made = constant(op == HBG_OP_OR ? one || other : one && other);
    made.next = one == deciding && other == deciding ? fmax(a.next, b.next)
                : one == deciding                    ? a.next
                : other == deciding                  ? b.next
                                                     : fmin(a.next, b.next);
    return made;
}

static planned term_after(const hbg_rt_instance *run, const hbg_rt_plan_step *step, const hbg_rt_moving *a,
                          double t) {
    hbg_rt_moving made;
    switch (step->op) {
    case HBG_OP_NUMBER: return (planned){constant(step->number), 0};
    case HBG_RT_OP_VARIABLE: return (planned){cell_at(run, step), 0};
    case HBG_OP_ADD: return (planned){sum(a[0], a[1]), 0};
    case HBG_OP_SUBTRACT: return (planned){difference(a[0], a[1]), 0};
    case HBG_OP_NEGATE: return (planned){scaled(a[0], -1), 0};
    case HBG_OP_FINITE: return (planned){a[0], 0};
    case HBG_OP_OR:
    case HBG_OP_AND: return (planned){both_or_either(step->op, a[0], a[1]), 0};
    case HBG_OP_MULTIPLY:
        made = a[1].slope == 0 ? scaled(a[0], value_of(a[1])) : scaled(a[1], value_of(a[0]));
        break;
    case HBG_OP_DIVIDE: made = divided(a[0], value_of(a[1])); break;
    case HBG_OP_SELECT:
        made = value_of(a[0]) != 0 ? a[1] : a[2];
        made.next = fmin(made.next, a[0].next);
        return (planned){made, 0};
    default:
        if (hbg_rt_branch_of(step->op) != BRANCH_NONE) return branch_after(run, step, a[0], a[1], t);
        made =
            constant(hbg_rt_evaluate((hbg_operator)step->op, value_of(a[0]), value_of(a[1]), value_of(a[2])));
    }
    for (int i = 0; i < step->arity; i++) made.next = fmin(made.next, a[i].next);
    return (planned){made, 0};
}

static planned plan_after(hbg_rt_instance *run, const hbg_rt_plan *plan, double t) {
    const hbg_rt_plan_step *steps = run->image->instants.plans.steps;
    hbg_rt_moving *values = run->at.watch.plan.value;
    planned last = {constant(0), 0};
    for (int32_t i = plan->steps.first; i < plan->steps.first + plan->steps.count; i++) {
        const hbg_rt_plan_step *of = &steps[i];
        hbg_rt_moving a[3] = {constant(0), constant(0), constant(0)};
        if (of->arity > 0) a[0] = values[of->a];
        if (of->arity > 1) a[1] = values[of->b];
        if (of->arity > 2) a[2] = values[of->c];
        last = term_after(run, of, a, t);
        values[i] = last.value;
    }
    return last;
}

/* ---- relations ----------------------------------------------------------------------------------------- */

static int32_t last_step(const hbg_rt_plan *plan) {
    return plan->steps.first + plan->steps.count - 1;
}

static int guard_kind(const hbg_rt_instance *run, int32_t relation) {
    const hbg_rt_instants *instants = &run->image->instants;
    int32_t plan = instants->guards.relations[relation].plan;
    return plan == HBG_RT_NONE ? PLAN_NOT : run->at.watch.plan.kind[last_step(&instants->plans.list[plan])];
}

/* For a guard the truth of its relation, for a branch of a law the branch, and until when it stays at
 * least. What an instant cannot change is found once: the time to which one looks ahead is that of the next instant. */
static planned guard_after(hbg_rt_instance *run, int32_t relation, double t) {
    const hbg_rt_instants *instants = &run->image->instants;
    plan_ahead *of = &run->at.watch.plan.ahead[relation];
    bool is_known = of->t == t && of->version == run->loops.version;
    if (!is_known || (guard_kind(run, relation) & PLAN_CHANGES)) {
        planned found = plan_after(run, &instants->plans.list[instants->guards.relations[relation].plan], t);
        *of = (plan_ahead){t, found.branch, found.value.next, run->loops.version};
    }
    return on_branch(of->branch, constant(of->branch), of->next);
}

static const hbg_rt_plan *plan_of(const hbg_rt_instance *run, int32_t located) {
    return &run->image->instants.plans.list[run->at.watch.plan.place[located] - 1];
}

static planned law_after(hbg_rt_instance *run, int32_t located, double t) {
    return plan_after(run, plan_of(run, located), t);
}

/* The first break that changes it; if more than a few breaks away, `*horizon` is as far as was searched. */
static double turn_of(hbg_rt_instance *run, int32_t number,
                      planned (*after)(hbg_rt_instance *, int32_t, double), double t, double *horizon) {
    planned now = after(run, number, t), then = now;
    for (int i = 0; i < LOOKS; i++) {
        double next = then.value.next;
        if (!(next < INFINITY)) return INFINITY;
        then = after(run, number, next);
        if (then.branch != now.branch) return next;
    }
    *horizon = fmin(*horizon, then.value.next);
    return INFINITY;
}

static bool moves(int kind) {
    return (kind & PLAN_KINDS) == PLAN_STEPS || (kind & PLAN_KINDS) == PLAN_LINES;
}

bool hbg_rt_guard_is_planned(const hbg_rt_instance *run, int32_t relation) {
    const hbg_rt_relation *of = &run->image->instants.guards.relations[relation];
    if (of->plan == HBG_RT_NONE) return false; // most depend on more than time
    if (!run->at.watch.plan.on || run->lines.count > 0 || hbg_rt_is_equality(of->op) || of->always)
        return false;
    return !run->at.watch.plan.at_border[relation] && moves(guard_kind(run, relation));
}

bool hbg_rt_guard_holds_after(hbg_rt_instance *run, int32_t relation, double t) {
    return guard_after(run, relation, t).branch != 0;
}

bool hbg_rt_is_at_plan(const hbg_rt_instance *run) {
    return run->at.watch.plan.on && run->at.limits.branches &&
           run->r[run->image->layout.time] == run->at.watch.plan.t;
}

bool hbg_rt_plan_is_on(const hbg_rt_instance *run, int32_t plan) {
    if (!run->at.watch.plan.on || run->lines.count > 0 || plan == HBG_RT_NONE) return false;
    if (!hbg_rt_is_at_plan(run)) return false; // a moment before
    return moves(run->at.watch.plan.kind[last_step(&run->image->instants.plans.list[plan])]);
}

double hbg_rt_plan_branch(hbg_rt_instance *run, int32_t plan) {
    return plan_after(run, &run->image->instants.plans.list[plan], run->at.watch.plan.t).branch;
}

/* Plans are in the order of their terms. */
static int32_t find_plan(const hbg_rt_instance *run, int32_t term) {
    const hbg_rt_plan *plans = run->image->instants.plans.list;
    int32_t low = -1, high = run->image->instants.counts.plans;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (plans[middle].term <= term)
            low = middle;
        else
            high = middle;
    }
    return low >= 0 && plans[low].term == term ? low : HBG_RT_NONE;
}

/* place: 0, not searched yet; -1, there is no plan; else its number plus 1. */
bool hbg_rt_law_is_planned(const hbg_rt_instance *run, int32_t located) {
    const instant_plan *plan = &run->at.watch.plan;
    if (!plan->on || run->lines.count > 0) return false;
    if (plan->place[located] == 0) {
        const hbg_rt_located *of = HBG_RT_AT(run->image->pool.located, located);
        bool known = of->over_time != HBG_RT_NONE && run->branches.met[located] & 1 << HBG_RT_FIELD;
        int32_t found = known ? HBG_RT_NONE : find_plan(run, of->term); // a kink of a table is a break
        plan->place[located] = found + 1;
        if (found != HBG_RT_NONE && moves(plan->kind[last_step(plan_of(run, located))])) return true;
        plan->place[located] = -1;
    }
    return plan->place[located] > 0;
}

/* A plan in a package made elsewhere may belong to another operator: then it is not used. */
bool hbg_rt_law_branch(hbg_rt_instance *run, const hbg_rt_instruction *code, double *branch) {
    if (!run->at.watch.plan.on || code->located == HBG_RT_NONE || !hbg_rt_law_is_planned(run, code->located))
        return false;
    const hbg_rt_plan_step *top = &run->image->instants.plans.steps[last_step(plan_of(run, code->located))];
    hbg_rt_branch kind = hbg_rt_branch_of(code->op);
    if (kind != hbg_rt_branch_of(top->op) || (kind == BRANCH_TABLE && top->b != code->argument[1]))
        return false;
    *branch = law_after(run, code->located, run->at.watch.plan.t).branch;
    return true;
}

bool hbg_rt_is_planned(const hbg_rt_instance *run, int32_t root) {
    if (run->by_hand || !run->at.watch.plan.on) return false;
    int32_t guards = run->image->code.located_limit;
    if (root >= guards) return hbg_rt_guard_is_planned(run, root - guards);
    return root < run->mark.located && hbg_rt_law_is_planned(run, root);
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

void hbg_rt_plan_prepare(hbg_rt_instance *run) {
    const hbg_rt_instants *instants = &run->image->instants;
    for (int32_t i = 0; i < instants->counts.plan_steps; i++)
        run->at.watch.plan.kind[i] = (uint8_t)kind_of(run, &instants->plans.steps[i]);
    for (int32_t i = 0; i < run->image->code.located_limit; i++) run->at.watch.plan.place[i] = 0;
}

void hbg_rt_plan_begin(hbg_rt_instance *run, bool on) {
    run->at.watch.plan.on = false;
    if (run->by_hand || run->at.watch.plan.kind == NULL || !on) return;
    hbg_rt_plan_prepare(run);
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++)
        run->at.watch.plan.turn[k] = INFINITY, run->at.watch.plan.at_border[k] = false;
    for (int32_t i = 0; i < run->image->code.located_limit; i++) run->at.watch.plan.law_turn[i] = INFINITY;
    run->at.watch.plan.on = true;
}

void hbg_rt_plan_reach(hbg_rt_instance *run, double t) {
    run->at.watch.plan.t = t;
}

double hbg_rt_plan_next(hbg_rt_instance *run, double t, double *horizon) {
    instant_plan *plan = &run->at.watch.plan;
    double next = INFINITY;
    *horizon = INFINITY;
    if (run->by_hand || !plan->on) return next;
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++) {
        bool asked = run->at.watch.watched[k] && hbg_rt_guard_is_planned(run, k);
        plan->turn[k] = asked ? turn_of(run, k, guard_after, t, horizon) : INFINITY;
        next = fmin(next, plan->turn[k]);
    }
    for (int32_t i = 0; i < run->mark.located; i++) {
        unsigned in = hbg_rt_located_in(run, i);
        bool asked = in != 0 && hbg_rt_law_is_planned(run, i);
        plan->law_turn[i] = asked ? turn_of(run, i, law_after, t, horizon) : INFINITY;
        if (in & 1U << HBG_RT_FIELD) next = fmin(next, plan->law_turn[i]);
    }
    return next;
}

int32_t hbg_rt_plan_due(const hbg_rt_instance *run, double t, int32_t *roots) {
    const instant_plan *plan = &run->at.watch.plan;
    int32_t count = 0;
    if (run->by_hand || !plan->on) return 0;
    for (int32_t i = 0; i < run->mark.located; i++)
        if (has_come(plan->law_turn[i], t)) roots[count++] = i;
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++)
        if (has_come(plan->turn[k], t)) roots[count++] = run->image->code.located_limit + k;
    return count;
}
