/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about stored models share. */
#ifndef HBG_MODEL_STORE_IMPL_H
#define HBG_MODEL_STORE_IMPL_H

#include "model/model_impl.h"

/* store_check.c: what is wrong with tables whose numbers are all in range; NULL: they are as a front end
 * makes them, and hbg_model_check can look at them. */
const char *hbg_model_restored_wrong(const hbg_model *model);

#endif
