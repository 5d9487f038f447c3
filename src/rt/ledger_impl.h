/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy ledger of a run. */
#ifndef HBG_RT_LEDGER_IMPL_H
#define HBG_RT_LEDGER_IMPL_H

#include "rt/engine.h"

typedef struct hbg_rt_ledger {
    bool on;
    double *work, *rest; /* by power: sum, and its rounding */
    double *power, *energy;
    double *x;
    double lost, lost_rest;
    double given, given_rest; /* by parameters that jumped */
    double before;            /* stored before an instant */
    double scale;
} hbg_rt_ledger;

/* NULL: out of memory. */
hbg_rt_ledger *hbg_rt_ledger_new(hbg_rt_room *room, const hbg_rt_field *field, bool on);
/* Adds the works over [t0, t1] of the last step. */
hbg_rt_status hbg_rt_ledger_step(hbg_rt_ledger *ledger, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                 double t0, double t1);
/* Adds works that were summed elsewhere. */
void hbg_rt_ledger_book(hbg_rt_ledger *ledger, const hbg_rt_field *field, const double *work);
/* Around an instant: the stored energy before, and the loss if x is the state after. */
hbg_rt_status hbg_rt_ledger_before(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x);
/* Parameters have jumped since: the stored energy has changed, with the same states. */
hbg_rt_status hbg_rt_ledger_moved(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x);
/* `given`: the work of parameters that jumped on storages. */
hbg_rt_status hbg_rt_ledger_after(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x,
                                  double given);
hbg_rt_status hbg_rt_ledger_stored(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x,
                                   double *stored);
/* Balance, once stored_at_start and stored_at_end are in the result. */
void hbg_rt_ledger_close(const hbg_rt_ledger *ledger, const hbg_rt_field *field, hbg_rt_result *result);

#endif
