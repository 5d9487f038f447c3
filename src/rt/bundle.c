/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The file that holds packages: a head, the heads of its items, then items one after the other. An item is a
 * package with its key, or a note of the owner of the file. Any changed byte of a file is noticed, whichever
 * of its items is used. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "rt/package_impl.h"

static const unsigned char bundle_magic[8] = {0x89, 'H', 'B', 'I', '\r', '\n', 0x1a, '\n'};

/* ---- writing ------------------------------------------------------------------------------------------ */

size_t hbg_rt_bundle_padded(size_t size) {
    return (size + 7) / 8 * 8;
}

uint32_t hbg_rt_package_head_sum(const hbg_rt_package_head *head) {
    return hbg_rt_crc32c(head, offsetof(hbg_rt_package_head, head_sum));
}

hbg_rt_package_head hbg_rt_package_make_head(const unsigned char magic[8], const void *heads,
                                             size_t heads_size, int32_t count, size_t size) {
    hbg_rt_package_head head = {.tag = HBG_RT_PACKAGE_TAG,
                                .major = HBG_RT_PACKAGE_MAJOR,
                                .minor = HBG_RT_PACKAGE_MINOR,
                                .sections = (uint32_t)count,
                                .size = size,
                                .sum = hbg_rt_crc32c(heads, heads_size)};
    memcpy(head.magic, magic, sizeof head.magic);
    head.head_sum = hbg_rt_package_head_sum(&head);
    return head;
}

hbg_rt_status hbg_rt_bundle_write(const hbg_rt_bundle_item *items, int32_t count, hbg_rt_memory memory,
                                  void **bytes, size_t *size) {
    size_t heads = (size_t)count * sizeof(hbg_rt_item_head), at = sizeof(hbg_rt_package_head) + heads;
    *size = at;
    for (int32_t i = 0; i < count; i++) *size += hbg_rt_bundle_padded(items[i].size);
    unsigned char *made = memory.allocate(memory.context, *size);
    *bytes = made;
    if (!made) return HBG_RT_NO_MEMORY;
    memset(made, 0, *size);
    for (int32_t i = 0; i < count; i++) {
        size_t padded = hbg_rt_bundle_padded(items[i].size);
        if (items[i].size > 0) memcpy(made + at, items[i].bytes, items[i].size);
        hbg_rt_item_head head = {.kind = (uint32_t)items[i].kind,
                                 .sum = hbg_rt_crc32c(made + at, padded),
                                 .size = items[i].size,
                                 .offset = at,
                                 .key = items[i].key};
        memcpy(made + sizeof(hbg_rt_package_head) + (size_t)i * sizeof head, &head, sizeof head);
        at += padded;
    }
    hbg_rt_package_head head =
        hbg_rt_package_make_head(bundle_magic, made + sizeof head, heads, count, *size);
    memcpy(made, &head, sizeof head);
    return HBG_RT_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Says what is wrong; returns false, for a check to return. */
static bool refuse(hbg_rt_reason reason, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason.text, reason.size, format, arguments);
    va_end(arguments);
    return false;
}

bool hbg_rt_package_read_head(const unsigned char *bytes, size_t size, const unsigned char magic[8],
                              hbg_rt_package_head *head, hbg_rt_reason reason) {
    if (size < sizeof *head) return refuse(reason, "it is too short to be an image");
    memcpy(head, bytes, sizeof *head);
    if (memcmp(head->magic, magic, sizeof head->magic) != 0)
        return refuse(reason, "it does not begin as an image does");
    if (head->tag != HBG_RT_PACKAGE_TAG)
        return refuse(reason, "it was written on a machine with another order of bytes");
    if (head->major != HBG_RT_PACKAGE_MAJOR)
        return refuse(reason, "it has format %u, and this hbg reads format %d: compile it again", head->major,
                      HBG_RT_PACKAGE_MAJOR);
    if (head->head_sum != hbg_rt_package_head_sum(head))
        return refuse(reason, "the sum of its head is wrong");
    if (head->size != size)
        return refuse(reason, "it is cut off or has grown: %llu bytes of %llu", (unsigned long long)size,
                      (unsigned long long)head->size);
    return true;
}

static hbg_rt_reason reason_of(const hbg_rt_bundle *bundle) {
    return (hbg_rt_reason){bundle->reason, bundle->reason_size};
}

static bool read_head(const hbg_rt_bundle *bundle, size_t size, hbg_rt_package_head *head) {
    if (!hbg_rt_package_read_head(bundle->bytes, size, bundle_magic, head, reason_of(bundle))) return false;
    size_t room = (size - sizeof *head) / sizeof(hbg_rt_item_head);
    if (head->sections > HBG_RT_BUNDLE_MOST || head->sections > room)
        return refuse(reason_of(bundle), "it has %u items, more than there is room for", head->sections);
    if (hbg_rt_crc32c(bundle->bytes + sizeof *head, head->sections * sizeof(hbg_rt_item_head)) != head->sum)
        return refuse(reason_of(bundle), "the sum of its items is wrong");
    return true;
}

static hbg_rt_item_head head_at(const hbg_rt_bundle *bundle, int32_t number) {
    hbg_rt_item_head head;
    memcpy(&head, bundle->bytes + sizeof(hbg_rt_package_head) + (size_t)number * sizeof head, sizeof head);
    return head;
}

/* One after the other, so that no two overlap and no byte lies between them. */
static bool read_items(const hbg_rt_bundle *bundle, size_t size) {
    uint64_t at = sizeof(hbg_rt_package_head) + (uint64_t)bundle->count * sizeof(hbg_rt_item_head);
    for (int32_t i = 0; i < bundle->count; i++) {
        hbg_rt_item_head head = head_at(bundle, i);
        bool inside = head.offset == at && head.size <= size - at &&
                      hbg_rt_bundle_padded((size_t)head.size) <= size - at;
        if (!inside || head.kind >= HBG_RT_BUNDLE_KINDS)
            return refuse(reason_of(bundle), "item %d lies outside of it, or is unknown", (int)i);
        size_t padded = hbg_rt_bundle_padded((size_t)head.size);
        if (hbg_rt_crc32c(bundle->bytes + at, padded) != head.sum)
            return refuse(reason_of(bundle), "the sum of item %d is wrong", (int)i);
        at += padded;
    }
    return at == size || refuse(reason_of(bundle), "its items end before it does");
}

bool hbg_rt_bundle_read(hbg_rt_bundle *bundle, const void *bytes, size_t size, char *reason,
                        size_t reason_size) {
    hbg_rt_package_head head = {0};
    *bundle = (hbg_rt_bundle){.bytes = bytes, .reason_size = reason_size};
    bundle->reason = reason;
    if (!read_head(bundle, size, &head)) return false;
    bundle->count = (int32_t)head.sections;
    return read_items(bundle, size);
}

hbg_rt_bundle_item hbg_rt_bundle_at(const hbg_rt_bundle *bundle, int32_t number) {
    hbg_rt_item_head head = head_at(bundle, number);
    return (hbg_rt_bundle_item){(hbg_rt_bundle_kind)head.kind, bundle->bytes + head.offset, (size_t)head.size,
                                head.key};
}
