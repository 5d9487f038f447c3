/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reading of a sensor, and the random numbers of its noise. */
#ifndef HBG_RT_SENSOR_H
#define HBG_RT_SENSOR_H

#include "rt/rt.h"

/* The key of a sensor follows from its name: other parts of a model do not change its noise. */
uint64_t hbg_rt_sensor_key(const char *name);
/* A number of the standard normal distribution, the same bits on every machine. */
double hbg_rt_gauss(uint64_t seed, uint64_t key, uint64_t sample);
/* Likewise one of [0, 1), each of 2^53 equally likely. */
double hbg_rt_uniform(uint64_t seed, uint64_t key, uint64_t sample);
/* Its reading of the true value at t, for the sample with this number, from 0. */
double hbg_rt_sensor_read(const hbg_rt_sensor *sensor, int64_t sample, double t, double truth);

#endif
