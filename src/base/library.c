/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that few runs need, and that take longer to load, with their dependencies, than a small run
 * takes. The loader knows what it has loaded and any thread may call it, so nothing is stored here. They stay
 * until the process ends, since some register functions to be called at its end. */
#include <dlfcn.h>
#include <string.h>

#include "base/base.h"

static bool refuse(hbg_arena *arena, const hbg_base_library *library, const char **reason) {
    *reason = hbg_base_arena_print(arena, "a library cannot be loaded: %s; install the package %s", dlerror(),
                                   library->package);
    return false;
}

/* Whether the program is linked to this very library, too. It may have objects of it as copies of its own then, which the library uses as
 * well. One that has the same names from elsewhere, as another build of HDF5 has them, has nothing to do with it. Functions are not copied:
 * the first name tells. */
static bool is_of(void *program, void *handle, const char *function) {
    void *address = dlsym(program, function);
    return address != NULL && address == dlsym(handle, function);
}

bool hbg_base_library_load(hbg_arena *arena, const hbg_base_library *library, void *functions,
                           const char **reason) {
    void *program = dlopen(NULL, RTLD_NOW),
         *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return refuse(arena, library, reason);
    bool shared = is_of(program, handle, library->names[0]);
    for (int32_t i = 0; i < library->count; i++) {
        void *address = shared ? dlsym(program, library->names[i]) : NULL;
        if (address == NULL) address = dlsym(handle, library->names[i]);
        if (address == NULL) return refuse(arena, library, reason);
        memcpy((char *)functions + (size_t)i * sizeof address, &address, sizeof address);
    }
    return true;
}
