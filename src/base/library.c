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

/* Finds a name as the library itself does: a program that is also linked to the library may have copies of
 * its objects. */
static void *find(void *program, void *handle, const char *name) {
    void *address = dlsym(program, name);
    return address != NULL ? address : dlsym(handle, name);
}

bool hbg_base_library_load(hbg_arena *arena, const hbg_base_library *library, void *functions,
                           const char **reason) {
    void *program = dlopen(NULL, RTLD_NOW),
         *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return refuse(arena, library, reason);
    for (int32_t i = 0; i < library->count; i++) {
        void *address = find(program, handle, library->names[i]);
        if (address == NULL) return refuse(arena, library, reason);
        memcpy((char *)functions + (size_t)i * sizeof address, &address, sizeof address);
    }
    return true;
}
