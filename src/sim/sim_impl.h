/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files around the engine: integrators and solvers of other libraries, the choice among them,
 * words. An integrator that holds memory of another library (SUNDIALS, KLU) allocates it after its last
 * allocation from the arena and frees it in `end`, so exhaustion leaks nothing. */
#ifndef HBG_SIM_IMPL_H
#define HBG_SIM_IMPL_H

#include "rt/engine.h"
#include "sim/sim.h"

/* reserve.c: address space reserved for other libraries, or NULL; and whether some is available. */
void *hbg_sim_reserve(size_t size);
void hbg_sim_reserve_end(void *place, size_t size);
bool hbg_sim_has_memory(size_t size);

/* Memory of the arena, for the engine: exhaustion is reported and does not jump. */
hbg_rt_memory hbg_sim_memory(hbg_arena *arena);

/* ---- integrators and solvers -------------------------------------------------------------------------- */

/* NULL: the other library has no memory. */
hbg_rt_integrator *hbg_sim_cvode_new(hbg_arena *arena, hbg_rt_field *field, bool adams);

/* KLU with the interface for solvers lent to rt: I − scale·J, refactored with a kept analysis. */
typedef struct hbg_sim_sparse hbg_sim_sparse;
hbg_sim_sparse *hbg_sim_sparse_new(hbg_arena *arena, hbg_rt_field *field);
void hbg_sim_sparse_end(hbg_sim_sparse *sparse);
/* Factors identity·I − scale·J at t and x. */
hbg_rt_status hbg_sim_sparse_factor(hbg_sim_sparse *sparse, double t, const double *x, double identity,
                                    double scale);
void hbg_sim_sparse_solve(hbg_sim_sparse *sparse, double *b);

typedef struct {
    hbg_sim_solver solver;
    const char *why;
} hbg_sim_choice;
/* What `auto` selects from the field at the start; `events`: known instants to come. */
hbg_rt_status hbg_sim_choose(hbg_arena *arena, hbg_rt_field *field, const double *x, double events,
                             hbg_sim_choice *choice);
/* Rates at which the linearized field decays, 1/s: the largest and the smallest that is not 0; 0 if none
 * decays. */
typedef struct {
    double fastest_decay, slowest_decay; /* the slowest is 0 if it is not known */
    double fastest;                      /* largest magnitude of all eigenvalues */
} hbg_sim_spectrum;
hbg_rt_status hbg_sim_spectrum_at(hbg_arena *arena, hbg_rt_field *field, double t, const double *x,
                                  hbg_sim_spectrum *spectrum);
/* The slowest decay, of large systems by solving with the Jacobian; 0: not known, for example if the Jacobian
 * is singular. */
double hbg_sim_spectrum_slowest(hbg_arena *arena, hbg_rt_field *field, double t, const double *x,
                                const hbg_sim_spectrum *spectrum);
/* "12 ms", "1.5 ks" into text. */
void hbg_sim_duration_print(char *text, size_t size, double seconds);

/* ---- words -------------------------------------------------------------------------------------------- */

/* Says in result->failure when, why and with which values a run could not go on. */
void hbg_sim_explain(hbg_rt_field *field, hbg_rt_status status, const char *solver, double t, const double *x,
                     hbg_sim_result *result);

#endif
