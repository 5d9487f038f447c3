/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiled model, and the functions that the files of src/code share. */
#ifndef HBG_CODE_IMPL_H
#define HBG_CODE_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "code/block_impl.h"
#include "graph/graph.h"

/* ---- the compiled model ------------------------------------------------------------------------------- */

typedef struct {                  /* see register.c and stage.c */
    int32_t count[SIDE_COUNT];    /* of a kind */
    int32_t *home;                /* by variable of all layers: its register, or HBG_NONE */
    int32_map temps;              /* of code outside segments and islands */
    int32_map start_temps;        /* of the start, and of code that depends on parameters alone */
    int32_map number[SIDE_COUNT]; /* by number of terms */
    int32_map copy;               /* by term of level PARAM: the copy that code reads */
    int32_map prologue;           /* by term of level PARAM */
    bool *param_done;             /* its default is in the prologue; then, by parameter: its rate is */
} register_maps;

typedef struct { /* the compiler's one assignment (provide.c), and scratch of keys; under the lock */
    hbg_causal_assignment *assignment; /* NULL: none yet */
    uint64_t *assigned;                /* the mode of the assignment */
    int32_t *switching;
    uint64_t *fact_key, *choice_key;
    int32_t words; /* 64-bit words of a mode: a bit for each place */
} assigned_mode;

typedef struct {                             /* by region; see choice.c */
    int32_map *switching;                    /* its places that switch, except by a select */
    int32_t *places;                         /* their list in the image, or HBG_NONE */
    bool *has_choice, *in_set;               /* the latter is scratch */
    int32_map *segments, *islands, *choices; /* in whose choices it takes part */
    HBG_VEC(region_choice) judged;
} region_lists;

/* Memory that stages reuse; each user leaves it clear. */
typedef struct {
    HBG_VEC(uint8_t) seen;            /* by register */
    HBG_VEC(hbg_code_stage *) stages; /* spare ones */
    hbg_arena arena;                  /* memory of these */
    bool busy;                        /* work is in progress, or ran out of memory */
} stage_memory;

/* Local modes and loops that are printed as native code; NULL: all. */
typedef struct {
    bool *variants, *loops;
} native_choice;

/* Many runs on many threads share it. The results of hbg_code_new never change; anything made when a run
 * first needs it is made by one thread at a time, and then published: see provide.c. */
struct hbg_code {
    pthread_mutex_t lock; /* held while something is compiled, or unpublished data is read */
    hbg_arena *arena;
    hbg_eqn *eqn;
    hbg_rt_image image; /* everything that runs need */
    hbg_rt_description system;
    hbg_rt_native native; /* compiled code in use */
    const char *doubted;  /* a part without equations that some mode may read; or NULL */
    int64_t compiled;     /* blocks and islands in local modes, tangents */
    register_maps registers;
    hbg_pair_map programs; /* programs of the image, by hash and its repetitions */
    int32_map element_in;  /* by register: the element whose value it holds; stale once registers are added */
    int32_t *charge_of;    /* by element, two each: number in charges, or HBG_NONE; see TERM_CHARGE */
    int32_map param_branches; /* terms of level PARAM that have branches, in laws */
    int32_map located_of_term;
    int32_map
        located[HBG_RT_LOCATING]; /* by reading: relations located in code that is the same in every mode */
    int32_map located_in;         /* by such a relation: in which readings it is, as bits */
    assigned_mode mode;
    region_lists regions;
    HBG_VEC(segment) segments;
    int32_t *where;           /* by variable of all layers: its register for other segments, or HBG_NONE */
    hbg_code_stage *steady;   /* the stage of all steady segments */
    hbg_code_stage *watching; /* their stage for values that guards read */
    int32_map steady_temps, reading_temps[READ_COUNT];
    /* made with the Jacobian, by variable of all layers, shifted to its tangent: whether the tangent is
     * always 0. Entries after the last layer are for areas */
    bool *is_still;
    bool *is_fixed;           /* likewise, with slopes of guards: the tangent along seeds and time */
    island_code *island_code; /* by island */
    calm_plan calm;
    int32_t *area_place; /* by relation: place of its area among the watched values, or HBG_NONE */
    uint8_t ins_read;    /* by reading, as bits: laws or outputs read in(…) */
    stage_memory work;
    int32_t fewest_links;  /* of blocks that are divided (piece.c) */
    hbg_rt_loaded *loaded; /* the file that the image is from; NULL: it is made here */
    native_choice chosen;  /* for an image from a file, once requested */
};

/* pool.c: makes room for so many consecutive items in a pool of the image; returns the number of the first */
typedef struct {
    void *chunks; /* of any type */
    int32_t *shift, *count;
    int32_t first_shift;
    size_t size; /* of an item */
} hbg_code_pool_parts;
int32_t hbg_code_pool_room(hbg_arena *arena, hbg_code_pool_parts of, int32_t count);
#define HBG_POOL_ROOM(arena, pool, wanted)                                                                   \
    hbg_code_pool_room(                                                                                      \
        (arena),                                                                                             \
        (hbg_code_pool_parts){(pool).chunk, &(pool).shift, &(pool).count, 6, sizeof *(pool).chunk[0]},       \
        (wanted))
/* Adds an item; returns the number of the last one. */
#define HBG_POOL_ADD(arena, pool, item)                                                                      \
    (HBG_POOL_ROOM((arena), (pool), 1), *HBG_RT_AT((pool), (pool).count - 1) = (item))
#define HBG_POOL_LAST(pool) ((pool).count - 1)
int32_t hbg_code_add_ints(hbg_code *code, const int32_t *items, int32_t count); /* the number of the first */
/* Lists of located relations, by reading. */
void hbg_code_add_located(hbg_code *code, const int32_map *located, hbg_rt_range *by_reading);
/* Returns the number of the program, which may have existed. */
int32_t hbg_code_add_program(hbg_code *code, const hbg_rt_instruction *instructions, int32_t count);
int32_t hbg_code_add_text(hbg_code *code, const char *text); /* NULL: HBG_NONE */
hbg_rt_mark hbg_code_mark(const hbg_code *code);             /* the present lengths */

/* register.c */
int32_t hbg_code_new_register(hbg_code *code, register_side side);
int32_t hbg_code_home(hbg_code *code, int32_t variable);
void hbg_code_make_homes(hbg_code *code); /* of all values given from outside */
int32_t hbg_code_number_register(hbg_code *code, register_side side, int32_t number_of_terms);
/* The register in which code reads a term of level PARAM, which is in register `from`. */
int32_t hbg_code_copy_register(hbg_code *code, hbg_term term, int32_t from);

/* charge.c */
int32_t hbg_code_charge_law(hbg_code *code,
                            int32_t number); /* number of an element; plus the element count for its rate */
/* locate.c, wave.c: branches and waves that depend on parameters alone */
void hbg_code_locate_params(hbg_code *code);
void hbg_code_find_waves(hbg_code *code);

/* segment.c: segments and islands of all modes, from one valid assignment of any mode */
void hbg_code_make_segments(hbg_code *code, const hbg_causal_assignment *assignment);
/* provide.c: the compiler's assignment in a mode, under the lock. Data that a run did not find is made under
 * the lock and found from then on: all segments and islands, if the mode is valid; the answer of a choice;
 * the plan of the Jacobian; the tangent of a block that was found. */
const hbg_causal_assignment *hbg_code_assign_mode(hbg_code *code, const uint64_t *on);
/* words.c: the words of a provider */
void hbg_code_tell(void *context, hbg_rt_word word, int32_t id, char *text, size_t size);
/* block.c: the block in the local mode of the assignment, compiled when first needed, under the lock */
int32_t hbg_code_block(hbg_code *code, segment *of, const hbg_causal_assignment *assignment);
void hbg_code_block_tangent(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                            int32_t number);
void hbg_code_block_slopes(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                           int32_t number);
/* event.c: an island in the local mode of the assignment, likewise */
int32_t hbg_code_event(hbg_code *code, int32_t number, const hbg_causal_assignment *assignment);
/* limit.c: unbounded parts of an island, if there may be any */
void hbg_code_limit(hbg_code *code, const island *of, int32_map *temps, equations *all, hbg_rt_event *made);
/* calm.c */
void hbg_code_find_calm(hbg_code *code);
/* image_outside.c, image_instants.c: data that runs read at instants, in two steps: data known without
 * segments, and the rest */
void hbg_code_image_outside(hbg_code *code);
void hbg_code_image_instants(hbg_code *code);
/* jacobian.c */
void hbg_code_make_jacobian(hbg_code *code, const hbg_causal_assignment *assignment);
/* slope.c */
void hbg_code_make_slopes(hbg_code *code, const hbg_causal_assignment *assignment);
/* work.c: called around everything that makes stages */
void hbg_code_begin_work(hbg_code *code);
void hbg_code_end_work(hbg_code *code);

/* run.c */
void hbg_code_lock(hbg_code *code);
void hbg_code_unlock(hbg_code *code);
/* loaded.c */
const native_choice *hbg_code_choose_native(hbg_code *code); /* NULL: all code */

#endif
