/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a compiled model is made of: code that is the same in every mode, blocks with a variant for each local mode, islands that
 * jump together, and the guards of automata that move without a search. */
#ifndef HBG_CODE_BLOCK_IMPL_H
#define HBG_CODE_BLOCK_IMPL_H

#include "code/stage_impl.h"

/* ---- what the mode chooses ---------------------------------------------------------------------------- */

/* variant.c: code by its facts, under the lock. */
typedef struct {
    const uint64_t *key;
    uint64_t hash;
    int32_t value;
} variant_entry;
typedef struct { /* a hash table */
    HBG_VEC(variant_entry) entries;
    int32_t *slots; /* entry plus 1; 0: free */
    int32_t slot_count;
} variant_table;
int32_t hbg_code_variants_find(const variant_table *table, const uint64_t *key,
                               int32_t length); /* or HBG_NONE */
void hbg_code_variants_add(hbg_arena *arena, variant_table *table, const uint64_t *key, int32_t length,
                           int32_t value);

/* choice.c: what the mode chooses, by which of some junctions are on. Adds an answer. */
void hbg_code_choice_answer(hbg_code *code, int32_t choice, const uint64_t *on, int32_t answer);
/* A choice, which is listed by the number given for each region that these facts are in. */
int32_t hbg_code_choice_by_facts(hbg_code *code, const fact_set *facts, int32_map *listed, int32_t number);
void hbg_code_make_choices(hbg_code *code); /* of regions */
void hbg_code_choose_islands(hbg_code *code);
void hbg_code_list_regions(hbg_code *code); /* what each makes stale, once blocks and islands are there */

/* Regions that are judged together, by one choice. */
typedef struct {
    int32_t region; /* HBG_NONE: all that are the same in every mode */
    int32_t choice;
    int32_map answers; /* validities that differ */
} region_choice;

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* What the code of a block or an island gives: for a block the reading and the variable, for an island what it is and its place in a list. */
typedef struct {
    int32_t kind, index;
} piece_item;

typedef struct piece piece;

/* A block or an island as links with what hangs on them, its nodes; the last node is for what hangs on none. See piece.c. */
typedef struct {
    bool is_made;
    bool is_whole;                      /* it is never taken apart */
    int32_t links;                      /* of the facts */
    int32_t *end;                       /* by link, twice: which place of the facts is there, or HBG_NONE */
    int32_t *place_start, *place_links; /* by place of the facts: links at it */
    int32_map joined;                   /* in pairs: nodes that hang together in every mode */
    HBG_VEC(piece_item) items;
    int32_map item_node;
    int32_t *state_node;           /* by state: that of what it jumps by, or HBG_NONE; NULL: no matter */
    int32_t *item_start, *item_of; /* by node: its items */
    int32_map *temps;              /* by node: registers of pieces that begin with it */
    HBG_VEC(piece *) known;
    int32_t *slots; /* hash table of these: number plus 1; 0: free */
    int32_t slot_count;
    int32_t *parent, *next,
        *last; /* by node, in a search: what hangs together, and its nodes in their order */
} piece_set;

/* ---- blocks ------------------------------------------------------------------------------------------- */

/* What code is run for. */
typedef hbg_rt_reading reading_kind;
#define READ_FIELD   HBG_RT_FIELD
#define READ_OUTPUTS HBG_RT_OUTPUTS
#define READ_POWERS  HBG_RT_POWERS
#define READ_TICKS   HBG_RT_TICKS
#define READ_WATCH   HBG_RT_WATCH
#define READ_TANGENT HBG_RT_TANGENT
#define READ_SLOPES  HBG_RT_SLOPES
#define READ_COUNT   HBG_RT_READINGS

/* A stretch of the code of all modes: steady assignments, the same in every mode, or a block, whose inside depends on its
 * local mode. The order of segments never changes (segment.c). */
typedef struct {
    bool varies;
    int32_map members; /* components of the sorted equations of all modes, while segments are made */
    int32_map wanted;  /* of a steady one: rates of states, and what blocks read while time advances */
    int32_map watched; /* of a steady one: what blocks read for guards */
    int32_map exports[READ_COUNT]; /* of a block: variables that others read */
    int32_map imports;             /* of a block: variables of others that it may read */
    int32_map known;               /* of a block: variables known from outside that it may read */
    fact_set facts;
    int32_map temps;        /* registers */
    variant_table variants; /* by facts */
    piece_set pieces;
} segment;

/* What is compiled for an island. */
typedef struct {
    int32_map temps;        /* registers */
    int32_map limit_temps;  /* of unbounded parts, which are read beside the others */
    variant_table variants; /* by facts */
    piece_set pieces;
} island_code;

/* A guard of a calm automaton as steps on truths and held values; see calm.c. */
enum { CONDITION_RELATION = HBG_OP_COUNT, CONDITION_REGISTER, CONDITION_NUMBER };
typedef struct {
    uint16_t op;     /* an operator on steps before it; a: truth of a relation; a: register; number */
    int32_t a, b, c; /* HBG_NONE: none */
    double number;
} condition_step;
typedef HBG_VEC(condition_step) condition_code;

/* Automata that move without a search. */
typedef struct {
    bool possible;
    bool keeps_outputs; /* no output tells where they are */
    bool read_states;   /* a guard of theirs reads where one of them is */
    int32_map automata, islands;
    int32_map relations, others; /* relations that their guards read, and the rest */
    bool *is_calm;               /* by relation */
    condition_code *steps;       /* by transition, of these automata */
} calm_plan;

#endif
