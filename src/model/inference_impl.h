/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inference of units and domains. A net starts with every domain as a candidate; facts narrow the set. The
 * dimension of any single quantity decides a domain outright, since no two domains share one; transformers,
 * gyrators and the coupling entries of fields relate two nets. A decided net gives its observables their
 * dimension, which may make further facts known.
 *
 * Candidate sets only shrink and dimensions are only added, so the result does not depend on the order. A net
 * left without candidates is a contradiction: the domain that most facts support wins, inference is repeated
 * with it, and the facts that disagree are reported. */
#ifndef HBG_MODEL_INFERENCE_IMPL_H
#define HBG_MODEL_INFERENCE_IMPL_H

#include "model/model_impl.h"

typedef uint8_t hbg_domain_set; /* bit d: domain d is possible */
#define HBG_DOMAIN_BIT(domain) ((hbg_domain_set)(1u << (domain)))
#define HBG_DOMAINS_ALL        ((hbg_domain_set)((1u << HBG_DOMAIN_COUNT) - 2u))

/* A unit demanded of an observable by what it is compared with or added to. */
typedef struct {
    hbg_expr leaf, origin; /* origin: the demanding expression, or HBG_NONE */
    hbg_dimension dimension;
} hbg_demand;

typedef struct {
    hbg_expr expr, origin;
    hbg_dimension dimension;
} hbg_demand_step;

typedef struct {
    hbg_check *check;
    hbg_domain_set *candidates; /* by net */
    hbg_domain_set *frozen;     /* by net: the domain that won a contradiction; 0 elsewhere */
    bool *conflict;             /* by net */
    bool any_conflict;
    int32_t *support; /* by net: the first fact that supports its domain; made on first use */
    HBG_VEC(hbg_demand) demands;
    HBG_VEC(hbg_demand_step) steps; /* stack of demands being handed down */
} hbg_inference;

/* ---- what a fact says (fact.c) ------------------------------------------------------------------------ */

/* Whether it is about two nets at once: TF, GY, coupling entries of fields. */
bool hbg_model_fact_is_pair(const hbg_check *check, const hbg_fact *fact);
/* What its expression is in its net, for facts that are neither pairs, ports nor momenta. */
hbg_quantity hbg_model_fact_quantity(const hbg_check *check, const hbg_fact *fact);
/* Place for reports. */
hbg_span hbg_model_fact_span(const hbg_check *check, const hbg_fact *fact);
/* Domains in which the quantity has this dimension. */
hbg_domain_set hbg_model_quantity_domains(hbg_quantity quantity, hbg_dimension dimension);
/* The dimension of a pair's value between two domains, in its two readings (for pseudo bonds they differ).
 */
void hbg_model_fact_pair_dimensions(const hbg_check *check, const hbg_fact *fact, hbg_domain first,
                                    hbg_domain second, hbg_dimension readings[2]);
/* Removes from both sets what has no partner in the other. */
void hbg_model_fact_pair_project(const hbg_check *check, const hbg_fact *fact, hbg_dimension dimension,
                                 hbg_domain_set *first, hbg_domain_set *second);
/* e, f, q or p of an observable leaf; false for all other expressions. */
bool hbg_model_expr_quantity(const hbg_expr_node *node, hbg_quantity *quantity);

/* ---- inference (infer.c, demand.c) -------------------------------------------------------------------- */

void hbg_model_inference_run(hbg_inference *inference, hbg_check *check);
void hbg_model_inference_narrow(hbg_inference *inference, int32_t net, hbg_domain_set to);
hbg_domain hbg_model_inference_domain(const hbg_inference *inference, int32_t net); /* ANY while undecided */
/* Demands that `expr`, and what it is a sum or alias of, have the dimension. */
void hbg_model_inference_demand(hbg_inference *inference, hbg_expr expr, hbg_dimension dimension,
                                hbg_expr origin);
/* Demands of the arguments of a node what their siblings already have. */
void hbg_model_inference_demand_arguments(hbg_inference *inference, hbg_expr expr);
/* The dimension of a node from those of its arguments. */
hbg_dimension hbg_model_inference_dimension(const hbg_inference *inference, hbg_expr expr);

/* ---- reports (check_facts.c) -------------------------------------------------------------------------- */

void hbg_model_check_facts(hbg_inference *inference);
void hbg_model_check_bare(hbg_check *check); /* numbers without a unit that can be misread */
/* "is in V", "is a pure number" */
const char *hbg_model_check_is_in(hbg_check *check, hbg_dimension dimension);
const char *hbg_model_check_expr_is_in(hbg_check *check,
                                       hbg_expr expr); /* by the name its unit was written with */
/* Adds the place that decided the domain of the net to a report. */
void hbg_model_check_note_domain(hbg_inference *inference, hbg_diagnostic *report, int32_t net);

#endif
