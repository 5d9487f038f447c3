/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constitutive processes of what does not switch (003, sections 5.1 to 5.4 and 5.6): laws of the jump, with
 * pulses and works, and laws of the clause. Energies of bonds are left out: in jumps their change is work(…),
 * in clauses they only define themselves. */
#include "verify/paper_impl.h"

static hbg_terms *terms_of(paper_work *work) {
    return &work->made->process.terms;
}

static hbg_term zero(paper_work *work) {
    return hbg_term_integer(terms_of(work), 0);
}

hbg_term hbg_verify_paper_relation(paper_work *work, int op, hbg_term a, hbg_term b) {
    return hbg_term_make(terms_of(work), op, a, b, HBG_NONE);
}

void hbg_verify_paper_push(paper_work *work, hbg_process_all *into, int op, hbg_term a, hbg_term b) {
    HBG_PUSH(work->arena, *into, hbg_verify_paper_relation(work, op, a, b));
}

static void equal(paper_work *work, hbg_process_all *into, hbg_term a, hbg_term b) {
    hbg_verify_paper_push(work, into, HBG_OP_EQUAL, a, b);
}

static hbg_term view(paper_work *work, int32_t variable, hbg_process_view view) {
    return hbg_verify_paper_variable(work, variable, view);
}

static const hbg_element *element_of(const paper_work *work, int32_t element) {
    return &work->model->elements.items[element];
}

static bool is_thermal(const paper_work *work, int32_t element, int32_t port) {
    int32_t net = work->model->bonds.items[hbg_eqn_bond_of(work->model, element, port)].net;
    return net >= 0 && work->model->net_domain[net] == HBG_DOMAIN_THERMAL;
}

/* Work at a port as its element counts power. */
static hbg_term port_work(paper_work *work, int32_t element, int32_t port) {
    int32_t bond = hbg_eqn_bond_of(work->model, element, port);
    hbg_term made = view(work, work->at.work[bond], HBG_PROCESS_NOW);
    bool turned = hbg_eqn_sign(work->model, element, port, HBG_VARIABLE_EFFORT) *
                      hbg_eqn_sign(work->model, element, port, HBG_VARIABLE_FLOW) <
                  0;
    return turned ? hbg_term_negate(terms_of(work), made) : made;
}

/* ---- laws --------------------------------------------------------------------------------------------------------------- */

static hbg_term entry(paper_work *work, int32_t element, int32_t row, int32_t column, hbg_process_view view) {
    const hbg_element *of = element_of(work, element);
    return hbg_verify_paper_expression(
        work, work->model->entries.items[of->first_value + row * of->ports + column], view);
}

/* The row of a matrix, or the one value, times e or f of the ports. */
static hbg_term times(paper_work *work, int32_t element, int32_t port, hbg_variable variable) {
    hbg_terms *terms = terms_of(work);
    hbg_term sum = HBG_NONE;
    for (int32_t k = 0; k < element_of(work, element)->ports; k++) {
        hbg_term own = hbg_term_multiply(terms, entry(work, element, port - 1, k, HBG_PROCESS_NOW),
                                         hbg_verify_paper_port(work, element, k + 1, variable));
        sum = sum == HBG_NONE ? own : hbg_term_add(terms, sum, own);
    }
    return sum;
}

static hbg_term of_variable(paper_work *work, int32_t element, int32_t port, hbg_variable variable) {
    if (variable == HBG_VARIABLE_EFFORT || variable == HBG_VARIABLE_FLOW)
        return hbg_verify_paper_port(work, element, port, variable);
    return view(work, work->at.energy[element] + port - 1, HBG_PROCESS_NOW);
}

/* e = Φ(f), e = Φ(q) or f = Φ(p): as written, or by values. */
static void add_law(paper_work *work, int32_t element, hbg_process_all *into) {
    const hbg_element *of = element_of(work, element);
    for (int32_t i = 0; i < of->law_count; i++) {
        const hbg_binding *law = &work->model->bindings.items[of->first_law + i];
        equal(work, into, of_variable(work, element, law->port, law->variable),
              hbg_verify_paper_expression(work, law->value, HBG_PROCESS_NOW));
    }
    for (int32_t port = 1; port <= of->ports && of->law_count == 0; port++) {
        bool resistor = of->kind == HBG_KIND_R;
        hbg_variable given = resistor                 ? HBG_VARIABLE_EFFORT
                             : of->kind == HBG_KIND_C ? HBG_VARIABLE_DISPLACEMENT
                                                      : HBG_VARIABLE_MOMENTUM;
        equal(work, into, of_variable(work, element, port, given),
              times(work, element, port, of->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW));
    }
}

/* ---- one-ports and fields -------------------------------------------------------------------------------------------------- */

static void add_resistor(paper_work *work, int32_t element, hbg_paper_row *row) {
    for (int32_t port = 1; port <= element_of(work, element)->ports; port++) {
        equal(work, &row->jump, hbg_verify_paper_port_pulse(work, element, port, HBG_VARIABLE_EFFORT),
              zero(work));
        equal(work, &row->jump, hbg_verify_paper_port_pulse(work, element, port, HBG_VARIABLE_FLOW),
              zero(work));
        equal(work, &row->jump, port_work(work, element, port), zero(work));
    }
    add_law(work, element, &row->clause);
}

static hbg_term difference(paper_work *work, int32_t variable) {
    return hbg_term_subtract(terms_of(work), view(work, variable, HBG_PROCESS_NEW),
                             view(work, variable, HBG_PROCESS_OLD));
}

static hbg_term square(paper_work *work, int32_t variable, hbg_process_view of) {
    hbg_terms *terms = terms_of(work);
    return hbg_term_make(terms, HBG_OP_POWER_OF, view(work, variable, of), hbg_term_integer(terms, 2),
                         HBG_NONE);
}

/* What a storage takes up: with one linear port the difference of squares, else the difference of its stored
 * energy. Heat is energy itself. */
static hbg_term stored_change(paper_work *work, int32_t element) {
    hbg_terms *terms = terms_of(work);
    const hbg_element *of = element_of(work, element);
    int32_t energy = work->at.energy[element];
    if (is_thermal(work, element, 1)) return difference(work, energy);
    if (of->ports == 1 && hbg_eqn_is_linear(of)) {
        hbg_term twice =
            hbg_term_multiply(terms, hbg_term_integer(terms, 2), entry(work, element, 0, 0, HBG_PROCESS_NEW));
        return hbg_term_divide(terms,
                               hbg_term_subtract(terms, square(work, energy, HBG_PROCESS_NEW),
                                                 square(work, energy, HBG_PROCESS_OLD)),
                               twice);
    }
    if (work->at.stored[element] == HBG_NONE) {
        hbg_verify_paper_add(
            work, (hbg_process_variable){
                      .role = HBG_PROCESS_STORED,
                      .of = element,
                      .name = hbg_base_arena_print(work->arena, "%s.energy",
                                                   hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, element)),
                      .unit = "J"});
        work->at.stored[element] = work->made->process.variables.count - 1;
    }
    return difference(work, work->at.stored[element]);
}

static void add_storage(paper_work *work, int32_t element, hbg_paper_row *row) {
    hbg_terms *terms = terms_of(work);
    const hbg_element *of = element_of(work, element);
    hbg_variable moved = of->kind == HBG_KIND_C ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
    hbg_variable other = of->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_term all = HBG_NONE;
    for (int32_t port = 1; port <= of->ports; port++) {
        int32_t energy = work->at.energy[element] + port - 1;
        hbg_term own = port_work(work, element, port);
        equal(work, &row->jump, hbg_verify_paper_port_pulse(work, element, port, moved),
              difference(work, energy));
        equal(work, &row->jump, hbg_verify_paper_port_pulse(work, element, port, other), zero(work));
        equal(work, &row->clause, view(work, hbg_verify_paper_rate(work, energy), HBG_PROCESS_NOW),
              hbg_verify_paper_port(work, element, port, moved));
        all = all == HBG_NONE ? own : hbg_term_add(terms, all, own);
    }
    equal(work, &row->jump, all, stored_change(work, element));
    add_law(work, element, &row->clause);
}

/* A source determines one variable and passes any pulse of the other; in the printed version it has none. */
static void add_source(paper_work *work, int32_t element, hbg_paper_row *row) {
    hbg_terms *terms = terms_of(work);
    bool effort = element_of(work, element)->kind == HBG_KIND_SE;
    hbg_variable own = effort ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_variable other = effort ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
    hbg_term passed = hbg_verify_paper_port_pulse(work, element, 1, other);
    hbg_term does = port_work(work, element, 1);
    equal(work, &row->jump, hbg_verify_paper_port_pulse(work, element, 1, own), zero(work));
    if (work->request->reading == HBG_PAPER_SETTLED) {
        hbg_term value = is_thermal(work, element, 1) ? hbg_term_integer(terms, 1)
                                                      : entry(work, element, 0, 0, HBG_PROCESS_NEW);
        equal(work, &row->jump, does, hbg_term_multiply(terms, value, passed));
    } else {
        equal(work, &row->jump, passed, zero(work));
        equal(work, &row->jump, does, zero(work));
    }
    equal(work, &row->clause, hbg_verify_paper_port(work, element, 1, own),
          entry(work, element, 0, 0, HBG_PROCESS_NOW));
}

/* ---- transformers and gyrators ------------------------------------------------------------------------------------------------ */

static void add_two_port(paper_work *work, int32_t element, hbg_paper_row *row) {
    hbg_terms *terms = terms_of(work);
    bool gyrator = element_of(work, element)->kind == HBG_KIND_GY;
    hbg_expr ratio = work->model->entries.items[element_of(work, element)->first_value];
    for (int pulses = 0; pulses < 2; pulses++) {
        hbg_term (*at)(paper_work *, int32_t, int32_t, hbg_variable) =
            pulses ? hbg_verify_paper_port_pulse : hbg_verify_paper_port;
        hbg_term n = hbg_verify_paper_expression(work, ratio, pulses ? HBG_PROCESS_NEW : HBG_PROCESS_NOW);
        hbg_process_all *into = pulses ? &row->jump : &row->clause;
        hbg_term e1 = at(work, element, 1, HBG_VARIABLE_EFFORT),
                 e2 = at(work, element, 2, HBG_VARIABLE_EFFORT);
        hbg_term f1 = at(work, element, 1, HBG_VARIABLE_FLOW), f2 = at(work, element, 2, HBG_VARIABLE_FLOW);
        equal(work, into, e1, hbg_term_multiply(terms, n, gyrator ? f2 : e2));
        equal(work, into, gyrator ? e2 : f2, hbg_term_multiply(terms, n, f1));
    }
    equal(work, &row->jump, port_work(work, element, 1), port_work(work, element, 2));
}

/* ---- junctions ------------------------------------------------------------------------------------------------------------------ */

static int32_t bond_count(const paper_work *work, int32_t element) {
    return work->model->incidence_start[element + 1] - work->model->incidence_start[element];
}

static int32_t bond_at(const paper_work *work, int32_t element, int32_t number) {
    return work->model->incidence[work->model->incidence_start[element] + number];
}

/* What comes in less what goes out; the first term positive. */
static hbg_term balance(paper_work *work, int32_t element, const int32_t *variables, int32_t offset) {
    hbg_terms *terms = terms_of(work);
    hbg_term sum = zero(work);
    for (int in = 1; in >= 0; in--)
        for (int32_t i = 0; i < bond_count(work, element); i++) {
            int32_t bond = bond_at(work, element, i);
            if ((work->model->bonds.items[bond].to.element == element) != in) continue;
            hbg_term own = view(work, variables[bond] + offset, HBG_PROCESS_NOW);
            sum = in ? hbg_term_add(terms, sum, own) : hbg_term_subtract(terms, sum, own);
        }
    return sum;
}

hbg_term hbg_verify_paper_work_sum(paper_work *work, int32_t element) {
    return balance(work, element, work->at.work, 0);
}

bool hbg_verify_paper_is_flow_off(const hbg_model *model, int32_t element) {
    const hbg_element *of = &model->elements.items[element];
    return (of->kind == HBG_KIND_ONE) !=
           of->dual_off; // off, a 0-junction has no effort and a 1-junction no flow
}

void hbg_verify_paper_junction(paper_work *work, int32_t element, bool pulses, paper_law law,
                               hbg_process_all *into) {
    const int32_t *variables = pulses ? work->at.pulse_effort : work->at.effort;
    bool one = element_of(work, element)->kind == HBG_KIND_ONE;
    int32_t count = bond_count(work, element),
            common = one ? 1 : 0; // what is equal: the flow at a 1-junction
    if (law != PAPER_LAW_ON) {
        int32_t none = hbg_verify_paper_is_flow_off(work->model, element);
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = 0; k < 2; k++)
                if (k == none || law == PAPER_LAW_NONE)
                    equal(work, into, view(work, variables[bond_at(work, element, i)] + k, HBG_PROCESS_NOW),
                          zero(work));
        return;
    }
    // without the sum, pulses of a 1/F junction are as loose as those that 003 lists
    bool controlled = element_of(work, element)->control != HBG_NONE;
    bool loose = pulses && work->request->reading == HBG_PAPER_LOOSE && controlled && one &&
                 hbg_verify_paper_is_flow_off(work->model, element);
    if (!loose && count > 0) equal(work, into, balance(work, element, variables, 1 - common), zero(work));
    for (int32_t i = 1; i < count; i++)
        equal(work, into, view(work, variables[bond_at(work, element, i)] + common, HBG_PROCESS_NOW),
              view(work, variables[bond_at(work, element, 0)] + common, HBG_PROCESS_NOW));
}

static void add_junction(paper_work *work, int32_t element, hbg_paper_row *row) {
    hbg_verify_paper_junction(work, element, true, PAPER_LAW_ON, &row->jump);
    if (bond_count(work, element) > 0)
        equal(work, &row->jump, hbg_verify_paper_work_sum(work, element), zero(work));
    hbg_verify_paper_junction(work, element, false, PAPER_LAW_ON, &row->clause);
}

/* ---- integrators ------------------------------------------------------------------------------------------------------------------ */

static int32_t area_of(const void *owner, int32_t variable) {
    const paper_work *work = owner;
    const hbg_process_variable *of = &work->made->process.variables.items[hbg_process_variable_of(variable)];
    if (of->role != HBG_PROCESS_BOND) return HBG_NONE;
    return (work->at.pulse_effort[of->of / 2] + of->of % 2) * HBG_PROCESS_VIEWS;
}

static void add_integrator(paper_work *work, int32_t signal) {
    const hbg_signal *of = &work->model->signals.items[signal];
    int32_t energy = work->at.signal[signal];
    hbg_paper_row row = {0};
    hbg_term area = HBG_NONE;
    hbg_term value = hbg_verify_paper_expression(work, of->value, HBG_PROCESS_NOW);
    hbg_term_pulses pulses = {area_of, work};
    hbg_term_parts(terms_of(work), work->arena, pulses,
                   hbg_verify_paper_expression(work, of->value, HBG_PROCESS_NEW), &area);
    equal(work, &row.jump, difference(work, energy), area == HBG_NONE ? zero(work) : area);
    equal(work, &row.clause, view(work, hbg_verify_paper_rate(work, energy), HBG_PROCESS_NOW), value);
    hbg_paper_part part = {.name = hbg_verify_paper_path(work, HBG_OBJECT_SIGNAL, signal),
                           .kind = "integrator",
                           .of = {HBG_OBJECT_SIGNAL, signal},
                           .like = HBG_NONE};
    HBG_PUSH(work->arena, part.rows, row);
    HBG_PUSH(work->arena, work->made->others, part);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------- */

const char *hbg_verify_paper_kind(const hbg_model *model, int32_t element) {
    static const char *const kinds[2][2] = {{"0/E junction", "0/F junction"},
                                            {"1/E junction", "1/F junction"}};
    const hbg_element *of = &model->elements.items[element];
    if (of->control == HBG_NONE) return hbg_model_element_info_get(of->form)->name;
    return kinds[of->kind == HBG_KIND_ONE][hbg_verify_paper_is_flow_off(model, element)];
}

static hbg_paper_row row_of(paper_work *work, int32_t element) {
    hbg_paper_row row = {0};
    switch (element_of(work, element)->kind) {
    case HBG_KIND_R: add_resistor(work, element, &row); break;
    case HBG_KIND_C:
    case HBG_KIND_I: add_storage(work, element, &row); break;
    case HBG_KIND_SE:
    case HBG_KIND_SF: add_source(work, element, &row); break;
    case HBG_KIND_TF:
    case HBG_KIND_GY: add_two_port(work, element, &row); break;
    default: add_junction(work, element, &row); break;
    }
    return row;
}

static void conjoin(paper_work *work, const hbg_paper_row *row) {
    for (int32_t i = 0; i < row->jump.count; i++) HBG_PUSH(work->arena, work->jump, row->jump.items[i]);
    for (int32_t i = 0; i < row->clause.count; i++) HBG_PUSH(work->arena, work->clause, row->clause.items[i]);
}

/* The first part of the same kind with as many ports and bonds: they differ only in names. */
static int32_t like(const paper_work *work, int32_t element) {
    const hbg_element *of = element_of(work, element);
    for (int32_t i = 0; i < work->made->parts.count; i++) {
        int32_t other = work->made->parts.items[i].of.index;
        const hbg_element *at = element_of(work, other);
        if (work->made->parts.items[i].like != HBG_NONE || at->form != of->form || at->ports != of->ports)
            continue;
        bool same = at->law_count == 0 && of->law_count == 0 && at->control == HBG_NONE;
        bool in = of->ports > 0; // bonds of a junction have to point the same ways
        for (int32_t k = 0; k < bond_count(work, element) && !in; k++)
            same = same && bond_count(work, other) == bond_count(work, element) &&
                   (work->model->bonds.items[bond_at(work, element, k)].to.element == element) ==
                       (work->model->bonds.items[bond_at(work, other, k)].to.element == other);
        if (same && (in || bond_count(work, other) == bond_count(work, element))) return i;
    }
    return HBG_NONE;
}

void hbg_verify_paper_parts(paper_work *work) {
    for (int32_t i = 0; i < work->model->elements.count; i++) {
        const hbg_element *of = element_of(work, i);
        hbg_paper_part part = {.name = hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, i),
                               .kind = hbg_verify_paper_kind(work->model, i),
                               .of = {HBG_OBJECT_ELEMENT, i},
                               .like = HBG_NONE};
        if (of->control == HBG_NONE) {
            hbg_paper_row row = row_of(work, i);
            part.like = like(work, i);
            HBG_PUSH(work->arena, part.rows, row);
        }
        HBG_PUSH(work->arena, work->made->parts, part);
    }
    for (int32_t i = 0; i < work->model->signals.count; i++)
        if (work->model->signals.items[i].kind == HBG_SIGNAL_STATE) add_integrator(work, i);
    for (int junctions = 0; junctions < 2;
         junctions++) // laws of elements come first: they are what is reported for bonds
        for (int32_t i = 0; i < work->made->parts.count; i++) {
            const hbg_paper_part *part = &work->made->parts.items[i];
            bool is_junction = element_of(work, part->of.index)->ports == 0;
            if (part->rows.count > 0 && is_junction == junctions) conjoin(work, &part->rows.items[0]);
        }
    for (int32_t i = 0; i < work->made->others.count; i++)
        conjoin(work, &work->made->others.items[i].rows.items[0]);
}
