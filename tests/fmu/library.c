/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loads the binary of an FMU: all functions of its version by name. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "fmu/unit.h"

// pointers to functions and to data are copied as bytes: C does not convert one to the other
static bool find(void *handle, const char *name, void *into, fmu_report *report) {
    void *symbol = dlsym(handle, name);
    memcpy(into, &symbol, sizeof symbol);
    if (!symbol) fmu_violated(report, FMU_FUNCTIONS, "there is no %s", name);
    return symbol != NULL;
}

bool fmu_library_init(fmu_library *library, const char *path, int version, fmu_report *report) {
    memset(library, 0, sizeof *library);
    library->version = version;
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        fmu_violated(report, FMU_LIBRARIES, "the binary does not load: %s", dlerror());
        return false;
    }
    bool whole = true;
#define FMI2_FIND(name, result, parameters)                                                                  \
    whole = find(library->handle, "fmi2" #name, &library->two.name, report) && whole;
#define FMI3_FIND(name, result, parameters)                                                                  \
    whole = find(library->handle, "fmi3" #name, &library->three.name, report) && whole;
    if (version == 2) {
        FMI2_FUNCTIONS(FMI2_FIND)
    } else {
        FMI3_FUNCTIONS(FMI3_FIND)
    }
    if (!whole) return false;
    const char *told = version == 2 ? library->two.GetVersion() : library->three.GetVersion();
    if (!told || (version == 2 ? strcmp(told, "2.0") : strncmp(told, "3.0", 3)) != 0)
        fmu_violated(report, FMU_FUNCTIONS, "GetVersion says `%s`", told ? told : "NULL");
    if (version == 2) {
        told = library->two.GetTypesPlatform();
        if (!told || strcmp(told, "default") != 0)
            fmu_violated(report, FMU_FUNCTIONS, "fmi2GetTypesPlatform says `%s`", told ? told : "NULL");
    }
    return true;
}

void fmu_library_fini(fmu_library *library) {
    if (library->handle) dlclose(library->handle);
}
