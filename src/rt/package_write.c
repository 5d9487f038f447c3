/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Writes a package: sections as they are in memory, and all words that messages of a run may need. */
#include <stdlib.h>
#include <string.h>

#include "rt/package_impl.h"

const unsigned char hbg_rt_package_magic[8] = {0x89, 'H', 'B', 'P', '\r', '\n', 0x1a, '\n'};

/* Four bytes at a time, of which each half has a table of what it does to the sum by the end of the four: lookups do not wait for each
 * other. */
uint32_t hbg_rt_crc32c(const void *bytes, size_t size) {
    static const uint32_t of_nibble[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
        0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
    const unsigned char *at = bytes;
    uint32_t sum = 0xFFFFFFFFu, of[8][16];
    size_t i = 0;
    memcpy(of[0], of_nibble, sizeof of[0]);
    for (int k = 1; k < 8; k++)
        for (int n = 0; n < 16; n++) of[k][n] = of[k - 1][n] >> 4 ^ of_nibble[of[k - 1][n] & 15];
    for (; size - i >= 4; i += 4) {
        sum ^= (uint32_t)at[i] | (uint32_t)at[i + 1] << 8 | (uint32_t)at[i + 2] << 16 |
               (uint32_t)at[i + 3] << 24;
        sum = of[7][sum & 15] ^ of[6][sum >> 4 & 15] ^ of[5][sum >> 8 & 15] ^ of[4][sum >> 12 & 15] ^
              of[3][sum >> 16 & 15] ^ of[2][sum >> 20 & 15] ^ of[1][sum >> 24 & 15] ^ of[0][sum >> 28];
    }
    for (; i < size; i++) {
        sum ^= at[i];
        sum = sum >> 4 ^ of_nibble[sum & 15];
        sum = sum >> 4 ^ of_nibble[sum & 15];
    }
    return ~sum;
}

/* ---- bytes that grow ---------------------------------------------------------------------------------- */

typedef struct {
    hbg_rt_memory memory;
    unsigned char *bytes;
    size_t size, capacity;
    bool failed;
} growing;

static void reserve(growing *to, size_t more) {
    if (to->failed || to->capacity - to->size >= more) return;
    size_t capacity = 2 * to->capacity + more + 4096;
    unsigned char *larger = to->memory.allocate(to->memory.context, capacity);
    if (!larger) {
        to->failed = true;
        return;
    }
    if (to->bytes) memcpy(larger, to->bytes, to->size);
    if (to->bytes) to->memory.release(to->memory.context, to->bytes, to->capacity);
    to->bytes = larger;
    to->capacity = capacity;
}

static void put(growing *to, const void *bytes, size_t size) {
    reserve(to, size);
    if (to->failed || size == 0) return;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void drop(growing *of) {
    if (of->bytes) of->memory.release(of->memory.context, of->bytes, of->capacity);
    *of = (growing){.memory = of->memory};
}

/* ---- sections ----------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_rt_package *package;
    const hbg_rt_provider *provider;
    growing out;     /* the file */
    growing strings; /* of names and words */
    growing words;
    hbg_rt_section_head heads[HBG_RT_SECTION_COUNT];
    int32_t count;
} writing;

static void begin_section(writing *w, uint32_t id, size_t item, size_t count) {
    static const unsigned char zeros[8] = {0};
    put(&w->out, zeros, (8 - w->out.size % 8) % 8);
    w->heads[w->count++] =
        (hbg_rt_section_head){.id = id, .item = (uint32_t)item, .count = count, .offset = w->out.size};
}

static void end_section(writing *w) {
    hbg_rt_section_head *head = &w->heads[w->count - 1];
    if (!w->out.failed)
        head->sum = hbg_rt_crc32c(w->out.bytes + head->offset, w->out.size - (size_t)head->offset);
}

static void put_section(writing *w, uint32_t id, const void *items, size_t item, size_t count) {
    begin_section(w, id, item, count);
    put(&w->out, items, item * count);
    end_section(w);
}

/* The items of a pool, chunk by chunk. */
static void put_pool(writing *w, uint32_t id, const void *chunks, int32_t shift, int32_t count, size_t item) {
    begin_section(w, id, item, (size_t)count);
    for (int32_t first = 0; first < count;) {
        int32_t chunk = hbg_rt_chunk_of(shift, first), end = hbg_rt_chunk_first(shift, chunk + 1);
        const unsigned char *at;
        memcpy(&at, (const char *)chunks + (size_t)chunk * sizeof at, sizeof at);
        if (end > count) end = count;
        put(&w->out, at, (size_t)(end - first) * item);
        first = end;
    }
    end_section(w);
}

static int32_t put_string(writing *w, const char *text) {
    int32_t at = (int32_t)w->strings.size;
    put(&w->strings, text, strlen(text) + 1);
    return at;
}

enum { NO_TEXT = -1 }; /* of a word: not asked for yet */

/* ---- words -------------------------------------------------------------------------------------------- */

/* Which words are wanted; what they say is asked for once they are sorted, since many local modes name the same things. */
static void put_word(writing *w, hbg_rt_word word, int32_t id) {
    hbg_rt_package_word made = {.word = (int32_t)word, .id = id, .text = NO_TEXT};
    if (id >= 0) put(&w->words, &made, sizeof made);
}

static void put_variable(writing *w, int32_t id) {
    put_word(w, HBG_RT_WORD_VARIABLE, id);
    put_word(w, HBG_RT_WORD_DOC, id);
}

static void put_root(writing *w, int32_t id) {
    put_word(w, HBG_RT_WORD_ROOT, id);
    put_word(w, HBG_RT_WORD_WRITTEN, id);
}

static void put_pairs(writing *w, hbg_rt_range pairs, int step, int which, hbg_rt_word word) {
    const int32_t *at = hbg_rt_ints(w->package->image, pairs.first);
    for (int32_t i = which; i < pairs.count; i += step) {
        if (word == HBG_RT_WORD_VARIABLE)
            put_variable(w, at[i]);
        else
            put_word(w, word, at[i]);
    }
}

static void put_words_of_instants(writing *w) {
    const hbg_rt_instants *instants = &w->package->image->instants;
    for (int32_t i = 0; i < instants->values.cell_count; i++) put_variable(w, instants->values.cells[i].name);
    for (int32_t i = 0; i < instants->places.count; i++) put_variable(w, instants->places.places[i].name);
    for (int32_t i = 0; i < instants->counts.named; i++) put_variable(w, instants->guards.named[i].name);
    for (int32_t i = 0; i < instants->counts.judgements; i++) {
        const hbg_rt_judgement *at = &instants->values.judgements[i];
        if (at->op == HBG_RT_JUDGE_PULSES || at->op == HBG_RT_JUDGE_UNBOUNDED)
            put_word(w, HBG_RT_WORD_TERM, at->note);
    }
    for (int32_t i = 0; i < instants->counts.restitution; i++)
        put_word(w, HBG_RT_WORD_ELEMENT, instants->kept.restitution[i].element);
}

static int by_word(const void *a, const void *b) {
    const hbg_rt_package_word *x = a, *y = b;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* In order, each once. */
static void sort_words(growing *words) {
    hbg_rt_package_word *items = (hbg_rt_package_word *)(void *)words->bytes;
    size_t count = words->size / sizeof *items, kept = 0;
    if (words->failed || count == 0) return;
    qsort(items, count, sizeof *items, by_word);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || by_word(&items[i], &items[kept - 1]) != 0) items[kept++] = items[i];
    words->size = kept * sizeof *items;
}

/* What the words say; those that say nothing are left out. */
static void tell_words(writing *w) {
    hbg_rt_package_word *items = (hbg_rt_package_word *)(void *)w->words.bytes;
    size_t count = w->words.failed ? 0 : w->words.size / sizeof *items, kept = 0;
    for (size_t i = 0; i < count; i++) {
        char text[HBG_RT_WORD_SIZE] = "";
        if (items[i].text == NO_TEXT) {
            w->provider->tell(w->provider->context, (hbg_rt_word)items[i].word, items[i].id, text,
                              sizeof text);
            if (!text[0]) continue;
            items[i].text = put_string(w, text);
        }
        items[kept++] = items[i];
    }
    if (!w->words.failed) w->words.size = kept * sizeof *items;
}

/* Why a local mode has no valid causal assignment; a mark before it says that something floats. */
static void put_conflict(void *context, int32_t answer, const int32_t *states) {
    writing *w = context;
    char text[HBG_RT_WORD_SIZE] = {HBG_RT_PACKAGE_FLOATS};
    bool floats = w->provider->explain(w->provider->context, states, text + 1, sizeof text - 1);
    hbg_rt_package_word made = {
        .word = HBG_RT_PACKAGE_CONFLICT, .id = answer, .text = put_string(w, floats ? text : text + 1)};
    put(&w->words, &made, sizeof made);
}

static void put_words(writing *w) {
    const hbg_rt_image *image = w->package->image;
    if (hbg_rt_image_each_refused(image, w->words.memory, put_conflict, w) != HBG_RT_OK)
        w->words.failed = true;
    put_words_of_instants(w);
    put_pairs(w, image->layout.names, 2, 0, HBG_RT_WORD_VARIABLE);
    for (int32_t i = 0; i < image->pool.variants.count; i++)
        put_pairs(w, HBG_RT_AT(image->pool.variants, i)->names, 2, 0, HBG_RT_WORD_VARIABLE);
    for (int32_t i = 0; i < image->pool.events.count; i++)
        put_pairs(w, HBG_RT_AT(image->pool.events, i)->checks, 2, 1, HBG_RT_WORD_TERM);
    for (int32_t i = 0; i < image->pool.events.count; i++)
        put_pairs(w, HBG_RT_AT(image->pool.events, i)->conflicts, 5, 0, HBG_RT_WORD_ELEMENT);
    for (int32_t i = 0; i < image->pool.loops.count; i++) {
        const hbg_rt_loop *of = HBG_RT_AT(image->pool.loops, i);
        put_pairs(w, (hbg_rt_range){of->name, of->count}, 1, 0, HBG_RT_WORD_VARIABLE);
    }
    for (int32_t i = 0; i < image->pool.located.count; i++) put_word(w, HBG_RT_WORD_ROOT, i);
    for (int32_t i = 0; i < image->instants.counts.relations; i++)
        put_root(w, w->package->system->guard_first + i);
    for (int32_t i = 0; i < image->code.mark.registers; i++) put_word(w, HBG_RT_WORD_VALUE, i);
    sort_words(&w->words);
    tell_words(w);
    put_section(w, HBG_RT_SECTION_words, w->words.bytes, sizeof(hbg_rt_package_word),
                w->words.size / sizeof(hbg_rt_package_word));
}

/* ---- names -------------------------------------------------------------------------------------------- */

static void put_name(writing *w, hbg_rt_name_list list, const char *name, const char *unit, int32_t flag,
                     double number) {
    hbg_rt_package_name made = {.number = number, .list = (int32_t)list, .name = put_string(w, name)};
    made.unit = unit ? put_string(w, unit) : -1;
    made.flag = flag;
    put(&w->out, &made, sizeof made);
}

static void put_variables(writing *w, hbg_rt_name_list list, const hbg_rt_variable *variables,
                          int32_t count) {
    for (int32_t i = 0; i < count; i++)
        put_name(w, list, variables[i].name, variables[i].unit, variables[i].is_bool, 0);
}

static void put_automata(writing *w) {
    const hbg_rt_description *system = w->package->system;
    for (int32_t i = 0; i < system->automaton_count; i++) {
        const hbg_rt_automaton *of = &system->automata[i];
        put_name(w, HBG_RT_NAMES_AUTOMATON, of->name, NULL, of->state_count, of->every);
        for (int32_t k = 0; k < of->state_count; k++)
            put_name(w, HBG_RT_NAMES_DISCRETE, of->states[k], NULL, 0, 0);
    }
}

static void put_names(writing *w) {
    const hbg_rt_description *system = w->package->system;
    begin_section(w, HBG_RT_SECTION_names, sizeof(hbg_rt_package_name), 0);
    hbg_rt_section_head *head = &w->heads[w->count - 1];
    put_variables(w, HBG_RT_NAMES_STATE, system->states, system->state_count);
    put_variables(w, HBG_RT_NAMES_OUTPUT, system->outputs, system->output_count);
    put_variables(w, HBG_RT_NAMES_INPUT, system->inputs, system->input_count);
    put_variables(w, HBG_RT_NAMES_PARAM, system->params, system->param_count);
    put_variables(w, HBG_RT_NAMES_STORAGE, system->storages, system->storage_count);
    put_variables(w, HBG_RT_NAMES_BOND, system->bonds, system->bond_count);
    for (int32_t i = 0; i < system->clock_count; i++)
        put_name(w, HBG_RT_NAMES_CLOCK, system->clocks[i].name, NULL, 0, system->clocks[i].period);
    for (int32_t i = 0; i < system->power_count; i++)
        put_name(w, HBG_RT_NAMES_POWER, system->powers[i].name, NULL, (int32_t)system->powers[i].kind, 0);
    put_automata(w);
    head->count = (w->out.size - (size_t)head->offset) / sizeof(hbg_rt_package_name);
    end_section(w);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void put_numbers(writing *w) {
    const hbg_rt_instants *of = &w->package->image->instants;
    const hbg_rt_description *system = w->package->system;
    hbg_rt_package_numbers numbers = {.input_count = of->outside.input_count,
                                      .clock_count = of->outside.clock_count,
                                      .param_count = of->outside.param_count,
                                      .tick_pre_count = of->outside.tick_pre_count,
                                      .tick_levels = of->outside.tick_levels,
                                      .live = of->outside.live,
                                      .open = of->outside.open,
                                      .most_held = of->outside.most_held,
                                      .ticks_read_pre = of->outside.ticks_read_pre,
                                      .place_count = of->places.count,
                                      .cell_count = of->values.cell_count,
                                      .left_count = of->values.left_count,
                                      .island_count = of->kept.island_count,
                                      .throw_count = of->kept.throw_count,
                                      .ins_read = of->ins_read,
                                      .has_events = of->has_events,
                                      .has_open = of->has_open,
                                      .has_undefined = of->has_undefined,
                                      .has_ders_of_pre = of->has_ders_of_pre,
                                      .has_colours = atomic_load(&w->package->image->has_colours),
                                      .root_count = system->root_count,
                                      .idle_roots = system->idle_roots,
                                      .guard_first = system->guard_first,
                                      .is_whole = 1,
                                      .has_slopes = atomic_load(&w->package->image->has_slopes)};
    put_section(w, HBG_RT_SECTION_numbers_of_instants, &numbers, sizeof numbers, 1);
}

static void put_image(writing *w) {
    const hbg_rt_image *image = w->package->image;
    const hbg_rt_instants *instants = &image->instants;
#define X(name, type)                                                                                        \
    put_pool(w, HBG_RT_SECTION_##name, image->pool.name.chunk, image->pool.name.shift,                       \
             image->pool.name.count, sizeof(type));
    HBG_RT_POOL_SECTIONS(X)
#undef X
#define X(place, name, type, length)                                                                         \
    put_section(w, HBG_RT_SECTION_of_##name, instants->place, sizeof(type), (size_t)instants->length);
    HBG_RT_ARRAY_SECTIONS(X)
#undef X
    put_section(w, HBG_RT_SECTION_layout, &image->layout, sizeof image->layout, 1);
    put_section(w, HBG_RT_SECTION_code, &image->code, sizeof image->code, 1);
    put_section(w, HBG_RT_SECTION_modes, &image->modes, sizeof image->modes, 1);
    put_section(w, HBG_RT_SECTION_counts, &instants->counts, sizeof instants->counts, 1);
    put_section(w, HBG_RT_SECTION_calm, &instants->calm, sizeof instants->calm, 1);
}

static void put_head(writing *w) {
    size_t heads = (size_t)w->count * sizeof *w->heads;
    hbg_rt_package_head head =
        hbg_rt_package_make_head(hbg_rt_package_magic, w->heads, heads, w->count, w->out.size);
    memcpy(w->out.bytes, &head, sizeof head);
    memcpy(w->out.bytes + sizeof head, w->heads, heads);
}

static void put_all(writing *w) {
    const hbg_rt_package *package = w->package;
    static const unsigned char zeros[sizeof(hbg_rt_package_head) + sizeof w->heads] = {0};
    put(&w->out, zeros, sizeof zeros); // the heads come last
    (void)put_string(w, package->version);
    (void)put_string(w, package->model);
    (void)put_string(w, package->experiment ? package->experiment : "");
    put_image(w);
    put_numbers(w);
    put_names(w);
    put_words(w);
    put_section(w, HBG_RT_SECTION_strings, w->strings.bytes, 1, w->strings.size);
    put_section(w, HBG_RT_SECTION_pace, &package->pace, sizeof package->pace, 1);
    put_section(w, HBG_RT_SECTION_actions, package->actions, sizeof *package->actions,
                (size_t)package->action_count);
    put_section(w, HBG_RT_SECTION_settings, package->settings, sizeof *package->settings,
                (size_t)package->setting_count);
    put_section(w, HBG_RT_SECTION_overrides, package->overrides, sizeof *package->overrides,
                (size_t)package->override_count);
    put_section(w, HBG_RT_SECTION_sensors, package->sensors, sizeof *package->sensors,
                (size_t)package->sensor_count);
    put_section(w, HBG_RT_SECTION_of_keys, package->keys, sizeof *package->keys,
                (size_t)package->system->output_count);
    if (!w->out.failed) put_head(w);
}

hbg_rt_status hbg_rt_package_write(const hbg_rt_package *package, const hbg_rt_provider *provider,
                                   hbg_rt_memory memory, void **bytes, size_t *size) {
    writing w = {.package = package,
                 .provider = provider,
                 .out = {.memory = memory},
                 .strings = {.memory = memory},
                 .words = {.memory = memory}};
    put_all(&w);
    bool failed = w.out.failed || w.strings.failed || w.words.failed;
    drop(&w.strings);
    drop(&w.words);
    if (!failed) { // exactly as large as it is, so that the caller knows what to give back
        unsigned char *fitted = memory.allocate(memory.context, w.out.size);
        failed = !fitted;
        if (fitted) memcpy(fitted, w.out.bytes, w.out.size);
        *bytes = fitted;
        *size = w.out.size;
    }
    drop(&w.out);
    return failed ? HBG_RT_NO_MEMORY : HBG_RT_OK;
}
