/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The functions on an instance, for systems written by hand. */
#ifndef HBG_RT_BY_HAND_IMPL_H
#define HBG_RT_BY_HAND_IMPL_H

#include "rt/by_hand.h"

hbg_rt_status hbg_rt_hand_set_param(hbg_rt_instance *run, int32_t param, double value);
hbg_rt_status hbg_rt_hand_set_input(hbg_rt_instance *run, int32_t input, double value);
hbg_rt_status hbg_rt_hand_declare(hbg_rt_instance *run, double *x);
hbg_rt_status hbg_rt_hand_jump(hbg_rt_instance *run, double t, const double *x, double *x_plus);
hbg_rt_status hbg_rt_hand_jump_work(hbg_rt_instance *run, double *work);
hbg_rt_status hbg_rt_hand_settle(hbg_rt_instance *run, double t, double *x);
hbg_rt_status hbg_rt_hand_rates(hbg_rt_instance *run, double t, const double *x, double *dx);
hbg_rt_status hbg_rt_hand_outputs(hbg_rt_instance *run, double t, const double *x, double *y);
hbg_rt_status hbg_rt_hand_powers(hbg_rt_instance *run, double t, const double *x, double *power);
hbg_rt_status hbg_rt_hand_energies(hbg_rt_instance *run, double t, const double *x, double *energy);
hbg_rt_status hbg_rt_hand_jacobian(hbg_rt_instance *run, double t, const double *x, double *values);
hbg_rt_status hbg_rt_hand_freeze(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                                 int32_t count);
hbg_rt_status hbg_rt_hand_freeze_anew(hbg_rt_instance *run, double t, const double *x, const int32_t *listed,
                                      int32_t count, int8_t *sides);
hbg_rt_status hbg_rt_hand_indicators(hbg_rt_instance *run, double t, const double *x, double *g);
hbg_rt_status hbg_rt_hand_indicator_sizes(hbg_rt_instance *run, double *sizes, double *rounding);
void hbg_rt_hand_indicator_name(int32_t root, char *text, size_t size);
double hbg_rt_hand_next_break(hbg_rt_instance *run, double t);
hbg_rt_status hbg_rt_hand_tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                               int32_t count);
bool hbg_rt_hand_stride(hbg_rt_instance *run, hbg_rt_stride *stride, hbg_rt_status *status);

hbg_rt_status hbg_rt_hand_consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                                   double *x_plus);
hbg_rt_status hbg_rt_hand_move(hbg_rt_instance *run, const int32_t *states, int32_t *next, const bool *alone);
hbg_rt_status hbg_rt_hand_commit(hbg_rt_instance *run, const int32_t *states, const double *x_plus);
hbg_rt_status hbg_rt_hand_flow(hbg_rt_instance *run, const int32_t *states);
bool hbg_rt_hand_event_is_true(hbg_rt_instance *run);
bool hbg_rt_hand_held_back(hbg_rt_instance *run);
bool hbg_rt_hand_forbidden(hbg_rt_instance *run, char *text, size_t size);
bool hbg_rt_hand_same_states(hbg_rt_instance *run, const double *a, const double *b);
void hbg_rt_hand_describe_move(hbg_rt_instance *run, int32_t group, char *text, size_t size);
const int32_t *hbg_rt_hand_groups(hbg_rt_instance *run);
hbg_rt_status hbg_rt_hand_look(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *look);

#endif
