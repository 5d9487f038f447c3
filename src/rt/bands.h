/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every band and tolerance of a run: what it is a share of, and why it has its width. No other file of rt,
 * sim, term, eqn and code has a bare number of this kind. Numbers that are not tolerances, such as the
 * coefficients of a method or a number of attempts, stay where they are used. */
#ifndef HBG_RT_BANDS_H
#define HBG_RT_BANDS_H

#include <float.h>

/* ---- equality ----------------------------------------------------------------------------------------- */

/* Of the largest magnitude that a value, or a contribution to it, has had: values closer to each other are
 * equal (semantics, section 5). Six digits above rounding, so that sums are within it; four below the usual
 * tolerance, so that no real difference is. States and outputs that move by less have not jumped; roots
 * within it are at 0. */
#define HBG_RT_BAND 1e-10
/* Of the same: how far past 0 importers locate an event. Well within the band, so that what a jump then
 * removes, such as the current of a blocking diode, counts as nothing; and far above rounding. */
#define HBG_RT_PASSED_BY (HBG_RT_BAND / 8)
/* Of the same: a difference that was found when it left the band, and turns back, is still equal; so is one
 * that is no farther away than the error of states, however loose the tolerance. */
#define HBG_RT_TURNED      (4 * HBG_RT_BAND)
#define HBG_RT_TURNED_MOST 1e-3
/* Of the largest number of a sum: what sums of a few hundred numbers may lose by rounding. */
#define HBG_RT_ROUNDING 1e-13
/* Of the contributions to a value: this close to the border of a cell (floor, %, table), rounding may put it
 * on the other side. */
#define HBG_RT_BORDER HBG_RT_ROUNDING
/* Of a threshold in time, of a dividend, of a quotient: 4 units in the last place. Multiples of a rounded
 * number are within 2. */
#define HBG_RT_SLACK 0x1p-50
/* Of the contributions to a value: rounding in one computation of it is not more. */
#define HBG_RT_VALUE_ROUNDING (16 * DBL_EPSILON)
/* Of what a value answers to the rounding of all that it is computed from: it is hardly ever off by more. */
#define HBG_RT_LIKELY_ROUNDING (4 * DBL_EPSILON)
/* Of what answers in the present mode: where that is more, a guard crosses by more than rounding. Less of it does not
 * tell another guard from equality by much. */
#define HBG_RT_LAG (20 * HBG_RT_BAND)
/* Of the size of a root: a larger value is not rounding, whatever it is computed from. */
#define HBG_RT_SURE_ROUNDING (64 * DBL_EPSILON)
/* Of the terms of a pivot, for each row: a smaller pivot is 0 up to rounding. */
#define HBG_RT_PIVOT_ROUNDING (4 * DBL_EPSILON)
/* Of the contributions to a difference: if rounding were the only band, a larger one would decide. */
#define HBG_RT_SHARP 1e-14
/* Of the size of a difference: its values in root finding and at the instant agree up to rounding. */
#define HBG_RT_AS_SEEN 1e-9
/* Of the larger of a value and what it was a moment before (HBG_RT_BEFORE): more is a jump, since a moment
 * changes less. */
#define HBG_RT_BEFORE_JUMP 1e-9
/* Of the contributions to an argument: how far it is moved to see its share in a function. Half of the digits
 * are left for the difference. */
#define HBG_RT_SIZE_STEP 1e-7
/* Of the same: how far it is moved to see how large a function is next to its zero. So far that a square
 * followed by its root, which leave little of that, are still far above rounding. */
#define HBG_RT_SIZE_BESIDE 1e-5
/* Of the largest unknown of a loop: taken as the contribution to each of them if the loop is too large to
 * compute it. */
#define HBG_RT_LOOP_SHARE 1e-3
/* Of the largest energy at a jump: a smaller gain is rounding. Ten times the band, since energies are squares
 * and sums. */
#define HBG_RT_ENERGY 1e-9
/* Of the size of a state: the rounding of a jump, to tell whether it really loses energy. */
#define HBG_RT_JUMP 1e-12
/* Of the sizes of states: how far they are perturbed to see what contributes to a rate. Far above rounding,
 * far below any curvature. */
#define HBG_RT_SHAKE 1e-10

/* ---- time --------------------------------------------------------------------------------------------- */

/* Of the time itself: instants closer to each other are the same. */
#define HBG_RT_SAME_INSTANT (8 * DBL_EPSILON)
/* Of the time at which a wait ends: this much earlier it is over. HBG_RT_SAME_INSTANT up to the last
 * digit. */
#define HBG_RT_WAITED (8 * 2.22e-16)
/* Of the time itself: a moment before branches were crossed. Rounding does not hide it, and only a jump
 * changes much in it. */
#define HBG_RT_BEFORE 1e-12
/* Of the time itself, or of a step: an importer that adds up times and comes this close to a planned one
 * means it. */
#define HBG_RT_COME 1e-9
/* Of the stop: an importer that integrates a run may go this far past it before it is told to continue. */
#define HBG_RT_BEYOND 1e-3
/* Of the time itself: the accuracy to which a crossing is located. */
#define HBG_RT_LOCATED (32 * DBL_EPSILON)
/* Of the time itself: a moment, long enough for rounding not to hide it. */
#define HBG_RT_MOMENT (64 * DBL_EPSILON)
/* Of the time itself: no step is shorter than the first; a CVODE step below the second is at the resolution
 * of time. */
#define HBG_RT_SHORTEST_STEP (4 * DBL_EPSILON)
#define HBG_RT_SHORT_STEP    (16 * DBL_EPSILON)
/* Of the longest step: this moment later branches are chosen that are undecided now. */
#define HBG_RT_PEEK 1e-9
/* Of the step: times that differ only by the error of its polynomial. */
#define HBG_RT_ONE_INSTANT 1e-10
/* Of the step: guards crossed again sooner have not left. */
#define HBG_RT_RETURN 1e-3
/* Of the largest step: how far ahead the slope of a surface is sought at most. */
#define HBG_RT_SLIDE_TRIAL 1e-3
/* Of the sizes of the states: how far ahead it is sought. The rounding of five values there is a share of
 * this, and their error its fourth power. */
#define HBG_RT_SLIDE_REACH 1e-4
/* Of each other: slopes of one surface, by two relations or on its two sides; energies where the sides
 * meet. */
#define HBG_RT_SLIDE_ALIKE 1e-6
/* Of the size of the surface's difference: clear of it. */
#define HBG_RT_SLIDE_ASIDE 1e-6
/* Of the run: events closer to one another make no headway. */
#define HBG_RT_HEADWAY 1e-9

/* ---- errors of states --------------------------------------------------------------------------------- */

/* The relative tolerance, if none is given. */
#define HBG_RT_RTOL 1e-6
/* The least relative tolerance: a double has 16 digits, and some are lost in computations. */
#define HBG_RT_LEAST_RTOL 1e-14
/* Of rtol times the largest magnitude of a state: the error of a state at 0, if no absolute tolerance is
 * given. */
#define HBG_RT_ATOL_SHARE 1e-3
/* Steps in which a state at 0 may have had that error. */
#define HBG_RT_WRONG_STEPS 4.0
/* Times the tolerance: how far dependent energies may drift in an importer's integrator before it has to
 * restart. Nothing reads them until then, and each restart costs it its order. */
#define HBG_RT_DRIFT 100.0
/* Of the largest state: the least size of a state. What a chain of states passes on below it does not
 * matter. */
#define HBG_RT_FLOOR 1e-12

/* ---- integrators -------------------------------------------------------------------------------------- */

/* Of the tolerance: states and rates below it give no first step; then it is a share of the time ahead. */
#define HBG_RT_FIRST_UNKNOWN 1e-5
#define HBG_RT_FIRST_SHARE   1e-6
/* Of the first step: it is this short if the rates after it cannot be computed, or do not change (are below
 * the second number). */
#define HBG_RT_FIRST_CAUTION 1e-3
#define HBG_RT_FIRST_STILL   1e-15
/* Of the tolerance: the least error that the step size controller takes into account. */
#define HBG_RT_LEAST_ERROR 1e-4
/* rtol above which steps come close to the limit of stability by themselves. */
#define HBG_RT_LOOSE_RTOL 1e-5
/* rtol below which Adams may use orders above 5; and at which it is worth its work for many states. */
#define HBG_RT_HIGH_ORDER_RTOL 1e-8
#define HBG_RT_ADAMS_RTOL      1e-10
/* Of the size of a state: a step is solved if Newton's correction is less; one that does not shrink may be as
 * large as the second, if it is rounding relative to the largest state. */
#define HBG_RT_NEWTON       1e-12
#define HBG_RT_NEWTON_STILL 1e-6
/* Of the longest step: repeated BDF steps shorter than this may oscillate about a steady state. Then
 * iterations continue down to the second, a share of the error allowed. */
#define HBG_RT_TINY_STEP  1e-3
#define HBG_RT_ITERATIONS 1e-3
/* Reciprocal condition number below which the old pivot order is bad. */
#define HBG_RT_CONDITION 1e-13
/* Of the step: how far a time may be off its middle and still belong to it. */
#define HBG_RT_MIDDLE 1e-6

/* ---- loops and laws ----------------------------------------------------------------------------------- */

/* Of the size of an unknown: a loop is solved if Newton's step is less; if no part of the step comes closer,
 * only rounding is left below the second. */
#define HBG_RT_SOLVED       1e-14
#define HBG_RT_SOLVED_STILL 1e-9
/* Of the largest magnitude of an unknown: its least size if all parts of a step were in vain. When it passes
 * 0, the rounding of cancelling terms remains. */
#define HBG_RT_UNKNOWN_FLOOR 1e-6
/* Of the largest magnitude of an unknown: the first stride of a search for a change of sign; the second is
 * the stride itself, if the unknown has always been 0. */
#define HBG_RT_FIRST_STRIDE 1e-12
#define HBG_RT_LEAST_STRIDE 1e-18
/* Of the residuals at the ends of a bracket, and of those a little outside: a remaining residual above both
 * means a jump. */
#define HBG_RT_RESIDUAL          1e-9
#define HBG_RT_RESIDUAL_ROUNDING 1e-12
/* Of the state times its law at three points: a smaller error of the energy over an interval is rounding. */
#define HBG_RT_CHARGE 1e-15
/* Of the state: how close to 0 the slope of a law is taken if it has no value at 0 itself, such as that of
 * √(p·q). */
#define HBG_RT_CHARGE_BEGIN 1e-12

/* Of the range of a curve so far: a lower hump is invisible in a picture. */
#define HBG_RT_SEEN 1e-4

/* ---- location ----------------------------------------------------------------------------------------- */

/* Of the band: a guard that has been on its side by more has begun there; less is rounding. */
#define HBG_RT_BEGUN 1e-2
/* Of the step: guards at equality that clear it within this time belong to the crossing of others. */
#define HBG_RT_COMPANY 1e-3
/* Of the size of a guard: one that has been this far away has not been at rest. */
#define HBG_RT_FAR 1e-2
/* Of the size of a root: values below it throughout an interval cast doubt on its size; below the second they
 * may be pure rounding. */
#define HBG_RT_DOUBTFUL 1e-3
#define HBG_RT_SLIGHT   1e-4
/* Of the size of a guard: closer than this, fixed-step runs compute the size of its sides. */
#define HBG_RT_NEAR_GUARD 1e-3
/* Of the tolerance of a root of its size: smaller errors of its samples are more likely its noise. */
#define HBG_RT_NOISE 1e-3
/* Of the size of a state: by how much two rates may change it in the longest step and be the same. */
#define HBG_RT_SAME_RATES 1e-6
/* Of the largest eigenvalue: a real part below it is 0; two equal eigenvalues lose half of the digits. */
#define HBG_RT_NEUTRAL       1e-13
#define HBG_RT_NEUTRAL_TWICE 1e-7
/* In quarters of the interval: the accuracy that the quartic through its samples gives a root. */
#define HBG_RT_QUARTIC 1e-9
/* Of the step: how far the field is followed past a crossing; this close to its beginning there is no
 * headway. */
#define HBG_RT_FOLLOWED 1e-3
#define HBG_RT_SHORTLY  1e-2
/* Of the step: how far to both sides of its minimum a guard is evaluated where its slope passes through 0. */
#define HBG_RT_TOUCH 1e-2
/* Of the interval: a touch this close to its end is at the end. */
#define HBG_RT_TOUCH_END 1e-10
/* Of the range of a root in the interval: above this error of its samples there may be a cusp. */
#define HBG_RT_ROUGH 2e-3
/* Of the range of what switches in the interval: this little past a border, it has not crossed it. */
#define HBG_RT_BORDER_END 1e-9
/* Of a bound: more than its rounding. */
#define HBG_RT_BOUND 1e-14
/* Ranges of a root in the interval: how far down a cusp between samples may reach. */
#define HBG_RT_CUSP_REACH 4.0
/* Of the interval, or in quarters of it: just next to a sample. */
#define HBG_RT_BESIDE 1e-4
/* Of the interval: how far inside an end a guard is checked for lower values, in this order. */
#define HBG_RT_INSIDE_1 1e-7
#define HBG_RT_INSIDE_2 1e-5
#define HBG_RT_INSIDE_3 1e-3
/* Of a bracket: the accuracy of a minimum; and of that, a next evaluation that is closer is useless. */
#define HBG_RT_MINIMUM 1e-7
#define HBG_RT_USEFUL  1e-3
/* Of the interval: the accuracy of a tip where others are crossed. */
#define HBG_RT_TIP 1e-7
/* The first distance from the tip of a cusp, of the time itself or the step: half the digits of both are
 * left. Of the first evaluation: the accuracy required of the tip. */
#define HBG_RT_CUSP       1e-9
#define HBG_RT_CUSP_KNOWN 1e-5

/* ---- events that accumulate --------------------------------------------------------------------------- */

/* Relative spread of ratios, and of intervals, that count as the same. */
#define HBG_RT_ZENO_STEADY 1e-2
/* Time left, of the time since intervals shrink: events accumulate; and the limit at which collisions almost
 * certainly do. */
#define HBG_RT_ZENO_NEAR   1e-4
#define HBG_RT_ZENO_LIKELY 1e-3

/* ---- analysis ----------------------------------------------------------------------------------------- */

/* Of the largest number of a linear form, or of 1: a smaller coefficient is rounding. Forms of floating and
 * shared values have small whole numbers and moduli, and result from elimination in a few columns. */
#define HBG_RT_FORM 1e-9
/* Of the largest eigenvalue, or of a vector before its known parts were removed: less is 0 up to rounding. */
#define HBG_RT_EIGEN 1e-12
/* In decays over the run: slower ones are not time constants of it. */
#define HBG_RT_SLOWEST 1e-3
/* Of the size of a state: one that would change by less stands still. */
#define HBG_RT_STANDS 1e-10
/* In sizes of a state: a longer correction has to lead to rest by itself, as in a linear field; and the share
 * of it that may be left there. */
#define HBG_RT_LEAP   3.0
#define HBG_RT_LANDED 1e-3
/* Of the longest step towards rest: a kink keeps steps shorter than this. */
#define HBG_RT_STUCK 1e-3
/* In time constants: shorter steps towards a state of rest lead nowhere. */
#define HBG_RT_NO_STEP 1e-15
/* Of a column: two differences that agree to it are exact. */
#define HBG_RT_AGREES 1e-10
/* Of a state (or of the third number, if that is larger): how far it is moved to see whether it depends on
 * others; and the increment for each of the next, so that no two moves cancel. */
#define HBG_RT_PUSH       1e-6
#define HBG_RT_PUSH_MORE  1e-9
#define HBG_RT_PUSH_LEAST 1e-3
/* Of its size: a state that a sample would move by more is not at rest. */
#define HBG_RT_AT_REST 1e-6
/* Of the steps of a grid of values, and in steps: its end belongs to it, however it was rounded. */
#define HBG_RT_GRID      1e-12
#define HBG_RT_GRID_STEP 1e-9

/* ---- what is told of a run ---------------------------------------------------------------------------- */

/* Below it, in the smallest of units, a duration is told in seconds. */
#define HBG_RT_TOLD 1e-3
/* Of the time itself: what was planned as near to an event is a part of it. */
#define HBG_RT_TOLD_INSTANT 1e-12
/* Of the larger side of a comparison that was crossed: sides nearer to each other are told as one number; so are those below the second. */
#define HBG_RT_TOLD_EQUAL 1e-9
#define HBG_RT_TOLD_ZERO  1e-13
/* Of the largest value of a curve: less is no jump of it. */
#define HBG_RT_CURVE_JUMP 1e-9
/* Of the largest energy: less is told as 0; more of it may not be missing without a warning. */
#define HBG_RT_NO_ENERGY 1e-14
#define HBG_RT_TRUSTED   1e-3
/* Of the largest of the values that choices lead to: less is no bend. */
#define HBG_RT_BEND 1e-9
/* Of the largest value of a result over all choices: only rounding tells nearer ends apart. */
#define HBG_RT_ALIKE 1e-10
/* Of a column: differences that are worse are told as such. */
#define HBG_RT_ROUGHLY 1e-5
/* Of the size of a law: an engine may miss it by so much within its bands. */
#define HBG_RT_NEARLY 1e-6

/* ---- numbers in models -------------------------------------------------------------------------------- */

/* Of a number, or of 1: numbers of a model nearer to each other were meant to be equal. */
#define HBG_RT_MEANT 1e-12
/* Of what contributes to it: a law that gives power or falls by less does so by rounding. */
#define HBG_RT_PASSIVE 1e-9
/* Of an entry of a matrix scaled to ones, for each port: rounding of its elimination. */
#define HBG_RT_DEFINITE HBG_RT_ROUNDING
/* In sixths: the power of a unit that is nearer to a whole number of them is meant. */
#define HBG_RT_WHOLE 1e-9
/* Of a limit: a number nearer to it is told with all of its digits. */
#define HBG_RT_ALL_DIGITS 1e-5

#endif
