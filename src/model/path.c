/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The names by which users know objects: `inverter.boost.L1`, and `from>to` for a bond without a name. */
#include "model/model.h"

#define SHALLOW 64 /* components nested deeper than this take memory to print */

/* The instances from the model (left out) down to `scope`, each followed by a dot. */
static void print_scope(const hbg_model *model, int32_t scope, hbg_buffer *buffer) {
    int32_t depth = 0;
    for (int32_t s = scope; s > 0; s = model->scopes.items[s].id.scope) depth++;
    int32_t shallow[SHALLOW];
    int32_t *chain = depth <= SHALLOW ? shallow : HBG_NEW_ARRAY(buffer->arena, int32_t, depth);
    int32_t i = depth;
    for (int32_t s = scope; s > 0; s = model->scopes.items[s].id.scope) chain[--i] = s;
    for (i = 0; i < depth; i++) {
        hbg_base_buffer_text(buffer, hbg_base_names_get(model->names, model->scopes.items[chain[i]].id.name));
        hbg_base_buffer_char(buffer, '.');
    }
}

static void print_identity(const hbg_model *model, const hbg_identity *id, hbg_buffer *buffer) {
    print_scope(model, id->scope, buffer);
    hbg_base_buffer_text(buffer, hbg_base_names_get(model->names, id->name));
}

/* One end of an unnamed bond. */
static void print_end(const hbg_model *model, int32_t element, hbg_buffer *buffer) {
    if (element >= 0)
        print_identity(model, &model->elements.items[element].id, buffer);
    else
        hbg_base_buffer_char(buffer, '?');
}

void hbg_model_path(const hbg_model *model, hbg_object object, hbg_buffer *buffer) {
    const hbg_identity *id = hbg_model_identity(model, object);
    if (!id) return;
    if (object.kind == HBG_OBJECT_SCOPE && object.index == 0) {
        hbg_base_buffer_text(buffer, hbg_base_names_get(model->names, model->name));
        return;
    }
    if (object.kind != HBG_OBJECT_BOND || id->name != 0) {
        print_identity(model, id, buffer);
        return;
    }
    const hbg_bond *bond = &model->bonds.items[object.index];
    print_end(model, bond->from.element, buffer);
    hbg_base_buffer_char(buffer, '>');
    print_end(model, bond->to.element, buffer);
    if (bond->ordinal > 1) hbg_base_buffer_print(buffer, "#%d", (int)bond->ordinal);
}
