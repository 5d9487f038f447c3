/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The image: all that a run needs to know of a compiled model, as arrays of numbers. Nothing in it points into the compiler, so it
 * can be written to a file, read back, printed as C, or copied to another device.
 *
 * Items refer to each other by number: an id is an int32_t, and -1 means none. A list is a range of numbers that follow each other in
 * the pool named beside it. A pool only grows, and its items never move: a run may read while a compiler on another thread adds local
 * modes that no run has entered yet. */
#ifndef HBG_RT_IMAGE_H
#define HBG_RT_IMAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Items have no padding: what is in a file is what is in memory. */

/* ---- pools -------------------------------------------------------------------------------------------- */

#ifndef HBG_RT_RANGE
#define HBG_RT_RANGE
typedef struct {
    int32_t first, count;
} hbg_rt_range;
#endif

/* Chunk 0 holds 2^shift items, each later chunk as many as all before it. A range lies within one chunk. */
enum { HBG_RT_CHUNKS = 26 };
#define HBG_RT_POOL(type)                                                                                    \
    struct {                                                                                                 \
        type *chunk[HBG_RT_CHUNKS];                                                                          \
        int32_t shift, count;                                                                                \
    }

static inline int32_t hbg_rt_chunk_of(int32_t shift, int32_t index) {
    uint32_t high = (uint32_t)index >> shift;
    return high == 0 ? 0 : 32 - __builtin_clz(high);
}

static inline int32_t hbg_rt_chunk_first(int32_t shift, int32_t chunk) {
    return chunk == 0 ? 0 : (int32_t)(UINT32_C(1) << (shift + chunk - 1));
}

static inline int32_t hbg_rt_chunk_place(int32_t shift, int32_t index) {
    return index - hbg_rt_chunk_first(shift, hbg_rt_chunk_of(shift, index));
}

/* Where an item of a pool is. */
#define HBG_RT_AT(pool, index)                                                                               \
    (&(pool).chunk[hbg_rt_chunk_of((pool).shift, (index))][hbg_rt_chunk_place((pool).shift, (index))])

/* ---- code --------------------------------------------------------------------------------------------- */

/* Register d becomes `op` of the registers that are its arguments. Of a table argument 1 is the table, of a law of charge its number;
 * see the operators of code for the others. */
typedef struct {
    int32_t op;
    int32_t located; /* which located relation decides its branch, or -1 */
    int32_t d;
    int32_t argument[3];
} hbg_rt_instruction;

/* Instructions of a program in the order in which they are run. */
typedef struct {
    const hbg_rt_instruction *code;
    int32_t count;
} hbg_rt_program;

/* Row and column of ∂residual/∂unknown, and the register that holds it. */
typedef struct {
    int32_t row, column, reg;
} hbg_rt_entry;

/* Unknowns that are found together: the body computes residuals and Jacobian from them, and whatever else depends on them. */
typedef struct {
    int32_t count;                /* unknowns */
    int32_t reg, residual;        /* first in ints, by unknown: its register; the register of its residual */
    int32_t name;                 /* first in ints, by unknown: the name it has in messages */
    int32_t area;                 /* first in ints, by unknown: 1 if it is an area */
    hbg_rt_range entries;         /* entries */
    int32_t start, row, entry_of; /* first in ints: pattern by columns, and which entry stands where; sparse only */
    int32_t body;                 /* program */
    uint8_t linear;               /* one exact solve */
    uint8_t sparse;               /* every member is an unknown */
    uint8_t constant;             /* the matrix depends on parameters alone */
    uint8_t spare;
} hbg_rt_loop;

/* The law of a storage as a function of its state alone, for the integral over it. */
typedef struct {
    int32_t state_reg, law_reg;
    int32_t code;     /* program */
    int32_t is_slope; /* 1: it is the slope of a law: where that begins it may be no number, as that of √(p·q) */
} hbg_rt_charge;

/* A register that never changes. */
typedef struct {
    double value;
    int32_t reg, spare;
} hbg_rt_constant;

/* Points of a table; points with one x are a jump. */
typedef struct {
    int32_t count;
    int32_t x, y;  /* first in numbers */
    int32_t turns; /* first in ints, count + 1: whether an odd number of borders lies before an interval */
} hbg_rt_table;

/* An operator with branches that root finding watches while time flows. */
typedef struct {
    int32_t over_time; /* a table whose argument is time itself: its kinks are known beforehand; or -1 */
    int32_t term;      /* its words */
} hbg_rt_located;

/* The Jacobian of the field, by columns: start[j] … start[j + 1] are the rows of column j. Columns of one colour share no row, so that one
 * tangent gives all of them. */
typedef struct {
    int32_t count; /* rows and columns */
    int32_t colour_count;
    int32_t start, row;            /* first in ints */
    int32_t column_start, columns; /* first in ints: by colour, its columns */
    int32_t reg;                   /* first in ints, by state: register of the tangent of its rate */
} hbg_rt_colours;

/* What is read out: a program that is run last, and where it leaves the values. */
typedef struct {
    int32_t code;
    hbg_rt_range reg; /* ints */
} hbg_rt_readout;

/* What code is run for. Tangents follow the field; each of the others is code of its own. */
typedef enum {
    HBG_RT_FIELD,
    HBG_RT_OUTPUTS,
    HBG_RT_POWERS,
    HBG_RT_TICKS,
    HBG_RT_WATCH,
    HBG_RT_TANGENT,
    HBG_RT_READINGS
} hbg_rt_reading;

/* Lengths of what grows when a local mode is compiled: a run that enters one takes over everything up to there. */
typedef struct {
    int32_t registers, constants, prologue, located, loops;
    int32_t widest_loop;  /* unknowns of the largest loop */
    int32_t most_entries; /* entries of the sparse loop with most of them */
} hbg_rt_mark;

/* Everything that code is made of. */
typedef struct {
    HBG_RT_POOL(hbg_rt_instruction) instructions;
    HBG_RT_POOL(hbg_rt_range) programs; /* of instructions */
    HBG_RT_POOL(int32_t) ints;
    HBG_RT_POOL(double) numbers;
    HBG_RT_POOL(hbg_rt_loop) loops;
    HBG_RT_POOL(hbg_rt_entry) entries;
    HBG_RT_POOL(hbg_rt_charge) charges;
    HBG_RT_POOL(hbg_rt_constant) constants;
    HBG_RT_POOL(hbg_rt_instruction) prologue; /* what parameters decide alone: run when one of them changes */
    HBG_RT_POOL(hbg_rt_located) located;
    HBG_RT_POOL(hbg_rt_table) tables;
} hbg_rt_pools;

typedef struct {
    hbg_rt_mark mark;       /* as far as it has been compiled */
    int32_t located_limit;  /* how many located relations there can be: local modes may add some */
    int32_t located_params; /* the first of them are of what parameters alone decide, in the prologue */
    int32_t located_always; /* the first of them are in code that is the same in every mode */
    int32_t start_loops;    /* the first loops are those of the start */
    hbg_rt_readout start;   /* declared energies, by state */
    hbg_rt_readout finals[HBG_RT_READINGS];
    hbg_rt_readout energies;
    int32_t energies_need_field; /* 1: some storage is modulated */
    hbg_rt_range waves;          /* ints: registers with the share of a period or cell that passes in a second */
    hbg_rt_colours colours;      /* once `has_colours` */
} hbg_rt_code;

typedef struct {
    hbg_rt_pools pool;
    hbg_rt_code code;
    atomic_bool has_colours; /* made when a run first asks for the Jacobian */
} hbg_rt_image;

static inline const int32_t *hbg_rt_ints(const hbg_rt_image *image, int32_t first) {
    return HBG_RT_AT(image->pool.ints, first);
}

static inline hbg_rt_program hbg_rt_program_at(const hbg_rt_image *image, int32_t number) {
    if (number < 0) return (hbg_rt_program){0};
    hbg_rt_range range = *HBG_RT_AT(image->pool.programs, number);
    return (hbg_rt_program){range.count ? HBG_RT_AT(image->pool.instructions, range.first) : 0, range.count};
}

#endif
