/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Several runs in one thread, each on a stack of its own. A run goes by itself, as any run does, until it asks for a stride; there it
 * waits until the others have come to theirs, and compiled code makes the steps of all of them at once. A step that is not like the
 * others (a row inside, a search, a value that is not finite) is made for its run alone by the compiled stride of a single run; what comes
 * of it, a search say, is the run's affair, which asks for its next stride when it is done. So every run does what it would do alone, to the bit.
 * Where lanes keep being stopped it is cheaper to let each run go its way for a while. */
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "sim/lanes_impl.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define STACK (4 << 20) /* bytes; frames are larger */
#else
#define STACK (1 << 20) /* bytes, of which few are ever touched */
#endif

enum {
    SHORT = 8,      /* steps of a call that costs about what it saves */
    MOST_SHORT = 32 /* such calls before runs go their own way up to the ends of their strides */
};

typedef enum { LANE_READY, LANE_WAITING, LANE_STRIDING, LANE_OVER } lane_state;

struct hbg_sim_lane {
    struct hbg_sim_gang *gang;
    lane_state state;
    ucontext_t own;
    char *stack;
    void *aside; /* what the sanitizer keeps of its stack */
    void (*work)(void *context);
    void *context;
    const double *r; /* what it asks for */
    hbg_rt_native_stride *asked;
};

struct hbg_sim_gang {
    const hbg_rt_native_table *table;
    ucontext_t outside;
    const void *bottom; /* of the stack of the thread, and its size */
    size_t size;
    void *aside;
    hbg_sim_lane lanes[HBG_SIM_MOST_LANES];
    int32_t count, shorts;
    void (*rest)(void *context);
    void *context;
};

/* ---- stacks ------------------------------------------------------------------------------------------- */

static void leave(hbg_sim_lane *lane, bool for_good) {
    hbg_sim_gang *gang = lane->gang;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(for_good ? NULL : &lane->aside, gang->bottom, gang->size);
#else
    (void)for_good;
#endif
    (void)swapcontext(&lane->own, &gang->outside);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(lane->aside, &gang->bottom, &gang->size);
#endif
}

static void enter(hbg_sim_lane *lane) {
    hbg_sim_gang *gang = lane->gang;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&gang->aside, lane->own.uc_stack.ss_sp, lane->own.uc_stack.ss_size);
#endif
    (void)swapcontext(&gang->outside, &lane->own);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(gang->aside, NULL, NULL);
#endif
}

/* A pointer comes as two numbers (makecontext takes no other). */
static void begin(unsigned high, unsigned low) {
    hbg_sim_lane *lane = (hbg_sim_lane *)((uintptr_t)high << 16 << 16 | low);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(NULL, &lane->gang->bottom, &lane->gang->size);
#endif
    lane->work(lane->context);
    lane->state = LANE_OVER;
    leave(lane, true);
}

/* With a page below it that nobody may touch. */
static bool make_stack(hbg_sim_lane *lane) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t self = (uintptr_t)lane;
    char *made = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return false;
    lane->stack = made;
    if (mprotect(made, page, PROT_NONE) != 0 || getcontext(&lane->own) != 0) return false;
    lane->own.uc_stack.ss_sp = made + page;
    lane->own.uc_stack.ss_size = STACK - page;
    lane->own.uc_link = NULL;
    makecontext(&lane->own, (void (*)(void))begin, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
    return true;
}

/* ---- strides ------------------------------------------------------------------------------------------ */

/* So many steps of what a lane asks for by the code of a single run. */
static void alone(hbg_sim_lane *lane, int64_t count) {
    hbg_rt_native_stride *asked = lane->asked, part = *asked;
    part.first += (double)asked->done;
    part.base += asked->done;
    part.looked = asked->looked && asked->done == 0;
    part.count = count;
    lane->gang->table->stride(lane->r, &part);
    asked->done += part.done;
    asked->commits += part.commits;
    asked->moves += part.moves;
    asked->looks += part.looks;
    asked->row = part.row;
    asked->end = part.end;
}

static bool is_done(const hbg_rt_native_stride *asked) {
    return asked->end != 0 || asked->done == asked->count;
}

/* Steps that all can make, from where a lane stands: none where the guards have been looked at, or where a row is due. */
static int64_t plain_steps(const hbg_rt_native_stride *asked) {
    if (asked->looked && asked->done == 0) return 0;
    int64_t end = asked->row < asked->row_count ? asked->rows[asked->row].step - asked->base : asked->count;
    return (end < asked->count ? end : asked->count) - asked->done;
}

/* Lanes that stride and have more than one step to do together; those that do not are taken on by themselves. */
static int32_t gather(hbg_sim_gang *gang, hbg_sim_lane **lanes, int64_t *steps) {
    int32_t count = 0;
    *steps = INT64_MAX;
    for (int32_t i = 0; i < gang->count; i++) {
        hbg_sim_lane *lane = &gang->lanes[i];
        if (lane->state != LANE_STRIDING) continue;
        while (!is_done(lane->asked) && plain_steps(lane->asked) == 0) alone(lane, 1);
        if (is_done(lane->asked)) {
            lane->state = LANE_READY;
            continue;
        }
        int64_t plain = plain_steps(lane->asked);
        if (plain < *steps) *steps = plain;
        lanes[count++] = lane;
    }
    return count;
}

static void together(hbg_sim_gang *gang, hbg_sim_lane **lanes, int32_t count, int64_t steps) {
    const double *r[HBG_SIM_MOST_LANES];
    hbg_rt_native_stride *asked[HBG_SIM_MOST_LANES];
    int64_t made;
    for (int32_t i = 0; i < gang->table->width; i++) { // what is not taken is filled up and comes to nothing
        r[i] = lanes[i < count ? i : 0]->r;
        asked[i] = lanes[i < count ? i : 0]->asked;
    }
    uint32_t odd = gang->table->lanes(count, r, asked, steps, &made);
    gang->shorts = made >= SHORT ? 0 : gang->shorts + 1;
    for (int32_t i = 0; i < count; i++) {
        if (odd >> i & 1) alone(lanes[i], 1);
        if (is_done(asked[i])) lanes[i]->state = LANE_READY;
    }
}

static void stride(hbg_sim_gang *gang) {
    hbg_sim_lane *lanes[HBG_SIM_MOST_LANES];
    int64_t steps;
    int32_t count = gather(gang, lanes, &steps);
    bool apart = count == 1 || gang->shorts >= MOST_SHORT;
    if (count == 0) return;
    if (!apart) together(gang, lanes, count, steps);
    for (int32_t i = 0; i < count && apart; i++) {
        alone(lanes[i], lanes[i]->asked->count - lanes[i]->asked->done);
        lanes[i]->state = LANE_READY;
    }
    if (apart) gang->shorts = 0;
}

/* ---- lanes -------------------------------------------------------------------------------------------- */

static void take(void *context, const double *r, hbg_rt_native_stride *asked) {
    hbg_sim_lane *lane = context;
    if (asked->follow) { // parameters move
        lane->gang->table->stride(r, asked);
        return;
    }
    asked->done = asked->commits = asked->moves = asked->looks = 0;
    asked->end = 0;
    lane->r = r;
    lane->asked = asked;
    lane->state = LANE_STRIDING;
    leave(lane, false);
}

hbg_rt_strider hbg_sim_lane_strider(hbg_sim_lane *lane) {
    return (hbg_rt_strider){take, lane};
}

void hbg_sim_lane_wait(hbg_sim_lane *lane) {
    lane->state = LANE_WAITING;
    leave(lane, false);
}

static int32_t count_in(const hbg_sim_gang *gang, lane_state state) {
    int32_t count = 0;
    for (int32_t i = 0; i < gang->count; i++) count += gang->lanes[i].state == state;
    return count;
}

static void free_stacks(hbg_sim_gang *gang) {
    for (int32_t i = 0; i < gang->count; i++)
        if (gang->lanes[i].stack) (void)munmap(gang->lanes[i].stack, STACK);
}

hbg_sim_gang *hbg_sim_gang_new(hbg_arena *arena, const hbg_rt_native_table *table, int32_t count) {
    hbg_sim_gang *gang = HBG_NEW(arena, hbg_sim_gang);
    gang->table = table;
    gang->count = count < HBG_SIM_MOST_LANES ? count : HBG_SIM_MOST_LANES;
    for (int32_t i = 0; i < gang->count; i++) gang->lanes[i].gang = gang;
    return gang;
}

hbg_sim_lane *hbg_sim_gang_lane(hbg_sim_gang *gang, int32_t number) {
    return &gang->lanes[number];
}

bool hbg_sim_gang_run(hbg_sim_gang *gang, void (*work)(void *context), void *const *contexts,
                      void (*rest)(void *context), void *context) {
    bool fine = true;
    for (int32_t i = 0; i < gang->count && fine; i++) {
        gang->lanes[i].work = work;
        gang->lanes[i].context = contexts[i];
        fine = make_stack(&gang->lanes[i]);
    }
    while (fine && count_in(gang, LANE_OVER) < gang->count) {
        for (int32_t i = 0; i < gang->count; i++)
            if (gang->lanes[i].state == LANE_READY) enter(&gang->lanes[i]);
        int32_t waiting = count_in(gang, LANE_WAITING);
        if (waiting > 0 && waiting + count_in(gang, LANE_OVER) == gang->count) rest(context);
        for (int32_t i = 0; i < gang->count; i++)
            if (gang->lanes[i].state == LANE_WAITING) gang->lanes[i].state = LANE_READY;
        stride(gang);
    }
    free_stacks(gang);
    return fine;
}
