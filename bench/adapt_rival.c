/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiment 2 of paper 001 (battery, inverter, fan; examples/adapt-experiment-2) written by hand: what a
 * programmer who knows the equations would write, against which the native engine is measured. Nothing is
 * approximated and no equation left out. Constants are folded, divisions by constants are products, the two
 * switches are factors instead of branches, whatever is used twice is computed once, the sine of the
 * reference once a step. The switches are decided at the start of a step and held.
 *
 *     cc -O2 -o adapt_rival adapt_rival.c -lm        (run_adapt_bench.sh has further flags)
 *     adapt_rival SECONDS ode3|euler [step in s]                                                            */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CHARGE, /* of the battery, C */
    V_1,    /* of its three pairs, V */
    V_2,
    V_3,
    HEAT,    /* taken up by the battery since the start, J */
    BOOST,   /* current of the boost coil, A */
    LINK,    /* voltage between the stages, V */
    BRIDGE,  /* current of the bridge coil, A */
    OUTPUT,  /* voltage delivered, V */
    EXCESS,  /* integral of the link voltage's error, V s */
    FLUX_QS, /* of the windings, Wb */
    FLUX_QR,
    FLUX_DS,
    FLUX_DR,
    RUN,   /* voltage of the run capacitor, V */
    SPEED, /* rad/s */
    STATES
};

static const char *const names[STATES] = {
    "battery.charge.q",      "battery.c1.e",          "battery.c2.e",          "battery.c3.e",
    "battery.body.q",        "inverter.boost_coil.f", "inverter.link.e",       "inverter.bridge_coil.f",
    "inverter.filter.e",     "inverter.excess",       "motor.q_windings[1].p", "motor.q_windings[2].p",
    "motor.d_windings[1].p", "motor.d_windings[2].p", "motor.run_capacitor.e", "motor.disc.f"};

/* ---- battery ------------------------------------------------------------------------------------------ */
static const double C0 = 106360, RP = 500, Q_MAX = 2765360, C1 = 51.079, C2 = 51.216, C3 = 567.56;
static const double R10 = 0.05582, A11 = -0.025025, R20 = 0.001847, R30 = 0.3579, A31 = -2.5315,
                    A32 = 0.22208;
static const double KC = 1.33, C_STAR = 270720, EPSILON = 0.642, DELTA = 0.61, I_STAR = 5, FREEZE = -35;
static const double HEAT_CAPACITY = 2215080, R_THERMAL = 0.01, AMBIENT = 22;
/* ---- inverter ----------------------------------------------------------------------------------------- */
static const double L1 = 0.0022, L2 = 0.075, C_LINK = 0.0069, C_OUT = 6e-6, R_ON = 489.49, V1_REF = 190;
static const double ALPHA = 0.8, BETA = 4.3649, GAIN = 111.375, K = 829.3347, A1 = 15.915, A2 = 0.0048;
static const double AMPLITUDE = 120 * 1.4142135623730951, OMEGA = 120 * 3.14159265358979323846;
/* ---- fan ---------------------------------------------------------------------------------------------- */
static const double LSS_Q = 0.275, LRR_Q = 0.272, LM_Q = 0.1772, LSS_D = 0.274, LRR_D = 0.271, LM_D = 0.2467;
static const double RS_Q = 163.02, RS_D = 168.14 + 26, RR_Q = 145.12, RR_D = 145.12, C_RUN = 21.1e-6;
static const double TURNS = 1.18, POLES = 2, INERTIA = 2 * 6.5e-4, FRICTION = 4.734e-4;

typedef struct {
    double through; /* 1 - u1: the boost coil feeds the link */
    double sign;    /* u2 */
} switches;

/* The currents of a pair of windings from their fluxes. */
static inline double first_current(double first, double second, double ls, double lr, double m) {
    return (lr * first - m * second) * (1 / (ls * lr - m * m));
}

static inline double line_current(const double *x) {
    return first_current(x[FLUX_QS], x[FLUX_QR], LSS_Q, LRR_Q, LM_Q) +
           first_current(x[FLUX_DS], x[FLUX_DR], LSS_D, LRR_D, LM_D);
}

static inline void battery_rates(const double *x, double *rate) {
    double i = x[BOOST], rise = x[HEAT] * (1 / HEAT_CAPACITY);
    double missing = (Q_MAX - x[CHARGE]) / (KC * C_STAR * pow(1 - (AMBIENT + rise) * (1 / FREEZE), EPSILON));
    double doc = 1 - missing * (1 + (KC - 1) * pow((i > 0 ? i : 0) * (1 / I_STAR), DELTA));
    double i1 = x[V_1] / (R10 * (1 + A11 * missing)), i2 = -x[V_2] / (R20 * log(doc));
    double i3 = x[V_3] * (1 + exp(A32 / I_STAR * i)) * exp(-A31 * missing) * (1 / R30);
    rate[CHARGE] = -i - x[CHARGE] * (1 / (C0 * RP));
    rate[V_1] = (i - i1) * (1 / C1);
    rate[V_2] = (i - i2) * (1 / C2);
    rate[V_3] = (i - i3) * (1 / C3);
    rate[HEAT] = x[V_1] * i1 + x[V_2] * i2 + x[V_3] * i3 - rise * (1 / R_THERMAL);
}

static inline void inverter_rates(const double *x, switches u, double load, double *rate) {
    double battery = x[CHARGE] * (1 / C0) - x[V_1] - x[V_2] - x[V_3];
    rate[BOOST] = (battery - u.through * x[LINK]) * (1 / L1);
    rate[LINK] = (u.through * x[BOOST] - u.sign * x[BRIDGE]) * (1 / C_LINK);
    rate[BRIDGE] = (u.sign * x[LINK] - x[OUTPUT]) * (1 / L2);
    rate[OUTPUT] = (x[BRIDGE] - load - x[OUTPUT] * (1 / R_ON)) * (1 / C_OUT);
    rate[EXCESS] = V1_REF - x[LINK];
}

/* Answers the line current. */
static inline double fan_rates(const double *x, double *rate) {
    double i_qs = first_current(x[FLUX_QS], x[FLUX_QR], LSS_Q, LRR_Q, LM_Q);
    double i_qr = first_current(x[FLUX_QR], x[FLUX_QS], LRR_Q, LSS_Q, LM_Q);
    double i_ds = first_current(x[FLUX_DS], x[FLUX_DR], LSS_D, LRR_D, LM_D);
    double i_dr = first_current(x[FLUX_DR], x[FLUX_DS], LRR_D, LSS_D, LM_D);
    double by_d = POLES / TURNS * x[FLUX_DR], by_q = POLES * TURNS * x[FLUX_QR];
    rate[FLUX_QS] = x[OUTPUT] - RS_Q * i_qs;
    rate[FLUX_DS] = x[OUTPUT] - x[RUN] - RS_D * i_ds;
    rate[FLUX_QR] = by_d * x[SPEED] - RR_Q * i_qr;
    rate[FLUX_DR] = -by_q * x[SPEED] - RR_D * i_dr;
    rate[RUN] = i_ds * (1 / C_RUN);
    rate[SPEED] = (by_q * i_dr - by_d * i_qr - FRICTION * x[SPEED]) * (1 / INERTIA);
    return i_qs + i_ds;
}

static inline void rates(const double *x, switches u, double *rate) {
    battery_rates(x, rate);
    inverter_rates(x, u, fan_rates(x, rate), rate);
}

/* A value of exactly 0 leaves a switch as it is. */
static inline switches decide(const double *x, double t, switches u) {
    double sigma = ALPHA * x[BOOST] + BETA * x[LINK] - GAIN * x[EXCESS] - K;
    double product = sigma * (ALPHA / L1 * x[LINK] - BETA / C_LINK * x[BOOST]);
    double slope = (x[BRIDGE] - line_current(x) - x[OUTPUT] * (1 / R_ON)) * (1 / C_OUT);
    double error =
        A1 * (AMPLITUDE * sin(OMEGA * t) - x[OUTPUT]) + A2 * (AMPLITUDE * OMEGA * cos(OMEGA * t) - slope);
    u.through = product < 0 ? 0 : product > 0 ? 1 : u.through;
    u.sign = error > 0 ? 1 : error < 0 ? -1 : u.sign;
    return u;
}

static inline void euler_step(double *x, switches u, double h) {
    double k[STATES];
    rates(x, u, k);
    for (int i = 0; i < STATES; i++) x[i] += h * k[i];
}

/* Bogacki and Shampine, third order. */
static inline void ode3_step(double *x, switches u, double h) {
    double k1[STATES], k2[STATES], k3[STATES], y[STATES];
    rates(x, u, k1);
    for (int i = 0; i < STATES; i++) y[i] = x[i] + h / 2 * k1[i];
    rates(y, u, k2);
    for (int i = 0; i < STATES; i++) y[i] = x[i] + h * 3 / 4 * k2[i];
    rates(y, u, k3);
    for (int i = 0; i < STATES; i++) x[i] += h / 9 * (2 * k1[i] + 3 * k2[i] + 4 * k3[i]);
}

/* Answers at how many steps a switch moved. The last step ends at the end. */
static long simulate(double *x, double h, double seconds, int ode3) {
    switches u = {1, 1};
    long changes = 0, steps = (long)ceil(seconds / h * (1 - 1e-12));
    for (long n = 0; n < steps; n++) {
        switches next = decide(x, (double)n * h, u);
        double step = n < steps - 1 ? h : seconds - (double)n * h;
        changes += n > 0 && (next.through != u.through || next.sign != u.sign);
        u = next;
        if (ode3)
            ode3_step(x, u, step);
        else
            euler_step(x, u, step);
    }
    return changes;
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 1, h = count > 3 ? atof(arguments[3]) : 7.5e-6;
    int ode3 = count < 3 || strcmp(arguments[2], "euler") != 0;
    if (!(seconds > 0) || !(h > 0) || (ode3 && count > 2 && strcmp(arguments[2], "ode3") != 0)) {
        fprintf(stderr, "usage: adapt_rival SECONDS ode3|euler [STEP]\n");
        return 2;
    }
    double x[STATES] = {0};
    x[CHARGE] = 25 * C0;
    x[LINK] = 190;
    clock_t start = clock();
    long changes = simulate(x, h, seconds, ode3);
    double used = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int i = 0; i < STATES; i++) printf("%s %.17g\n", names[i], x[i]);
    printf("mode_changes %ld\ncpu_s %.6f\n", changes, used);
    return 0;
}
