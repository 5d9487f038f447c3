/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files of several items: written files can be read, and truncated, changed or overlapping ones are refused
 * with the reason. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
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
    static const char package[] = "anything: what it holds is checked when it is read";
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

/* CRC-32C of RFC 3720, section B.4, in whole words and with bytes left over: the check value of the
 * polynomial is that of "123456789". */
static void sums_are_those_of_the_standard(void **state) {
    unsigned char bytes[32];
    (void)state;
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(hbg_rt_crc32c(bytes, 32), 0x8A9136AA);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(hbg_rt_crc32c(bytes, 32), 0x62A8AB43);
    for (int i = 0; i < 32; i++) bytes[i] = (unsigned char)i;
    assert_int_equal(hbg_rt_crc32c(bytes, 32), 0x46DD794E);
    assert_int_equal(hbg_rt_crc32c("123456789", 9), 0xE3069283);
    assert_int_equal(hbg_rt_crc32c("", 0), 0);
}

static void what_is_cut_is_refused(void **state) {
    file f;
    (void)state;
    make(&f);
    for (size_t size = 0; size < f.size; size++) assert_false(reads(&f, size));
    drop(&f);
}

/* Heads, used and unused items, and the zeros between them: any bit of any byte. */
static void a_byte_that_was_changed_anywhere_is_told(void **state) {
    file f;
    (void)state;
    make(&f);
    for (size_t i = 0; i < f.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            f.bytes[i] ^= (char)(1 << bit);
            if (reads(&f, f.size)) fail_msg("bit %d of byte %zu may change", bit, i);
            f.bytes[i] ^= (char)(1 << bit);
        }
    assert_true(reads(&f, f.size));
    drop(&f);
}

static void an_item_that_was_changed_is_named(void **state) {
    file f;
    (void)state;
    make(&f);
    for (uint32_t i = 0; i < 2; i++) { // the third is empty
        hbg_rt_item_head item = mend_item_at(f.bytes, i);
        char name[40];
        snprintf(name, sizeof name, "the sum of item %u is wrong", (unsigned)i);
        const size_t places[] = {0, item.size - 1, hbg_rt_bundle_padded(item.size) - 1};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            f.bytes[item.offset + places[k]] ^= 1;
            assert_false(reads(&f, f.size));
            assert_string_equal(f.reason, name);
            f.bytes[item.offset + places[k]] ^= 1;
        }
    }
    drop(&f);
}

/* With sums that fit. */
static void items_that_overlap_or_lie_outside_are_refused(void **state) {
    file f;
    (void)state;
    make(&f);
    hbg_rt_item_head old = mend_item_at(f.bytes, 2);
    assert_true(old.offset == f.size && old.size == 0); // the empty one, at the end
    const hbg_rt_item_head wrong[] = {{.offset = 0},
                                      {.offset = 4},
                                      {.offset = old.offset - 8},
                                      {.offset = old.offset + 8},
                                      {.offset = UINT64_MAX - 7},
                                      {.offset = old.offset, .size = 1},
                                      {.offset = old.offset, .size = UINT64_MAX}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hbg_rt_item_head now = wrong[i];
        char *place = f.bytes + sizeof(hbg_rt_package_head) + 2 * sizeof now;
        now.kind = old.kind;
        now.sum = old.sum;
        memcpy(place, &now, sizeof now);
        mend_head_sums(f.bytes, sizeof now);
        assert_false(reads(&f, f.size));
        assert_string_equal(f.reason, "item 2 lies outside of it, or is unknown");
        memcpy(place, &old, sizeof old);
    }
    drop(&f);
}

/* With sums that fit: bytes outside of all items could be anything. */
static void bytes_behind_the_last_item_are_refused(void **state) {
    file f;
    (void)state;
    make(&f);
    hbg_rt_package_head head = mend_head(f.bytes);
    size_t size = f.size + 8;
    char *longer = calloc(1, size);
    assert_non_null(longer);
    memcpy(longer, f.bytes, f.size);
    head.size = size;
    memcpy(longer, &head, sizeof head);
    mend_head_sums(longer, sizeof(hbg_rt_item_head));
    hbg_rt_bundle bundle;
    assert_false(hbg_rt_bundle_read(&bundle, longer, size, f.reason, sizeof f.reason));
    assert_string_equal(f.reason, "its items end before it does");
    free(longer);
    drop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(sums_are_those_of_the_standard),
        cmocka_unit_test(what_is_cut_is_refused),
        cmocka_unit_test(a_byte_that_was_changed_anywhere_is_told),
        cmocka_unit_test(an_item_that_was_changed_is_named),
        cmocka_unit_test(items_that_overlap_or_lie_outside_are_refused),
        cmocka_unit_test(bytes_behind_the_last_item_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
