/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any changes to the bytes of an image, with sums that fit. The first byte says which model was compiled, then each eight bytes are a place
 * and what stands there instead. What is refused says why; what is read runs for a while within its arrays; and bytes that are no
 * change at all are read back as they were. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hbg/hbg.h"
#include "rt/package_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define IMAGE "/tmp/hbg-image-fuzz-%d.hbi"

static void expect(bool condition, const char *claim) {
    if (condition) return;
    fprintf(stderr, "does not hold: %s\n", claim);
    abort();
}

static const char *const models[] = {
    "model A { Se s(10 [V]); R a(100 [Ohm]); I coil(10 [mH]); R b(1 [kOhm]); 1 feed when contact; 0 node;\n"
    "  s -> feed; feed -> a; feed -> node; node -> coil; node -> b;\n"
    "  automaton contact { on shut -> cut when coil.f > 50 [mA]; off cut -> shut when coil.f < 10 [mA]; }\n"
    "  output i = coil.f; experiment e { stop 1 [ms]; } }\n",
    "model B { state x = 1 : der = -x*abs(x)/(1 [s]); state y = 0 : der = sin(time/(1 [s]))/(1 [s]);\n"
    "  output u = x, v = y; experiment e { stop 1 [s]; solver euler step 10 [ms]; } }\n"};
enum { MODELS = sizeof models / sizeof *models };

typedef struct {
    char *bytes;
    size_t size;
} image;

static void path_of(char *path, size_t size) {
    snprintf(path, size, IMAGE, (int)getpid());
}

static image compile(const char *text) {
    hbg_session *session = NULL;
    hbg_model *model = NULL;
    hbg_run_options options = hbg_run_options_default();
    char path[64];
    path_of(path, sizeof path);
    expect(hbg_session_new(NULL, &session) == HBG_OK, "a session can be made");
    expect(hbg_load_text(session, "model.hbg", text, strlen(text), NULL, &model) == HBG_OK,
           "the model is right");
    expect(hbg_compile(session, model, &options, path) == HBG_OK, "it can be compiled");
    hbg_session_free(session);
    FILE *file = fopen(path, "rb");
    expect(file && fseek(file, 0, SEEK_END) == 0, "it is there");
    image made = {NULL, (size_t)ftell(file)};
    made.bytes = malloc(made.size);
    rewind(file);
    expect(made.bytes && fread(made.bytes, 1, made.size, file) == made.size, "it can be read");
    fclose(file);
    unlink(path);
    return made;
}

static void mend_sums(char *bytes) {
    hbg_rt_package_head head;
    memcpy(&head, bytes, sizeof head);
    for (int i = 0; i < HBG_RT_SECTION_COUNT; i++) {
        hbg_rt_section_head section;
        char *place = bytes + sizeof head + (size_t)i * sizeof section;
        memcpy(&section, place, sizeof section);
        section.sum = hbg_rt_crc32c(bytes + section.offset, (size_t)(section.count * section.item));
        memcpy(place, &section, sizeof section);
    }
    head.sum = hbg_rt_crc32c(bytes + sizeof head, HBG_RT_SECTION_COUNT * sizeof(hbg_rt_section_head));
    memcpy(bytes, &head, sizeof head);
}

static void *allocate(void *context, size_t size) {
    (void)context;
    return size > (size_t)256 << 20 ? NULL : calloc(1, size);
}

static void release(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

/* Euler's steps with an instant before each, whatever comes of them. */
static void run(const hbg_rt_loaded *loaded, hbg_rt_memory memory) {
    const hbg_rt_description *system = hbg_rt_loaded_package(loaded)->system;
    hbg_rt_instance *instance = hbg_rt_loaded_run(loaded, memory);
    if (!instance) return;
    size_t count = (size_t)system->state_count + 1;
    double *x = calloc(count, sizeof *x), *dx = calloc(count, sizeof *dx),
           *y = calloc((size_t)system->output_count + 1, sizeof *y), t = 0;
    expect(x && dx && y, "there is memory");
    hbg_rt_status status = hbg_rt_declare(instance, x);
    if (status == HBG_RT_OK) status = hbg_rt_enter(instance, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_jump(instance, 0, x, x);
    for (int i = 0; i < 50 && status == HBG_RT_OK; i++, t += 1e-5) {
        status = hbg_rt_rates(instance, t, x, dx);
        if (status == HBG_RT_OK) status = hbg_rt_outputs(instance, t, x, y);
        for (size_t k = 0; k + 1 < count; k++) x[k] += 1e-5 * dx[k];
    }
    free(x);
    free(dx);
    free(y);
    hbg_rt_free(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static image images[MODELS];
    hbg_rt_memory memory = {NULL, allocate, release};
    hbg_rt_loaded *loaded = NULL;
    char reason[240] = "";
    if (size < 1) return 0;
    image *of = &images[data[0] % MODELS];
    if (!of->bytes) *of = compile(models[data[0] % MODELS]);
    char *bytes = malloc(of->size);
    expect(bytes != NULL, "there is memory");
    memcpy(bytes, of->bytes, of->size);
    size_t first = sizeof(hbg_rt_package_head) + HBG_RT_SECTION_COUNT * sizeof(hbg_rt_section_head);
    for (size_t i = 1; i + 8 <= size; i += 8) {
        uint32_t place;
        memcpy(&place, data + i, sizeof place);
        memcpy(bytes + first + place % ((of->size - first) / 4) * 4, data + i + 4, 4);
    }
    mend_sums(bytes);
    hbg_rt_status status = hbg_rt_package_read(bytes, of->size, memory, &loaded, reason, sizeof reason);
    expect(status == HBG_RT_OK || status == HBG_RT_NO_MEMORY || reason[0] != 0,
           "what is refused is told why");
    expect(size >= 9 || status == HBG_RT_OK, "what was written is read");
    if (loaded) run(loaded, memory);
    hbg_rt_loaded_free(loaded);
    free(bytes);
    return 0;
}
