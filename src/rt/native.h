/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code as an alternative to the interpreter: the table that the compiled text exports, and the
 * arguments it is called with. The text declares the same structs (the printers of native code). */
#ifndef HBG_RT_NATIVE_H
#define HBG_RT_NATIVE_H

#include "rt/image.h"
#include "rt/stride.h"

/* What the text contains, besides single evaluations. */
typedef struct {
    bool strides; /* many steps in one call (hbg_rt_stride) */
    hbg_rt_method method;
    bool books;     /* with the works of their steps */
    bool lines;     /* with parameters that the run moves (hbg_rt_set_line) */
    int32_t extent; /* with an extent of this many outputs (hbg_rt_extent); 0: none */
    int32_t lanes;  /* and strides of this many runs in parallel (hbg_rt_native_lanes); 0: none */
} hbg_rt_native_options;

/* What compiled programs call for instructions that are not plain arithmetic. */
typedef struct {
    int (*execute)(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t index);
} hbg_rt_native_host;
typedef int (*hbg_rt_native_program)(double *r, hbg_rt_instance *run, const hbg_rt_native_host *host,
                                     const hbg_rt_instruction *code);

/* A stride as compiled code takes it (the meaning is in rt.h); arrays by position in the calm plan. */
typedef struct {
    hbg_rt_grid grid;
    double first;
    int64_t count;
    int32_t looked;
    int32_t end; /* hbg_rt_stride_end */
    double *x;
    int32_t *states;                  /* by calm automaton */
    const int64_t *on;                /* by calm automaton, its places, its states: −1 if the place is on */
    const double *near, *near_others; /* by relation: below this distance from equality a search decides */
    uint8_t *truth;                   /* by calm relation, out; unchanged where no guard was evaluated */
    const uint8_t *watched_others, *truth_others;
    double *work;
    double *last, *low, *high, *area; /* by output */
    const hbg_rt_row *rows;
    double *outputs;
    double *x0, *dx0; /* states and rates at the start of a step with rows */
    hbg_rt_instance *run;
    hbg_rt_status (*follow)(hbg_rt_instance *run, double t); /* NULL: no parameter moves */
    int32_t row, row_count;                                  /* `row` of them are done, in and out */
    int64_t base;                        /* number of the first step here, as counted by rows */
    int64_t done, commits, moves, looks; /* out */
} hbg_rt_native_stride;

typedef struct {
    int32_t version;
    int32_t program_count;
    const hbg_rt_native_program *programs;
    void (*stride)(const double *r, hbg_rt_native_stride *stride); /* NULL: none */
    int32_t outputs; /* whether it takes rows, and updates an extent */
    int32_t width;   /* runs that `lanes` takes at once; 0: none */
    /* At most this many steps of the strides of several runs, each with a look before it, none with rows, and
     * no moving parameter. *done of them were made, in all runs; runs whose bit is set cannot make their next
     * step here: `stride` makes it. */
    uint32_t (*lanes)(int32_t count, const double *const *r, hbg_rt_native_stride *const *strides,
                      int64_t steps, int64_t *done);
} hbg_rt_native_table;

enum { HBG_RT_NATIVE_VERSION = 5 };

/* Strides of many runs on a device, with text written for it (code/native_device.c). A bank has cells for a
 * number of lanes: columns of numbers, one for each lane, including whole numbers and truths. Columns up to
 * `on` come back changed. Registers that are the same in all runs are passed once (share), after the four
 * numbers of the grid. A launch (take) makes some of the requested steps, and adds to the counts; lanes with
 * all steps made, or whose next one is odd, do not change. Each function returns 0, or another number with
 * the reason. */
#define HBG_RT_DEVICE_LIST(X)                                                                                \
    X(x)                                                                                                     \
    X(work)                                                                                                  \
    X(last)                                                                                                  \
    X(low)                                                                                                   \
    X(high)                                                                                                  \
    X(area)                                                                                                  \
    X(states)                                                                                                \
    X(truth)                                                                                                 \
    X(counts)                                                                                                \
    X(on)                                                                                                    \
    X(near)                                                                                                  \
    X(near_others)                                                                                           \
    X(watched_others)                                                                                        \
    X(truth_others)                                                                                          \
    X(own)
typedef enum {
#define X(name) HBG_RT_DEVICE_##name,
    HBG_RT_DEVICE_LIST(X)
#undef X
        HBG_RT_DEVICE_COLUMNS
} hbg_rt_device_column;
/* The counts of a lane: its first step on the grid, steps at most; those made, looks with moves, moves,
 * looks; not 0: the next step is one for `stride`. */
typedef enum {
    HBG_RT_DEVICE_FIRST,
    HBG_RT_DEVICE_STEPS,
    HBG_RT_DEVICE_DONE,
    HBG_RT_DEVICE_COMMITS,
    HBG_RT_DEVICE_MOVES,
    HBG_RT_DEVICE_LOOKS,
    HBG_RT_DEVICE_ODD,
    HBG_RT_DEVICE_COUNTS
} hbg_rt_device_count;
enum { HBG_RT_DEVICE_VERSION = 3, HBG_RT_DEVICE_GRID = 4 };
/* The values with which a lane begins are 0 or at least 2 to the power of this; products of them are never
 * too small for the device (code/native_grain.c). */
enum { HBG_RT_DEVICE_LEAST_PARAM = -120, HBG_RT_DEVICE_LEAST_STATE = -200, HBG_RT_DEVICE_LEAST_WORK = -960 };
enum {
    HBG_RT_DEVICE_NO_MEMORY = 2,
    HBG_RT_DEVICE_ANOTHER = 3 /* the text was compiled for other devices */
};
typedef struct {
    int32_t version, uniform_count, own_count;
    const int32_t *uniform, *own; /* registers */
    const int32_t *at;            /* by column its first; after them the total */
    const char *name;             /* of the device, after `begin` */
    int (*begin)(char *why, size_t size);
    int (*share)(const double *uniform, char *why, size_t size);
    int (*make)(int32_t lanes, void **bank, double **cells, char *why, size_t size);
    int (*take)(void *bank, int32_t count, char *why, size_t size); /* the first lanes, `count` of them */
    void (*drop)(void *bank);
} hbg_rt_native_device;

/* Takes the strides of a run instead of the compiled function, perhaps together with those of other runs. */
typedef struct {
    void (*take)(void *context, const double *r, hbg_rt_native_stride *stride); /* NULL: none */
    void *context;
} hbg_rt_strider;
void hbg_rt_lend_strider(hbg_rt_instance *run, hbg_rt_strider strider);

/* Compiled code in use: by number of a program its code, or NULL. */
typedef struct {
    const hbg_rt_native_table *table; /* NULL: there is none */
    hbg_rt_native_options options;    /* what it was made for */
    const hbg_rt_native_program *code;
    int32_t count;
} hbg_rt_native;

/* ---- a run of an image --------------------------------------------------------------------------------- */

/* One run. Image, description and native code outlive it. NULL: out of memory. */
hbg_rt_instance *hbg_rt_instance_new(const hbg_rt_description *system, const hbg_rt_image *image,
                                     const hbg_rt_provider *provider, const hbg_rt_native *native,
                                     hbg_rt_memory memory);

#endif
