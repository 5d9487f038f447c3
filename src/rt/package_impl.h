/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by writing, reading and checking a package: the lists of its sections. */
#ifndef HBG_RT_PACKAGE_IMPL_H
#define HBG_RT_PACKAGE_IMPL_H

#include "rt/package.h"

/* Pools of the image; name, type. Lookups are built when a file is read. */
#define HBG_RT_POOL_SECTIONS(X)                                                                              \
    X(instructions, hbg_rt_instruction)                                                                      \
    X(programs, hbg_rt_range)                                                                                \
    X(ints, int32_t)                                                                                         \
    X(numbers, double)                                                                                       \
    X(loops, hbg_rt_loop)                                                                                    \
    X(entries, hbg_rt_entry)                                                                                 \
    X(charges, hbg_rt_charge)                                                                                \
    X(constants, hbg_rt_constant)                                                                            \
    X(prologue, hbg_rt_instruction)                                                                          \
    X(located, hbg_rt_located)                                                                               \
    X(tables, hbg_rt_table)                                                                                  \
    X(choices, hbg_rt_choice)                                                                                \
    X(answers, hbg_rt_answer)                                                                                \
    X(keys, uint64_t)                                                                                        \
    X(blocks, hbg_rt_block)                                                                                  \
    X(variants, hbg_rt_variant)                                                                              \
    X(events, hbg_rt_event)                                                                                  \
    X(validities, hbg_rt_validity)                                                                           \
    X(regions, hbg_rt_region)                                                                                \
    X(texts, char)

/* Arrays of the instants; place, name of the section, type, count. */
#define HBG_RT_ARRAY_SECTIONS(X)                                                                             \
    X(outside.inputs, inputs, hbg_rt_input, outside.input_count)                                             \
    X(outside.clocks, clocks, hbg_rt_clock_data, outside.clock_count)                                        \
    X(outside.params, params, hbg_rt_param, outside.param_count)                                             \
    X(outside.tick_pres, tick_pres, int32_t, outside.tick_pre_count)                                         \
    X(switching.automata, automata, hbg_rt_automaton_data, counts.automata)                                  \
    X(switching.discretes, discretes, hbg_rt_discrete, counts.discretes)                                     \
    X(switching.transitions, transitions, hbg_rt_transition, counts.transitions)                             \
    X(switching.controlled, controlled, int32_t, counts.controlled)                                          \
    X(switching.timed, timed, int32_t, counts.timed)                                                         \
    X(places.places, places, hbg_rt_place, places.count)                                                     \
    X(places.tests, tests, hbg_rt_test, counts.tests)                                                        \
    X(values.judgements, judgements, hbg_rt_judgement, counts.judgements)                                    \
    X(values.judged, judged, hbg_rt_judged, counts.judged)                                                   \
    X(values.parts, parts, hbg_rt_parts, counts.parts)                                                       \
    X(values.comparisons, comparisons, hbg_rt_comparison, counts.comparisons)                                \
    X(values.beginnings, beginnings, double, counts.beginnings)                                              \
    X(values.cells, cells, hbg_rt_cell, values.cell_count)                                                   \
    X(plans.list, plans, hbg_rt_plan, counts.plans)                                                          \
    X(plans.steps, plan_steps, hbg_rt_plan_step, counts.plan_steps)                                          \
    X(guards.guards, guards, hbg_rt_guard, counts.transitions)                                               \
    X(guards.relations, relations, hbg_rt_relation, counts.relations)                                        \
    X(guards.enablings, enablings, hbg_rt_enabling, counts.enablings)                                        \
    X(guards.steps, steps, hbg_rt_guard_step, counts.steps)                                                  \
    X(guards.named, named, hbg_rt_named, counts.named)                                                       \
    X(kept.islands, islands, hbg_rt_island, kept.island_count)                                               \
    X(kept.pres, pres, hbg_rt_pre, counts.pres)                                                              \
    X(kept.ins, ins, hbg_rt_in, counts.ins)                                                                  \
    X(kept.restitution, restitution, hbg_rt_restitution, counts.restitution)                                 \
    X(kept.shares, shares, hbg_rt_share, counts.shares)                                                      \
    X(kept.sources, sources, hbg_rt_pulse_source, counts.powers)                                             \
    X(kept.states, states, hbg_rt_state, counts.states)                                                      \
    X(kept.bonds, bonds, hbg_rt_bond, counts.bonds)                                                          \
    X(kept.storage_parts, storage_parts, int32_t, counts.storages)                                           \
    X(kept.power_parts, power_parts, int32_t, counts.powers)                                                 \
    X(kept.leaders, leaders, int32_t, counts.automata)                                                       \
    X(kept.automaton_island, automaton_island, int32_t, counts.automata)                                     \
    X(kept.automaton_throws, automaton_throws, int32_t, counts.throws)                                       \
    X(kept.source_order, source_order, int32_t, counts.automata)                                             \
    X(ints, lists, int32_t, counts.ints)

/* Numbers of the instants that are not in an array. */
typedef struct {
    int32_t input_count, clock_count, param_count, tick_pre_count, tick_levels, live, open, most_held,
        ticks_read_pre;
    int32_t place_count, cell_count, left_count, island_count, throw_count, spare;
    int32_t ins_read, has_events, has_open, has_undefined, has_ders_of_pre, has_colours;
    int32_t root_count, idle_roots, guard_first, is_whole, has_slopes;
} hbg_rt_package_numbers;

/* Names of what the system computes, one list after the other. */
typedef enum {
    HBG_RT_NAMES_STATE,
    HBG_RT_NAMES_OUTPUT,
    HBG_RT_NAMES_INPUT,
    HBG_RT_NAMES_PARAM,
    HBG_RT_NAMES_STORAGE,
    HBG_RT_NAMES_BOND,
    HBG_RT_NAMES_CLOCK,     /* number: its period */
    HBG_RT_NAMES_POWER,     /* flag: hbg_rt_power_kind */
    HBG_RT_NAMES_AUTOMATON, /* number: its sample period; flag: how many states follow */
    HBG_RT_NAMES_DISCRETE,  /* a state of the automaton before it */
    HBG_RT_NAMES_COUNT
} hbg_rt_name_list;
typedef struct {
    double number;
    int32_t list, name, unit, flag; /* name, unit: in strings; unit -1: unknown; flag: 1 for a boolean */
} hbg_rt_package_name;

/* A word that a message may need; in order. */
typedef struct {
    int32_t word, id, text, spare; /* text: in strings */
} hbg_rt_package_word;

/* Head of a file or a package, of a section, and of an item of a file. Items follow one another from the
 * heads to the end of the file, each padded with zeros to a multiple of 8: every byte of a file is covered by
 * some sum. */
typedef struct {
    unsigned char magic[8];
    uint32_t tag, major, minor, sections;
    uint64_t size;
    uint32_t sum;      /* of the heads after it */
    uint32_t head_sum; /* of this head up to here */
} hbg_rt_package_head;
typedef struct {
    uint32_t id, item;
    uint64_t count, offset;
    uint32_t sum, spare;
} hbg_rt_section_head;
typedef struct {
    uint32_t kind;
    uint32_t sum; /* with its padding */
    uint64_t size, offset, key;
} hbg_rt_item_head;
#define HBG_RT_PACKAGE_TAG 0x01020304u
extern const unsigned char hbg_rt_package_magic[8];
uint32_t hbg_rt_crc32c(const void *bytes, size_t size);

enum { /* of sections */
#define X(name, type) HBG_RT_SECTION_##name,
       HBG_RT_POOL_SECTIONS(X)
#undef X
#define X(place, name, type, count) HBG_RT_SECTION_of_##name,
           HBG_RT_ARRAY_SECTIONS(X)
#undef X
               HBG_RT_SECTION_layout,
       HBG_RT_SECTION_code,
       HBG_RT_SECTION_modes,
       HBG_RT_SECTION_counts,
       HBG_RT_SECTION_calm,
       HBG_RT_SECTION_numbers_of_instants,
       HBG_RT_SECTION_names,
       HBG_RT_SECTION_words,
       HBG_RT_SECTION_strings, /* characters; first the version, the model and the experiment */
       HBG_RT_SECTION_pace,
       HBG_RT_SECTION_actions,
       HBG_RT_SECTION_settings,
       HBG_RT_SECTION_overrides,
       HBG_RT_SECTION_sensors,
       HBG_RT_SECTION_of_keys,
       HBG_RT_SECTION_COUNT
};

/* bundle.c */
typedef struct {
    char *text;
    size_t size;
} hbg_rt_reason;
/* The head of a file or of a package with this magic; `count` heads of items or sections follow it. */
hbg_rt_package_head hbg_rt_package_make_head(const unsigned char magic[8], const void *heads,
                                             size_t heads_size, int32_t count, size_t size);
uint32_t hbg_rt_package_head_sum(const hbg_rt_package_head *head);
/* Size of an item with its padding. */
size_t hbg_rt_bundle_padded(size_t size);
/* False with the reason. */
bool hbg_rt_package_read_head(const unsigned char *bytes, size_t size, const unsigned char magic[8],
                              hbg_rt_package_head *head, hbg_rt_reason reason);

/* package_read.c */
/* A further kind of word, by the number of an answer: why a local mode has no valid causal assignment. It
 * begins with the mark if something in the mode floats. */
enum { HBG_RT_PACKAGE_CONFLICT = 1000, HBG_RT_PACKAGE_FLOATS = '~' };

struct hbg_rt_loaded {
    hbg_rt_package package;
    hbg_rt_image image;
    hbg_rt_description system;
    hbg_rt_provider provider;
    hbg_rt_native native; /* none */
    hbg_rt_room room;     /* of all below */
    unsigned char *bytes;
    const hbg_rt_package_numbers *numbers;
    const hbg_rt_package_name *names;
    const hbg_rt_package_word *words;
    const char *strings;
    int32_t name_count, word_count, string_size, key_count;
    char *reason;
    size_t reason_size;
};
/* Says what is wrong; returns false, for a check to return. */
bool hbg_rt_package_refuse(const hbg_rt_loaded *loaded, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* package_check.c: everything a run relies on */
bool hbg_rt_package_check(const hbg_rt_loaded *loaded);

#endif
