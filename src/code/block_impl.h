/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a compiled model: code that is the same in every mode, blocks with a variant for each local
 * mode, islands that jump together, and the guards of automata that move without a search. */
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

/* choice.c: choices by the junctions that are on. Adds an answer. */
void hbg_code_choice_answer(hbg_code *code, int32_t choice, const uint64_t *on, int32_t answer);
/* Makes a choice, and lists the given number with each region of these facts. */
int32_t hbg_code_choice_by_facts(hbg_code *code, const fact_set *facts, int32_map *listed, int32_t number);
void hbg_code_make_choices(hbg_code *code); /* choices of regions */
void hbg_code_choose_islands(hbg_code *code);
void hbg_code_list_regions(hbg_code *code); /* what each makes stale; needs blocks and islands */

/* Regions that are judged together, by one choice. */
typedef struct {
    int32_t region; /* HBG_NONE: all that are the same in every mode */
    int32_t choice;
    int32_map answers; /* validities that differ */
} region_choice;

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* A result of the code of a block or an island. Of a block: the reading and the variable; of an island: its
 * kind and its place in a list. */
typedef struct {
    int32_t kind, index;
} piece_item;

typedef struct piece piece;

/* A block or an island as nodes: its links, with everything that depends on them; the last node is for
 * everything that depends on no link. See piece.c. */
typedef struct {
    bool is_made;
    bool is_whole; /* it is never divided */
    int32_t links; /* number of links in the facts */
    int32_t *end;  /* by link, two each: the place of the facts at its end, or HBG_NONE */
    int32_t *place_start, *place_links; /* by place of the facts: links at it */
    int32_map joined;                   /* in pairs: nodes connected in every mode */
    HBG_VEC(piece_item) items;
    int32_map item_node;
    int32_t *state_node;           /* by state: node of its jump, or HBG_NONE; NULL: irrelevant */
    int32_t *item_start, *item_of; /* by node: its items */
    int32_map *temps;              /* by node: registers of pieces that begin with it */
    HBG_VEC(piece *) known;
    int32_t *slots; /* hash table of these: number plus 1; 0: free */
    int32_t slot_count;
    int32_t *parent, *next, *last; /* by node, in a search: connected nodes, in their order */
} piece_set;

/* ---- blocks ------------------------------------------------------------------------------------------- */

/* The purpose of code. */
typedef hbg_rt_reading reading_kind;
#define READ_FIELD   HBG_RT_FIELD
#define READ_OUTPUTS HBG_RT_OUTPUTS
#define READ_POWERS  HBG_RT_POWERS
#define READ_TICKS   HBG_RT_TICKS
#define READ_WATCH   HBG_RT_WATCH
#define READ_TANGENT HBG_RT_TANGENT
#define READ_SLOPES  HBG_RT_SLOPES
#define READ_COUNT   HBG_RT_READINGS

/* A segment of the code of all modes: steady assignments, the same in every mode, or a block, whose code
 * depends on its local mode. The order of segments never changes (segment.c). */
typedef struct {
    bool varies;
    int32_map members; /* components of the sorted equations of all modes, while segments are made */
    int32_map wanted;  /* of a steady one: rates of states, and values that blocks read while time advances */
    int32_map watched; /* of a steady one: values that blocks read for guards */
    int32_map exports[READ_COUNT]; /* of a block: variables that others read */
    int32_map imports;             /* of a block: variables of others that it may read */
    int32_map known;               /* of a block: variables known from outside that it may read */
    fact_set facts;
    int32_map temps;        /* registers */
    variant_table variants; /* by facts */
    piece_set pieces;
} segment;

/* The compiled code of an island. */
typedef struct {
    int32_map temps;        /* registers */
    int32_map limit_temps;  /* of unbounded parts, which are read together with the others */
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
    bool keeps_outputs; /* no output reads their states */
    bool read_states;   /* one of their guards reads the state of one of them */
    int32_map automata, islands;
    int32_map relations, others; /* relations that their guards read, and the rest */
    bool *is_calm;               /* by relation */
    condition_code *steps;       /* by transition of these automata */
} calm_plan;

#endif
