/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests that break images: places behind the heads, and sums made to fit the present bytes, as by a
 * malicious writer. */
#ifndef HBG_TESTS_MEND_IMPL_H
#define HBG_TESTS_MEND_IMPL_H

#include <string.h>

#include "rt/package_impl.h"

static inline hbg_rt_package_head mend_head(const char *bytes) {
    hbg_rt_package_head head;
    memcpy(&head, bytes, sizeof head);
    return head;
}

static inline hbg_rt_item_head mend_item_at(const char *bytes, uint32_t number) {
    hbg_rt_item_head item;
    memcpy(&item, bytes + sizeof(hbg_rt_package_head) + number * sizeof item, sizeof item);
    return item;
}

/* The sums in the head of a file or a package, when those of its items or sections fit. */
static inline void mend_head_sums(char *bytes, size_t one) {
    hbg_rt_package_head head = mend_head(bytes);
    head.sum = hbg_rt_crc32c(bytes + sizeof head, head.sections * one);
    head.head_sum = hbg_rt_package_head_sum(&head);
    memcpy(bytes, &head, sizeof head);
}

static inline void mend_package(char *bytes) {
    hbg_rt_package_head head = mend_head(bytes);
    for (uint32_t i = 0; i < head.sections; i++) {
        hbg_rt_section_head section;
        char *at = bytes + sizeof head + i * sizeof section;
        memcpy(&section, at, sizeof section);
        section.sum = hbg_rt_crc32c(bytes + section.offset, (size_t)(section.count * section.item));
        memcpy(at, &section, sizeof section);
    }
    mend_head_sums(bytes, sizeof(hbg_rt_section_head));
}

/* The same for a file whose packages have valid heads. */
static inline void mend_file(char *bytes) {
    hbg_rt_package_head head = mend_head(bytes);
    for (uint32_t i = 0; i < head.sections; i++) {
        hbg_rt_item_head item = mend_item_at(bytes, i);
        if (item.kind == HBG_RT_BUNDLE_IMAGE) mend_package(bytes + item.offset);
        item.sum = hbg_rt_crc32c(bytes + item.offset, hbg_rt_bundle_padded((size_t)item.size));
        memcpy(bytes + sizeof head + i * sizeof item, &item, sizeof item);
    }
    mend_head_sums(bytes, sizeof(hbg_rt_item_head));
}

/* The tables of the model. */
static inline uint32_t mend_tables(const char *bytes, uint32_t count) {
    uint32_t found = 0;
    while (found + 1 < count && mend_item_at(bytes, found).kind != HBG_RT_BUNDLE_MODEL) found++;
    return found;
}

/* A place of four bytes inside an item of a file, behind the heads of a package; the file has at least one.
 * The first package, which is run, and the tables of the model are chosen as often as all others together. */
static inline size_t mend_place(const char *bytes, uint64_t choice) {
    hbg_rt_package_head head = mend_head(bytes);
    uint32_t any = (uint32_t)(choice / 3 % head.sections);
    uint32_t which = choice % 3 == 0 ? 0 : choice % 3 == 1 ? mend_tables(bytes, head.sections) : any;
    hbg_rt_item_head item = mend_item_at(bytes, which);
    size_t first = item.kind == HBG_RT_BUNDLE_IMAGE
                       ? sizeof head + HBG_RT_SECTION_COUNT * sizeof(hbg_rt_section_head)
                       : 0;
    size_t places = (item.size - first) / 4;
    return (size_t)item.offset + first + (places > 0 ? choice / head.sections / 3 % places * 4 : 0);
}

/* The first package of a file: the experiment as requested. */
static inline const char *mend_first_package(const char *bytes, size_t *size) {
    hbg_rt_item_head item = mend_item_at(bytes, 0);
    *size = (size_t)item.size;
    return bytes + item.offset;
}

#endif
