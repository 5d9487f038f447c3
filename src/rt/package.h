/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiled model in a file: the image with all its local modes, the names of what it computes, its words,
 * and one experiment. Little endian, IEEE 754, no pointers: a head, then sections of items with the same
 * layout as in memory. A file is checked before anything runs: whatever its bytes, a run of an accepted file
 * stays within its arrays and ends. */
#ifndef HBG_RT_PACKAGE_H
#define HBG_RT_PACKAGE_H

#include "rt/engine.h"
#include "rt/native.h"

enum { HBG_RT_PACKAGE_MAJOR = 7, HBG_RT_PACKAGE_MINOR = 0 };

/* From `time` on an input has the value; a parameter has another value than declared. */
typedef struct {
    double time, value;
    int32_t input, spare;
} hbg_rt_package_action;
typedef struct {
    double value;
    int32_t param, spare;
} hbg_rt_package_setting;

/* Part of a fault (hbg_rt_override), and the errors of a sensor (hbg_rt_sensor). */
typedef struct {
    double time, value, slope;
    int32_t kind, index, state, cause, is_line;
    int32_t sensor; /* among sensors, or -1 */
} hbg_rt_package_override;
typedef struct {
    double scale, scale_rate, bias, bias_rate, mean, deviation, stuck;
    uint64_t seed, key;
    int32_t is_stuck, spare;
} hbg_rt_package_sensor;

/* How the experiment is run by default. */
typedef struct {
    double stop, step, rtol, atol, every; /* s; 0: chosen by the engine */
    int32_t solver;                       /* a number for the owner */
    int32_t records;                      /* of the outputs the first ones, which are recorded */
} hbg_rt_package_pace;

typedef struct {
    const hbg_rt_image *image;
    const hbg_rt_description *system;
    const char *version, *model, *experiment; /* of hbg; names. Experiment NULL: none */
    hbg_rt_package_pace pace;
    const hbg_rt_package_action *actions;
    int32_t action_count;
    const hbg_rt_package_setting *settings;
    int32_t setting_count;
    const hbg_rt_package_override *overrides; /* in order of time */
    int32_t override_count;
    const hbg_rt_package_sensor *sensors;
    int32_t sensor_count;
    const uint64_t *keys; /* for the owner, by output: what is computed */
} hbg_rt_package;

enum { HBG_RT_WORD_SIZE = 4096 }; /* longer ones are cut */

enum { HBG_RT_MOST_LOCAL_MODES = 4096 }; /* of one choice: an image with more would be too large to ship */

/* Requests every local mode that automata can lead to from the provider. HBG_RT_NOT_THERE: all are there,
 * except for choices with too many; HBG_RT_NO_CAUSALITY: the start is impossible. `reason` says so. */
hbg_rt_status hbg_rt_image_complete(const hbg_rt_image *image, const hbg_rt_provider *provider,
                                    hbg_rt_memory memory, char *reason, size_t reason_size);

/* The automata that switch the junctions of the choice with most local modes, by number, and how many modes
 * these have together; there is room for all automata. Returns the number of automata. */
int32_t hbg_rt_image_widest(const hbg_rt_image *image, int32_t *automata, double *modes);

/* Requests what one mode needs, by automaton. */
hbg_rt_status hbg_rt_image_visit(const hbg_rt_image *image, const hbg_rt_provider *provider,
                                 hbg_rt_memory memory, const int32_t *states);

/* Every local mode of a region that has been compiled and has no valid causal assignment: its answer, and
 * states that lead to it and to no other such mode. */
hbg_rt_status hbg_rt_image_each_refused(const hbg_rt_image *image, hbg_rt_memory memory,
                                        void (*tell)(void *context, int32_t answer, const int32_t *states),
                                        void *context);

/* The bytes of a file, to be freed with `release`; the provider supplies the words. */
hbg_rt_status hbg_rt_package_write(const hbg_rt_package *package, const hbg_rt_provider *provider,
                                   hbg_rt_memory memory, void **bytes, size_t *size);

/* Reads one package; hbg_rt_image_read is for whole files. Nothing is added to the image of such a
 * package. */
hbg_rt_status hbg_rt_package_read(const void *bytes, size_t size, hbg_rt_memory memory,
                                  hbg_rt_loaded **loaded, char *reason, size_t reason_size);
/* The same without a copy: the bytes, aligned to 8, outlive the result. They are never written to. */
hbg_rt_status hbg_rt_package_place(const void *bytes, size_t size, hbg_rt_memory memory,
                                   hbg_rt_loaded **loaded, char *reason, size_t reason_size);
/* From then on its programs run as this code; what it points to outlives the runs. */
void hbg_rt_loaded_use(hbg_rt_loaded *loaded, const hbg_rt_native *native);
const hbg_rt_package *hbg_rt_loaded_package(const hbg_rt_loaded *loaded);
hbg_rt_instance *hbg_rt_loaded_run(const hbg_rt_loaded *loaded, hbg_rt_memory memory);
/* As hbg_rt_run_new, with another experiment than that of the package: its settings, actions, overrides and
 * sensors count. Of `more`, which may be NULL, observer and solver do. All of it outlives the run. */
hbg_rt_status hbg_rt_run_with(const hbg_rt_loaded *loaded, const hbg_rt_package *experiment,
                              const hbg_rt_options *options, const hbg_rt_setup *more, hbg_rt_run **run);
const hbg_rt_provider *hbg_rt_loaded_provider(const hbg_rt_loaded *loaded);
/* From then on these outputs are computed, by number, in this order. HBG_RT_NO_MEMORY, or HBG_RT_OK. */
hbg_rt_status hbg_rt_loaded_choose(hbg_rt_loaded *loaded, const int32_t *outputs, int32_t count);

/* ---- a file of several --------------------------------------------------------------------------------- */

/* Packages, and notes of the owner of the file next to them. */
typedef enum {
    HBG_RT_BUNDLE_IMAGE,
    HBG_RT_BUNDLE_MODEL,  /* the model it was compiled from, as the owner stores it */
    HBG_RT_BUNDLE_OPTION, /* an option of the request: a letter for its kind, then its text */
    HBG_RT_BUNDLE_KINDS
} hbg_rt_bundle_kind;
typedef struct {
    hbg_rt_bundle_kind kind;
    const void *bytes;
    size_t size;
    uint64_t key; /* of an image: for the owner, what was compiled */
} hbg_rt_bundle_item;
enum { HBG_RT_BUNDLE_MOST = 100000 }; /* items */

/* The bytes of such a file, to be freed with `release`. */
hbg_rt_status hbg_rt_bundle_write(const hbg_rt_bundle_item *items, int32_t count, hbg_rt_memory memory,
                                  void **bytes, size_t *size);

/* The items read: views into the bytes, all with correct sums. The content of packages is checked when they
 * are read. */
typedef struct {
    const unsigned char *bytes;
    int32_t count;
    char *reason;
    size_t reason_size;
} hbg_rt_bundle;
/* False: the bytes are not such a file; `reason` says why. */
bool hbg_rt_bundle_read(hbg_rt_bundle *bundle, const void *bytes, size_t size, char *reason,
                        size_t reason_size);
hbg_rt_bundle_item hbg_rt_bundle_at(const hbg_rt_bundle *bundle, int32_t number);

#endif
