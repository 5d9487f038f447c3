/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads a package: sections first, each by itself; then the checks of package_check.c; then what is not in files, the tables by which
 * modes find their answers, and the system that the engine runs. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rt/package_impl.h"

bool hbg_rt_package_refuse(const hbg_rt_loaded *loaded, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(loaded->reason, loaded->reason_size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- sections ----------------------------------------------------------------------------------------- */

static const char *const section_names[HBG_RT_SECTION_COUNT] = {
#define X(name, type) [HBG_RT_SECTION_##name] = #name,
    HBG_RT_POOL_SECTIONS(X)
#undef X
#define X(place, name, type, count) [HBG_RT_SECTION_of_##name] = #name,
        HBG_RT_ARRAY_SECTIONS(X)
#undef X
            [HBG_RT_SECTION_layout] = "layout",
    [HBG_RT_SECTION_code] = "code",
    [HBG_RT_SECTION_modes] = "modes",
    [HBG_RT_SECTION_counts] = "counts",
    [HBG_RT_SECTION_calm] = "calm",
    [HBG_RT_SECTION_names] = "names",
    [HBG_RT_SECTION_numbers_of_instants] = "numbers of instants",
    [HBG_RT_SECTION_words] = "words",
    [HBG_RT_SECTION_strings] = "strings",
    [HBG_RT_SECTION_pace] = "pace",
    [HBG_RT_SECTION_actions] = "actions",
    [HBG_RT_SECTION_settings] = "settings",
    [HBG_RT_SECTION_overrides] = "overrides",
    [HBG_RT_SECTION_sensors] = "sensors",
    [HBG_RT_SECTION_of_keys] = "keys of outputs"};

static bool read_head(const hbg_rt_loaded *loaded, size_t size, hbg_rt_package_head *head) {
    hbg_rt_reason reason = {loaded->reason, loaded->reason_size};
    if (!hbg_rt_package_read_head(loaded->bytes, size, hbg_rt_package_magic, head, reason)) return false;
    if (head->sections != HBG_RT_SECTION_COUNT ||
        size < sizeof *head + HBG_RT_SECTION_COUNT * sizeof(hbg_rt_section_head))
        return hbg_rt_package_refuse(loaded, "it has %u sections instead of %d", head->sections,
                                     (int)HBG_RT_SECTION_COUNT);
    return true;
}

static bool read_sections(const hbg_rt_loaded *loaded, size_t size, hbg_rt_section_head *heads) {
    hbg_rt_package_head head;
    if (!read_head(loaded, size, &head)) return false;
    memcpy(heads, loaded->bytes + sizeof head, HBG_RT_SECTION_COUNT * sizeof *heads);
    if (hbg_rt_crc32c(heads, HBG_RT_SECTION_COUNT * sizeof *heads) != head.sum)
        return hbg_rt_package_refuse(loaded, "the sum of its sections is wrong");
    uint64_t last = sizeof head + HBG_RT_SECTION_COUNT * sizeof *heads;
    bool seen[HBG_RT_SECTION_COUNT] = {false};
    for (int i = 0; i < HBG_RT_SECTION_COUNT; i++) { // one behind the other, so that none overlap
        const hbg_rt_section_head *at = &heads[i];
        if (at->id >= HBG_RT_SECTION_COUNT || seen[at->id])
            return hbg_rt_package_refuse(loaded, "section %d is unknown, or there twice", i);
        seen[at->id] = true;
        bool inside = at->offset >= last && at->offset <= size && at->offset % 8 == 0 && at->item > 0 &&
                      at->count <= (size - at->offset) / at->item && at->count < INT32_MAX / 4;
        if (!inside)
            return hbg_rt_package_refuse(loaded, "section `%s` lies outside of it", section_names[at->id]);
        last = at->offset + at->count * at->item;
        if (hbg_rt_crc32c(loaded->bytes + at->offset, (size_t)(at->count * at->item)) != at->sum)
            return hbg_rt_package_refuse(loaded, "the sum of section `%s` is wrong", section_names[at->id]);
    }
    return true;
}

typedef struct {
    const hbg_rt_loaded *loaded;
    const hbg_rt_section_head *by_id[HBG_RT_SECTION_COUNT];
    bool fine;
} sections;

/* The items of a section; their size has to be that of this hbg. */
static void *items_of(sections *all, int id, size_t item, int32_t *count) {
    const hbg_rt_section_head *head = all->by_id[id];
    if (head->item != item)
        all->fine =
            hbg_rt_package_refuse(all->loaded, "section `%s` has items of another size", section_names[id]);
    *count = (int32_t)head->count;
    return all->loaded->bytes + head->offset;
}

/* One item, by value. */
static void take_one(sections *all, int id, void *to, size_t item) {
    int32_t count;
    const void *from = items_of(all, id, item, &count);
    if (all->fine && count != 1)
        all->fine = hbg_rt_package_refuse(all->loaded, "section `%s` is no single item", section_names[id]);
    if (all->fine) memcpy(to, from, item);
}

static void take_pools(sections *all, hbg_rt_image *image) {
#define X(name, type)                                                                                        \
    image->pool.name.chunk[0] = items_of(all, HBG_RT_SECTION_##name, sizeof(type), &image->pool.name.count); \
    image->pool.name.shift = 30;
    HBG_RT_POOL_SECTIONS(X)
#undef X
}

static void take_numbers(const hbg_rt_package_numbers *from, hbg_rt_image *image) {
    hbg_rt_instants *to = &image->instants;
    to->outside.input_count = from->input_count;
    to->outside.clock_count = from->clock_count;
    to->outside.param_count = from->param_count;
    to->outside.tick_pre_count = from->tick_pre_count;
    to->outside.tick_levels = from->tick_levels;
    to->outside.live = from->live;
    to->outside.open = from->open;
    to->outside.most_held = from->most_held;
    to->outside.ticks_read_pre = from->ticks_read_pre != 0;
    to->places.count = from->place_count;
    to->values.cell_count = from->cell_count;
    to->values.left_count = from->left_count;
    to->kept.island_count = from->island_count;
    to->kept.throw_count = from->throw_count;
    to->ins_read = (uint8_t)from->ins_read;
    to->has_events = from->has_events != 0;
    to->has_open = from->has_open != 0;
    to->has_undefined = from->has_undefined != 0;
    to->has_ders_of_pre = from->has_ders_of_pre != 0;
    atomic_init(&image->is_built, true);
    atomic_init(&image->has_colours, from->has_colours != 0);
    atomic_init(&image->has_slopes, from->has_slopes != 0);
}

/* Arrays of the instants, as long as the numbers say. */
static void take_arrays(sections *all, hbg_rt_instants *instants) {
    int32_t count;
#define X(place, name, type, length)                                                                         \
    instants->place = items_of(all, HBG_RT_SECTION_of_##name, sizeof(type), &count);                         \
    if (all->fine && count != instants->length)                                                              \
        all->fine = hbg_rt_package_refuse(all->loaded, "section `%s` has another length than it says", #name);
    HBG_RT_ARRAY_SECTIONS(X)
#undef X
    if (instants->counts.throws == 0) instants->kept.automaton_throws = NULL;
}

static bool take_sections(hbg_rt_loaded *loaded, const hbg_rt_section_head *heads) {
    sections all = {.loaded = loaded, .fine = true};
    hbg_rt_image *image = &loaded->image;
    hbg_rt_package *package = &loaded->package;
    int32_t count;
    for (int i = 0; i < HBG_RT_SECTION_COUNT; i++) all.by_id[heads[i].id] = &heads[i];
    take_pools(&all, image);
    take_one(&all, HBG_RT_SECTION_layout, &image->layout, sizeof image->layout);
    take_one(&all, HBG_RT_SECTION_code, &image->code, sizeof image->code);
    take_one(&all, HBG_RT_SECTION_modes, &image->modes, sizeof image->modes);
    take_one(&all, HBG_RT_SECTION_counts, &image->instants.counts, sizeof image->instants.counts);
    take_one(&all, HBG_RT_SECTION_calm, &image->instants.calm, sizeof image->instants.calm);
    take_one(&all, HBG_RT_SECTION_pace, &package->pace, sizeof package->pace);
    loaded->numbers = items_of(&all, HBG_RT_SECTION_numbers_of_instants, sizeof *loaded->numbers, &count);
    if (all.fine && count != 1) all.fine = hbg_rt_package_refuse(loaded, "its numbers are not there");
    if (!all.fine) return false;
    take_numbers(loaded->numbers, image);
    take_arrays(&all, &image->instants);
    loaded->names = items_of(&all, HBG_RT_SECTION_names, sizeof *loaded->names, &loaded->name_count);
    loaded->words = items_of(&all, HBG_RT_SECTION_words, sizeof *loaded->words, &loaded->word_count);
    loaded->strings = items_of(&all, HBG_RT_SECTION_strings, 1, &loaded->string_size);
    package->actions =
        items_of(&all, HBG_RT_SECTION_actions, sizeof *package->actions, &package->action_count);
    package->settings =
        items_of(&all, HBG_RT_SECTION_settings, sizeof *package->settings, &package->setting_count);
    package->overrides =
        items_of(&all, HBG_RT_SECTION_overrides, sizeof *package->overrides, &package->override_count);
    package->sensors =
        items_of(&all, HBG_RT_SECTION_sensors, sizeof *package->sensors, &package->sensor_count);
    package->keys = items_of(&all, HBG_RT_SECTION_of_keys, sizeof *package->keys, &loaded->key_count);
    return all.fine;
}

/* ---- what is not in files ----------------------------------------------------------------------------- */

static bool make_lookups(hbg_rt_loaded *loaded) {
    hbg_rt_image *image = &loaded->image;
    int32_t choices = image->pool.choices.count, answers = image->pool.answers.count;
    hbg_rt_lookup *lookups = HBG_RT_TAKE(&loaded->room, hbg_rt_lookup, choices + 1);
    if (!lookups) return false;
    image->pool.lookups.chunk[0] = lookups;
    image->pool.lookups.shift = 30;
    image->pool.lookups.count = choices;
    for (int32_t i = 0; i < answers; i++) lookups[HBG_RT_AT(image->pool.answers, i)->choice].used++;
    for (int32_t i = 0; i < choices; i++) {
        int32_t count = 4;
        while (count < 2 * lookups[i].used + 2) count *= 2;
        hbg_rt_slots *slots =
            hbg_rt_room_take(&loaded->room, 1, sizeof *slots + (size_t)count * sizeof slots->slot[0]);
        if (!slots) return false;
        slots->count = count;
        atomic_init(&lookups[i].slots, slots);
    }
    for (int32_t i = 0; i < answers; i++) {
        const hbg_rt_answer *answer = HBG_RT_AT(image->pool.answers, i);
        int32_t words = (HBG_RT_AT(image->pool.choices, answer->choice)->places.count + 63) / 64;
        hbg_rt_slots *slots = atomic_load(&lookups[answer->choice].slots);
        uint64_t k = hbg_rt_hash(HBG_RT_AT(image->pool.keys, answer->key), words),
                 mask = (uint64_t)(slots->count - 1);
        while (atomic_load(&slots->slot[k & mask]) != 0) k++;
        atomic_init(&slots->slot[k & mask], i + 1);
    }
    return true;
}

/* Runs take over everything at once: no code refers to more than they have. */
static void take_whole(hbg_rt_image *image) {
    hbg_rt_mark whole = image->code.mark;
    whole.constants = image->pool.constants.count;
    whole.prologue = image->pool.prologue.count;
    whole.located = image->pool.located.count;
    whole.loops = image->pool.loops.count;
    image->modes.first = whole;
}

/* ---- the provider ------------------------------------------------------------------------------------- */

static hbg_rt_status need(void *context, hbg_rt_need what, int32_t number, const uint64_t *mode,
                          int32_t *found) {
    (void)context, (void)what, (void)number, (void)mode;
    *found = HBG_RT_NONE;
    return HBG_RT_NOT_THERE;
}

/* "" where there is none. */
static const char *find_word(const hbg_rt_loaded *loaded, int32_t word, int32_t id) {
    int32_t low = 0, high = loaded->word_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const hbg_rt_package_word *at = &loaded->words[middle];
        if (at->word < word || (at->word == word && at->id < id))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < loaded->word_count && loaded->words[low].word == word && loaded->words[low].id == id;
    return found ? loaded->strings + loaded->words[low].text : "";
}

static void tell(void *context, hbg_rt_word word, int32_t id, char *text, size_t size) {
    snprintf(text, size, "%s", find_word(context, (int32_t)word, id));
}

/* Of the first region that has no valid causal assignment. */
static const char *find_conflict(const hbg_rt_loaded *loaded, const int32_t *states, uint64_t *mode) {
    const hbg_rt_image *image = &loaded->image;
    const hbg_rt_places *places = &image->instants.places;
    for (int32_t i = 0; i < places->count; i++)
        if (places->places[i].is_select || hbg_rt_place_is_on(image, i, states))
            mode[i >> 6] |= (uint64_t)1 << (i & 63);
    for (int32_t i = 0; i < image->modes.judged.count; i++) {
        int32_t answer = hbg_rt_answer_of(image, hbg_rt_ints(image, image->modes.judged.first)[i], mode,
                                          mode + image->modes.words + 1);
        int32_t value = answer < 0 ? -1 : HBG_RT_AT(image->pool.answers, answer)->value;
        if (value >= 0 && !HBG_RT_AT(image->pool.validities, value)->valid)
            return find_word(loaded, HBG_RT_PACKAGE_CONFLICT, answer);
    }
    return "";
}

static bool explain(void *context, const int32_t *states, char *text, size_t size) {
    const hbg_rt_loaded *loaded = context;
    hbg_rt_room room = {.memory = loaded->room.memory};
    uint64_t *mode = HBG_RT_TAKE(&room, uint64_t, 2 * (size_t)loaded->image.modes.words + 2);
    const char *found = mode ? find_conflict(loaded, states, mode) : "";
    bool floats = found[0] == HBG_RT_PACKAGE_FLOATS;
    snprintf(text, size, "%s",
             found[0] ? found + floats
                      : "; the model it was compiled from tells which bonds contradict each other");
    hbg_rt_room_end(&room);
    return floats;
}

/* ---- the system --------------------------------------------------------------------------------------- */

static int32_t count_names(const hbg_rt_loaded *loaded, hbg_rt_name_list list) {
    int32_t count = 0;
    for (int32_t i = 0; i < loaded->name_count; i++) count += loaded->names[i].list == (int32_t)list;
    return count;
}

static const hbg_rt_variable *variables_of(hbg_rt_loaded *loaded, hbg_rt_name_list list, int32_t *count) {
    hbg_rt_variable *made = HBG_RT_TAKE(&loaded->room, hbg_rt_variable, count_names(loaded, list) + 1);
    *count = 0;
    for (int32_t i = 0; i < loaded->name_count && made; i++) {
        const hbg_rt_package_name *of = &loaded->names[i];
        if (of->list != (int32_t)list) continue;
        made[(*count)++] = (hbg_rt_variable){loaded->strings + of->name,
                                             of->unit < 0 ? NULL : loaded->strings + of->unit, of->flag != 0};
    }
    return made;
}

static void describe_automata(hbg_rt_loaded *loaded, hbg_rt_description *system) {
    int32_t count = count_names(loaded, HBG_RT_NAMES_AUTOMATON),
            states = count_names(loaded, HBG_RT_NAMES_DISCRETE);
    hbg_rt_automaton *automata = HBG_RT_TAKE(&loaded->room, hbg_rt_automaton, count + 1);
    const char **names = HBG_RT_TAKE(&loaded->room, const char *, states + 1);
    int32_t *start = HBG_RT_TAKE(&loaded->room, int32_t, count + 1);
    int32_t automaton = -1, state = 0;
    if (loaded->room.is_exhausted) return;
    for (int32_t i = 0; i < loaded->name_count; i++) {
        const hbg_rt_package_name *of = &loaded->names[i];
        if (of->list == HBG_RT_NAMES_AUTOMATON) {
            automata[++automaton] =
                (hbg_rt_automaton){loaded->strings + of->name, names + state, of->flag, of->number};
            start[automaton] = loaded->image.instants.switching.automata[automaton].start;
        } else if (of->list == HBG_RT_NAMES_DISCRETE) {
            names[state++] = loaded->strings + of->name;
        }
    }
    system->automata = automata;
    system->automaton_count = count;
    system->start_states = start;
}

static void describe_others(hbg_rt_loaded *loaded, hbg_rt_description *system) {
    hbg_rt_clock *clocks =
        HBG_RT_TAKE(&loaded->room, hbg_rt_clock, count_names(loaded, HBG_RT_NAMES_CLOCK) + 1);
    hbg_rt_power *powers =
        HBG_RT_TAKE(&loaded->room, hbg_rt_power, count_names(loaded, HBG_RT_NAMES_POWER) + 1);
    if (loaded->room.is_exhausted) return;
    for (int32_t i = 0; i < loaded->name_count; i++) {
        const hbg_rt_package_name *of = &loaded->names[i];
        const char *name = loaded->strings + of->name;
        if (of->list == HBG_RT_NAMES_CLOCK) clocks[system->clock_count++] = (hbg_rt_clock){name, of->number};
        if (of->list == HBG_RT_NAMES_POWER)
            powers[system->power_count++] = (hbg_rt_power){name, (hbg_rt_power_kind)of->flag};
    }
    system->clocks = clocks;
    system->powers = powers;
}

static void describe(hbg_rt_loaded *loaded) {
    hbg_rt_description *system = &loaded->system;
    system->states = variables_of(loaded, HBG_RT_NAMES_STATE, &system->state_count);
    system->outputs = variables_of(loaded, HBG_RT_NAMES_OUTPUT, &system->output_count);
    system->inputs = variables_of(loaded, HBG_RT_NAMES_INPUT, &system->input_count);
    system->params = variables_of(loaded, HBG_RT_NAMES_PARAM, &system->param_count);
    system->storages = variables_of(loaded, HBG_RT_NAMES_STORAGE, &system->storage_count);
    system->bonds = variables_of(loaded, HBG_RT_NAMES_BOND, &system->bond_count);
    describe_automata(loaded, system);
    describe_others(loaded, system);
    system->root_count = loaded->numbers->root_count;
    system->idle_roots = loaded->numbers->idle_roots;
    system->guard_first = loaded->numbers->guard_first;
    system->has_events = loaded->image.instants.has_events;
}

/* The first three strings. */
static void name_package(hbg_rt_loaded *loaded) {
    hbg_rt_package *package = &loaded->package;
    package->version = loaded->strings;
    package->model = package->version + strlen(package->version) + 1;
    const char *experiment = package->model + strlen(package->model) + 1;
    package->experiment = experiment[0] ? experiment : NULL;
    package->image = &loaded->image;
    package->system = &loaded->system;
    loaded->system.name = package->model;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static hbg_rt_status read_all(hbg_rt_loaded *loaded, size_t size) {
    hbg_rt_section_head heads[HBG_RT_SECTION_COUNT];
    if (!read_sections(loaded, size, heads) || !take_sections(loaded, heads) || !hbg_rt_package_check(loaded))
        return loaded->room.is_exhausted ? HBG_RT_NO_MEMORY : HBG_RT_BAD_IMAGE;
    if (!make_lookups(loaded)) return HBG_RT_NO_MEMORY;
    take_whole(&loaded->image);
    name_package(loaded);
    describe(loaded);
    loaded->provider = (hbg_rt_provider){loaded, need, tell, explain};
    return loaded->room.is_exhausted ? HBG_RT_NO_MEMORY : HBG_RT_OK;
}

/* A copy, which is aligned whatever the bytes are. */
static hbg_rt_status copy_bytes(hbg_rt_loaded *loaded, const void *bytes, size_t size) {
    loaded->bytes = hbg_rt_room_take(&loaded->room, 1, size + 8);
    if (!loaded->bytes) return HBG_RT_NO_MEMORY;
    if (size > 0) memcpy(loaded->bytes, bytes, size);
    return HBG_RT_OK;
}

/* Nothing writes to an image that was read. */
static hbg_rt_status take_bytes(hbg_rt_loaded *loaded, const void *bytes) {
    loaded->bytes = (unsigned char *)(uintptr_t)bytes;
    if ((uintptr_t)bytes % 8 == 0) return HBG_RT_OK;
    (void)hbg_rt_package_refuse(loaded, "its bytes do not begin at a multiple of 8");
    return HBG_RT_BAD_IMAGE;
}

static hbg_rt_status read_package(const void *bytes, size_t size, bool stays, hbg_rt_memory memory,
                                  hbg_rt_loaded **loaded, hbg_rt_reason reason) {
    hbg_rt_loaded *made = memory.allocate(memory.context, sizeof *made);
    *loaded = NULL;
    if (!made) return HBG_RT_NO_MEMORY;
    made->room.memory = memory;
    made->reason = reason.text;
    made->reason_size = reason.size;
    hbg_rt_status status = stays ? take_bytes(made, bytes) : copy_bytes(made, bytes, size);
    if (status == HBG_RT_OK) status = read_all(made, size);
    if (status == HBG_RT_OK)
        *loaded = made;
    else
        hbg_rt_loaded_free(made);
    return status;
}

hbg_rt_status hbg_rt_package_read(const void *bytes, size_t size, hbg_rt_memory memory,
                                  hbg_rt_loaded **loaded, char *reason, size_t reason_size) {
    return read_package(bytes, size, false, memory, loaded, (hbg_rt_reason){reason, reason_size});
}

hbg_rt_status hbg_rt_package_place(const void *bytes, size_t size, hbg_rt_memory memory,
                                   hbg_rt_loaded **loaded, char *reason, size_t reason_size) {
    return read_package(bytes, size, true, memory, loaded, (hbg_rt_reason){reason, reason_size});
}

void hbg_rt_loaded_use(hbg_rt_loaded *loaded, const hbg_rt_native *native) {
    loaded->native = *native;
}

const hbg_rt_package *hbg_rt_loaded_package(const hbg_rt_loaded *loaded) {
    return &loaded->package;
}

const hbg_rt_description *hbg_rt_loaded_description(const hbg_rt_loaded *loaded) {
    return &loaded->system;
}

hbg_rt_instance *hbg_rt_loaded_run(const hbg_rt_loaded *loaded, hbg_rt_memory memory) {
    return hbg_rt_instance_new(&loaded->system, &loaded->image, &loaded->provider, &loaded->native, memory);
}

const hbg_rt_provider *hbg_rt_loaded_provider(const hbg_rt_loaded *loaded) {
    return &loaded->provider;
}

/* Registers of the outputs chosen stand behind all other numbers. */
hbg_rt_status hbg_rt_loaded_choose(hbg_rt_loaded *loaded, const int32_t *outputs, int32_t count) {
    hbg_rt_image *image = &loaded->image;
    hbg_rt_range *reg = &image->code.finals[HBG_RT_OUTPUTS].reg;
    int32_t old = image->pool.ints.count;
    int32_t *ints = HBG_RT_TAKE(&loaded->room, int32_t, (size_t)old + (size_t)count + 1);
    hbg_rt_variable *named = HBG_RT_TAKE(&loaded->room, hbg_rt_variable, count + 1);
    if (!ints || !named) return HBG_RT_NO_MEMORY;
    if (old > 0) memcpy(ints, image->pool.ints.chunk[0], (size_t)old * sizeof *ints);
    for (int32_t i = 0; i < count; i++) {
        ints[old + i] = ints[reg->first + outputs[i]];
        named[i] = loaded->system.outputs[outputs[i]];
    }
    image->pool.ints.chunk[0] = ints;
    image->pool.ints.count = old + count;
    *reg = (hbg_rt_range){old, count};
    loaded->system.outputs = named;
    loaded->system.output_count = count;
    return HBG_RT_OK;
}

void hbg_rt_loaded_free(hbg_rt_loaded *loaded) {
    if (!loaded) return;
    hbg_rt_memory memory = loaded->room.memory;
    hbg_rt_room_end(&loaded->room);
    memory.release(memory.context, loaded, sizeof *loaded);
}
