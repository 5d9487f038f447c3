/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instance as bytes: the importer's settings and point, and the run. They are valid in any process with
 * the same FMU; bytes of another FMU, or changed bytes, are refused. */
#include <math.h>
#include <string.h>

#include "fmu/fmu_impl.h"

typedef struct {
    unsigned char magic[8];
    uint64_t size, run_size; /* bytes in all, and of the run: the last */
    uint64_t token;          /* of the FMU */
    uint64_t sum;            /* of all bytes, with a sum of 0 */
    int32_t kind, phase;
    double t, stop, next, commits;
    int64_t warnings;
    uint8_t is_started, waits, opens, drifted, states_changed, nominals_changed, spare[2];
} head_type;

static const unsigned char magic[8] = {'H', 'B', 'G', 'F', 'M', 'U', 'S', '\n'};

typedef struct {
    unsigned char *to; /* NULL: sizes are counted */
    const unsigned char *from;
    size_t used, size;
} archive;

static void keep(archive *a, void *place, size_t size) {
    if (a->from && a->used + size <= a->size) memcpy(place, a->from + a->used, size);
    if (a->to && a->used + size <= a->size) memcpy(a->to + a->used, place, size);
    a->used += size;
}

/* For reading and writing; writing changes nothing. */
static void keep_arrays(hbg_fmu_instance *instance, archive *a) {
    const hbg_rt_description *system = instance->system;
    size_t states = (size_t)system->state_count, roots = (size_t)system->root_count;
    keep(a, instance->set.inputs, (size_t)system->input_count * sizeof(double));
    keep(a, instance->set.params, (size_t)system->param_count * sizeof(double));
    keep(a, instance->set.holds, (size_t)system->automaton_count * sizeof(int32_t));
    keep(a, instance->set.marks, (size_t)instance->set.mark_count);
    keep(a, instance->at.x, states * sizeof(double));
    keep(a, instance->nominals, states * sizeof(double));
    keep(a, instance->branches.sides, roots * sizeof(int8_t));
    keep(a, instance->branches.sizes, roots * sizeof(double));
    keep(a, instance->branches.bands, roots * sizeof(double));
    keep(a, instance->branches.armed, roots * sizeof(bool));
    keep(a, instance->sizes, (size_t)instance->model->group_count * sizeof(double));
    keep(a, instance->areas, 2 * (size_t)system->bond_count * sizeof(double));
}

static uint64_t mix(uint64_t number, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) number = (number ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return number;
}

/* A number for the token, which distinguishes FMUs. */
static uint64_t number_of(const char *token) {
    return mix(14695981039346656037u, token, strlen(token));
}

/* The sum of a head and the bytes after it. */
static uint64_t sum_of(head_type head, const unsigned char *bytes) {
    head.sum = 0;
    return mix(mix(14695981039346656037u, &head, sizeof head), bytes + sizeof head,
               (size_t)head.size - sizeof head);
}

static head_type head_of(const hbg_fmu_instance *instance) {
    head_type head = {.token = number_of(instance->model->token),
                      .kind = (int32_t)instance->options.kind,
                      .phase = (int32_t)instance->phase,
                      .t = instance->at.t,
                      .stop = instance->stop,
                      .next = instance->next,
                      .commits = instance->commits,
                      .warnings = instance->warnings,
                      .is_started = instance->is_started,
                      .waits = instance->set.waits,
                      .opens = instance->opens,
                      .drifted = instance->drifted,
                      .states_changed = instance->states_changed,
                      .nominals_changed = instance->nominals_changed};
    memcpy(head.magic, magic, sizeof magic);
    return head;
}

size_t hbg_fmu_save(hbg_fmu_instance *instance, void *bytes, size_t size) {
    head_type head = head_of(instance);
    archive a = {.to = bytes, .used = sizeof head, .size = size};
    if (instance->is_open) {
        (void)hbg_fmu_fail(instance, "an instance cannot be saved while an instant has not come to its end");
        return 0;
    }
    keep_arrays(instance, &a);
    if (instance->is_started) {
        bool fits = bytes && a.used < size;
        head.run_size = hbg_rt_run_save(instance->run, fits ? (unsigned char *)bytes + a.used : NULL,
                                        fits ? size - a.used : 0);
        if (head.run_size == 0) (void)hbg_fmu_fail(instance, "this run cannot be saved");
        if (head.run_size == 0) return 0;
    }
    head.size = a.used + head.run_size;
    if (!bytes || head.size > size) return head.size;
    head.sum = sum_of(head, bytes);
    memcpy(bytes, &head, sizeof head);
    return head.size;
}

static void take_head(hbg_fmu_instance *instance, const head_type *head) {
    instance->phase = (hbg_fmu_phase)head->phase;
    instance->at.t = head->t;
    instance->stop = head->stop;
    instance->next = head->next;
    instance->commits = head->commits;
    instance->warnings = head->warnings;
    instance->set.waits = head->waits != 0;
    instance->opens = head->opens != 0;
    instance->drifted = head->drifted != 0;
    instance->states_changed = head->states_changed != 0;
    instance->nominals_changed = head->nominals_changed != 0;
    instance->is_open = false;
    hbg_fmu_forget(instance);
}

/* Whether phase and settings have valid values. */
static bool is_sound(const hbg_fmu_instance *instance, const head_type *head) {
    bool one = head->phase > 0 && head->phase <= HBG_FMU_FAILED && (head->phase & (head->phase - 1)) == 0;
    for (int32_t i = 0; i < instance->set.mark_count; i++) one = one && instance->set.marks[i] <= 2;
    for (int32_t i = 0; i < instance->system->automaton_count; i++)
        one = one && instance->set.holds[i] >= HBG_RT_HOLD_NOT &&
              instance->set.holds[i] < instance->system->automata[i].state_count;
    return one;
}

static bool no_state(hbg_fmu_instance *instance) {
    return hbg_fmu_fail(instance, "the bytes are not a state of this FMU");
}

/* Whether bytes are a whole state of this FMU; *head is their beginning. */
static bool is_ours(hbg_fmu_instance *instance, const void *bytes, size_t size, head_type *head) {
    archive counted = {.used = sizeof *head};
    keep_arrays(instance, &counted);
    if (size >= sizeof *head) memcpy(head, bytes, sizeof *head);
    if (size >= sizeof *head && memcmp(head->magic, magic, sizeof magic) == 0 && head->size == size &&
        head->token == number_of(instance->model->token) && head->kind == (int32_t)instance->options.kind &&
        head->run_size <= size && counted.used + head->run_size == size &&
        (head->is_started != 0) == (head->run_size > 0) && sum_of(*head, bytes) == head->sum)
        return true;
    return no_state(instance);
}

bool hbg_fmu_restore(hbg_fmu_instance *instance, const void *bytes, size_t size) {
    head_type head = {0};
    archive a = {.from = bytes, .used = sizeof head, .size = size};
    if (!is_ours(instance, bytes, size, &head)) return false;
    keep_arrays(instance, &a);
    if (!is_sound(instance, &head)) {
        instance->phase = HBG_FMU_FAILED;
        return hbg_fmu_fail(instance, "the state cannot be");
    }
    take_head(instance, &head);
    if (!head.is_started) return hbg_fmu_make_run(instance);
    if (!instance->run && !hbg_fmu_make_run(instance)) return false;
    if (instance->stop < INFINITY) hbg_fmu_stop_at(instance, instance->stop);
    hbg_fmu_extend(instance);
    hbg_rt_status status =
        hbg_rt_run_restore(instance->run, (const unsigned char *)bytes + a.used, (size_t)head.run_size);
    instance->is_started = status == HBG_RT_OK;
    return hbg_fmu_check(instance, status);
}

/* ---- in memory of the instance's ----------------------------------------------------------------------- */

struct hbg_fmu_kept {
    size_t size;
    double bytes[]; /* aligned for any type */
};

static hbg_fmu_kept *make_kept(hbg_fmu_instance *instance, size_t size) {
    hbg_rt_memory memory = instance->options.memory;
    hbg_fmu_kept *made = size > 0 ? memory.allocate(memory.context, sizeof *made + size) : NULL;
    if (made) made->size = size;
    if (!made && size > 0) (void)hbg_fmu_fail(instance, "out of memory");
    return made;
}

static bool replace(hbg_fmu_instance *instance, hbg_fmu_kept *made, hbg_fmu_kept **kept) {
    if (!made) return false;
    hbg_fmu_drop(instance, kept);
    *kept = made;
    return true;
}

bool hbg_fmu_keep(hbg_fmu_instance *instance, hbg_fmu_kept **kept) {
    hbg_fmu_kept *made = make_kept(instance, hbg_fmu_save(instance, NULL, 0));
    if (made) (void)hbg_fmu_save(instance, made->bytes, made->size);
    return replace(instance, made, kept);
}

bool hbg_fmu_keep_bytes(hbg_fmu_instance *instance, const void *bytes, size_t size, hbg_fmu_kept **kept) {
    head_type head = {0};
    if (!bytes) return no_state(instance);
    if (!is_ours(instance, bytes, size, &head)) return false;
    hbg_fmu_kept *made = make_kept(instance, size);
    if (made) memcpy(made->bytes, bytes, size);
    return replace(instance, made, kept);
}

const void *hbg_fmu_kept_bytes(const hbg_fmu_kept *kept, size_t *size) {
    *size = kept->size;
    return kept->bytes;
}

void hbg_fmu_drop(hbg_fmu_instance *instance, hbg_fmu_kept **kept) {
    hbg_rt_memory memory = instance->options.memory;
    if (*kept) memory.release(memory.context, *kept, sizeof **kept + (*kept)->size);
    *kept = NULL;
}
