/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Several runs in one thread, each on its own stack. A run proceeds alone until it asks for a stride; there
 * it waits until the others have reached theirs, and compiled code makes the steps of all of them at once. A
 * step that differs from the others (a row inside, a search, a value that is not finite) is made for its run
 * alone by the compiled stride of a single run; the run itself handles what follows, for example a search,
 * and asks for its next stride afterwards. So every run does what it would do alone, to the bit. Where lanes
 * are often stopped it is cheaper to let each run proceed alone for a while. With a device there are many
 * lanes, and each has a seat there until its steps are made or one of them differs; until then the run does
 * not change, so it can make the steps itself if the device fails. */
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
#define ROOM  (256 << 10) /* bytes that a lane lends to its run, after its stack */
#define GUARD 102         /* MADV_GUARD_INSTALL */

enum {
    VECTOR = 8,         /* lanes of one call, at most */
    SHORT = 8,          /* steps of a call that costs about what it saves */
    MOST_SHORT = 32,    /* such calls before runs proceed alone up to the ends of their strides */
    DEVICE_SHORT = 128, /* steps of a lane that cost about what they save on a device */
    DEVICE_LEAST = 32,  /* up to so many steps are faster made here */
    DEVICE_FEW = 8,     /* fewer lanes are faster without it */
    MOST_PASSES = 8,    /* for lanes with steps to make elsewhere, before a launch without them */
    STACKS = 64         /* side by side */
};

typedef enum { LANE_READY, LANE_WAITING, LANE_STRIDING, LANE_OVER } lane_state;

struct hbg_sim_lane {
    struct hbg_sim_gang *gang;
    lane_state state;
    ucontext_t own;
    char *stack; /* of the first of several: their memory */
    void *aside; /* the sanitizer's record of its stack */
    void (*work)(void *context);
    void *context;
    const double *r; /* what it asks for */
    hbg_rt_native_stride *asked;
    int64_t plain; /* steps that it can make with others */
    int32_t seat;  /* on the device; −1: none */
};

struct hbg_sim_gang {
    const hbg_rt_native_table *table;
    ucontext_t outside;
    const void *bottom; /* of the stack of the thread, and its size */
    size_t size;
    void *aside;
    hbg_sim_lane *lanes;
    hbg_sim_lane **striding; /* room for all lanes */
    int32_t count, shorts;
    hbg_sim_device *device; /* or NULL */
    hbg_sim_bank *bank;     /* of the device, while it runs; or NULL */
    int32_t *seats;         /* of the bank: the free ones, in descending order */
    int32_t free_count, passes;
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

/* A pointer arrives as two numbers, since makecontext passes only int. */
static void begin(unsigned high, unsigned low) {
    hbg_sim_lane *lane = (hbg_sim_lane *)((uintptr_t)high << 16 << 16 | low);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(NULL, &lane->gang->bottom, &lane->gang->size);
#endif
    lane->work(lane->context);
    lane->state = LANE_OVER;
    leave(lane, true);
}

/* How many stacks from this lane on share a mapping: on the processor each lane has its own. */
static int32_t stacks_of(const hbg_sim_gang *gang, int32_t first) {
    int32_t most = gang->device ? STACKS : 1;
    return gang->count - first < most ? gang->count - first : most;
}

static bool make_context(hbg_sim_lane *lane, char *stack) {
    uintptr_t self = (uintptr_t)lane;
    if (getcontext(&lane->own) != 0) return false;
    lane->own.uc_stack.ss_sp = stack;
    lane->own.uc_stack.ss_size = STACK;
    lane->own.uc_link = NULL;
    makecontext(&lane->own, (void (*)(void))begin, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
    return true;
}

/* With the page below it and the memory lent after it: on the processor lanes are few, and their runs use the
 * heap. */
static size_t size_of_stack(const hbg_sim_gang *gang) {
    return (size_t)sysconf(_SC_PAGESIZE) + STACK + (gang->device ? ROOM : 0);
}

/* Stacks side by side, each with a page below it that may not be touched. The first of these pages takes
 * entries in the system's list of mappings, and there may be more lanes than entries. The others take none by
 * a call that systems before Linux 6.13 do not know: there they stay accessible. */
static bool make_stacks(hbg_sim_gang *gang, int32_t first) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), each = size_of_stack(gang);
    size_t size = (size_t)stacks_of(gang, first) * each;
    char *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return false;
    gang->lanes[first].stack = made;
    bool fine = mprotect(made, page, PROT_NONE) == 0;
    for (int32_t i = 0; i < stacks_of(gang, first) && fine; i++) {
        if (i > 0) (void)madvise(made + (size_t)i * each, page, GUARD);
        fine = make_context(&gang->lanes[first + i], made + (size_t)i * each + page);
    }
    return fine;
}

/* ---- strides ------------------------------------------------------------------------------------------ */

/* Makes `count` steps of a lane's request by the code of a single run. */
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

/* Steps that all can make from the lane's present step: none if the guards have been evaluated, or a row is
 * due. */
static int64_t plain_steps(const hbg_rt_native_stride *asked) {
    if (asked->looked && asked->done == 0) return 0;
    int64_t end = asked->row < asked->row_count ? asked->rows[asked->row].step - asked->base : asked->count;
    return (end < asked->count ? end : asked->count) - asked->done;
}

/* Makes steps that cannot be made with others, or are too few to be brought to a device. */
static void make_short(hbg_sim_lane *lane) {
    int64_t least = lane->gang->bank ? DEVICE_LEAST : 0, steps;
    while (!is_done(lane->asked) && (steps = plain_steps(lane->asked)) <= least)
        alone(lane, steps > 0 ? steps : 1);
}

/* Collects lanes that have more than one step to make together; the others make theirs alone. */
static int32_t gather(hbg_sim_gang *gang) {
    int32_t count = 0;
    for (int32_t i = 0; i < gang->count; i++) {
        hbg_sim_lane *lane = &gang->lanes[i];
        if (lane->state != LANE_STRIDING) continue;
        if (lane->seat < 0) make_short(lane);
        if (is_done(lane->asked)) {
            lane->state = LANE_READY;
            continue;
        }
        lane->plain = plain_steps(lane->asked);
        gang->striding[count++] = lane;
    }
    return count;
}

static void apart(hbg_sim_lane *lane) {
    alone(lane, lane->asked->count - lane->asked->done);
    lane->state = LANE_READY;
}

static void together(hbg_sim_gang *gang, int32_t count) {
    const double *r[VECTOR];
    hbg_rt_native_stride *asked[VECTOR];
    hbg_sim_lane **lanes = gang->striding;
    int64_t made, steps = INT64_MAX;
    for (int32_t i = 0; i < gang->table->width; i++) { // unused lanes are filled with a copy and ignored
        r[i] = lanes[i < count ? i : 0]->r;
        asked[i] = lanes[i < count ? i : 0]->asked;
    }
    for (int32_t i = 0; i < count; i++)
        if (lanes[i]->plain < steps) steps = lanes[i]->plain;
    uint32_t odd = gang->table->lanes(count, r, asked, steps, &made);
    gang->shorts = made >= SHORT ? 0 : gang->shorts + 1;
    for (int32_t i = 0; i < count; i++) {
        if (odd >> i & 1) alone(lanes[i], 1);
        if (is_done(asked[i])) lanes[i]->state = LANE_READY;
    }
}

/* ---- the device --------------------------------------------------------------------------------------- */

static void take_seat(hbg_sim_lane *lane) {
    hbg_sim_gang *gang = lane->gang;
    lane->seat = gang->seats[--gang->free_count];
    hbg_sim_bank_put(gang->bank, lane->seat, lane->r, lane->asked, lane->plain);
}

/* Takes the results of a lane and frees its seat. */
static int64_t leave_seat(hbg_sim_lane *lane) {
    hbg_sim_gang *gang = lane->gang;
    bool odd = false;
    int64_t made = hbg_sim_bank_get(gang->bank, lane->seat, lane->asked, &odd);
    gang->seats[gang->free_count++] = lane->seat;
    lane->seat = -1;
    hbg_sim_bank_made(gang->bank, made);
    if (odd) alone(lane, 1);
    if (is_done(lane->asked)) lane->state = LANE_READY;
    return made;
}

/* The device has failed: its results are lost, and each lane makes its steps from where they began. */
static void lose_seats(hbg_sim_gang *gang, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (gang->striding[i]->seat < 0) continue;
        gang->seats[gang->free_count++] = gang->striding[i]->seat;
        gang->striding[i]->seat = -1;
        apart(gang->striding[i]);
    }
}

/* One launch, for lanes that have a seat or get one. Lanes that do not fit the device proceed alone; so do
 * all if it fails. */
static void on_device(hbg_sim_gang *gang, int32_t count) {
    hbg_sim_lane **lanes = gang->striding;
    int32_t seated = 0, end = 0;
    int64_t made = 0;
    for (int32_t i = 0; i < count; i++) {
        bool fits = lanes[i]->seat >= 0 || hbg_sim_bank_fits(gang->bank, lanes[i]->r, lanes[i]->asked);
        if (fits && lanes[i]->seat < 0 && gang->free_count > 0) take_seat(lanes[i]);
        if (!fits) apart(lanes[i]);
        if (lanes[i]->seat < 0) continue;
        if (lanes[i]->seat >= end) end = lanes[i]->seat + 1;
        seated++;
    }
    if (end > 0 && !hbg_sim_bank_take(gang->bank, end)) {
        lose_seats(gang, count);
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        if (lanes[i]->seat < 0) continue;
        made += hbg_sim_bank_rests(gang->bank, lanes[i]->seat) ? leave_seat(lanes[i]) : DEVICE_SHORT;
    }
    gang->shorts = made >= (int64_t)seated * DEVICE_SHORT ? 0 : gang->shorts + 1;
}

/* Takes back all results that are on the device. */
static void clear_seats(hbg_sim_gang *gang, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (gang->striding[i]->seat >= 0) (void)leave_seat(gang->striding[i]);
}

/* A launch takes as long for few lanes as for many: those that can proceed before it do so. */
static bool waits_for_others(hbg_sim_gang *gang, int32_t count) {
    int32_t ready = 0;
    for (int32_t i = 0; i < gang->count; i++) ready += gang->lanes[i].state == LANE_READY;
    bool waits = gang->bank && ready > 0 && count > 0 && gang->passes < MOST_PASSES;
    gang->passes = waits ? gang->passes + 1 : 0;
    return waits;
}

/* Numbers below 1e-308 are 0, as in the runs themselves. */
static void stride(hbg_sim_gang *gang) {
    uint64_t before = hbg_rt_subnormal_skip();
    int32_t count = gather(gang), few = gang->device ? DEVICE_FEW : 2;
    bool shorts = gang->shorts >= MOST_SHORT;
    if (waits_for_others(gang, count)) {
    } else if (count >= few && gang->bank && !shorts)
        on_device(gang, count);
    else if (count >= few && !gang->device && !shorts)
        together(gang, count);
    else if (count > 0) {
        clear_seats(gang, count);
        for (int32_t i = 0; i < count; i++)
            if (gang->striding[i]->state == LANE_STRIDING) apart(gang->striding[i]);
        gang->shorts = 0;
    }
    hbg_rt_subnormal_restore(before);
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

void *hbg_sim_lane_room(hbg_sim_lane *lane, size_t *size) {
    *size = ROOM;
#if defined(__SANITIZE_ADDRESS__)
    (void)lane;
    return NULL; // the sanitizer watches blocks of the heap
#else
    return lane->gang->device && lane->own.uc_stack.ss_sp ? (char *)lane->own.uc_stack.ss_sp + STACK : NULL;
#endif
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
    size_t each = size_of_stack(gang);
    for (int32_t i = 0; i < gang->count; i += stacks_of(gang, i))
        if (gang->lanes[i].stack) (void)munmap(gang->lanes[i].stack, (size_t)stacks_of(gang, i) * each);
}

hbg_sim_gang *hbg_sim_gang_new(hbg_arena *arena, const hbg_rt_native_table *table, hbg_sim_device *device,
                               int32_t count) {
    hbg_sim_gang *gang = HBG_NEW(arena, hbg_sim_gang);
    gang->table = table;
    gang->device = device;
    gang->count = device || count < VECTOR ? count : VECTOR;
    gang->lanes = HBG_NEW_ARRAY(arena, hbg_sim_lane, gang->count);
    gang->striding = HBG_NEW_ARRAY(arena, hbg_sim_lane *, gang->count);
    for (int32_t i = 0; i < gang->count; i++) gang->lanes[i].gang = gang, gang->lanes[i].seat = -1;
    if (device) gang->bank = hbg_sim_bank_new(arena, device, count);
    int32_t seats = gang->bank ? hbg_sim_bank_lanes(gang->bank) : 0;
    gang->seats = HBG_NEW_ARRAY(arena, int32_t, seats + 1);
    for (int32_t i = 0; i < seats; i++) gang->seats[gang->free_count++] = seats - 1 - i;
    return gang;
}

hbg_sim_lane *hbg_sim_gang_lane(hbg_sim_gang *gang, int32_t number) {
    return &gang->lanes[number];
}

bool hbg_sim_gang_run(hbg_sim_gang *gang, void (*work)(void *context), void *const *contexts,
                      void (*rest)(void *context), void *context) {
    bool fine = true;
    for (int32_t i = 0; i < gang->count; i++) {
        gang->lanes[i].work = work;
        gang->lanes[i].context = contexts[i];
    }
    for (int32_t i = 0; i < gang->count && fine; i += stacks_of(gang, i)) fine = make_stacks(gang, i);
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

void hbg_sim_gang_end(hbg_sim_gang *gang) {
    hbg_sim_bank_free(gang->bank);
    gang->bank = NULL;
}
