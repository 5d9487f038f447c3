/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a sensor makes of the truth, and the random numbers that noise is made of. */
#ifndef HBG_RT_SENSOR_H
#define HBG_RT_SENSOR_H

#include "rt/rt.h"

/* The key of a sensor follows from its name: what else a model has does not change its noise. */
uint64_t hbg_rt_sensor_key(const char *name);
/* A number of the standard normal distribution, the same bits on every machine. */
double hbg_rt_gauss(uint64_t seed, uint64_t key, uint64_t sample);
/* Likewise one of [0, 1), each of 2^53 as likely as any other. */
double hbg_rt_uniform(uint64_t seed, uint64_t key, uint64_t sample);
/* What it shows of the truth at t, in its sample of this number, from 0. */
double hbg_rt_sensor_read(const hbg_rt_sensor *sensor, int64_t sample, double t, double truth);

#endif
