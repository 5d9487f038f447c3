/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A strict importer of FMUs, for tests:
 *   importer check FMU [OPTION...]        every rule; each violation is a line, and the exit code 1
 *   importer run FMU [OPTION...]          one run, as CSV of the outputs; what happened goes to the standard error
 *   importer save|resume FMU FILE [...]   a state goes through a file to another process
 *   importer pack FMU NAME=FILE...        makes an archive
 * Exit code 2: the importer is not used rightly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/behaviour.h"
#include "fmu/binary.h"
#include "fmu/rules.h"

typedef struct {
    const char *command, *fmu, *argument, *binary;
    fmu_plan plan; // 0: as the description says
    bool exchange, event_mode, early, description_only, all;
    const char *set[32];  // NAME=VALUE before initialisation
    const char *then[32]; // NAME=VALUE at the time below
    int set_count, then_count, glibc;
    double at;
    fmu_report report;
} options;

static const char *usage =
    "importer check|run|save|resume|pack FMU [ARGUMENT] [--interface me|cs] [--solver euler|cvode]\n"
    "  [--start T] [--stop T] [--step H] [--tolerance R] [--vary] [--sparing] [--locate] [--rounded] "
    "[--event-mode] "
    "[--early]\n"
    "  [--set NAME=VALUE]... [--at T --then NAME=VALUE...] [--binary FILE] [--skip RULE]... [--except NAME] "
    "[--glibc MINOR] "
    "[--description] [--all]\n";

static bool read_flag(options *o, const char *word) {
    const struct {
        const char *word;
        bool *flag;
    } flags[] = {{"--vary", &o->plan.vary},
                 {"--sparing", &o->plan.sparing},
                 {"--locate", &o->plan.located},
                 {"--rounded", &o->plan.rounded},
                 {"--event-mode", &o->event_mode},
                 {"--early", &o->early},
                 {"--description", &o->description_only},
                 {"--all", &o->all},
                 {"--ends", &o->plan.until_ends}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i].word) == 0) return *flags[i].flag = true;
    return false;
}

static bool read_value(options *o, const char *word, const char *value) {
    const struct {
        const char *word;
        double *number;
    } numbers[] = {{"--start", &o->plan.start},
                   {"--stop", &o->plan.stop},
                   {"--step", &o->plan.step},
                   {"--tolerance", &o->plan.tolerance},
                   {"--at", &o->at}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(word, numbers[i].word) == 0) return *numbers[i].number = strtod(value, NULL), true;
    if (strcmp(word, "--interface") == 0) return o->exchange = strcmp(value, "me") == 0, true;
    if (strcmp(word, "--solver") == 0) return o->plan.cvode = strcmp(value, "cvode") == 0, true;
    if (strcmp(word, "--binary") == 0) return o->binary = value, true;
    if (strcmp(word, "--skip") == 0) return o->report.skip |= 1ul << atoi(value), true;
    if (strcmp(word, "--except") == 0) return o->plan.except = value, true;
    if (strcmp(word, "--glibc") == 0) return o->glibc = atoi(value), true;
    if (strcmp(word, "--set") == 0 && o->set_count < 32) return o->set[o->set_count++] = value, true;
    if (strcmp(word, "--then") == 0 && o->then_count < 32) return o->then[o->then_count++] = value, true;
    return false;
}

static bool read_options(options *o, int count, char **words) {
    *o = (options){.glibc = 17, .plan = {.start = NAN}};
    if (count < 3) return false;
    o->command = words[1];
    o->fmu = words[2];
    for (int i = 3; i < count; i++) {
        if (words[i][0] != '-' && !o->argument)
            o->argument = words[i];
        else if (read_flag(o, words[i]))
            continue;
        else if (i + 1 < count && read_value(o, words[i], words[i + 1]))
            i++;
        else
            return false;
    }
    return true;
}

// what the command line leaves open is as the description says
static void complete_plan(fmu_plan *plan, const fmu_description *d) {
    if (isnan(plan->start)) plan->start = d->start;
    if (plan->stop == 0) plan->stop = d->stop > plan->start ? d->stop : plan->start + 1;
    if (plan->step == 0) plan->step = d->step > 0 ? d->step : (plan->stop - plan->start) / 200;
    if (plan->tolerance == 0) plan->tolerance = d->tolerance;
}

static void check_description(const fmu_archive *archive, const fmu_description *d, fmu_report *report) {
    const char *identifier = d->exchange.there ? d->exchange.identifier : d->cosimulation.identifier;
    fmu_archive_check(archive, d->version, identifier ? identifier : "", report);
    fmu_check_interfaces(d, report);
    fmu_check_variables(d, report);
    fmu_check_structure(d, report);
    fmu_check_units(d, report);
    fmu_check_names(d, report);
}

static void check_behaviour(const fmu_subject *subject) {
    fmu_check_machine(subject);
    fmu_check_runs(subject);
    fmu_check_instances(subject);
    fmu_check_resources(subject);
    fmu_check_parameters(subject);
    fmu_check_saved_states(subject);
    fmu_check_reset(subject);
}

static void apply_settings(const char *const *settings, int count, const fmu_subject *subject,
                           fmu_unit *unit) {
    for (int i = 0; i < count; i++) {
        const char *equals = strchr(settings[i], '=');
        char *name = fmu_format("%.*s", (int)(equals ? equals - settings[i] : 0), settings[i]);
        int at = fmu_find_name(subject->description, name);
        if (at < 0)
            fmu_violated(subject->report, FMU_PARAMETERS, "there is no `%s`", name);
        else
            (void)fmu_must(
                unit, fmu_set_value(unit, &subject->description->variables[at], strtod(equals + 1, NULL)),
                name);
        free(name);
    }
}

// what is set while it runs: in model exchange that is an event
static bool set_then(const options *o, const fmu_subject *subject, fmu_course *course) {
    fmu_unit *unit = course->unit;
    bool exchange = unit->settings.exchange;
    if (o->then_count == 0) return true;
    if (!fmu_course_advance(course, o->at)) return false;
    if (exchange && !fmu_must(unit, fmu_enter_event_mode(unit), "EnterEventMode")) return false;
    apply_settings(o->then, o->then_count, subject, unit);
    if (exchange && !fmu_handle_event(course)) return false;
    if (course->integrator) fmu_cvode_restart(course);
    return true;
}

static void print_csv(const fmu_subject *subject, const fmu_trace *trace) {
    printf("time");
    for (int i = 0; i < trace->columns; i++)
        printf(",%s", subject->description->variables[trace->variables[i]].name);
    putchar('\n');
    for (int i = 0; i < trace->count; i++)
        for (int k = 0; k <= trace->columns; k++)
            printf("%.17g%c", trace->rows[(size_t)i * ((size_t)trace->columns + 1) + (size_t)k],
                   k == trace->columns ? '\n' : ',');
}

static int run_once(const options *o, const fmu_subject *subject) {
    fmu_settings settings = fmu_usual(subject, o->exchange);
    fmu_unit unit;
    fmu_course course = {0};
    fmu_trace trace;
    settings.event_mode = o->event_mode;
    settings.early = o->early;
    fmu_trace_init(&trace, subject->description, o->all);
    if (!fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report))
        fmu_violated(subject->report, FMU_MACHINE, "there is no instance: %s", unit.last_message);
    apply_settings(o->set, o->set_count, subject, &unit);
    if (unit.instance && fmu_course_init(&course, &unit, &subject->plan, &trace)) {
        if (set_then(o, subject, &course)) (void)fmu_course_advance(&course, subject->plan.stop);
        if (unit.mode != FMU_BROKEN && unit.mode != FMU_TERMINATED && (!o->plan.until_ends || !course.over))
            (void)fmu_must(&unit, fmu_terminate(&unit), "Terminate");
    }
    print_csv(subject, &trace);
    fprintf(stderr, "end %.17g events %d changes %d updates %d earlies %d over %d%s%s\n", course.time,
            trace.events, trace.changes, trace.updates, trace.earlies, course.over,
            unit.last_message[0] ? " message " : "", unit.last_message);
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
    fmu_trace_fini(&trace);
    return 0;
}

static void act(options *o, const fmu_archive *archive, const fmu_description *d) {
    const char *identifier = d->exchange.there ? d->exchange.identifier : d->cosimulation.identifier;
    char *binary = o->binary ? fmu_format("%s", o->binary)
                             : fmu_archive_binary(archive, d->version, identifier ? identifier : "");
    char *full = realpath(binary, NULL), *folder = realpath(archive->folder, NULL);
    fmu_library library = {0};
    if (strcmp(o->command, "check") == 0 && full && !o->binary)
        fmu_check_binary(full, d->version, o->glibc, &o->report);
    if (full && fmu_library_init(&library, full, d->version, &o->report)) {
        fmu_subject subject = {&library, d, archive, &o->report, o->plan, NULL};
        subject.resources = fmu_format(d->version == 2 ? "file://%s/resources" : "%s/resources/", folder);
        complete_plan(&subject.plan, d);
        if (strcmp(o->command, "check") == 0)
            check_behaviour(&subject);
        else if (strcmp(o->command, "run") == 0)
            (void)run_once(o, &subject);
        else if (o->argument)
            o->report.violations += strcmp(o->command, "save") == 0
                                        ? fmu_save(&subject, o->exchange, o->argument)
                                        : fmu_continue(&subject, o->argument);
        free(subject.resources);
    }
    fmu_library_fini(&library);
    free(binary);
    free(full);
    free(folder);
}

int main(int count, char **words) {
    options o;
    fmu_archive archive;
    fmu_description description = {0};
    if (count >= 3 && strcmp(words[1], "pack") == 0)
        return fmu_archive_pack(words[2], count - 3, words + 3) ? 0 : 2;
    if (!read_options(&o, count, words)) {
        fputs(usage, stderr);
        return 2;
    }
    if (fmu_archive_init(&archive, o.fmu, &o.report)) {
        char *path = fmu_format("%s/modelDescription.xml", archive.folder);
        if (fmu_description_init(&description, path, &o.report)) {
            if (strcmp(o.command, "check") == 0) check_description(&archive, &description, &o.report);
            if (!o.description_only) act(&o, &archive, &description);
        }
        fmu_description_fini(&description);
        free(path);
    }
    fmu_archive_fini(&archive);
    if (o.report.violations) printf("%d violations\n", o.report.violations);
    return o.report.violations ? 1 : 0;
}
