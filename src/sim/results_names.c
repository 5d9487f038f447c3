/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names valid in a format, all different, made from those of the model. */
#include <stdio.h>
#include <string.h>

#include "sim/results_impl.h"

#define SUFFIX_ROOM 12 /* "_2147483647" and its NUL */

/* ---- rules -------------------------------------------------------------------------------------------- */

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Reserved words of MATLAB, and the variable that describes the others. */
static bool is_taken(const char *text) {
    static const char *const words[] = {"break",  "case",      "catch",  "classdef",   "continue", "else",
                                        "elseif", "end",       "for",    "function",   "global",   "hbg",
                                        "if",     "otherwise", "parfor", "persistent", "return",   "spmd",
                                        "switch", "try",       "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) return true;
    return false;
}

/* Letters, digits and _, of which the first is a letter: every other character becomes _; an x is prepended
 * to a name that does not start with a letter or is a reserved word. */
void hbg_sim_name_matlab(const char *name, char *text) {
    char *at = text;
    const char *end = name + strlen(name);
    if (!is_letter(name[0]) || is_taken(name)) *at++ = 'x';
    while (name < end) {
        size_t length = hbg_base_utf8_length(name, (size_t)(end - name));
        bool plain = is_letter(*name) || (*name >= '0' && *name <= '9');
        *at++ = plain ? *name : '_';
        name += length > 0 ? length : 1;
    }
    *at = '\0';
}

/* Anything except the slash, which separates groups, and a single dot, which is the group itself. */
void hbg_sim_name_hdf5(const char *name, char *text) {
    if (name[0] == '\0' || strcmp(name, ".") == 0) name = "_";
    strcpy(text, name);
    for (; *text != '\0'; text++)
        if (*text == '/') *text = '|';
}

/* ---- unique names ------------------------------------------------------------------------------------- */

typedef struct {
    hbg_sim_names *names;
    int32_t *slots; /* open addressing: column + 1, 0 while free */
    int32_t *next;  /* by column: the number its next namesake tries first */
    uint32_t slot_count;
} name_set;

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261U;
    for (; *text != '\0'; text++) hash = (hash ^ (uint8_t)*text) * 16777619U;
    return hash;
}

/* The slot of this name, or the free one for it. */
static int32_t *find_slot(const name_set *set, const char *text) {
    uint32_t mask = set->slot_count - 1;
    uint32_t at = hash_of(text) & mask;
    while (set->slots[at] != 0 && strcmp(hbg_sim_names_get(set->names, set->slots[at] - 1), text) != 0)
        at = (at + 1) & mask;
    return &set->slots[at];
}

static size_t cut(size_t size, size_t limit) {
    return limit > 0 && size > limit ? limit : size;
}

/* Changes the text until it is unique. */
static void make_unique(name_set *set, int32_t column, char *text, size_t limit) {
    size_t size = cut(strlen(text), limit);
    text[size] = '\0';
    int32_t *slot = find_slot(set, text);
    int32_t owner = *slot;
    while (*slot != 0) {
        char suffix[SUFFIX_ROOM];
        int32_t *number = &set->next[owner - 1];
        int suffix_size = snprintf(suffix, sizeof suffix, "_%d", (int)*number + 2);
        ++*number;
        strcpy(text + cut(size, limit > 0 ? limit - (size_t)suffix_size : 0), suffix);
        slot = find_slot(set, text);
    }
    *slot = column + 1;
}

static void fill(name_set *set, const hbg_sim_head *head, hbg_sim_name_rule rule, size_t limit) {
    size_t at = 0;
    for (int32_t i = 0; i < head->count; i++) {
        char *text = set->names->text + at;
        set->names->start[i] = at;
        rule(head->columns[i].name, text);
        make_unique(set, i, text, limit);
        at += strlen(text) + 1;
    }
}

bool hbg_sim_names_init(hbg_sim_names *names, hbg_memory *memory, const hbg_sim_head *head,
                        hbg_sim_name_rule rule, size_t limit) {
    size_t count = (size_t)head->count;
    *names = (hbg_sim_names){.memory = memory, .start_size = (count + 1) * sizeof *names->start};
    for (size_t i = 0; i < count; i++)
        names->text_size += strlen(head->columns[i].name) + HBG_SIM_NAME_EXTRA + SUFFIX_ROOM;
    name_set set = {.names = names, .slot_count = 16};
    while (set.slot_count < 2 * count) set.slot_count *= 2;
    size_t slots_size = set.slot_count * sizeof *set.slots, next_size = (count + 1) * sizeof *set.next;

    names->text = hbg_base_memory_alloc(memory, names->text_size);
    names->start = hbg_base_memory_alloc(memory, names->start_size);
    set.slots = hbg_base_memory_alloc(memory, slots_size);
    set.next = hbg_base_memory_alloc(memory, next_size);
    bool good = names->text != NULL && names->start != NULL && set.slots != NULL && set.next != NULL;
    if (good) fill(&set, head, rule, limit);
    hbg_base_memory_free(memory, set.slots, slots_size);
    hbg_base_memory_free(memory, set.next, next_size);
    if (!good) hbg_sim_names_fini(names);
    return good;
}

void hbg_sim_names_fini(hbg_sim_names *names) {
    hbg_base_memory_free(names->memory, names->text, names->text_size);
    hbg_base_memory_free(names->memory, names->start, names->start_size);
    names->text = NULL;
    names->start = NULL;
}

const char *hbg_sim_names_get(const hbg_sim_names *names, int32_t column) {
    return names->text + names->start[column];
}
