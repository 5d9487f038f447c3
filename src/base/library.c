/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that few runs need, and that take longer to load, with all they bring along, than a small run takes. The loader knows
 * what it has loaded and may be asked by any thread, so that nothing is remembered here. They stay until the process ends: some leave
 * behind what is called at its end. */
#include <dlfcn.h>
#include <string.h>

#include "base/base.h"

static bool refuse(hbg_arena *arena, const hbg_base_library *library, const char **reason) {
    *reason = hbg_base_arena_print(arena, "a library cannot be loaded: %s; install the package %s", dlerror(),
                                   library->package);
    return false;
}

/* As the library itself finds it: a program that is linked to the library, too, may have objects of it as copies of its own. */
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
