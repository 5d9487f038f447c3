/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The image: everything that a run needs from a compiled model, as arrays of numbers. It has no pointers into
 * the compiler, so it can be written to a file, read back, printed as C, or copied to another device.
 *
 * Items refer to each other by number: an id is an int32_t, and -1 means none. A list is a range of
 * consecutive numbers in the pool named next to it. A pool only grows, and its items never move: a run may
 * read while a compiler on another thread adds local modes that no run has entered yet.
 *
 * The map. Pools grow with local modes; this header has their items:
 *   instructions, programs     code: a program is a range of instructions on registers
 *   loops, entries             unknowns that are solved together, and places of the entries of their Jacobian
 *   charges                    laws of storages as functions of the state, for the energy
 *   constants, prologue        registers that never change, and code that depends on parameters alone
 *   located, tables            operators whose branches are watched while time advances; points of tables
 *   blocks, variants           the code of all modes in one order, and a block in one of its local modes
 *   choices, answers, keys     the junctions that select a variant, an event or a validity, and the answers
 *                              by their bits; lookups find an answer by its bits and are not in files
 *   events                     islands in one of their local modes: the code of an instant
 *   regions, validities        everything a junction makes stale; whether a local mode has a valid causal
 *                              assignment
 *   ints, numbers, texts       data of the ranges in all these
 * Arrays have a fixed length; instants_impl.h, which is a part of this header, has their items:
 *   inputs, clocks, params, tick_pres     data from outside, and values that clocks read before they tick
 *   automata, discretes, transitions      automata, their states, and the transitions between them;
 *   controlled, timed                     the junctions that follow them, and those that wait or have a clock
 *   places, tests                         junctions, and the tests of automata that switch them
 *   cells                                 variables that instants read
 *   judgements, judged                    instructions that are judged on them, and programs of these:
 *                                         guards, pre(…), in(…), …
 *   parts, comparisons, beginnings        registers of a value with its pulse, comparisons, first values of
 *                                         registers
 *   plans, plan_steps                     relations that time alone decides between instants, and their terms
 *   guards, relations, enablings,         guards by transition, their comparisons, what each can enable,
 *   steps, named                          guards of calm automata as code, storages that a comparison names
 *   islands                               groups that can influence one another at an instant
 *   pres, ins, restitution, shares        pre(…) and der(…), values in other states, junctions with
 *                                         restitution, and their sums
 *   sources, states, bonds                lines of the ledger that pulse, continuous states, bonds with
 *                                         reported pulses
 *   storage_parts, power_parts            parts connected by bonds, by storage and by line of the ledger
 *   leaders, automaton_island,            by automaton the first of its island, its island,
 *   automaton_throws, source_order        the group judged together with it; automata in source order
 *   lists                                 data of the ranges in these arrays
 * Single numbers, in no list, are in layout, code, modes, counts, calm. Names and the experiment accompany an image
 * (package.h). */
#ifndef HBG_RT_IMAGE_H
#define HBG_RT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/instants_impl.h"
#include "rt/operator.h"
#include "rt/rt.h"

#ifdef __cplusplus
#include <atomic>
#define HBG_RT_ATOMIC(type) std::atomic<type>
#else
#include <stdatomic.h>
#define HBG_RT_ATOMIC(type) _Atomic(type)
#endif

/* Items have no padding: files hold them as they are in memory. */

/* ---- pools -------------------------------------------------------------------------------------------- */

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

/* The address of an item of a pool. */
#define HBG_RT_AT(pool, index)                                                                               \
    (&(pool).chunk[hbg_rt_chunk_of((pool).shift, (index))][hbg_rt_chunk_place((pool).shift, (index))])

/* ---- code --------------------------------------------------------------------------------------------- */

#define HBG_RT_NONE (-1)

/* Operators of code and of programs judged at instants, in addition to the list in rt.h. */
enum {
    HBG_RT_OP_VARIABLE = HBG_OP_COUNT, /* a cell */
    HBG_RT_OP_SLOPE,                   /* slope of a table: argument 0; argument 1: the table */
    HBG_RT_OP_CHARGE,                  /* energy up to a state: argument 0; argument 1: the law */
    HBG_RT_OP_RATE,                    /* rate of argument 0 by moving parameters, per second */
    HBG_RT_OP_SOLVE,                   /* argument 0: loop */
    HBG_RT_OP_DEFAULT,                 /* d = argument 0, unless parameter number 2 was overridden */
    HBG_RT_OP_COPY,                    /* d = argument 0 */
    HBG_RT_OP_COUNT
};

/* Further operators of programs judged at instants. Truths are sets of bits, stored as numbers: HBG_RT_TRUE
 * etc. in rt/run_impl.h. */
enum {
    HBG_RT_JUDGE_LOAD = HBG_RT_OP_COUNT, /* argument 0: cell; argument 1: its parts; d: its finite part */
    HBG_RT_JUDGE,                        /* whether a relation holds, by argument 0: comparison */
    HBG_RT_JUDGE_ORDER,     /* 1 if comparison argument 0 holds without a band for finite parts */
    HBG_RT_JUDGE_OPEN,      /* 1 if unbounded parts leave the truth of argument 0 open */
    HBG_RT_JUDGE_PULSES,    /* refused, with note, if neither argument 0 nor argument 1 is 0 */
    HBG_RT_JUDGE_UNBOUNDED, /* refused, with note, if a side of comparison argument 0 is unbounded */
    HBG_RT_JUDGE_COUNT
};

/* The column `branch` of the list of operators: on what an operator switches while time advances. */
typedef enum {
    BRANCH_NONE,
    BRANCH_BELOW, /* of a relation: whether the first argument is less, or greater, than the second */
    BRANCH_ABOVE,
    BRANCH_LESSER, /* of min and max: whether the result is the first argument */
    BRANCH_GREATER,
    BRANCH_ABSOLUTE, /* whether the argument is positive */
    BRANCH_SIGN,     /* the sign itself */
    BRANCH_FLOOR,    /* the whole number below, or above; whole multiples; the piece of a table */
    BRANCH_CEIL,
    BRANCH_REMAINDER,
    BRANCH_TABLE
} hbg_rt_branch;
extern const uint8_t hbg_rt_branches[HBG_RT_OP_COUNT]; /* by op */
static inline hbg_rt_branch hbg_rt_branch_of(int op) {
    return (hbg_rt_branch)hbg_rt_branches[op];
}

/* Register d becomes `op` of the registers that are its arguments. Exceptions: argument 1 is the number of a
 * table or of a law of charge; see the operators of code for the others. */
typedef struct {
    int32_t op;
    int32_t located; /* which located relation decides its branch, or -1 */
    int32_t d;
    int32_t argument[3];
} hbg_rt_instruction;

/* The instructions of a program, in the order of execution. */
typedef struct {
    const hbg_rt_instruction *code;
    int32_t count;
} hbg_rt_program;

/* Row and column of ∂residual/∂unknown, and the register that holds it. */
typedef struct {
    int32_t row, column, reg;
} hbg_rt_entry;

/* Unknowns that are solved together: the body computes residuals, Jacobian, and everything else that depends
 * on the unknowns. */
typedef struct {
    int32_t count;         /* unknowns */
    int32_t reg, residual; /* first in ints, by unknown: register; register of its residual */
    int32_t name;          /* first in ints, by unknown: its name in messages */
    int32_t area;          /* first in ints, by unknown: 1 if it is an area */
    hbg_rt_range entries;  /* entries */
    int32_t start, row,
        entry_of;     /* first in ints: pattern by columns, and the entry at each place; sparse only */
    int32_t body;     /* program */
    uint8_t linear;   /* one exact solve */
    uint8_t sparse;   /* every member is an unknown */
    uint8_t constant; /* the matrix depends on parameters alone */
    uint8_t spare;
} hbg_rt_loop;

/* The law of a storage as a function of its state alone, for the integral over it. */
typedef struct {
    int32_t state_reg, law_reg;
    int32_t code;     /* program */
    int32_t is_slope; /* 1: the slope of a law, which may be NaN at 0, as that of √(p·q) */
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
    int32_t turns; /* first in ints, count + 1: whether an odd number of borders precedes an interval */
} hbg_rt_table;

/* An operator with branches that root finding watches while time advances. */
typedef struct {
    int32_t over_time; /* a table whose argument is time: its kinks are known in advance; or -1 */
    int32_t term;      /* its words */
} hbg_rt_located;

/* Lengths of the arrays that grow when a local mode is compiled: a run that enters one takes over everything
 * up to them. */
typedef struct {
    int32_t registers, constants, prologue, located, loops;
    int32_t widest_loop;  /* unknowns of the largest loop */
    int32_t most_entries; /* entries of the sparse loop with most of them */
} hbg_rt_mark;

/* The Jacobian of the field, by columns: start[j] … start[j + 1] are the rows of column j. Columns of one
 * colour share no row, so one tangent gives all of them. */
typedef struct {
    int32_t count; /* rows and columns */
    int32_t colour_count;
    int32_t start, row;            /* first in ints */
    int32_t column_start, columns; /* first in ints: by colour, its columns */
    int32_t reg;                   /* first in ints, by state: register of the tangent of its rate */
    hbg_rt_mark mark;
} hbg_rt_colours;

/* Values read out: a program that is run last, and the registers of its results. */
typedef struct {
    int32_t code;
    hbg_rt_range reg; /* ints */
} hbg_rt_readout;

/* The purpose of code. Tangents follow the field, and slopes of guards follow the values watched, by
 * relation, along the seeds and time; -1 for a relation that reads in(…), which has no code. The others have
 * code of their own. */
typedef enum {
    HBG_RT_FIELD,
    HBG_RT_OUTPUTS,
    HBG_RT_POWERS,
    HBG_RT_TICKS,
    HBG_RT_WATCH,
    HBG_RT_TANGENT,
    HBG_RT_SLOPES,
    HBG_RT_READINGS
} hbg_rt_reading;

/* In the first of them relations are located while time advances. */
enum { HBG_RT_LOCATING = HBG_RT_POWERS + 1 };

/* ---- modes -------------------------------------------------------------------------------------------- */

/* A mode is one bit for each place (junction): whether it is on. A choice depends on the bits of a few
 * places, which are its key, in their order. It selects the code of a block or an island, or whether a region
 * has a valid causal assignment. */
typedef struct {
    hbg_rt_range places; /* ints */
} hbg_rt_choice;

/* One key of a choice and its value: a variant, an event or a validity. */
typedef struct {
    int32_t choice;
    int32_t key; /* first in keys, 64 places a word */
    int32_t value;
} hbg_rt_answer;

/* The answers of a choice, as an open hash table that only grows; not in files. An answer is complete before
 * its slot shows it, and a larger table before it replaces the old one, which stays: so lookups take no
 * lock. */
typedef struct {
    int32_t count;                 /* slots, a power of 2 */
    HBG_RT_ATOMIC(int32_t) slot[]; /* answer plus 1; 0: free */
} hbg_rt_slots;
typedef struct {
    HBG_RT_ATOMIC(hbg_rt_slots *) slots;
    int32_t used;
} hbg_rt_lookup;

/* A segment of the code of all modes; their order never changes. */
typedef struct {
    int32_t choice;                /* selects its variant; -1: the same programs in every mode */
    int32_t code[HBG_RT_READINGS]; /* programs */
} hbg_rt_block;

/* A block in one of its local modes. */
typedef struct {
    int32_t code[HBG_RT_READINGS]; /* programs; tangent and slopes once compiled */
    HBG_RT_ATOMIC(int) has_tangent, has_slopes;
    hbg_rt_mark tangent_mark, slopes_mark; /* with tangent, with slopes */
    hbg_rt_range
        located[HBG_RT_LOCATING]; /* ints: relations located in its field; beside those, in what is read */
    hbg_rt_range names;           /* ints, in pairs: name of a variable in messages, its register */
    int32_t doubted;              /* text: a part without equations, if something reads it; or -1 */
    hbg_rt_mark mark;
} hbg_rt_variant;

/* An island in one of its local modes: the code of an instant. Ranges are in ints. */
typedef struct {
    int32_t code;        /* program */
    hbg_rt_range inputs; /* registers it starts from, except states */
    hbg_rt_range olds;   /* states it starts from */
    hbg_rt_range reg;    /* by cell requested: its register, or -1 */
    hbg_rt_range work;   /* by power line of the island: register of its work in the jump */
    hbg_rt_range checks; /* pairs: area that must be 0, words of the term that cannot carry it */
    int32_t limit;       /* program of the unbounded parts, times η; -1: none in this mode */
    /* By cell requested, in threes: registers of its unbounded part and that part's first two derivatives;
     * -1: it has none; HBG_RT_USUAL: physics does not decide it. */
    hbg_rt_range far;
    hbg_rt_range conflicts; /* fives: element in conflict, whether by an effort, registers as above */
    int32_t refused;        /* text, or -1 */
    hbg_rt_mark mark;
} hbg_rt_event;
enum { HBG_RT_USUAL = -2 };

/* Regions of the causal structure in a local mode. */
typedef struct {
    int32_t valid;     /* 1: they have a valid causal assignment */
    int32_t dependent; /* storages in derivative causality */
} hbg_rt_validity;

/* Everything that a switching junction makes stale in its region. Ranges are in ints. */
typedef struct {
    hbg_rt_range blocks, islands;
    hbg_rt_range judged; /* validities, as modes.judged numbers them */
} hbg_rt_region;

typedef struct {
    int32_t words;          /* words of a mode, 64 places each */
    int32_t regions;        /* number of regions */
    hbg_rt_range judged;    /* ints: choices of validities */
    hbg_rt_range islands;   /* ints, by island: choice of its event */
    hbg_rt_range dependent; /* ints, pairs: a state that may be dependent, its register then */
    int32_t refused;        /* text: why the model cannot be run, or -1 */
    hbg_rt_mark first;      /* data of a run before it enters a mode */
    hbg_rt_mark built;      /* with the blocks that are the same in every mode */
} hbg_rt_modes;

/* Registers of values given from outside. Ranges are in ints, by state. */
typedef struct {
    hbg_rt_range state, old; /* a state, and its value before a jump */
    hbg_rt_range seed;       /* its direction, for tangents */
    int32_t time;
    hbg_rt_range names; /* ints, pairs: name of a variable, its register in all modes; once `is_built` */
} hbg_rt_layout;

/* All parts of code and modes. */
typedef struct {
    HBG_RT_POOL(hbg_rt_instruction) instructions;
    HBG_RT_POOL(hbg_rt_range) programs; /* of instructions */
    HBG_RT_POOL(int32_t) ints;
    HBG_RT_POOL(double) numbers;
    HBG_RT_POOL(hbg_rt_loop) loops;
    HBG_RT_POOL(hbg_rt_entry) entries;
    HBG_RT_POOL(hbg_rt_charge) charges;
    HBG_RT_POOL(hbg_rt_constant) constants;
    HBG_RT_POOL(hbg_rt_instruction) prologue; /* depends on parameters alone: run when one changes */
    HBG_RT_POOL(hbg_rt_located) located;
    HBG_RT_POOL(hbg_rt_table) tables;
    HBG_RT_POOL(hbg_rt_choice) choices;
    HBG_RT_POOL(hbg_rt_lookup) lookups; /* by choice */
    HBG_RT_POOL(hbg_rt_answer) answers;
    HBG_RT_POOL(uint64_t) keys;
    HBG_RT_POOL(hbg_rt_block) blocks;
    HBG_RT_POOL(hbg_rt_variant) variants;
    HBG_RT_POOL(hbg_rt_event) events;
    HBG_RT_POOL(hbg_rt_validity) validities;
    HBG_RT_POOL(hbg_rt_region) regions;
    HBG_RT_POOL(char) texts; /* each ends with a NUL */
} hbg_rt_pools;

typedef struct {
    hbg_rt_mark mark;       /* compiled so far */
    int32_t located_limit;  /* limit of located relations: local modes may add some */
    int32_t located_params; /* the first of them are in the prologue */
    hbg_rt_range
        located[HBG_RT_LOCATING]; /* ints: of code that is the same in every mode, as a variant has them */
    int32_t start_loops;          /* the first loops are those of the start */
    hbg_rt_readout start;         /* declared energies, by state */
    hbg_rt_readout finals[HBG_RT_READINGS];
    hbg_rt_readout energies;
    int32_t energies_need_field; /* 1: some storage is modulated */
    hbg_rt_range waves;     /* ints: registers with the share of a period or cell that passes in a second */
    hbg_rt_colours colours; /* once `has_colours` */
    hbg_rt_mark slopes; /* with those of guards in code that is the same in every mode, once `has_slopes` */
} hbg_rt_code;

typedef struct {
    hbg_rt_pools pool;
    hbg_rt_layout layout;
    hbg_rt_code code;
    hbg_rt_modes modes;
    hbg_rt_instants instants;
    HBG_RT_ATOMIC(bool) is_built;    /* blocks and islands exist: made when a run first enters a mode */
    HBG_RT_ATOMIC(bool) has_colours; /* made when a run first needs the Jacobian */
    HBG_RT_ATOMIC(bool) has_slopes;  /* likewise for slopes of guards */
} hbg_rt_image;

/* ---- what is not in it yet ---------------------------------------------------------------------------- */

/* Data that a run may need and the image does not have: all blocks and islands, if the given mode is valid;
 * the answer of a choice, for a validity, a block or an island by its number; the colours of the Jacobian;
 * the tangent of a block, whose variant is given; slopes of guards, and those of a block. */
typedef enum {
    HBG_RT_NEED_START,
    HBG_RT_NEED_REGION,
    HBG_RT_NEED_BLOCK,
    HBG_RT_NEED_EVENT,
    HBG_RT_NEED_COLOURS,
    HBG_RT_NEED_TANGENT,
    HBG_RT_NEED_SLOPES,
    HBG_RT_NEED_BLOCK_SLOPES
} hbg_rt_need;

/* Compiles such data, adds it to the image and returns its number; also provides words. Several runs may call
 * it at once. */
typedef struct {
    void *context;
    hbg_rt_status (*need)(void *context, hbg_rt_need what, int32_t number, const uint64_t *mode,
                          int32_t *found);
    void (*tell)(void *context, hbg_rt_word word, int32_t id, char *text, size_t size);
    /* Explains why a mode has no valid causal assignment. Returns true if something in it floats. */
    bool (*explain)(void *context, const int32_t *states, char *text, size_t size);
} hbg_rt_provider;

/* register.c: the n-th register of code that runs while time advances, or of values that depend on parameters
 * alone; and the number of a register of the first kind, or -1 */
int32_t hbg_rt_register(bool flows, int32_t n);
int32_t hbg_rt_flow_number(int32_t reg);

static inline bool hbg_rt_bit(const uint64_t *mode, int32_t place) {
    return mode[place >> 6] >> (place & 63) & 1;
}
/* place.c: whether a junction is on if automata are in these states */
bool hbg_rt_place_is_on(const hbg_rt_image *image, int32_t place, const int32_t *states);
/* choice.c: the value that a mode chooses, or -1 if it has not been compiled yet. `key` has room for the
 * words of a mode. */
int32_t hbg_rt_choose(const hbg_rt_image *image, int32_t choice, const uint64_t *mode, uint64_t *key);
int32_t hbg_rt_answer_of(const hbg_rt_image *image, int32_t choice, const uint64_t *mode,
                         uint64_t *key); /* likewise, the number of the answer */
int32_t hbg_rt_key_of(const hbg_rt_image *image, int32_t choice, const uint64_t *mode,
                      uint64_t *key); /* number of words of its key */
uint64_t hbg_rt_hash(const uint64_t *key, int32_t words);

static inline const int32_t *hbg_rt_ints(const hbg_rt_image *image, int32_t first) {
    return HBG_RT_AT(image->pool.ints, first);
}

/* A loop with its arrays at hand. */
typedef struct {
    int32_t number, count, entry_count;
    const int32_t *reg, *residual, *name, *area; /* by unknown */
    const hbg_rt_entry *entries;
    const int32_t *start, *row, *entry_of; /* of a sparse one */
    int32_t body;
    bool linear, is_sparse, is_constant;
} hbg_rt_loop_view;
hbg_rt_loop_view hbg_rt_loop_at(const hbg_rt_image *image, int32_t number);

/* The registers of a readout. */
static inline const int32_t *hbg_rt_readout_registers(const hbg_rt_image *image, const hbg_rt_readout *of) {
    return hbg_rt_ints(image, of->reg.first);
}

static inline hbg_rt_program hbg_rt_program_at(const hbg_rt_image *image, int32_t number) {
    if (number < 0) return (hbg_rt_program){0, 0};
    hbg_rt_range range = *HBG_RT_AT(image->pool.programs, number);
    return (hbg_rt_program){range.count ? HBG_RT_AT(image->pool.instructions, range.first) : 0, range.count};
}

#endif
