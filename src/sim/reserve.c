/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory set aside for other libraries. HDF5, matio and SUNDIALS do not check all of their own allocations:
 * one that fails ends the process. So it is checked beforehand that the most they take is available, and the
 * memory to close a file is reserved when it is opened. Untouched pages cost only address space. */
#include <sys/mman.h>

#include "sim/sim_impl.h"

void *hbg_sim_reserve(size_t size) {
    void *place =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? NULL : place;
}

void hbg_sim_reserve_end(void *place, size_t size) {
    if (place != NULL) (void)munmap(place, size);
}

bool hbg_sim_has_memory(size_t size) {
    void *place = hbg_sim_reserve(size);
    hbg_sim_reserve_end(place, size);
    return place != NULL;
}
