/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of native_lanes.c as CUDA: each run is a thread of the device, and the words of the text stand
 * for one number. Sums, products, quotients and roots have the same bits as on the processor; elementary
 * functions are our own, with exactly the fused products that they require. A thread that meets something the
 * device would compute differently stops before that step, like one that needs a search, and the processor
 * makes the step: arguments of elementary functions that are left to libm, and numbers so small that their
 * products may be below 1e-308, which the processor takes for 0 while time advances and the device does not.
 * Without nvcc the same text is C++, with loops in place of the launch. Values that all runs share are
 * constants of the device. */
#include <math.h>
#include <string.h>

#include "code/native_impl.h"

static const char *const machine =
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n"
    "#if defined(__CUDACC__)\n"
    "#include <cuda_runtime.h>\n"
    "#define DEVICE __device__\n#define INLINE __device__ __forceinline__\n#define CONSTANT __constant__\n"
    "#define TABLE static __device__\n"
    "#define high_half(a) ((uint32_t)__double2hiint(a))\n#define low_half(a) ((uint32_t)__double2loint(a))\n"
    "#define bits_in(a) ((uint64_t)__double_as_longlong(a))\n#define number_of(a) "
    "__longlong_as_double((long long)(a))\n"
    "#define fused(a, b, c) fma((double)(a), (double)(b), (double)(c))\n#define __builtin_sqrt sqrt\n"
    "#else\n#include <fenv.h>\n"
    "#define DEVICE\n#define INLINE inline __attribute__((always_inline))\n#define CONSTANT static\n"
    "#define TABLE static\n"
    "static inline uint64_t bits_in(double a) { uint64_t b; memcpy(&b, &a, sizeof b); return b; }\n"
    "static inline double number_of(uint64_t a) { double b; memcpy(&b, &a, sizeof b); return b; }\n"
    "#define high_half(a) ((uint32_t)(bits_in(a) >> 32))\n#define low_half(a) ((uint32_t)bits_in(a))\n"
    "#define fused(a, b, c) __builtin_fma(a, b, c)\n"
    "#endif\n"
    "#ifndef BLOCK\n#define BLOCK 128 /* threads: a warp for each quarter of a multiprocessor */\n#endif\n"
    "#ifndef BLOCKS\n#define BLOCKS 3 /* on a multiprocessor, at least */\n#endif\n"
    "#ifndef PART\n#define PART 8192 /* steps of a launch */\n#endif\n";

/* The words of native_lanes.c. */
static const char *const words =
    "typedef double V;\ntypedef int32_t N;\ntypedef uint64_t U;\n"
    "#define K(c) ((double)(c))\n#define IS(a, sign, b) (-(N)((a) sign (b)))\n#define ALL (-1)\n#define NO "
    "0\n"
    "#define ONE(is) keep(is, K(1))\n#define MAGNITUDE(a) fabs(a)\n#define AS_NUMBER(a) ((double)(a))\n"
    "#define IN(field) (a.field)\n#define IN_WHOLE(field) ((N)a.field)\n#define OUT(field, value) a.field = "
    "(double)(value);\n"
    "#define CALL(f, x) f(x)\n#define CALL_TWO(f, x, z) noted(f(x, z))\n"
    "#define LESSER(a, b) ((a) < (b) ? (a) : (b))\n#define GREATER(a, b) ((a) > (b) ? (a) : (b))\n"
    "#define PICK(is, a, b) ((is) ? (a) : (b))\n#define bits_of(is) ((uint32_t)(is) & 1u)\n"
    "#define keep(on, a) ((on) ? (a) : 0.0)\n#define drop(on, a) ((on) ? 0.0 : (a))\n"
    "#define join(a, b) number_of(bits_in(a) | bits_in(b))\n"
    "#define COUNTED(field, value) a.counts[COUNT_##field] += (double)(value);\n#define EVERY(value) "
    "(value)\n"
    "#define TIMES(a, b) looked_at((a) * (b))\n#define OVER(a, b) looked_at((a) / (b))\n"
    "#define USUAL (-(N)(!strange & (least >= LEAST - 1)))\n"
    "enum { COUNT_first, COUNT_steps, COUNT_done, COUNT_commits, COUNT_moves, COUNT_looks, COUNT_odd };\n"
    "struct lanes_grid { V step, numerator, denominator, most; };\n"
    "struct column {\n    double *at; int64_t pitch;\n    INLINE double &operator[](int i) const { return "
    "at[i "
    "* pitch]; }\n};\n";

/* Checks of a thread: `noted` for values that are 0 or at least 2^-1022, `looked_at` for values that may be
 * smaller. The doubled upper half of a number has no sign, and minus 1 it is largest for 0. */
static const char *const looks =
    "    uint32_t least;\n    N strange;\n"
    "    INLINE V noted(V y) { const uint32_t u = high_half(y) * 2 - 1; least = u < least ? u : least; "
    "return y; }\n"
    "    INLINE V looked_at(V y) { const uint32_t u = high_half(y) * 2; strange |= (u < LEAST) & ((u | "
    "low_half(y)) != 0); return y; }\n"
    "    static INLINE V lanes_time(const lanes_grid *grid, V number) {\n"
    "        return number <= grid->most ? number * grid->numerator / grid->denominator : number * "
    "grid->step;\n    }\n";

/* Those of rt/elementary_impl.h. */
static const char *const elementary =
    "#define FUNCTION INLINE\n#define SHARED INLINE\n#define NUMBER V\n#define WORD U\n#define WHOLE "
    "int64_t\n"
    "#define NAME(function) lanes_##function\n#define FMA(a, b, c) fused(a, b, c)\n#define NOT(a) (!(a))\n"
    "#define BITS(a) bits_in(a)\n#define VALUE(a) number_of(a)\n#define PLACE U\n#define PLACE_OF(a) (a)\n"
    "#define LOOK(table, place, field) (table)[place].field\n#define PICKED(is, a, b) ((is) ? (a) : (b))\n"
    "#define SPECIAL(is, ...) strange |= (N)(is);\n#define MENDED(value, function, x) noted(value)\n"
    "#define MENDED_BY_TWO(value, function, x, y) noted(value)\n";

/* From here on the text is for the host: it lets the device run all lanes of a bank, in a stream of its
 * own. */
static const char *const launch =
    "#if defined(__CUDACC__)\n"
    "static __global__ void __launch_bounds__(BLOCK, BLOCKS) run(double *cells, int64_t pitch, int32_t "
    "count) {\n"
    "    const int32_t i = (int32_t)(blockIdx.x * BLOCK + threadIdx.x);\n"
    "    if (i < count) { lane of = {~0u, 0}; of.stride(cells + i, pitch); }\n}\n"
    "struct bank { double *host, *device; cudaStream_t stream; int32_t lanes, number; };\n"
    "static int devices, banks;\nstatic char name[256];\n"
    "static int refused(cudaError_t error, char *why, size_t size) {\n"
    "    if (error == cudaSuccess) return 0;\n    (void)cudaGetLastError();\n"
    "    snprintf(why, size, \"%s\", cudaGetErrorString(error));\n"
    "    return error == cudaErrorMemoryAllocation ? 2 : error == cudaErrorNoKernelImageForDevice || error "
    "== "
    "cudaErrorInvalidDeviceFunction ? 3 : 1;\n}\n"
    "static int begin(char *why, size_t size) {\n"
    "    struct cudaDeviceProp about;\n    cudaFuncAttributes of;\n"
    "    setenv(\"CUDA_DEVICE_MAX_CONNECTIONS\", \"32\", 0); /* as many banks at work at a time */\n"
    "    int failed, driver = 0;\n    const cudaError_t found = cudaGetDeviceCount(&devices);\n"
    "    if (found == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess) {\n"
    "        if (driver == 0) snprintf(why, size, \"there is no NVIDIA driver on this machine\");\n"
    "        else snprintf(why, size, \"the NVIDIA driver is for CUDA %d.%d, and nvcc is of %d.%d: update "
    "the "
    "driver, or name an older nvcc by HBG_NVCC\", driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, "
    "CUDART_VERSION % 1000 / 10);\n        return 1;\n    }\n"
    "    failed = refused(found, why, size);\n"
    "    for (int i = devices - 1; i >= 0 && !failed; i--) {\n"
    "        failed = refused(cudaSetDevice(i), why, size);\n"
    "        if (!failed) (void)refused(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), why, size);\n"
    "        if (!failed) failed = refused(cudaFuncGetAttributes(&of, run), why, size);\n    }\n"
    "    if (!failed) failed = refused(cudaGetDeviceProperties(&about, 0), why, size);\n"
    "    if (!failed) snprintf(name, sizeof name, \"%s\", about.name);\n"
    "    return failed;\n}\n"
    "static int share(const double *values, char *why, size_t size) {\n    int failed = 0;\n"
    "    for (int i = 0; i < devices && !failed; i++) {\n"
    "        failed = refused(cudaSetDevice(i), why, size);\n"
    "        if (!failed) failed = refused(cudaMemcpyToSymbol(uniform, values, sizeof uniform), why, "
    "size);\n    "
    "}\n"
    "    return failed;\n}\n"
    "static void drop_bank(void *of) {\n    struct bank *b = (struct bank *)of;\n    if (!b) return;\n"
    "    (void)cudaSetDevice(b->number);\n    if (b->stream) (void)cudaStreamDestroy(b->stream);\n"
    "    if (b->device) (void)cudaFree(b->device);\n    if (b->host) (void)cudaFreeHost(b->host);\n    "
    "free(b);\n}\n"
    "static int make_bank(int32_t lanes, void **made, double **cells, char *why, size_t size) {\n"
    "    struct bank *b = (struct bank *)calloc(1, sizeof *b);\n"
    "    const size_t bytes = sizeof(double) * COLUMNS * (size_t)lanes;\n"
    "    if (!b) { snprintf(why, size, \"there is not enough memory\"); return 2; }\n"
    "    b->lanes = lanes, b->number = banks++ % devices;\n"
    "    int failed = refused(cudaSetDevice(b->number), why, size);\n"
    "    if (!failed) failed = refused(cudaMalloc((void **)&b->device, bytes), why, size);\n"
    "    if (!failed) failed = refused(cudaHostAlloc((void **)&b->host, bytes, cudaHostAllocDefault), why, "
    "size);\n"
    "    if (!failed) failed = refused(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking), why, "
    "size);\n"
    "    if (failed) { drop_bank(b); return failed; }\n"
    "    *made = b, *cells = b->host;\n    return 0;\n}\n"
    "static int take(void *of, int32_t count, char *why, size_t size) {\n"
    "    struct bank *b = (struct bank *)of;\n    const size_t column = sizeof(double) * (size_t)b->lanes;\n"
    "    int failed = refused(cudaSetDevice(b->number), why, size);\n"
    "    if (!failed) failed = refused(cudaMemcpyAsync(b->device, b->host, column * COLUMNS, "
    "cudaMemcpyHostToDevice, b->stream), why, size);\n"
    "    if (!failed) { run<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, b->stream>>>(b->device, b->lanes, "
    "count); failed = refused(cudaGetLastError(), why, size); }\n"
    "    if (!failed) failed = refused(cudaMemcpyAsync(b->host, b->device, column * BACK, "
    "cudaMemcpyDeviceToHost, b->stream), why, size);\n"
    "    if (!failed) failed = refused(cudaStreamSynchronize(b->stream), why, size);\n"
    "    return failed;\n}\n"
    "#else\n"
    "struct bank { double *cells; int32_t lanes; };\nstatic char name[] = \"a stand-in on the processor\";\n"
    "static int begin(char *why, size_t size) { (void)why, (void)size; return 0; }\n"
    "static int share(const double *values, char *why, size_t size) { (void)why, (void)size; memcpy(uniform, "
    "values, sizeof uniform); return 0; }\n"
    "static void drop_bank(void *of) { struct bank *b = (struct bank *)of; if (b) free(b->cells); free(b); "
    "}\n"
    "static int make_bank(int32_t lanes, void **made, double **cells, char *why, size_t size) {\n"
    "    struct bank *b = (struct bank *)calloc(1, sizeof *b);\n"
    "    if (b) b->cells = (double *)calloc((size_t)lanes * COLUMNS, sizeof(double)), b->lanes = lanes;\n"
    "    if (!b || !b->cells) { free(b); snprintf(why, size, \"there is not enough memory\"); return 2; }\n"
    "    *made = b, *cells = b->cells;\n    return 0;\n}\n"
    "static int take(void *of, int32_t count, char *why, size_t size) {\n"
    "    struct bank *b = (struct bank *)of;\n    (void)why, (void)size;\n"
    "    fenv_t before;\n    fegetenv(&before);\n    fesetenv(FE_DFL_ENV); // keeps the least numbers, as a "
    "device does\n"
    "    for (int32_t block = 0; block < (count + BLOCK - 1) / BLOCK; block++)\n"
    "        for (int32_t thread = 0; thread < BLOCK && block * BLOCK + thread < count; thread++) {\n"
    "            lane it = {~0u, 0}; it.stride(b->cells + block * BLOCK + thread, b->lanes);\n        }\n"
    "    fesetenv(&before);\n    return 0;\n}\n"
    "#endif\n";

/* ---- columns ------------------------------------------------------------------------------------------- */

typedef struct {
    stride_text *text;
    const bool *varies; /* by register */
    int32_t uniform, own;
    hbg_buffer shared, read; /* places of registers read: shared by a device, or of each thread */
    hbg_buffer uniform_list, own_list;
} device_text;

static const char *const columns[] = {
#define X(name) #name,
    HBG_RT_DEVICE_LIST(X)
#undef X
};

static int32_t size_of(const device_text *of, hbg_rt_device_column column) {
    const hbg_code *code = of->text->code;
    const hbg_rt_instants *instants = &code->image.instants;
    int32_t extent = of->text->outputs ? of->text->options->extent : 0;
    const hbg_rt_calm *calm = &instants->calm;
    switch (column) {
    case HBG_RT_DEVICE_x: return code->image.layout.state.count;
    case HBG_RT_DEVICE_work: return of->text->options->books ? code->system.power_count : 0;
    case HBG_RT_DEVICE_last:
    case HBG_RT_DEVICE_low:
    case HBG_RT_DEVICE_high:
    case HBG_RT_DEVICE_area: return extent;
    case HBG_RT_DEVICE_counts: return HBG_RT_DEVICE_COUNTS;
    case HBG_RT_DEVICE_own: return of->own;
    default: break;
    }
    if (!instants->has_events) return 0;
    switch (column) {
    case HBG_RT_DEVICE_states: return calm->automata.count;
    case HBG_RT_DEVICE_on: return hbg_code_native_mode_count(code);
    case HBG_RT_DEVICE_truth:
    case HBG_RT_DEVICE_near: return calm->relations.count;
    default: return calm->others.count;
    }
}

static void print_columns(const device_text *of, hbg_buffer *out) {
    int32_t at = 0;
    hbg_base_buffer_text(out, "enum {");
    for (int i = 0; i < HBG_RT_DEVICE_COLUMNS; i++) {
        if (i == HBG_RT_DEVICE_on) hbg_base_buffer_print(out, " BACK = %d,", (int)at);
        hbg_base_buffer_print(out, " AT_%s = %d,", columns[i], (int)at);
        at += size_of(of, (hbg_rt_device_column)i);
    }
    hbg_base_buffer_print(out, " COLUMNS = %d };\nstruct cells {\n    column ", (int)at);
    for (int i = 0; i < HBG_RT_DEVICE_COLUMNS; i++)
        hbg_base_buffer_print(out, "%s%s", i ? ", " : "", columns[i]);
    hbg_base_buffer_text(out, ";\n};\n");
}

/* ---- constant registers ------------------------------------------------------------------------------- */

/* By register: whether it may differ between runs or change in time: all except constants, and values that
 * depend only on parameters equal in all runs. */
static bool *find_varying(const hbg_code *code, const bool *params, hbg_arena *scratch) {
    const hbg_rt_outside *outside = &code->image.instants.outside;
    const hbg_rt_pools *pool = &code->image.pool;
    int32_t registers = code->image.code.mark.registers;
    bool *varies = HBG_NEW_ARRAY(scratch, bool, registers + 1);
    memset(varies, true, (size_t)registers);
    for (int32_t i = 0; i < pool->constants.count; i++) varies[HBG_RT_AT(pool->constants, i)->reg] = false;
    for (int32_t i = 0; i < outside->param_count; i++) varies[outside->params[i].value] = params[i];
    for (int32_t i = 0; i < pool->prologue.count; i++) {
        const instruction *at = HBG_RT_AT(pool->prologue, i);
        bool own = at->op == CODE_COPY || at->op == CODE_DEFAULT, any = at->op >= HBG_OP_COUNT && !own;
        if (at->d < 0 || at->d >= registers) continue;
        for (int k = 0; k < (own ? 1 : 3); k++)
            any = any || (at->argument[k] >= 0 && at->argument[k] < registers && varies[at->argument[k]]);
        varies[at->d] = any || (at->op == CODE_DEFAULT && varies[at->d]);
    }
    return varies;
}

static void print_read(device_text *of) {
    for (int32_t i = 0; i < of->text->read.count; i++) {
        int32_t reg = of->text->read.items[i];
        if (of->varies[reg]) {
            hbg_base_buffer_print(&of->read, "    const V R_%d = IN(own[%d]);\n", (int)i, (int)of->own++);
            hbg_base_buffer_print(&of->own_list, "%d, ", (int)reg);
            continue;
        }
        hbg_base_buffer_print(&of->shared, "#define R_%d uniform[%d]\n", (int)i,
                              (int)(HBG_RT_DEVICE_GRID + of->uniform++));
        hbg_base_buffer_print(&of->uniform_list, "%d, ", (int)reg);
    }
}

/* ---- numbers in the text ------------------------------------------------------------------------------ */

/* Turns long numbers of a text into constants of the device, which an instruction reads like a register; in
 * the text each would first be moved to a register, one half at a time. `list` gets them. */
static void move_numbers(const char *text, hbg_buffer *list, int32_t *count, hbg_buffer *out) {
    while (*text) {
        size_t plain = strcspn(text, "0"), size = 0;
        if (strncmp(text + plain, "0x1.", 4) == 0) size = strspn(text + plain, "0123456789abcdefxp.+-");
        if (size == 0) size = text[plain] != 0;
        bool is_long = size > 12; // shorter ones fit into an instruction
        hbg_base_buffer_add(out, text, plain + (is_long ? 0 : size));
        if (is_long) {
            hbg_base_buffer_print(list, "%.*s, ", (int)size, text + plain);
            hbg_base_buffer_print(out, "numbers[%d]", (int)(*count)++);
        }
        text += plain + size;
    }
}

/* ---- the text ------------------------------------------------------------------------------------------ */

/* A launch makes steps up to the next multiple of PART on the grid. Threads run side by side as long as the
 * longest of them: a thread that stopped before the others is in step with them again after one launch, and
 * none waits longer for it. */
static void print_stride(device_text *of, const hbg_buffer *loop, const hbg_buffer *masks, hbg_buffer *out) {
    stride_text *text = of->text;
    text->out = out;
    hbg_base_buffer_text(out, "    INLINE void stride(double *cell, int64_t pitch) {\n    const cells a = {");
    for (int i = 0; i < HBG_RT_DEVICE_COLUMNS; i++)
        hbg_base_buffer_print(out, "%s{cell + AT_%s * pitch, pitch}", i ? ", " : "", columns[i]);
    hbg_base_buffer_text(
        out,
        "};\n    int32_t done = 0;\n    uint32_t odd = 0;\n    const V made = a.counts[COUNT_done], first = "
        "a.counts[COUNT_first] + made, left = a.counts[COUNT_steps] - made;\n    const V most = PART - "
        "(first "
        "- floor(first / PART) * PART);\n    const int32_t steps = (int32_t)(left < most ? left : most);\n   "
        " "
        "if (a.counts[COUNT_odd] != 0 || steps <= 0) return;\n    const lanes_grid grid = {uniform[0], "
        "uniform[1], uniform[2], uniform[3]};\n");
    hbg_code_native_print_lanes_exchange(text, true);
    hbg_code_native_print_lanes_events(text, true);
    hbg_base_buffer_add(out, of->read.data, of->read.size);
    hbg_base_buffer_add(out, masks->data, masks->size);
    hbg_base_buffer_add(out, loop->data, loop->size);
    hbg_code_native_print_lanes_exchange(text, false);
    hbg_code_native_print_lanes_events(text, false);
    hbg_base_buffer_text(out, "    COUNTED(done, done)\n    COUNTED(odd, odd)\n    }\n");
}

static void print_table(const device_text *of, hbg_buffer *out) {
    hbg_base_buffer_print(out, "static const int32_t uniform_list[] = {%s0}, own_list[] = {%s0}, at[] = {",
                          of->uniform_list.size ? of->uniform_list.data : "",
                          of->own_list.size ? of->own_list.data : "");
    for (int i = 0; i < HBG_RT_DEVICE_COLUMNS; i++) hbg_base_buffer_print(out, "AT_%s, ", columns[i]);
    hbg_base_buffer_print(
        out,
        "COLUMNS};\nstruct device_table {\n    int32_t version, uniform_count, own_count;\n    const int32_t "
        "*uniform, *own, *at;\n    const char *name;\n    int (*begin)(char *, size_t);\n    int "
        "(*share)(const double *, char *, size_t);\n    int (*make)(int32_t, void **, double **, char *, "
        "size_t);\n    int (*take)(void *, int32_t, char *, size_t);\n    void (*drop)(void *);\n};\n"
        "extern \"C\" {\nextern const struct device_table %s;\nconst struct device_table %s = {%d, %d, %d, "
        "uniform_list, own_list, at, name, begin, share, make_bank, take, drop_bank};\n}\n",
        HBG_CODE_DEVICE, HBG_CODE_DEVICE, HBG_RT_DEVICE_VERSION, (int)of->uniform, (int)of->own);
}

static void print_all(device_text *of, const hbg_buffer *loop, const hbg_buffer *masks, hbg_buffer *out) {
    hbg_buffer functions, numbers;
    int32_t count = 0;
    hbg_base_buffer_init(&functions, out->arena);
    hbg_base_buffer_init(&numbers, out->arena);
    if (of->text->calls > 0) move_numbers(hbg_rt_elementary_words(), &numbers, &count, &functions);
    hbg_base_buffer_text(out, machine);
    hbg_base_buffer_text(out, words);
    hbg_base_buffer_print(out, "#define LEAST %uu\n", (unsigned)(1023 + HBG_RT_DEVICE_LEAST_STATE) << 21);
    print_columns(of, out);
    hbg_base_buffer_print(out, "CONSTANT double uniform[%d];\n", (int)of->uniform + HBG_RT_DEVICE_GRID);
    hbg_base_buffer_print(out, "CONSTANT double numbers[] = {%s0};\n", count > 0 ? numbers.data : "");
    hbg_base_buffer_add(out, of->shared.data, of->shared.size);
    if (of->text->calls > 0) hbg_base_buffer_text(out, hbg_rt_elementary_tables());
    hbg_base_buffer_print(out, "#define inline inline DEVICE\n%s\n#undef inline\n", hbg_rt_remainder_text());
    hbg_base_buffer_text(out, "struct lane {\n");
    hbg_base_buffer_text(out, looks);
    if (of->text->calls > 0) hbg_base_buffer_text(out, elementary);
    hbg_base_buffer_add(out, functions.data, functions.size);
    print_stride(of, loop, masks, out);
    hbg_base_buffer_text(out, "};\n");
    hbg_base_buffer_text(out, launch);
    print_table(of, out);
}

const char *hbg_code_print_device(hbg_code *code, const hbg_rt_native_options *options, const bool *varies,
                                  hbg_buffer *out) {
    hbg_arena *scratch = out->arena;
    hbg_rt_native_options own = *options;
    hbg_buffer loop, masks;
    own.lines = false; // a run whose parameters move is made alone meanwhile
    if (!options->strides) return "its solver has no fixed steps of an explicit method";
    if (!hbg_rt_has_elementary())
        return "this processor has no fused products, and takes functions of the C library";
    const char *why = hbg_code_native_no_stride(code, scratch, &own);
    if (why) return why;
    why = hbg_code_native_too_fine(code);
    if (why) return why;
    stride_text text = {.code = code, .out = &loop, .options = &own, .type = "V", .outputs = true};
    text.lanes = text.device = true;
    hbg_code_native_begin_text(&text, scratch);
    hbg_code_native_print_lanes_loop(&text);
    if (!text.fine) return text.why ? text.why : "it has operations that no other machine makes";
    device_text of = {.text = &text, .varies = find_varying(code, varies, scratch)};
    hbg_base_buffer_init(&masks, scratch);
    text.out = &masks;
    hbg_code_native_print_lanes_masks(&text); // masks read registers
    hbg_base_buffer_init(&of.shared, scratch);
    hbg_base_buffer_init(&of.read, scratch);
    hbg_base_buffer_init(&of.uniform_list, scratch);
    hbg_base_buffer_init(&of.own_list, scratch);
    print_read(&of);
    print_all(&of, &loop, &masks, out);
    return NULL;
}
