/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How the HDF5 library reaches our file. */
#ifndef HBG_SIM_RESULTS_DRIVER_IMPL_H
#define HBG_SIM_RESULTS_DRIVER_IMPL_H

#include <hdf5.h>

#include "sim/results_impl.h"

/* One file the library writes. It never sees a failed write: file->wrong tells, and the caller asks. */
typedef struct {
    H5FD_t head; /* of the library; has to stand first */
    hbg_sim_file *file;
    haddr_t allocated; /* end of what the library has taken */
    haddr_t written;   /* end of what it has written */
} hbg_sim_driver;

/* Makes the file under way an HDF5 file: *id is its driver, to be unregistered when the file is closed.
 * The result is the file, negative on failure. */
hid_t hbg_sim_driver_create(hbg_sim_driver *driver, hbg_sim_file *file, hid_t creation, hid_t *id);

#endif
