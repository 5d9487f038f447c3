/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pieces into which a block or an island divides in a mode, where junctions that are off connect nothing. */
#ifndef HBG_CODE_PIECE_IMPL_H
#define HBG_CODE_PIECE_IMPL_H

#include "code/code_impl.h"

/* The code of a piece, and its entries in the lists of the whole. */
struct piece {
    const uint64_t *key; /* its nodes with their facts */
    int32_t words;
    uint64_t hash;
    int32_map needs;                 /* nodes beyond it that its equations reach: they belong to one piece */
    bool is_refused;                 /* some part has no equations: the whole is compiled undivided */
    hbg_rt_program code[READ_COUNT]; /* by reading; that of an instant is the first */
    bool has_code[READ_COUNT];
    int32_map located[HBG_RT_LOCATING], names; /* of a block, as a variant has them */
    int32_map reg, work;                       /* of an island, in pairs: place in its list, register */
    int32_map checks, inputs, olds;
};

/* Finds the nodes on which the items of a set depend in every mode. */
typedef struct {
    hbg_code *code;
    piece_set *set;
    const fact_set *facts;
    equations all;
    int32_t *met; /* by variable of the value layer: 1 + the item that met it last */
    int32_map list, reads;
} piece_maker;
/* Called around the items, which are added in the order in which code computes them. An item depends on these
 * variables. */
void hbg_code_pieces_begin(piece_maker *maker, const hbg_causal_assignment *assignment);
void hbg_code_pieces_add(piece_maker *maker, piece_item item, const int32_map *variables);
void hbg_code_pieces_end(piece_maker *maker);

/* The search for the pieces of a mode. */
typedef struct piece_search {
    hbg_code *code;
    piece_set *set;
    const hbg_causal_assignment *assignment;
    const fact_set *facts;
    const uint64_t *fact; /* by place, then by link */
    void *of;             /* segment or island */
    bool can_jump;        /* of an island: some state in it jumps */
    /* Compiles these items, given by number. */
    void (*make)(struct piece_search *search, const int32_map *items, piece *made);
    int32_t root;           /* of the present piece */
    HBG_VEC(piece *) found; /* in the order of their first nodes */
    int32_map roots;        /* roots of these */
    int32_map joins;        /* scratch: pairs of nodes found to belong together */
    uint64_t *key;          /* scratch */
} piece_search;
/* Returns false if the whole is one piece in this mode. */
bool hbg_code_pieces_find(piece_search *search);
/* Whether the equations of these variables, from a number on, depend on the present piece alone. */
bool hbg_code_piece_holds(piece_search *search, piece *made, const int32_map *variables, int32_t from);
void hbg_code_piece_keep(piece_search *search, piece *made, reading_kind reading,
                         const hbg_code_stage *stage);
/* The items of a piece that was found. */
int32_map hbg_code_piece_items(const piece_search *search, int32_t root);
/* Joins the programs of all pieces found. */
int32_t hbg_code_pieces_program(const piece_search *search, reading_kind reading);

/* Tangents of the results of a block in a reading, after its values. */
typedef struct {
    reading_kind reading;
    bool *is_still; /* by variable of all layers, or shifted like it */
    bool along_time;
} tangent_plan;
/* block_pieces.c: compiles a block, or its tangents, from pieces; returns false if it is undivided. The facts
 * have been read. */
bool hbg_code_block_pieces(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                           hbg_rt_variant *made);
bool hbg_code_tangent_pieces(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                             const tangent_plan *plan, int32_t *program);
/* block.c: shared functions. A stage of a reading with the imports of the block; its tangents continue in
 * it. */
hbg_code_stage *hbg_code_block_stage(hbg_code *code, const segment *of, equations *all, int32_map *temps,
                                     int32_map *located, reading_kind reading);
void hbg_code_block_tangents(hbg_code_stage *stage, equations *all, const segment *of,
                             const tangent_plan *plan, const int32_map *values);
/* Begins a block; `again`: after a refusal, finds storages that read their own rates. */
void hbg_code_block_begin(hbg_code *code, const hbg_causal_assignment *assignment, bool again,
                          equations *all);
/* Lists variables that messages may name, among those set from a number on, each with its register. */
void hbg_code_block_names(hbg_arena *arena, const hbg_code_stage *stage, int32_t first, int32_map *pairs);

/* event_pieces.c: compiles an island from pieces, likewise; event.c: shared functions */
bool hbg_code_event_pieces(hbg_code *code, int32_t number, const hbg_causal_assignment *assignment,
                           hbg_rt_event *made);
uint8_t *hbg_code_seen(hbg_code *code); /* by register; each user leaves it clear */
void hbg_code_event_inputs(hbg_code *code, const island *of, const int32_t *registers, hbg_rt_program program,
                           int32_map *inputs, int32_map *olds);
void hbg_code_event_checks(hbg_arena *arena, const equations *all, const hbg_code_stage *stage,
                           int32_map *pairs);

#endif
