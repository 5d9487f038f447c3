/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiled model, and what the files of src/code do for each other. */
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
    int32_map temps;              /* of code that belongs to no segment or island */
    int32_map start_temps;        /* of the start, and of what parameters alone decide */
    int32_map number[SIDE_COUNT]; /* by number of terms */
    int32_map copy;               /* by term of level PARAM: what code reads in its place */
    int32_map prologue;           /* by term of level PARAM */
    bool *param_done; /* its default is in the prologue; behind all of them: that of its rate is */
} register_maps;

typedef struct { /* the compiler's one assignment (provide.c), and scratch of keys; under the lock */
    hbg_causal_assignment *assignment; /* NULL: none yet */
    uint64_t *assigned;                /* the mode it is in */
    int32_t *switching;
    uint64_t *fact_key, *choice_key;
    int32_t words; /* 64-bit words of a mode: a bit for each place */
} assigned_mode;

typedef struct {                             /* by region; see choice.c */
    int32_map *switching;                    /* its places that switch, other than by a select */
    int32_t *places;                         /* where these are in the image, or HBG_NONE */
    bool *has_choice, *in_set;               /* the latter is scratch */
    int32_map *segments, *islands, *choices; /* whose choice it takes part in */
    HBG_VEC(region_choice) judged;
} region_lists;

/* What stages use over and over; each user leaves it clean. */
typedef struct {
    HBG_VEC(uint8_t) seen;            /* by register */
    HBG_VEC(hbg_code_stage *) stages; /* spare ones */
    hbg_arena arena;                  /* of all this */
    bool busy;                        /* a piece of work goes on, or ran out of memory on the way */
} stage_memory;

/* Local modes and loops that are printed as native code; NULL: all. */
typedef struct {
    bool *variants, *loops;
} native_choice;

/* Many runs on many threads share it. What hbg_code_new makes stays as it is; what is made when a run needs it for the first time
 * is made by one thread at a time, and published: see provide.c. */
struct hbg_code {
    pthread_mutex_t lock; /* held while something is compiled, or more than was published is read */
    hbg_arena *arena;
    hbg_eqn *eqn;
    hbg_rt_image image; /* what runs know of all this */
    hbg_rt_description system;
    hbg_rt_native native; /* compiled code in use */
    const char *doubted;  /* what no equation can be made of, though some mode may read it; or NULL */
    int64_t compiled;     /* blocks and islands in local modes, tangents */
    register_maps registers;
    hbg_pair_map programs; /* of the image, by hash and how many others have it */
    int32_map element_in;  /* by register: the element whose value it holds, while no register came after */
    int32_t *charge_of;    /* by element, twice: in charges, or HBG_NONE; see TERM_CHARGE */
    int32_map param_branches; /* terms of level PARAM that have branches, in laws */
    int32_map located_of_term;
    int32_map
        located[HBG_RT_LOCATING]; /* by reading: relations located in code that is the same in every mode */
    int32_map located_in;         /* by such a relation: in which readings it is, as bits */
    assigned_mode mode;
    region_lists regions;
    HBG_VEC(segment) segments;
    int32_t *where;           /* by variable of all layers: where the other segments find it, or HBG_NONE */
    hbg_code_stage *steady;   /* the stage of all steady segments */
    hbg_code_stage *watching; /* and that of what guards read of them */
    int32_map steady_temps, reading_temps[READ_COUNT];
    /* made with the Jacobian, by variable of all layers, shifted to its tangent: whether the tangent is always 0. Entries after the
     * last layer are for areas */
    bool *is_still;
    bool *is_fixed; /* likewise with slopes of guards: whether the tangent along seeds and time is */
    island_code *island_code; /* by island */
    calm_plan calm;
    int32_t *area_place; /* by relation: where its area is among what is watched, or HBG_NONE */
    uint8_t ins_read;    /* by reading, as bits: laws or outputs read in(…) */
    stage_memory work;
    int32_t fewest_links;  /* of what is taken apart (piece.c) */
    hbg_rt_loaded *loaded; /* where the image is from a file; NULL: it is made here */
    native_choice chosen;  /* of that, once it was asked for */
};

/* pool.c: room for so many items one after the other in a pool of the image; the number of the first */
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
/* Adds an item; the number of the last one. */
#define HBG_POOL_ADD(arena, pool, item)                                                                      \
    (HBG_POOL_ROOM((arena), (pool), 1), *HBG_RT_AT((pool), (pool).count - 1) = (item))
#define HBG_POOL_LAST(pool) ((pool).count - 1)
int32_t hbg_code_add_ints(hbg_code *code, const int32_t *items, int32_t count); /* the number of the first */
/* Lists of located relations, by reading. */
void hbg_code_add_located(hbg_code *code, const int32_map *located, hbg_rt_range *by_reading);
/* The number of the program, which may have been there. */
int32_t hbg_code_add_program(hbg_code *code, const hbg_rt_instruction *instructions, int32_t count);
int32_t hbg_code_add_text(hbg_code *code, const char *text); /* NULL: HBG_NONE */
hbg_rt_mark hbg_code_mark(const hbg_code *code);             /* how much there is by now */

/* register.c */
int32_t hbg_code_new_register(hbg_code *code, register_side side);
int32_t hbg_code_home(hbg_code *code, int32_t variable);
void hbg_code_make_homes(hbg_code *code); /* of everything that is known from outside */
int32_t hbg_code_number_register(hbg_code *code, register_side side, int32_t number_of_terms);
/* Where code reads a term of level PARAM, which is in register `from`. */
int32_t hbg_code_copy_register(hbg_code *code, hbg_term term, int32_t from);

/* charge.c */
int32_t hbg_code_charge_law(hbg_code *code, int32_t number); /* of an element, or that many more */
/* locate.c, wave.c: what parameters alone decide */
void hbg_code_locate_params(hbg_code *code);
void hbg_code_find_waves(hbg_code *code);

/* segment.c: segments and islands of all modes, from one valid assignment of any mode */
void hbg_code_make_segments(hbg_code *code, const hbg_causal_assignment *assignment);
/* provide.c: the compiler's assignment in a mode, under the lock. What a run did not find is made, takes the lock and is found from
 * then on: all segments and islands, if the mode is valid; the answer of a choice; the plan of the Jacobian; the tangent of a block
 * that was found. */
const hbg_causal_assignment *hbg_code_assign_mode(hbg_code *code, const uint64_t *on);
/* words.c: what a provider tells */
void hbg_code_tell(void *context, hbg_rt_word word, int32_t id, char *text, size_t size);
/* block.c: the block in the local mode of the assignment, compiled when first asked for, under the lock */
int32_t hbg_code_block(hbg_code *code, segment *of, const hbg_causal_assignment *assignment);
void hbg_code_block_tangent(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                            int32_t number);
void hbg_code_block_slopes(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                           int32_t number);
/* event.c: an island in the local mode of the assignment, likewise */
int32_t hbg_code_event(hbg_code *code, int32_t number, const hbg_causal_assignment *assignment);
/* limit.c: unbounded parts of that, where there may be any */
void hbg_code_limit(hbg_code *code, const island *of, int32_map *temps, equations *all, hbg_rt_event *made);
/* calm.c */
void hbg_code_find_calm(hbg_code *code);
/* image_outside.c, image_instants.c: what runs read at instants, in two steps: what is known without segments, and the rest */
void hbg_code_image_outside(hbg_code *code);
void hbg_code_image_instants(hbg_code *code);
/* jacobian.c */
void hbg_code_make_jacobian(hbg_code *code, const hbg_causal_assignment *assignment);
/* slope.c */
void hbg_code_make_slopes(hbg_code *code, const hbg_causal_assignment *assignment);
/* work.c: around everything that makes stages */
void hbg_code_begin_work(hbg_code *code);
void hbg_code_end_work(hbg_code *code);

/* run.c */
void hbg_code_lock(hbg_code *code);
void hbg_code_unlock(hbg_code *code);
/* loaded.c */
const native_choice *hbg_code_choose_native(hbg_code *code); /* NULL: everything there is */

#endif
