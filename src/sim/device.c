/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides of many runs on a device (rt/native.h). A bank takes the requests of runs as columns of numbers,
 * has the device make the steps, and gives back the results: for the run it is as if it had made the steps
 * itself. A run goes there only if everything that the device treats as common to all runs is the same in
 * this one, to the bit. If the device fails, the run is unchanged, and the processor makes its steps. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "sim/lanes_impl.h"

struct hbg_sim_device {
    const hbg_rt_native_device *table;
    pthread_mutex_t mutex; /* guards all fields below */
    double *uniform;       /* of the grid, and by register, once `is_shared` */
    atomic_bool is_shared, failed;
    char why[400]; /* the reason if it failed or is full, else "" */
    int64_t steps; /* made there */
};

struct hbg_sim_bank {
    hbg_sim_device *device;
    void *of;
    double *cells;
    int32_t lanes;
};

/* ---- the device ---------------------------------------------------------------------------------------- */

hbg_sim_device *hbg_sim_device_new(hbg_arena *arena, const hbg_rt_native_device *table) {
    hbg_sim_device *device = HBG_NEW(arena, hbg_sim_device);
    device->table = table;
    device->uniform = HBG_NEW_ARRAY(arena, double, table->uniform_count + HBG_RT_DEVICE_GRID);
    return pthread_mutex_init(&device->mutex, NULL) == 0 ? device : NULL;
}

void hbg_sim_device_free(hbg_sim_device *device) {
    if (device) pthread_mutex_destroy(&device->mutex);
}

const char *hbg_sim_device_trouble(const hbg_sim_device *device) {
    return device->why[0] ? device->why : NULL;
}

int64_t hbg_sim_device_steps(const hbg_sim_device *device) {
    return device->steps;
}

/* ---- banks --------------------------------------------------------------------------------------------- */

enum { LEAST_LANES = 32 };

static int32_t size_of(const hbg_sim_bank *bank, hbg_rt_device_column of) {
    return bank->device->table->at[of + 1] - bank->device->table->at[of];
}

static double *column(const hbg_sim_bank *bank, hbg_rt_device_column of, int32_t index, int32_t lane) {
    return bank->cells + (size_t)(bank->device->table->at[of] + index) * (size_t)bank->lanes + lane;
}

static double *count_of(const hbg_sim_bank *bank, hbg_rt_device_count count, int32_t lane) {
    return column(bank, HBG_RT_DEVICE_counts, count, lane);
}

/* Marks a lane as idle. */
static void vacate(hbg_sim_bank *bank, int32_t lane) {
    for (int32_t i = 0; i < HBG_RT_DEVICE_COUNTS; i++) *count_of(bank, (hbg_rt_device_count)i, lane) = 0;
}

hbg_sim_bank *hbg_sim_bank_new(hbg_arena *arena, hbg_sim_device *device, int32_t lanes) {
    hbg_sim_bank *bank = HBG_NEW(arena, hbg_sim_bank);
    char why[sizeof device->why] = "";
    int failed = 1;
    for (bank->lanes = lanes; failed; bank->lanes /= 2) {
        failed = device->table->make(bank->lanes, &bank->of, &bank->cells, why, sizeof why);
        if (!failed || failed != HBG_RT_DEVICE_NO_MEMORY || bank->lanes / 2 < LEAST_LANES) break;
    }
    pthread_mutex_lock(&device->mutex);
    if (why[0]) snprintf(device->why, sizeof device->why, "%s", why);
    pthread_mutex_unlock(&device->mutex);
    bank->device = device;
    for (int32_t i = 0; i < bank->lanes && !failed; i++) vacate(bank, i);
    return failed ? NULL : bank;
}

void hbg_sim_bank_free(hbg_sim_bank *bank) {
    if (bank) bank->device->table->drop(bank->of);
}

int32_t hbg_sim_bank_lanes(const hbg_sim_bank *bank) {
    return bank->lanes;
}

/* ---- data common to runs ------------------------------------------------------------------------------- */

/* Products of values smaller than 2 to this power may be 0 on the processor and not elsewhere
 * (code/native_grain.c). */
static bool is_tiny(double value, int exponent) {
    return value != 0 && fabs(value) < ldexp(1, exponent);
}

static bool any_tiny(const double *values, int32_t count, int exponent) {
    for (int32_t i = 0; i < count; i++)
        if (is_tiny(values[i], exponent)) return true;
    return false;
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The first run decides what is shared. */
static void share(hbg_sim_device *device, const double *r, const hbg_rt_grid *grid) {
    const hbg_rt_native_device *table = device->table;
    pthread_mutex_lock(&device->mutex);
    if (!device->is_shared) {
        double *to = device->uniform;
        *to++ = grid->step, *to++ = grid->numerator, *to++ = grid->denominator, *to++ = grid->most;
        for (int32_t i = 0; i < table->uniform_count; i++) *to++ = r[table->uniform[i]];
        device->failed = table->share(device->uniform, device->why, sizeof device->why) != 0;
        device->is_shared = true;
    }
    pthread_mutex_unlock(&device->mutex);
}

bool hbg_sim_bank_fits(hbg_sim_bank *bank, const double *r, const hbg_rt_native_stride *asked) {
    hbg_sim_device *device = bank->device;
    const hbg_rt_native_device *table = device->table;
    if (!device->is_shared) share(device, r, &asked->grid);
    const double *uniform = device->uniform;
    if (device->failed || !same(asked->grid.step, uniform[0]) || !same(asked->grid.numerator, uniform[1]) ||
        !same(asked->grid.denominator, uniform[2]) || !same(asked->grid.most, uniform[3]))
        return false;
    uniform += HBG_RT_DEVICE_GRID;
    for (int32_t i = 0; i < table->uniform_count; i++)
        if (!same(r[table->uniform[i]], uniform[i]) || is_tiny(uniform[i], HBG_RT_DEVICE_LEAST_PARAM))
            return false;
    for (int32_t i = 0; i < table->own_count; i++)
        if (is_tiny(r[table->own[i]], HBG_RT_DEVICE_LEAST_PARAM)) return false;
    return !any_tiny(&asked->grid.step, 1, HBG_RT_DEVICE_LEAST_PARAM) &&
           !any_tiny(asked->x, size_of(bank, HBG_RT_DEVICE_x), HBG_RT_DEVICE_LEAST_STATE) &&
           !any_tiny(asked->last, size_of(bank, HBG_RT_DEVICE_last), HBG_RT_DEVICE_LEAST_STATE) &&
           !any_tiny(asked->area, size_of(bank, HBG_RT_DEVICE_area), HBG_RT_DEVICE_LEAST_WORK) &&
           !any_tiny(asked->work, size_of(bank, HBG_RT_DEVICE_work), HBG_RT_DEVICE_LEAST_WORK);
}

/* ---- lanes --------------------------------------------------------------------------------------------- */

/* The arrays of a run that have a column of the same name: those copied in and out, and those copied in
 * only. */
#define BOTH_WAYS(X) X(x) X(work) X(last) X(low) X(high) X(area) X(states) X(truth)
#define ONE_WAY(X)   X(on) X(near) X(near_others) X(watched_others) X(truth_others)

void hbg_sim_bank_put(hbg_sim_bank *bank, int32_t lane, const double *r, const hbg_rt_native_stride *asked,
                      int64_t steps) {
#define X(name)                                                                                              \
    for (int32_t i = 0; i < size_of(bank, HBG_RT_DEVICE_##name); i++)                                        \
        *column(bank, HBG_RT_DEVICE_##name, i, lane) = (double)asked->name[i];
    BOTH_WAYS(X)
    ONE_WAY(X)
#undef X
    vacate(bank, lane);
    *count_of(bank, HBG_RT_DEVICE_FIRST, lane) = asked->first + (double)asked->done;
    *count_of(bank, HBG_RT_DEVICE_STEPS, lane) = (double)steps;
    for (int32_t i = 0; i < bank->device->table->own_count; i++)
        *column(bank, HBG_RT_DEVICE_own, i, lane) = r[bank->device->table->own[i]];
}

int64_t hbg_sim_bank_get(hbg_sim_bank *bank, int32_t lane, hbg_rt_native_stride *asked, bool *odd) {
#define X(name)                                                                                              \
    for (int32_t i = 0; i < size_of(bank, HBG_RT_DEVICE_##name); i++)                                        \
        asked->name[i] = (__typeof__(*asked->name))*column(bank, HBG_RT_DEVICE_##name, i, lane);
    BOTH_WAYS(X)
#undef X
    int64_t made = (int64_t)*count_of(bank, HBG_RT_DEVICE_DONE, lane);
    asked->done += made;
    asked->commits += (int64_t)*count_of(bank, HBG_RT_DEVICE_COMMITS, lane);
    asked->moves += (int64_t)*count_of(bank, HBG_RT_DEVICE_MOVES, lane);
    asked->looks += (int64_t)*count_of(bank, HBG_RT_DEVICE_LOOKS, lane);
    *odd = *count_of(bank, HBG_RT_DEVICE_ODD, lane) != 0;
    vacate(bank, lane);
    return made;
}

bool hbg_sim_bank_rests(const hbg_sim_bank *bank, int32_t lane) {
    return *count_of(bank, HBG_RT_DEVICE_ODD, lane) != 0 ||
           *count_of(bank, HBG_RT_DEVICE_DONE, lane) >= *count_of(bank, HBG_RT_DEVICE_STEPS, lane);
}

bool hbg_sim_bank_take(hbg_sim_bank *bank, int32_t count) {
    hbg_sim_device *device = bank->device;
    char why[sizeof device->why] = "";
    bool fine = device->table->take(bank->of, count, why, sizeof why) == 0;
    pthread_mutex_lock(&device->mutex);
    if (!fine) snprintf(device->why, sizeof device->why, "%s", why);
    device->failed = device->failed || !fine;
    pthread_mutex_unlock(&device->mutex);
    return fine;
}

void hbg_sim_bank_made(hbg_sim_bank *bank, int64_t steps) {
    pthread_mutex_lock(&bank->device->mutex);
    bank->device->steps += steps;
    pthread_mutex_unlock(&bank->device->mutex);
}
