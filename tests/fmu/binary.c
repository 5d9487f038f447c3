/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads the dynamic section and the dynamic symbols of an ELF file, as readelf -d and nm -D do. */
#include "fmu/binary.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/fmi2.h"
#include "fmu/fmi3.h"

typedef struct {
    char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    int count;
} image;

static bool in(const image *of, size_t offset, size_t size) {
    return offset <= of->size && size <= of->size - offset;
}

static bool load(image *of, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    of->size = size > 0 ? (size_t)size : 0;
    of->bytes = fmu_allocate(of->size + 1, 1);
    bool whole = fread(of->bytes, 1, of->size, file) == of->size;
    fclose(file);
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)of->bytes;
    if (!whole || of->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64 || head->e_type != ET_DYN)
        return false;
    of->count = head->e_shnum;
    of->sections = (const Elf64_Shdr *)(of->bytes + head->e_shoff);
    return in(of, head->e_shoff, (size_t)of->count * sizeof *of->sections);
}

// the contents of the first section of this type, and those of the strings it refers to
static const char *section(const image *of, unsigned type, size_t *size, const char **strings) {
    for (int i = 0; i < of->count; i++) {
        const Elf64_Shdr *at = &of->sections[i];
        if (at->sh_type != type || at->sh_link >= (unsigned)of->count) continue;
        if (!in(of, at->sh_offset, at->sh_size) || !in(of, of->sections[at->sh_link].sh_offset, 1)) continue;
        *size = at->sh_size;
        *strings = of->bytes + of->sections[at->sh_link].sh_offset;
        return of->bytes + at->sh_offset;
    }
    *size = 0;
    return NULL;
}

static bool is_function(const char *name, int version) {
#define FMI2_NAME(name, result, parameters) "fmi2" #name,
#define FMI3_NAME(name, result, parameters) "fmi3" #name,
    static const char *const two[] = {FMI2_FUNCTIONS(FMI2_NAME) NULL}, *const three[] = {
                                                                           FMI3_FUNCTIONS(FMI3_NAME) NULL};
    for (const char *const *at = version == 2 ? two : three; *at; at++)
        if (strcmp(*at, name) == 0) return true;
    return false;
}

static int function_count(int version) {
#define FMI_ONE(name, result, parameters) +1
    return version == 2 ? 0 FMI2_FUNCTIONS(FMI_ONE) : 0 FMI3_FUNCTIONS(FMI_ONE);
}

static void check_symbols(const image *of, int version, fmu_report *report) {
    size_t size;
    const char *strings = NULL;
    const Elf64_Sym *symbols = (const Elf64_Sym *)section(of, SHT_DYNSYM, &size, &strings);
    int found = 0;
    for (size_t i = 1; symbols && i < size / sizeof *symbols; i++) {
        const char *name = strings + symbols[i].st_name;
        if (symbols[i].st_shndx == SHN_UNDEF) continue;
        if (is_function(name, version))
            found++;
        else
            fmu_violated(report, FMU_FUNCTIONS, "`%s` is visible and no function of FMI %d.0", name, version);
    }
    if (found != function_count(version))
        fmu_violated(report, FMU_FUNCTIONS, "%d functions of FMI %d.0 are there, not %d", found, version,
                     function_count(version));
}

static void check_needed(const image *of, fmu_report *report) {
    size_t size;
    const char *strings = NULL;
    const Elf64_Dyn *entries = (const Elf64_Dyn *)section(of, SHT_DYNAMIC, &size, &strings);
    for (size_t i = 0; entries && i < size / sizeof *entries; i++) {
        if (entries[i].d_tag == DT_RPATH || entries[i].d_tag == DT_RUNPATH)
            fmu_violated(report, FMU_LIBRARIES, "it looks for libraries in `%s`",
                         strings + entries[i].d_un.d_val);
        if (entries[i].d_tag != DT_NEEDED) continue;
        const char *name = strings + entries[i].d_un.d_val;
        if (strcmp(name, "libc.so.6") != 0 && strcmp(name, "libm.so.6") != 0)
            fmu_violated(report, FMU_LIBRARIES, "it needs `%s`", name);
    }
}

static void check_versions(const image *of, int minor, fmu_report *report) {
    size_t size;
    const char *strings = NULL, *at = section(of, SHT_GNU_verneed, &size, &strings);
    for (const char *end = at ? at + size : NULL; at && at < end;) {
        const Elf64_Verneed *need = (const Elf64_Verneed *)at;
        const char *each = at + need->vn_aux;
        for (int i = 0; i < need->vn_cnt && each < end; i++) {
            const Elf64_Vernaux *one = (const Elf64_Vernaux *)each;
            const char *name = strings + one->vna_name;
            int two = 0, found = 0;
            if (sscanf(name, "GLIBC_%d.%d", &two, &found) == 2 && (two != 2 || found > minor))
                fmu_violated(report, FMU_LIBRARIES, "it needs %s, and 2.%d is to be enough", name, minor);
            each += one->vna_next;
        }
        if (!need->vn_next) break;
        at += need->vn_next;
    }
}

void fmu_check_binary(const char *path, int version, int minor, fmu_report *report) {
    image of = {0};
    if (!load(&of, path)) {
        fmu_violated(report, FMU_FUNCTIONS, "%s is no shared object for x86-64", path);
    } else {
        check_symbols(&of, version, report);
        check_needed(&of, report);
        check_versions(&of, minor, report);
    }
    free(of.bytes);
}
