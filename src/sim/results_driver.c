/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file driver for the HDF5 library that writes into the file in progress. With the library's own, a full
 * disk makes closing fail for good: the file stays open inside the library, which complains when the program
 * ends. This one remembers the failure, ignores later writes, and lets the library close normally. */
#include "sim/results_driver_impl.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The library passes only the properties of the file. It is loaded, since it makes this call, and can read
 * them. */
static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    void *library = dlopen(HBG_LIBRARY_hdf5_serial, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) return NULL;
    __typeof__(H5Pget_driver_info) *get_info;
    *(void **)&get_info = dlsym(library, "H5Pget_driver_info");
    hbg_sim_driver *const *info = get_info != NULL ? get_info(access) : NULL;
    (void)dlclose(library);
    return info != NULL ? &(*info)->head : NULL;
}

static herr_t driver_close(H5FD_t *self) {
    (void)self;
    return 0;
}

static herr_t driver_query(const H5FD_t *self, unsigned long *flags) {
    (void)self;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *self, H5FD_mem_t type) {
    (void)type;
    return ((const hbg_sim_driver *)self)->allocated;
}

static herr_t driver_set_eoa(H5FD_t *self, H5FD_mem_t type, haddr_t place) {
    (void)type;
    ((hbg_sim_driver *)self)->allocated = place;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *self, H5FD_mem_t type) {
    (void)type;
    return ((const hbg_sim_driver *)self)->written;
}

/* Unwritten bytes read as zeros. */
static herr_t driver_read(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t size,
                          void *buffer) {
    (void)type, (void)transfer;
    int descriptor = ((hbg_sim_driver *)self)->file->descriptor;
    char *data = buffer;
    while (size > 0) {
        ssize_t count = pread(descriptor, data, size, (off_t)place);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        data += count;
        place += (haddr_t)count;
        size -= (size_t)count;
    }
    memset(data, 0, size);
    return 0;
}

static herr_t driver_write(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t size,
                           const void *buffer) {
    (void)type, (void)transfer;
    hbg_sim_driver *driver = (hbg_sim_driver *)self;
    hbg_sim_file_write_at(driver->file, place, buffer, size);
    if (place + size > driver->written) driver->written = place + size;
    return 0;
}

static herr_t driver_truncate(H5FD_t *self, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    hbg_sim_driver *driver = (hbg_sim_driver *)self;
    hbg_sim_file *file = driver->file;
    if (driver->written == driver->allocated) return 0;
    if (file->wrong == NULL && ftruncate(file->descriptor, (off_t)driver->allocated) != 0)
        file->wrong = hbg_sim_file_words(errno);
    driver->written = driver->allocated;
    return 0;
}

hid_t hbg_sim_driver_create(const hbg_sim_hdf5_functions *hdf5, hbg_sim_driver *driver, hbg_sim_file *file,
                            hid_t creation, hid_t *id) {
    const H5FD_class_t class = {.name = "hbg",
                                .maxaddr = (haddr_t)INT64_MAX,
                                .fc_degree = H5F_CLOSE_STRONG,
                                .fapl_size = sizeof driver,
                                .open = driver_open,
                                .close = driver_close,
                                .query = driver_query,
                                .get_eoa = driver_get_eoa,
                                .set_eoa = driver_set_eoa,
                                .get_eof = driver_get_eof,
                                .read = driver_read,
                                .write = driver_write,
                                .truncate = driver_truncate,
                                .fl_map = H5FD_FLMAP_DICHOTOMY};
    memset(driver, 0, sizeof *driver);
    driver->file = file;
    *id = hdf5->H5FDregister(&class);
    hid_t access = hdf5->H5Pcreate(H5P_FILE_ACCESS);
    hid_t result = -1;
    if (hdf5->H5Pset_driver(access, *id, &driver) >= 0)
        result = hdf5->H5Fcreate(file->partial, H5F_ACC_TRUNC, creation, access);
    hdf5->H5Pclose(access);
    return result;
}
