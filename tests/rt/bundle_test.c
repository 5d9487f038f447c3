/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files of several items: what is written is read, and what was cut, changed or made to overlap is refused with the reason. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdlib.h>
#include <string.h>

#include "rt/heap_impl.h"
#include "rt/mend_impl.h"

typedef struct {
    heap heap;
    char *bytes;
    size_t size;
    char reason[240];
} file;

static void make(file *f) {
    static const char package[] = "anything: a package has checks of its own";
    const hbg_rt_bundle_item items[] = {
        {HBG_RT_BUNDLE_IMAGE, package, sizeof package, UINT64_C(0x123456789abcdef0)},
        {HBG_RT_BUNDLE_MODEL, "tables of a model", 17, 0},
        {HBG_RT_BUNDLE_OPTION, "", 0, 0}};
    void *bytes;
    memset(f, 0, sizeof *f);
    assert_int_equal(hbg_rt_bundle_write(items, 3, heap_memory(&f->heap), &bytes, &f->size), HBG_RT_OK);
    f->bytes = bytes;
}

static void drop(file *f) {
    hbg_rt_memory memory = heap_memory(&f->heap);
    memory.release(memory.context, f->bytes, f->size);
    assert_int_equal(f->heap.used, 0);
}

static bool reads(file *f, size_t size) {
    hbg_rt_bundle bundle;
    bool fine = hbg_rt_bundle_read(&bundle, f->bytes, size, f->reason, sizeof f->reason);
    if (!fine) assert_true(f->reason[0] != 0);
    return fine;
}

static void what_is_written_is_read(void **state) {
    file f;
    hbg_rt_bundle bundle;
    (void)state;
    make(&f);
    assert_true(hbg_rt_bundle_read(&bundle, f.bytes, f.size, f.reason, sizeof f.reason));
    assert_int_equal(bundle.count, 3);
    hbg_rt_bundle_item image = hbg_rt_bundle_at(&bundle, 0), note = hbg_rt_bundle_at(&bundle, 1);
    assert_int_equal(image.kind, HBG_RT_BUNDLE_IMAGE);
    assert_true(image.key == UINT64_C(0x123456789abcdef0));
    assert_int_equal(note.size, 17);
    assert_memory_equal(note.bytes, "tables of a model", 17);
    assert_int_equal(hbg_rt_bundle_at(&bundle, 2).size, 0);
    drop(&f);
}

static void what_is_cut_or_changed_is_refused(void **state) {
    file f;
    (void)state;
    make(&f);
    for (size_t size = 0; size < f.size; size++) assert_false(reads(&f, size));
    for (size_t i = 0; i < sizeof(hbg_rt_package_head) - 4; i++) { // the last four have no meaning
        bool minor = i >= 16 && i < 20;
        f.bytes[i] ^= 1;
        if (!minor) assert_false(reads(&f, f.size));
        f.bytes[i] ^= 1;
    }
    hbg_rt_section_head note = mend_head_at(f.bytes, 1);
    f.bytes[note.offset] ^= 1;
    assert_false(reads(&f, f.size));
    assert_non_null(strstr(f.reason, "sum of section"));
    drop(&f);
}

/* With sums that fit. */
static void items_that_overlap_or_lie_outside_are_refused(void **state) {
    file f;
    (void)state;
    make(&f);
    const uint64_t offsets[] = {0, 8, 4, f.size, f.size + 8, UINT64_MAX - 7};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        hbg_rt_section_head old = mend_head_at(f.bytes, 2), now = old;
        char *place = f.bytes + sizeof(hbg_rt_package_head) + 2 * sizeof now;
        now.offset = offsets[i];
        now.count = i == 3 ? 1 : 0;
        memcpy(place, &now, sizeof now);
        hbg_rt_package_head head;
        memcpy(&head, f.bytes, sizeof head);
        head.sum = hbg_rt_crc32c(f.bytes + sizeof head, 3 * sizeof now);
        memcpy(f.bytes, &head, sizeof head);
        assert_false(reads(&f, f.size));
        memcpy(place, &old, sizeof old);
    }
    drop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_cut_or_changed_is_refused),
        cmocka_unit_test(items_that_overlap_or_lie_outside_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
