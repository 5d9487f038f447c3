/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiled model in a file: the image with all its local modes, the names of what it computes, its words, and one experiment. Little
 * endian, IEEE 754, no pointers: a head, then sections of items that are what they are in memory. What is read is checked before
 * anything runs: whatever the bytes are, a run of what was accepted stays within its arrays and ends. */
#ifndef HBG_RT_PACKAGE_H
#define HBG_RT_PACKAGE_H

#include "rt/engine.h"
#include "rt/native.h"

enum { HBG_RT_PACKAGE_MAJOR = 1, HBG_RT_PACKAGE_MINOR = 0 };

/* From `time` on an input has the value; a parameter has another value than declared. */
typedef struct {
    double time, value;
    int32_t input, spare;
} hbg_rt_package_action;
typedef struct {
    double value;
    int32_t param, spare;
} hbg_rt_package_setting;

/* Part of a fault (hbg_rt_override), and what a sensor makes of the truth (hbg_rt_sensor). */
typedef struct {
    double time, value, slope;
    int32_t kind, index, state, cause, is_line;
    int32_t sensor; /* among sensors, or -1 */
} hbg_rt_package_override;
typedef struct {
    double scale, scale_rate, bias, bias_rate, mean, deviation, stuck;
    uint64_t seed, key;
    int32_t is_stuck, spare;
} hbg_rt_package_sensor;

/* How the experiment is run where nothing else is asked for. */
typedef struct {
    double stop, step, rtol, atol, every; /* s; 0: as the engine likes */
    int32_t solver;                       /* a number of the owner's */
    int32_t records;                      /* of the outputs, the first: those that are recorded */
} hbg_rt_package_pace;

typedef struct {
    const hbg_rt_image *image;
    const hbg_rt_description *system;
    const char *version, *model, *experiment; /* of hbg; names. Experiment NULL: none */
    hbg_rt_package_pace pace;
    const hbg_rt_package_action *actions;
    int32_t action_count;
    const hbg_rt_package_setting *settings;
    int32_t setting_count;
    const hbg_rt_package_override *overrides; /* in order of time */
    int32_t override_count;
    const hbg_rt_package_sensor *sensors;
    int32_t sensor_count;
} hbg_rt_package;

/* Asks the provider for every local mode that automata can lead to. HBG_RT_NOT_THERE, HBG_RT_NO_CAUSALITY: `reason` says why there is no
 * end of them, or no beginning. */
hbg_rt_status hbg_rt_image_complete(const hbg_rt_image *image, const hbg_rt_provider *provider,
                                    hbg_rt_memory memory, char *reason, size_t reason_size);

/* The bytes of a file, which are given back with `release`; what the words are is asked of the provider. */
hbg_rt_status hbg_rt_package_write(const hbg_rt_package *package, const hbg_rt_provider *provider,
                                   hbg_rt_memory memory, void **bytes, size_t *size);

/* What was read has an image without a provider. */
const hbg_rt_package *hbg_rt_loaded_package(const hbg_rt_loaded *loaded);
hbg_rt_instance *hbg_rt_loaded_run(const hbg_rt_loaded *loaded, hbg_rt_memory memory);

#endif
