/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of a saved run. */
#ifndef HBG_RT_ARCHIVE_IMPL_H
#define HBG_RT_ARCHIVE_IMPL_H

#include <assert.h>
#include <string.h>

#include "rt/field.h"

/* Bytes of a saved run, written or read by the same list of what changes. */
struct hbg_rt_archive {
    unsigned char *to;         /* NULL: none are written */
    const unsigned char *from; /* not NULL: they are read */
    size_t used, size;
};

/* Writes or reads this many bytes. Past the end it only counts them. */
static inline void hbg_rt_archive_keep(hbg_rt_archive *archive, void *place, size_t size) {
    bool fits = size <= archive->size && archive->used <= archive->size - size;
    assert(place || size == 0);
    if (fits && size > 0 && archive->from) memcpy(place, archive->from + archive->used, size);
    if (fits && size > 0 && archive->to) memcpy(archive->to + archive->used, place, size);
    archive->used += size;
}
#define HBG_RT_KEEP(archive, value) hbg_rt_archive_keep((archive), &(value), sizeof(value))
#define HBG_RT_KEEP_ARRAY(archive, array, count)                                                             \
    hbg_rt_archive_keep((archive), (array), (size_t)(count) * sizeof *(array))

#endif
