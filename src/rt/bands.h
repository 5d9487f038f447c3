/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every band and tolerance of a run: what it is a share of, and why it is as wide as it is. No other file of rt, sim, term, eqn and code
 * has a bare number of this kind. Numbers that are no tolerance, such as the coefficients of a method or how often something is tried, stay
 * where they are used. */
#ifndef HBG_RT_BANDS_H
#define HBG_RT_BANDS_H

#include <float.h>

/* ---- equality ----------------------------------------------------------------------------------------- */

/* Of the largest a value, or what contributes to it, has been: values nearer to each other are equal (semantics, section 5). Six digits
 * above rounding, so that sums are within it; four below the usual tolerance, so that nothing that is computed rightly is. States and
 * outputs that move by less have not jumped; roots within it are at 0. */
#define HBG_RT_BAND 1e-10
/* Of the same: how far beyond 0 importers find what they look for. It is well within the band, so that what a jump takes away then, such
 * as the current of a diode that blocks, is none; and far above rounding. */
#define HBG_RT_PASSED_BY (HBG_RT_BAND / 8)
/* Of the same: a difference that was found when it left the band, and goes back from there, is still equal; so is one that is no farther
 * away than states may be wrong, however loose the tolerance. */
#define HBG_RT_TURNED      (4 * HBG_RT_BAND)
#define HBG_RT_TURNED_MOST 1e-3
/* Of the largest number of a sum: what sums of a few hundred numbers may have lost by rounding. */
#define HBG_RT_ROUNDING 1e-13
/* Of what contributes to a value: so near to the border of a cell (floor, %, table) it may be beyond it by rounding. */
#define HBG_RT_BORDER HBG_RT_ROUNDING
/* Of a threshold in time, of what is divided, of a quotient: 4 units in a last place. Multiples of what is rounded itself are within 2. */
#define HBG_RT_SLACK 0x1p-50
/* Of what contributes to a value: rounding in computing it once is not more. */
#define HBG_RT_VALUE_ROUNDING (16 * DBL_EPSILON)
/* Of the size of a root: a value that is more is no rounding, whatever it is computed from. */
#define HBG_RT_SURE_ROUNDING (64 * DBL_EPSILON)
/* Of the terms of a pivot, for each row: one that is less is 0 but for rounding. */
#define HBG_RT_PIVOT_ROUNDING (4 * DBL_EPSILON)
/* Of what contributes to a difference: were there no band but rounding, one that is more would decide. */
#define HBG_RT_SHARP 1e-14
/* Of the size of a difference: as root finding saw it and at the instant it is the same but for rounding. */
#define HBG_RT_AS_SEEN 1e-9
/* Of the larger of a value and what it was a moment before (HBG_RT_BEFORE): more is a jump, since a moment brings less. */
#define HBG_RT_BEFORE_JUMP 1e-9
/* Of what contributes to an argument: how far it is moved to see its share in a function. Half of the digits are left for the
 * difference. */
#define HBG_RT_SIZE_STEP 1e-7
/* Of the same: how far it is moved to see how large a function is beside its zero. So far that a square and then its root, which leave
 * little of that, are still far above rounding. */
#define HBG_RT_SIZE_BESIDE 1e-5
/* Of the largest unknown of a loop: as much is said to contribute to each of them where the loop is too large to find out. */
#define HBG_RT_LOOP_SHARE 1e-3
/* Of the largest energy at a jump: a gain that is less is rounding. Ten times the band, since energies are squares and sums. */
#define HBG_RT_ENERGY 1e-9
/* Of the size of a state: what a jump may be off by rounding, to tell whether the energy it loses is any. */
#define HBG_RT_JUMP 1e-12
/* Of the sizes of states: how far they are shaken to see what contributes to a rate. Far above rounding, far below any bend. */
#define HBG_RT_SHAKE 1e-10

/* ---- time --------------------------------------------------------------------------------------------- */

/* Of the time itself: instants nearer to each other are the same. */
#define HBG_RT_SAME_INSTANT (8 * DBL_EPSILON)
/* Of the time at which a wait ends: so much before, it is over. HBG_RT_SAME_INSTANT but for a last digit. */
#define HBG_RT_WAITED (8 * 2.22e-16)
/* Of the time itself: a moment before branches were crossed. Rounding does not hide it, and nothing but a jump changes much in it. */
#define HBG_RT_BEFORE 1e-12
/* Of the time itself, or of a step: an importer that adds up times and comes so near to one means it. */
#define HBG_RT_COME 1e-9
/* Of the stop: a run that an importer integrates may go so far beyond it before it is told to go on. */
#define HBG_RT_BEYOND 1e-3
/* Of the time itself: a crossing is located to it. */
#define HBG_RT_LOCATED (32 * DBL_EPSILON)
/* Of the time itself: a moment, long enough for rounding not to hide it. */
#define HBG_RT_MOMENT (64 * DBL_EPSILON)
/* Of the time itself: no step is shorter; CVODE's are as short as the resolution of time. */
#define HBG_RT_SHORTEST_STEP (4 * DBL_EPSILON)
#define HBG_RT_SHORT_STEP    (16 * DBL_EPSILON)
/* Of the longest step: a moment later branches are taken that are not decided now. */
#define HBG_RT_PEEK 1e-9
/* Of the step: times that only the error of its polynomial tells apart. */
#define HBG_RT_ONE_INSTANT 1e-10
/* Of the step: guards crossed again sooner have not been away. */
#define HBG_RT_RETURN 1e-3
/* Of the largest step: a slope of a surface is looked for no farther ahead. */
#define HBG_RT_SLIDE_TRIAL 1e-3
/* Of the sizes of the states: how far ahead it is. Five values there have their rounding as a share of this, and their error in its
 * fourth power. */
#define HBG_RT_SLIDE_REACH 1e-4
/* Of each other: slopes of one surface, by two relations or on its two sides; energies where these meet. */
#define HBG_RT_SLIDE_ALIKE 1e-6
/* Of the size of the surface's difference: clear of it. */
#define HBG_RT_SLIDE_ASIDE 1e-6
/* Of the run: events that follow one another more closely make no headway. */
#define HBG_RT_HEADWAY 1e-9

/* ---- errors of states --------------------------------------------------------------------------------- */

/* The relative tolerance, if none is asked for. */
#define HBG_RT_RTOL 1e-6
/* The least relative tolerance: a double has 16 digits, and some are lost on the way. */
#define HBG_RT_LEAST_RTOL 1e-14
/* Of rtol times the largest a state has been: the error of a state at 0, if no absolute one is asked for. */
#define HBG_RT_ATOL_SHARE 1e-3
/* Steps in which a state at 0 may have been wrong by that. */
#define HBG_RT_WRONG_STEPS 4.0
/* Times the tolerance: energies that depend on others may come to be so far off in an importer's integrator before it has to begin anew.
 * Nothing reads them before, and each new beginning costs it its order. */
#define HBG_RT_DRIFT 100.0
/* Of the largest state: no size counts as less. What a chain passes on before that is of no concern. */
#define HBG_RT_FLOOR 1e-12

/* ---- integrators -------------------------------------------------------------------------------------- */

/* Of the tolerance: states and rates below it tell no first step; then it is a share of the time ahead. */
#define HBG_RT_FIRST_UNKNOWN 1e-5
#define HBG_RT_FIRST_SHARE   1e-6
/* Of the first step: where the rates behind it cannot be had, or do not move (below the second number), it is as short. */
#define HBG_RT_FIRST_CAUTION 1e-3
#define HBG_RT_FIRST_STILL   1e-15
/* Of the tolerance: an error that was less tells the controller of steps nothing. */
#define HBG_RT_LEAST_ERROR 1e-4
/* rtol above which steps come near the border of stability by themselves. */
#define HBG_RT_LOOSE_RTOL 1e-5
/* rtol below which Adams may have orders above 5; and at which it is worth its work for many states. */
#define HBG_RT_HIGH_ORDER_RTOL 1e-8
#define HBG_RT_ADAMS_RTOL      1e-10
/* Of the size of a state: where Newton's correction in a step is less it is solved; where it does not shrink it may be as much as the
 * second, if it is rounding beside the largest state. */
#define HBG_RT_NEWTON       1e-12
#define HBG_RT_NEWTON_STILL 1e-6
/* Of the longest step: steps of BDF that are shorter, again and again, may swing about a place of rest. Then iterations go on to the
 * second, a share of the error allowed. */
#define HBG_RT_TINY_STEP  1e-3
#define HBG_RT_ITERATIONS 1e-3
/* Reciprocal condition below which the old order of pivots is a bad one. */
#define HBG_RT_CONDITION 1e-13
/* Of the step: how far the middle of one may be off to belong to it. */
#define HBG_RT_MIDDLE 1e-6

/* ---- loops and laws ----------------------------------------------------------------------------------- */

/* Of the size of an unknown: where Newton's step in a loop is less it is solved; where no part of the step leads nearer, nothing but
 * rounding is left below the second. */
#define HBG_RT_SOLVED       1e-14
#define HBG_RT_SOLVED_STILL 1e-9
/* Of the largest an unknown has been: no size counts as less where all parts of a step were in vain. Passing 0 it leaves the rounding of
 * what cancels there. */
#define HBG_RT_UNKNOWN_FLOOR 1e-6
/* Of the largest an unknown has been: the first stride of a search for a change of sign; where it has been 0 always, the stride itself. */
#define HBG_RT_FIRST_STRIDE 1e-12
#define HBG_RT_LEAST_STRIDE 1e-18
/* Of the residuals at the ends of a bracket, and of those a little way off: one that is left and is more than both is a jump. */
#define HBG_RT_RESIDUAL          1e-9
#define HBG_RT_RESIDUAL_ROUNDING 1e-12
/* Of the state times its law at three points: an error of the energy over a stretch that is less is rounding. */
#define HBG_RT_CHARGE 1e-15
/* Of the state: as near to 0 the slope of a law begins where it has no value at 0 itself, as that of √(p·q). */
#define HBG_RT_CHARGE_BEGIN 1e-12

/* Of the range of a curve so far: a lower hump does not show in a picture. */
#define HBG_RT_SEEN 1e-4

/* ---- location ----------------------------------------------------------------------------------------- */

/* Of the band: a guard that has been on its side by more has begun there; less is rounding. */
#define HBG_RT_BEGUN 1e-2
/* Of the step: guards at equality that clear it within so much belong to the crossing of others. */
#define HBG_RT_COMPANY 1e-3
/* Of the size of a guard: one that has been as far away has not been at rest. */
#define HBG_RT_FAR 1e-2
/* Of the size of a root: values below it throughout an interval cast doubt on its size; below the second it may be nothing but
 * rounding. */
#define HBG_RT_DOUBTFUL 1e-3
#define HBG_RT_SLIGHT   1e-4
/* Of the size of a guard: nearer, fixed-step runs ask for the size of its sides. */
#define HBG_RT_NEAR_GUARD 1e-3
/* Of the tolerance of a root of its size: smaller errors of its samples are rather its own noise. */
#define HBG_RT_NOISE 1e-3
/* Of the size of a state: what two rates may differ by in the longest step and be the same. */
#define HBG_RT_SAME_RATES 1e-6
/* Of the largest eigenvalue: a real part that is 0; of two that are equal half of the digits are lost. */
#define HBG_RT_NEUTRAL       1e-13
#define HBG_RT_NEUTRAL_TWICE 1e-7
/* In quarters of the interval: the quartic through its samples tells no more of a root. */
#define HBG_RT_QUARTIC 1e-9
/* Of the step: as far the field is followed behind a crossing; so near to its begin there is no headway. */
#define HBG_RT_FOLLOWED 1e-3
#define HBG_RT_SHORTLY  1e-2
/* Of the step: how far to both sides of its lowest value a guard is looked at for where its slope goes through 0. */
#define HBG_RT_TOUCH 1e-2
/* Of the interval: a touch this near to its end is there. */
#define HBG_RT_TOUCH_END 1e-10
/* Of the range of a root in the interval: an error of its samples from which on there may be a cusp. */
#define HBG_RT_ROUGH 2e-3
/* Of the way of what switches in the interval: beyond a border by no more, it is not. */
#define HBG_RT_BORDER_END 1e-9
/* Of a bound: more than its rounding. */
#define HBG_RT_BOUND 1e-14
/* Ranges of a root in the interval that a cusp between samples may reach down. */
#define HBG_RT_CUSP_REACH 4.0
/* Of the interval, or in quarters of it: just beside a sample. */
#define HBG_RT_BESIDE 1e-4
/* Of the interval: how far inside an end a guard is looked at for being lower there, one after another. */
#define HBG_RT_INSIDE_1 1e-7
#define HBG_RT_INSIDE_2 1e-5
#define HBG_RT_INSIDE_3 1e-3
/* Of a bracket: a minimum is known to it; and of that, a next look that is nearer is of no use. */
#define HBG_RT_MINIMUM 1e-7
#define HBG_RT_USEFUL  1e-3
/* Of the interval: a tip is known to it where others are crossed. */
#define HBG_RT_TIP 1e-7
/* The first distance from the tip of a cusp, of the time itself or the step: half the digits of both are left. Of the first look: what
 * has to be known better of the tip. */
#define HBG_RT_CUSP       1e-9
#define HBG_RT_CUSP_KNOWN 1e-5

/* ---- events that accumulate --------------------------------------------------------------------------- */

/* Relative spread of ratios, and of intervals, that are the same. */
#define HBG_RT_ZENO_STEADY 1e-2
/* Time left, of the time since intervals shrink: events accumulate; and where it is as good as certain that collisions do. */
#define HBG_RT_ZENO_NEAR   1e-4
#define HBG_RT_ZENO_LIKELY 1e-3

/* ---- analysis ----------------------------------------------------------------------------------------- */

/* Of the largest number of a linear form, or of 1: a coefficient that is less is rounding. Forms of what floats and of what is shared have
 * small whole numbers and moduli, and come out of elimination in a few columns. */
#define HBG_RT_FORM 1e-9
/* Of the largest eigenvalue, or of a vector before what is known was taken out of it: less is 0 but for rounding. */
#define HBG_RT_EIGEN 1e-12
/* In decays over the run: slower ones are no time constants of it. */
#define HBG_RT_SLOWEST 1e-3
/* Of the size of a state: one that would change by less stands. */
#define HBG_RT_STANDS 1e-10
/* In sizes of a state: a correction that goes further has to lead to rest by itself, as in a linear field; and how much of it may be left
 * there. */
#define HBG_RT_LEAP   3.0
#define HBG_RT_LANDED 1e-3
/* Of the longest step towards rest: what keeps steps shorter than this is a kink. */
#define HBG_RT_STUCK 1e-3
/* In time constants: shorter steps towards a state of rest lead nowhere. */
#define HBG_RT_NO_STEP 1e-15
/* Of a column: two differences that agree to it are exact. */
#define HBG_RT_AGREES 1e-10
/* Of a state (or of the third number, where that is more): how far it is pushed aside to see whether it depends on others; and by how much
 * more each of the next, so that no two pushes cancel. */
#define HBG_RT_PUSH       1e-6
#define HBG_RT_PUSH_MORE  1e-9
#define HBG_RT_PUSH_LEAST 1e-3
/* Below it, in the smallest of units, a duration is told in seconds. */
#define HBG_RT_TOLD 1e-3

#endif
