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

#include "../rt/mend_impl.h"
#include "hbg/hbg.h"

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

static bool look(void *context, double t, double stop) {
    (void)t, (void)stop;
    return --*(int *)context > 0;
}

/* As the library runs it, with the tables of its model beside it. */
static void run_file(const char *bytes, size_t size) {
    hbg_session *session = NULL;
    hbg_model *model = NULL;
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    char path[64];
    int left = 20;
    path_of(path, sizeof path);
    FILE *file = fopen(path, "wb");
    expect(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "it can be written");
    expect(hbg_session_new(NULL, &session) == HBG_OK, "a session can be made");
    options.engine = HBG_ENGINE_INTERPRETER;
    options.progress = look;
    options.context = &left;
    hbg_status status = hbg_load_image(session, path, NULL, &model);
    if (status == HBG_OK) status = hbg_run(session, model, &options, &end, &text);
    if (status == HBG_OK) hbg_text_free(session, &text);
    hbg_session_free(session);
    unlink(path);
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
    for (size_t i = 1; i + 8 <= size; i += 8) {
        uint32_t place;
        memcpy(&place, data + i, sizeof place);
        memcpy(bytes + mend_place(bytes, place), data + i + 4, 4);
    }
    mend_file(bytes);
    hbg_rt_bundle bundle;
    expect(hbg_rt_bundle_read(&bundle, bytes, of->size, reason, sizeof reason), "what is around it is sound");
    hbg_rt_bundle_item item = hbg_rt_bundle_at(&bundle, 0);
    hbg_rt_status status = hbg_rt_package_read(item.bytes, item.size, memory, &loaded, reason, sizeof reason);
    expect(status == HBG_RT_OK || status == HBG_RT_NO_MEMORY || reason[0] != 0,
           "what is refused is told why");
    expect(size >= 9 || status == HBG_RT_OK, "what was written is read");
    if (loaded) run(loaded, memory);
    hbg_rt_loaded_free(loaded);
    run_file(bytes, of->size);
    free(bytes);
    return 0;
}
