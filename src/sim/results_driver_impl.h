/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How the HDF5 library reaches our file. */
#ifndef HBG_SIM_RESULTS_DRIVER_IMPL_H
#define HBG_SIM_RESULTS_DRIVER_IMPL_H

#include <hdf5.h>

#include "sim/results_impl.h"

/* ---- the library, which is loaded when a file of its own is written ------------------------------------ */

#define HBG_SIM_HDF5_LIST(X)                                                                                 \
    X(H5check_version)                                                                                       \
    X(H5open)                                                                                                \
    X(H5Acreate2)                                                                                            \
    X(H5Awrite)                                                                                              \
    X(H5Aclose)                                                                                              \
    X(H5Dcreate2)                                                                                            \
    X(H5Dset_extent)                                                                                         \
    X(H5Dwrite_chunk)                                                                                        \
    X(H5Dclose)                                                                                              \
    X(H5Eget_auto2)                                                                                          \
    X(H5Eset_auto2)                                                                                          \
    X(H5Fcreate)                                                                                             \
    X(H5Fclose)                                                                                              \
    X(H5FDregister)                                                                                          \
    X(H5FDunregister)                                                                                        \
    X(H5Pcreate)                                                                                             \
    X(H5Pset_char_encoding)                                                                                  \
    X(H5Pset_chunk)                                                                                          \
    X(H5Pset_chunk_cache)                                                                                    \
    X(H5Pset_driver)                                                                                         \
    X(H5Pset_fill_time)                                                                                      \
    X(H5Pset_link_creation_order)                                                                            \
    X(H5Pset_obj_track_times)                                                                                \
    X(H5Pclose)                                                                                              \
    X(H5Screate)                                                                                             \
    X(H5Screate_simple)                                                                                      \
    X(H5Sclose)                                                                                              \
    X(H5Tcopy)                                                                                               \
    X(H5Tset_cset)                                                                                           \
    X(H5Tset_size)                                                                                           \
    X(H5Tclose)                                                                                              \
    X(H5P_CLS_DATASET_ACCESS_ID_g)                                                                           \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                           \
    X(H5P_CLS_FILE_ACCESS_ID_g)                                                                              \
    X(H5P_CLS_FILE_CREATE_ID_g)                                                                              \
    X(H5P_CLS_LINK_CREATE_ID_g)                                                                              \
    X(H5T_C_S1_g)                                                                                            \
    X(H5T_NATIVE_DOUBLE_g)

typedef struct {
    HBG_SIM_HDF5_LIST(HBG_LIBRARY_POINTER)
} hbg_sim_hdf5_functions;

/* Macros of its header, like H5T_C_S1, read these through `hdf5`, a variable that every user of them has. */
#define H5check_version             hdf5->H5check_version
#define H5open                      hdf5->H5open
#define H5P_CLS_DATASET_ACCESS_ID_g *hdf5->H5P_CLS_DATASET_ACCESS_ID_g
#define H5P_CLS_DATASET_CREATE_ID_g *hdf5->H5P_CLS_DATASET_CREATE_ID_g
#define H5P_CLS_FILE_ACCESS_ID_g    *hdf5->H5P_CLS_FILE_ACCESS_ID_g
#define H5P_CLS_FILE_CREATE_ID_g    *hdf5->H5P_CLS_FILE_CREATE_ID_g
#define H5P_CLS_LINK_CREATE_ID_g    *hdf5->H5P_CLS_LINK_CREATE_ID_g
#define H5T_C_S1_g                  *hdf5->H5T_C_S1_g
#define H5T_NATIVE_DOUBLE_g         *hdf5->H5T_NATIVE_DOUBLE_g

/* ---- the driver ---------------------------------------------------------------------------------------- */

/* One file that the library writes. It never sees a failed write: the caller checks file->wrong. */
typedef struct {
    H5FD_t head; /* of the library; must be first */
    hbg_sim_file *file;
    haddr_t allocated; /* end of what the library has taken */
    haddr_t written;   /* end of what it has written */
} hbg_sim_driver;

/* Makes the file in progress an HDF5 file: *id is its driver, to be unregistered when the file is closed. The
 * result is the file, negative on failure. */
hid_t hbg_sim_driver_create(const hbg_sim_hdf5_functions *hdf5, hbg_sim_driver *driver, hbg_sim_file *file,
                            hid_t creation, hid_t *id);

#endif
