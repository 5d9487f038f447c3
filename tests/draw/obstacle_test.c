/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The grid of obstacles: it answers as looking at every box would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/draw.h"

static void obstacles_of_the_ends_do_not_count(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_draw_obstacles obstacles;
    hbg_base_arena_init(&arena, &memory);
    hbg_draw_obstacles_init(&obstacles, &arena, (hbg_draw_box){0, 0, 300, 100});
    hbg_draw_obstacles_add(&obstacles, (hbg_draw_box){0, 40, 20, 60}, 1);
    hbg_draw_obstacles_add(&obstacles, (hbg_draw_box){280, 40, 300, 60}, 2);
    hbg_draw_point a = {10, 50}, b = {290, 50};
    assert_null(hbg_draw_obstacles_first(&obstacles, a, b, 1, 2));
    assert_int_equal(hbg_draw_obstacles_first(&obstacles, a, b, 1, 1)->owner, 2);
    hbg_draw_obstacles_add(&obstacles, (hbg_draw_box){140, 49, 150, 51}, 3);
    hbg_draw_obstacles_add(&obstacles, (hbg_draw_box){160, 49, 170, 51}, 4);
    assert_int_equal(hbg_draw_obstacles_first(&obstacles, a, b, 1, 2)->owner, 3);
    assert_int_equal(hbg_draw_obstacles_first(&obstacles, b, a, 1, 2)->owner, 4);
    hbg_base_arena_fini(&arena);
}

static uint32_t next_random(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static hbg_draw_box random_box(uint32_t *seed) {
    double x = (double)next_random(seed, 3000) - 500, y = (double)next_random(seed, 3000) - 500;
    double size = next_random(seed, 10) == 0 ? 1500 : 40;
    return (hbg_draw_box){x, y, x + 1 + next_random(seed, (uint32_t)size),
                          y + 1 + next_random(seed, (uint32_t)size)};
}

/* Also for boxes and lines that leave the area the grid was made for. */
static void grid_agrees_with_looking_at_every_box(void **state) {
    (void)state;
    enum { BOXES = 60, QUESTIONS = 4000 };
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_draw_obstacles obstacles;
    hbg_draw_box boxes[BOXES];
    uint32_t seed = 7;
    int free_count = 0;
    hbg_base_arena_init(&arena, &memory);
    hbg_draw_obstacles_init(&obstacles, &arena, (hbg_draw_box){0, 0, 2000, 2000});
    for (int i = 0; i < BOXES; i++) hbg_draw_obstacles_add(&obstacles, boxes[i] = random_box(&seed), i);
    for (int i = 0; i < QUESTIONS; i++) {
        hbg_draw_box asked = random_box(&seed);
        hbg_draw_point a = {asked.left, asked.bottom}, b = {asked.right, asked.top};
        int32_t except = (int32_t)next_random(&seed, BOXES);
        int first = -1;
        double at = 2;
        bool box = true;
        for (int k = 0; k < BOXES; k++) {
            double enter = hbg_draw_box_enter(boxes[k], a, b);
            if (k != except && enter <= 1 && enter < at) {
                first = k;
                at = enter;
            }
            if (hbg_draw_box_overlap(boxes[k], asked)) box = false;
        }
        free_count += first < 0;
        const hbg_draw_obstacle *found = hbg_draw_obstacles_first(&obstacles, a, b, except, except);
        assert_int_equal(found ? found->owner : -1, first);
        assert_int_equal(hbg_draw_obstacles_box_free(&obstacles, asked), box);
    }
    /* both answers occur, or nothing was tested */
    assert_true(free_count > QUESTIONS / 20 && free_count < QUESTIONS - QUESTIONS / 20);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obstacles_of_the_ends_do_not_count),
        cmocka_unit_test(grid_agrees_with_looking_at_every_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
