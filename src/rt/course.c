/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How values that guards read vary between the samples of an interval. Values of a guard alone do not show
 * this: a pulse shorter than the distance between samples leaves no trace in them. But the code of a guard
 * does: a narrow pulse is a fast function of something slow, exp(−(x/w)²), 1/(1 + (x/w)²), max(0, 1 − |x|/w),
 * and samples of the slow value show how far it moves. So the code that guards read is run at all samples,
 * instruction by instruction. Where samples follow an operator (course_follow.c) its value is smooth; where
 * they do not, its bounds in the interval (enclose.c) are passed on to the instructions that read it. A guard
 * whose bounds stay clear of 0 need not be followed. If its bounds do not, the interval is to end where
 * samples stop following the first operator that the guard depends on: just at the kink or jump, if it is
 * one. So nothing is missed because it is short, and nothing that is far away costs an evaluation.
 *
 * Values that depend on values in other states, or on creeping parameters, are not checked here. */
#include <math.h>
#include <string.h>

#include "rt/course_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

/* ---- the code ------------------------------------------------------------------------------------------ */

typedef hbg_rt_course course;

/* How many of the arguments are registers. */
static int registers_of(const hbg_rt_instruction *at) {
    switch (at->op) {
    case HBG_OP_TABLE:
    case HBG_RT_OP_SLOPE:
    case HBG_RT_OP_CHARGE:
    case HBG_RT_OP_DEFAULT: return 1;
    case HBG_RT_OP_SOLVE: return 0;
    default: return 3;
    }
}

/* A function called for each register that a loop writes or reads. */
typedef struct {
    void (*visit)(course *of, int32_t reg, bool writes, void *context);
    void *context;
} visitor;

static void visit_loop(course *of, int32_t loop, visitor by) {
    hbg_rt_loop_view view = hbg_rt_loop_at(of->run->image, loop);
    hbg_rt_program body = hbg_rt_program_at(of->run->image, view.body);
    for (int32_t i = 0; i < view.count; i++) by.visit(of, view.reg[i], true, by.context);
    for (int32_t i = 0; i < body.count; i++) {
        const hbg_rt_instruction *at = &body.code[i];
        if (at->op == HBG_RT_OP_SOLVE) {
            visit_loop(of, at->argument[0], by);
            continue;
        }
        by.visit(of, at->d, true, by.context);
        for (int k = 0; k < registers_of(at); k++)
            if (at->argument[k] != HBG_RT_NONE) by.visit(of, at->argument[k], false, by.context);
    }
}

static void ask_needed(course *of, int32_t reg, bool writes, void *context) {
    if (writes && of->needed[reg] == of->stamp) *(bool *)context = true;
}

static void need(course *of, int32_t reg, bool writes, void *context) {
    (void)context;
    if (!writes) of->needed[reg] = of->stamp;
}

static void need_not(course *of, int32_t reg, bool writes, void *context) {
    (void)context;
    if (writes) of->needed[reg] = 0;
}

/* Unknowns start from their present values. */
static void begin_unknowns(course *of, int32_t loop) {
    hbg_rt_loop_view view = hbg_rt_loop_at(of->run->image, loop);
    for (int32_t i = 0; i < view.count; i++) of->needed[view.reg[i]] = of->stamp;
}

/* Takes an instruction if needed registers depend on it. Instructions are visited from the last to the
 * first. */
static void take_instruction(course *of, const hbg_rt_instruction *at) {
    bool is_needed = at->op != HBG_RT_OP_SOLVE && of->needed[at->d] == of->stamp;
    bool is_loop = at->op == HBG_RT_OP_SOLVE;
    if (is_loop) visit_loop(of, at->argument[0], (visitor){ask_needed, &is_needed});
    if (!is_needed) return;
    of->code[of->capacity - ++of->count] = at;
    of->is_wild = of->is_wild || hbg_rt_may_be_wild(of->run, at);
    if (is_loop) {
        visit_loop(of, at->argument[0], (visitor){need, NULL});
        visit_loop(of, at->argument[0], (visitor){need_not, NULL});
        begin_unknowns(of, at->argument[0]);
        return;
    }
    of->needed[at->d] = 0;
    for (int k = 0; k < registers_of(at); k++)
        if (at->argument[k] != HBG_RT_NONE) of->needed[at->argument[k]] = of->stamp;
}

static hbg_rt_program program_of(const hbg_rt_instance *run, int32_t number) {
    bool last = number == run->variants.segment_count;
    return hbg_rt_program_at(run->image, last ? run->image->code.finals[HBG_RT_WATCH].code
                                              : hbg_rt_code_of(run, number, HBG_RT_WATCH));
}

static bool is_looked_for(const hbg_rt_instance *run, int32_t relation) {
    return run->at.watch.watched[relation] > 0 && !hbg_rt_guard_is_planned(run, relation) &&
           run->image->instants.guards.relations[relation].watch != HBG_RT_NONE;
}

static hbg_rt_status make_room(course *of, int32_t length, int32_t registers) {
    if (length > of->capacity) {
        hbg_rt_room_return(of->room, of->code);
        hbg_rt_room_return(of->room, of->why);
        of->capacity = length;
        of->code = HBG_RT_TAKE(of->room, const hbg_rt_instruction *, length);
        of->why = HBG_RT_TAKE(of->room, hbg_rt_unfollowed, length);
    }
    if (registers > of->registers) {
        void *old[] = {of->inputs, of->span, of->cause, of->needed};
        for (size_t i = 0; i < sizeof old / sizeof *old; i++) hbg_rt_room_return(of->room, old[i]);
        for (int i = 0; i <= LAST; i++) {
            hbg_rt_room_return(of->room, of->lane[i]);
            of->lane[i] = HBG_RT_TAKE(of->room, double, registers);
        }
        of->inputs = HBG_RT_TAKE(of->room, int32_t, registers);
        of->span = HBG_RT_TAKE(of->room, hbg_rt_span, registers);
        of->cause = HBG_RT_TAKE(of->room, int32_t, registers);
        of->needed = HBG_RT_TAKE(of->room, int32_t, registers);
        of->registers = registers;
    }
    return of->room->is_exhausted ? HBG_RT_NO_MEMORY : HBG_RT_OK;
}

static bool has_wild(const hbg_rt_instance *run, hbg_rt_program of) {
    for (int32_t i = 0; i < of.count; i++)
        if (hbg_rt_may_be_wild(run, &of.code[i])) return true;
    return false;
}

/* For an image with all local modes: the longest code of guards, so that such a run allocates nothing
 * later. */
static hbg_rt_status make_room_for_all(course *of) {
    const hbg_rt_image *image = of->run->image;
    const hbg_rt_pools *pool = &image->pool;
    int32_t *longest = HBG_RT_TAKE(of->room, int32_t, pool->choices.count + 1);
    hbg_rt_program last = hbg_rt_program_at(image, image->code.finals[HBG_RT_WATCH].code);
    int32_t length = last.count;
    bool wild = has_wild(of->run, last);
    if (longest == NULL) return HBG_RT_NO_MEMORY;
    for (int32_t i = 0; i < pool->blocks.count; i++) {
        const hbg_rt_block *block = HBG_RT_AT(pool->blocks, i);
        hbg_rt_program own = hbg_rt_program_at(image, block->choice < 0 ? block->code[HBG_RT_WATCH] : -1);
        if (block->choice >= 0) longest[block->choice] = 1;
        length += own.count;
        wild = wild || has_wild(of->run, own);
    }
    for (int32_t i = 0; i < pool->answers.count; i++) {
        const hbg_rt_answer *answer = HBG_RT_AT(pool->answers, i);
        if (longest[answer->choice] == 0) continue;
        hbg_rt_program own =
            hbg_rt_program_at(image, HBG_RT_AT(pool->variants, answer->value)->code[HBG_RT_WATCH]);
        if (own.count > longest[answer->choice]) longest[answer->choice] = own.count;
        wild = wild || has_wild(of->run, own);
    }
    for (int32_t i = 0; i < pool->choices.count; i++) length += longest[i];
    hbg_rt_room_return(of->room, longest);
    return wild ? make_room(of, length, of->run->mark.registers) : HBG_RT_OK;
}

/* Room for the code of the present mode; none if samples follow all of it. */
static hbg_rt_status make_room_for_mode(course *of) {
    const hbg_rt_instance *run = of->run;
    int32_t length = 0;
    of->is_wild = false;
    for (int32_t i = 0; i <= run->variants.segment_count; i++) {
        length += program_of(run, i).count;
        of->is_wild = of->is_wild || has_wild(run, program_of(run, i));
    }
    return of->is_wild ? make_room(of, length, run->mark.registers) : HBG_RT_OK;
}

static hbg_rt_status find_code(course *of) {
    hbg_rt_instance *run = of->run;
    hbg_rt_status status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK) status = make_room_for_mode(of);
    of->is_known = status == HBG_RT_OK;
    if (status != HBG_RT_OK || !of->is_wild) return status;
    of->count = of->input_count = 0;
    of->is_wild = false;
    of->stamp++;
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++)
        if (is_looked_for(run, k)) of->needed[run->image->instants.guards.relations[k].watch] = of->stamp;
    for (int32_t i = run->variants.segment_count; i >= 0; i--) {
        hbg_rt_program program = program_of(run, i);
        for (int32_t n = program.count - 1; n >= 0; n--) take_instruction(of, &program.code[n]);
    }
    if (!of->is_wild) return HBG_RT_OK;
    memmove(of->code, of->code + of->capacity - of->count, (size_t)of->count * sizeof *of->code);
    for (int32_t reg = 0; reg < of->registers; reg++)
        if (of->needed[reg] == of->stamp) of->inputs[of->input_count++] = reg;
    return HBG_RT_OK;
}

/* ---- at samples ---------------------------------------------------------------------------------------- */

static void begin_lane(const course *of, int lane, double t, const double *x) {
    const hbg_rt_instance *run = of->run;
    hbg_rt_range states = run->image->layout.state;
    const int32_t *home = hbg_rt_ints(run->image, states.first);
    double *r = of->lane[lane];
    for (int32_t i = 0; i < of->input_count; i++) r[of->inputs[i]] = run->r[of->inputs[i]];
    for (int32_t i = 0; i < states.count; i++) r[home[i]] = x[i];
    r[run->image->layout.time] = t;
}

static hbg_rt_status run_lane(course *of, int lane, const hbg_rt_instruction *at) {
    double *own = of->run->r;
    of->run->r = of->lane[lane];
    hbg_rt_status status = hbg_rt_execute(of->run, at, 1);
    of->run->r = own;
    return status;
}

static hbg_rt_span span_at(const course *of, int32_t reg) {
    double f[HBG_RT_SAMPLES];
    if (reg == HBG_RT_NONE) return (hbg_rt_span){0, 0};
    if (of->cause[reg] != HBG_RT_NONE) return of->span[reg];
    for (int i = 0; i <= LAST; i++) f[i] = of->lane[i][reg];
    return hbg_rt_span_of(f);
}

static void begin_loop(course *of, int32_t reg, bool writes, void *context) {
    (void)context;
    if (writes) of->cause[reg] = HBG_RT_NONE;
}

static int32_t first_of(int32_t a, int32_t b) {
    return a == HBG_RT_NONE ? b : b == HBG_RT_NONE || a < b ? a : b;
}

static void ask_cause(course *of, int32_t reg, bool writes, void *context) {
    if (!writes) *(int32_t *)context = first_of(*(int32_t *)context, of->cause[reg]);
}

static void end_loop(course *of, int32_t reg, bool writes, void *context) {
    if (!writes) return;
    of->cause[reg] = *(int32_t *)context;
    of->span[reg] = (hbg_rt_span){-INFINITY, INFINITY};
}

/* A loop that reads a value that is not followed may have any solution. */
static void pass_loop(course *of, int32_t loop) {
    int32_t cause = HBG_RT_NONE;
    visit_loop(of, loop, (visitor){begin_loop, NULL});
    visit_loop(of, loop, (visitor){ask_cause, &cause});
    if (cause != HBG_RT_NONE) visit_loop(of, loop, (visitor){end_loop, &cause});
}

/* An instruction whose values at all samples are computed. */
static void pass(course *of, int32_t number, bool is_short) {
    const hbg_rt_instruction *at = of->code[number];
    int32_t cause = HBG_RT_NONE;
    if (at->op == HBG_RT_OP_SOLVE) {
        pass_loop(of, at->argument[0]);
        return;
    }
    for (int k = 0; k < registers_of(at); k++)
        if (at->argument[k] != HBG_RT_NONE) cause = first_of(cause, of->cause[at->argument[k]]);
    if (cause == HBG_RT_NONE && hbg_rt_may_be_wild(of->run, at)) {
        of->why[number] = hbg_rt_follow(of->run, at, of->lane, is_short);
        if (of->why[number].place < LAST || !isnan(of->why[number].border)) cause = number;
    }
    of->cause[at->d] = cause;
    if (cause == HBG_RT_NONE) return;
    hbg_rt_span a[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int k = 0; k < registers_of(at); k++) a[k] = span_at(of, at->argument[k]);
    of->span[at->d] = hbg_rt_enclose(of->run, at, a);
}

/* ---- where the interval has to end --------------------------------------------------------------------- */

/* The first instruction that is not followed and for which a guard may be 0. A guard whose values show that
 * is checked closely anyway. */
static int32_t find_cause(const course *of, const bool *rough, int32_t *guard) {
    const hbg_rt_instance *run = of->run;
    int32_t cause = HBG_RT_NONE;
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++) {
        if (!is_looked_for(run, k) || rough[k]) continue;
        int32_t reg = run->image->instants.guards.relations[k].watch;
        double band = HBG_RT_BAND * run->at.fin_band[k];
        if (of->cause[reg] == HBG_RT_NONE || of->span[reg].low > band || of->span[reg].high < -band) continue;
        if (first_of(cause, of->cause[reg]) != cause) *guard = k;
        cause = first_of(cause, of->cause[reg]);
    }
    return cause;
}

/* The value that an instruction switches on, at a time, as its distance from a border. */
static double away_at(course *of, const hbg_rt_way *way, int32_t cause, double border, double t) {
    way->state(way->context, t, way->x);
    begin_lane(of, 0, t, way->x);
    for (int32_t i = 0; i < cause; i++)
        if (run_lane(of, 0, of->code[i]) != HBG_RT_OK) return NAN;
    return hbg_rt_switched(of->code[cause], of->lane[0]) - border;
}

/* The time between two others at which that value reaches its border, to the resolution of time. */
static double time_of_border(course *of, const hbg_rt_way *way, int32_t cause, double border, double a,
                             double b) {
    double fa = away_at(of, way, cause, border, a), fb = away_at(of, way, cause, border, b);
    if (!(fa * fb < 0)) return fabs(fa) < fabs(fb) ? a : b;
    for (int i = 0; i < 60 && b - a > HBG_RT_LOCATED * fabs(b) / 4; i++) {
        double t = i % 3 == 2 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa);
        if (!(t > a && t < b)) t = a + (b - a) / 2;
        double f = away_at(of, way, cause, border, t);
        if (f == 0) return t;
        if (f * fb > 0)
            b = t, fb = f;
        else
            a = t, fa = f;
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

/* A jump gets an interval to itself, as short as time resolves. */
static double end_at(course *of, const hbg_rt_way *way, int32_t cause, hbg_rt_unfollowed at) {
    double length = way->b - way->a, before = way->a + length * fmax(at.place - 0.25, 0) / LAST;
    if (isnan(at.border)) return way->a + length * at.place / LAST;
    double t = time_of_border(of, way, cause, at.border, before, way->a + length * at.place / LAST);
    double moment = 4 * HBG_RT_LOCATED * fabs(t);
    if (!at.jumps) return t;
    return t - moment > way->a ? t - moment : t + moment;
}

static hbg_rt_status run_all(course *of, const hbg_rt_way *way) {
    hbg_rt_status status = HBG_RT_OK;
    for (int i = 0; i <= LAST; i++) {
        double t = i == LAST ? way->b : way->a + (way->b - way->a) * hbg_rt_root_nodes[i] / LAST;
        way->state(way->context, t, way->x);
        begin_lane(of, i, t, way->x);
    }
    for (int32_t i = 0; i < of->input_count; i++) of->cause[of->inputs[i]] = HBG_RT_NONE;
    for (int32_t n = 0; n < of->count && status == HBG_RT_OK; n++) {
        for (int i = 0; i <= LAST && status == HBG_RT_OK; i++) status = run_lane(of, i, of->code[n]);
        if (status == HBG_RT_OK) pass(of, n, way->b - way->a < HBG_RT_RETURN * way->step);
    }
    return status;
}

/* ---- from outside -------------------------------------------------------------------------------------- */

static bool is_asked(const hbg_rt_instance *run) {
    return !run->by_hand && run->image->instants.has_events && run->image->instants.counts.ins == 0;
}

hbg_rt_course *hbg_rt_course_new(hbg_rt_room *room, hbg_rt_instance *run) {
    hbg_rt_course *of = HBG_RT_TAKE(room, hbg_rt_course, 1);
    if (of == NULL) return NULL;
    *of = (hbg_rt_course){.run = run, .room = room};
    if (!is_asked(run)) return of;
    const hbg_rt_modes *modes = &run->image->modes;
    bool is_complete = modes->built.registers > 0 && modes->first.registers >= modes->built.registers;
    return is_complete && make_room_for_all(of) != HBG_RT_OK ? NULL : of;
}

void hbg_rt_course_forget(hbg_rt_course *of) {
    of->is_known = false;
}

hbg_rt_status hbg_rt_course_end(hbg_rt_course *of, const hbg_rt_way *way, double *end, int32_t *fast) {
    int32_t guard = HBG_RT_NONE;
    *end = way->b;
    *fast = HBG_RT_NONE;
    if (!is_asked(of->run) || of->run->lines.count > 0) return HBG_RT_OK;
    hbg_rt_status status = of->is_known ? HBG_RT_OK : find_code(of);
    if (status != HBG_RT_OK || !of->is_wild) return status;
    if (way->b - way->a <= 16 * HBG_RT_LOCATED * fabs(way->b)) return HBG_RT_OK; // too short to be cut
    if (run_all(of, way) != HBG_RT_OK) return HBG_RT_OK; // without values nothing can be checked
    int32_t cause = find_cause(of, way->rough, &guard);
    if (cause == HBG_RT_NONE) return HBG_RT_OK;
    double t = end_at(of, way, cause, of->why[cause]);
    if (t > way->a && t < way->b) *end = t;
    if (isnan(of->why[cause].border)) *fast = guard;
    return HBG_RT_OK;
}
