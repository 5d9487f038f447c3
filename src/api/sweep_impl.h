/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about sweeps share. A sweep is a list of runs, numbered from 0: points of the grids, the
 * first axis slowest; in each point the faults of the table one after the other; with each fault the
 * requested number of draws. The values of a run follow from its number alone. */
#ifndef HBG_API_SWEEP_IMPL_H
#define HBG_API_SWEEP_IMPL_H

#include "api/run_impl.h"

/* ---- which runs --------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_axis *axis;
    const char *name;  /* path of the parameter */
    const char *unit;  /* of SI, if bare numbers would be read in another; else NULL */
    uint64_t key;      /* of its random numbers */
    double numbers[3]; /* of the axis; a list has none */
    double *list;
    double spread;
    int64_t points; /* of a grid or list; 1 for draws */
    bool follows;   /* other axes: its numbers depend on the run */
} hbg_sweep_axis;

typedef struct {
    hbg_sweep_axis *axes;
    int32_t axis_count;
    const hbg_model *model;        /* as it is declared */
    const hbg_experiment *request; /* where the numbers stand */
    int32_t *order;                /* of axes: each after those it follows */
    int32_t *params;               /* of the model, in this order */
    hbg_run_constants constants;   /* that they change */
    bool follows;                  /* some axis does */
    int32_t *faults; /* by case: number of the fault in the plan of a run, or HBG_NONE: no row of the table */
    const char **fault_texts; /* likewise, with their times as declared */
    int32_t case_count;
    int64_t samples, runs;
    int32_t group;         /* runs of one sample: of the plan "sobol" 2 more than there are axes; else 1 */
    int64_t first, end;    /* of the runs: those that are made */
    int64_t shard, shards; /* which of how many shards of the sweep this is; 0: all of it */
    uint64_t seed;
    bool has_table; /* so that rows tell which fault it was */
} hbg_sweep_list;

/* Lists the runs; reports nonsense. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_list_init(hbg_session *session, const hbg_model *model,
                                                  const hbg_sweep_options *options, hbg_sweep_list *list);
/* Values of the axes in a run; memory of the moment is the scratch of the session. */
void hbg_api_sweep_values(hbg_session *session, const hbg_sweep_list *list, int64_t run, double *values);
int32_t hbg_api_sweep_case(const hbg_sweep_list *list, int64_t run);
/* A fault as a sentence that `--fault` takes, with its times as the model has them. */
const char *hbg_api_sweep_sentence(hbg_arena *arena, const hbg_model *model, const hbg_fault *fault);

/* ---- runs --------------------------------------------------------------------------------------------- */

struct hbg_sweep_worker;
struct hbg_sweep_slot;
struct hbg_sweep_outcome;
/* Decides from run to run what workers do, if that does not follow from a list: as in exploring. Called in
 * their threads. */
typedef struct {
    void *context;
    void (*values)(void *context, int64_t run, double *values); /* of the axes */
    /* With the instance there: the choices of the run. */
    hbg_status (*choose)(struct hbg_sweep_worker *worker, int64_t run, struct hbg_sweep_slot *slot);
    void (*event)(struct hbg_sweep_worker *worker, struct hbg_sweep_slot *slot, const hbg_sim_event *event);
    /* Instead of a row of the table. */
    void (*end)(struct hbg_sweep_worker *worker, const struct hbg_sweep_outcome *of,
                struct hbg_sweep_slot *slot);
} hbg_sweep_guide;

/* Makes runs, in one thread. All workers share one compiled model, in the memory of a session that nothing
 * else uses while they run; what differs from run to run belongs to the worker: values of parameters and of
 * the constants made of them, the faults, and the instance. The names in the model belong to the session of
 * the sweep and are only read. */
typedef struct hbg_sweep_worker {
    hbg_session *compiled; /* has the compiled model as its run */
    hbg_run_state state;   /* that run, with a model and a plan of the worker's own */
    hbg_model model;
    hbg_fault_plan plan;
    hbg_session context; /* memory of a run: freed at its end */
    char reason[800];    /* why the worker failed, or why values do not fit */
    const hbg_sweep_options *options;
    const hbg_sweep_list *list;
    const hbg_sweep_guide *guide; /* NULL: all follows from the list */
    int32_t *params;              /* by axis, in the compiled model; then those that a run chooses */
    int32_t param_count;
    double *values;              /* by axis */
    hbg_run_constants constants; /* that these change */
    hbg_passives passives;       /* data by which elements are judged */
    int32_t *judged;             /* elements that read one of the constants */
    int32_t judged_count;
    double *nominal, *room;  /* by element judged, HBG_PASSIVE_DRAWS each: as declared; and scratch space */
    hbg_fault_choice choice; /* of the run: those in all runs, then that of this run */
    int32_t *chosen;
    int32_t always; /* how many are in all runs */
    hbg_rt_summary summary;
    hbg_sim_lane *lane; /* in which its runs are made; NULL: in none */
    const char *trace;  /* folder, or NULL */
    const bool *traced; /* which runs; NULL: all */
    int64_t traced_count;
} hbg_sweep_worker;

/* The results of a run. */
typedef struct hbg_sweep_slot {
    char *row; /* of the table */
    size_t size, capacity;
    bool finished;
} hbg_sweep_slot;

/* Compiles the model for all workers; hbg_api_sweep_compiled_free gives back the result. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_compile(hbg_session *session, const hbg_model *model,
                                                const hbg_sweep_options *options, hbg_session **compiled);
void hbg_api_sweep_compiled_free(hbg_session *compiled);
/* With options, list and compiled set; all a worker needs between runs is in the scratch memory of the
 * session. `first`: a worker with the same options and list, whose read-only data it shares; NULL: this is
 * the first. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_worker_init(hbg_session *session, hbg_sweep_worker *worker,
                                                    const hbg_sweep_worker *first);
void hbg_api_sweep_worker_fini(hbg_sweep_worker *worker);
/* Whether elements can have the values of a run; otherwise says why not. Leaves the model with them. */
bool hbg_api_sweep_worker_fits(hbg_sweep_worker *worker, int64_t run, const char **why);
/* Makes the code of the start mode, and has it compiled if that was requested, or pays: once, for all
 * workers. */
typedef struct {
    int32_t threads;       /* lanes that it takes; 0: no runs go side by side */
    bool interrupted;      /* out: the caller asked to stop */
    hbg_run_device device; /* out: code for one, if it was requested and is possible */
    size_t run_size;       /* out: bytes that a run takes to begin with */
} hbg_sweep_code;
HBG_MUST_CHECK hbg_status hbg_api_sweep_worker_native(hbg_session *session, hbg_sweep_worker *worker,
                                                      hbg_sweep_code *made);
/* Makes a run. HBG_NO_MEMORY, HBG_CANNOT_WRITE, or HBG_OK with its row in the slot; *interrupted: there is
 * none. */
hbg_status hbg_api_sweep_worker_run(hbg_sweep_worker *worker, int64_t run, const atomic_bool *stop,
                                    hbg_sweep_slot *slot, bool *interrupted);

/* sweep_crew.c: all that make runs of one compiled model. */
#define HBG_SWEEP_SLOTS 4 /* for each worker: results that wait for an earlier one */
typedef struct {
    const hbg_sweep_options *options;
    const hbg_sweep_list *list;
    const hbg_sweep_guide *guide;
    hbg_session *compiled; /* the model that all workers share */
    hbg_sweep_worker *workers;
    hbg_status *failed;  /* by worker */
    hbg_sim_lane **lane; /* by worker; NULL: it has a thread to itself */
    int32_t count;       /* of workers: one for each lane of each thread */
    int32_t threads, lanes, most_lanes;
    hbg_sweep_code code;
    hbg_sim_device *device; /* NULL: none */
    const char *no_device;  /* why there is none, though it was requested; or NULL */
} hbg_sweep_crew;
/* Compiles the model. With options set, and perhaps a guide. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_crew_compile(hbg_session *session, const hbg_model *model,
                                                     hbg_sweep_crew *crew);
/* Then, with the list set, makes the requested number of workers, but no more than runs. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_crew_make(hbg_session *session, hbg_sweep_crew *crew, int64_t runs);
/* And has code compiled; if that takes several runs at once, each thread has as many workers. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_crew_widen(hbg_session *session, hbg_sweep_crew *crew);
void hbg_api_sweep_crew_free(hbg_sweep_crew *crew);
/* Whether the requested device is used, if one was requested. */
void hbg_api_sweep_crew_tell(const hbg_sweep_crew *crew, hbg_buffer *out);
/* What ended it early, after how many delivered runs (-1: there was no thread); HBG_OK: no worker failed. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_crew_failure(hbg_session *session, const hbg_sweep_crew *crew,
                                                     int64_t done);

/* Whether the rows of a run are kept, and in which file. */
bool hbg_api_sweep_is_traced(const hbg_sweep_worker *worker, int64_t run);
const char *hbg_api_sweep_trace_path(hbg_arena *arena, const hbg_sweep_worker *worker, int64_t run);

/* sweep_rows.c */
/* The result of a run, for the table. */
typedef struct hbg_sweep_outcome {
    double end;
    hbg_run_energy energy;
    int64_t changes;
    const char *fault; /* of the table, "" for none */
    const char *verdict, *reason;
} hbg_sweep_outcome;
void hbg_api_sweep_put_row(const hbg_sweep_worker *worker, int64_t run, const hbg_sweep_outcome *of,
                           hbg_sweep_slot *slot);
/* The first row of the table, and the greatest length of others. */
void hbg_api_sweep_put_head(const hbg_sweep_worker *worker, hbg_buffer *out);
size_t hbg_api_sweep_row_limit(const hbg_sweep_worker *worker);

/* ---- shares ------------------------------------------------------------------------------------------- */

/* The contents of the first line of a shard. */
typedef struct {
    int64_t shard, shards, first, end, runs;
    uint64_t key;
    char version[32];
} hbg_sweep_shard;

/* Reads "K/N", or NULL for all runs, into a list whose runs are counted. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_shard_init(hbg_session *session, const char *text,
                                                   hbg_sweep_list *list);
/* The first line of the table of a shard; nothing for all runs. */
void hbg_api_sweep_shard_put(const hbg_sweep_list *list, uint64_t key, hbg_buffer *out);
bool hbg_api_sweep_shard_read(const char *line, hbg_sweep_shard *shard);

/* ---- the table ---------------------------------------------------------------------------------------- */

typedef struct {
    hbg_sim_lines *lines;
    const char
        *key_path; /* FILE.resume tells which sweep it belongs to while it is not complete; NULL: no file */
    int64_t first; /* run it begins with */
    int64_t done;  /* the first run that is not in it yet */
    bool anew;     /* it was to continue, but there was nothing to continue from */
    bool missing;  /* likewise: not even a file */
} hbg_sweep_table;

HBG_MUST_CHECK hbg_status hbg_api_sweep_table_open(hbg_session *session, const hbg_sweep_options *options,
                                                   const char *head, uint64_t key,
                                                   const hbg_patience *patience, hbg_sweep_table *table);
HBG_MUST_CHECK hbg_status hbg_api_sweep_table_close(hbg_session *session, const hbg_sweep_options *options,
                                                    hbg_sweep_table *table, bool complete);
/* The same for the same model, experiment and question, whatever the number of threads. */
uint64_t hbg_api_sweep_key(hbg_session *session, const hbg_model *model, int32_t experiment,
                           const hbg_sweep_options *options, const hbg_sweep_list *list);

/* sweep_merge.c: as hbg_sweep_merge, inside a guard. */
HBG_MUST_CHECK hbg_status hbg_api_sweep_merge(hbg_session *session, const char *const *paths, int count,
                                              const char *file, hbg_run_end *end, hbg_buffer *out);

#endif
