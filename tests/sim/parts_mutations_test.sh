#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What the tests of independent parts claim is shown to catch a broken build, outside a soak with every fourth one. Without a
# change the tests pass in the same way.
set -euo pipefail
. "$HBG_SOURCE_DIR/tests/mutation.sh"
mutated_share=4

path_of_test=([model]=model/parts [sim]=sim/parts [api]=api/run_parts)
unchanged model
unchanged sim

# which objects belong together
mutate driven model/parts.c 'model:bonds_*' 'read_expr(c, i, of->control);' ''
mutate guarded model/parts.c 'model:bonds_*' 'read_expr(c, c->first_automaton + i, way->guard);' ''
mutate unread model/parts.c 'model:what_a_run_*' 'if (!c->needed\[i\]) continue;' ''
mutate shared model/parts.c 'model:data_*' 'is_data ? HBG_NONE : c->first_signal + signal' 'c->first_signal + signal'
mutate kept model/parts_copy.c 'model:a_part_*' 'if (part == 0) take_unused(c, HBG_OBJECT_PARAM' 'if (part == 1) take_unused(c, HBG_OBJECT_PARAM'
# in order of time, with all parts known there
mutate order sim/parts.c 'sim:instants_*' 'return one < other' 'return one > other'
mutate whose sim/parts_rows.c 'sim:instants_*' 'y\[part->outputs\[i\]\] = own\[i\]' 'y[i] = own[i]'
mutate behind sim/parts_rows.c 'sim:rows_*' 'stepper->dense(stepper, \*t, engine->x_other);' 'hbg_rt_engine_state_at_end(engine, engine->x_other);'
mutate late sim/parts_result.c 'sim:a_verdict_*' 'stepper->dense(stepper, t, engine->x);' 'hbg_rt_engine_state_at_end(engine, engine->x);'
# one moment, one event
mutate apart sim/parts_events.c 'sim:what_happens_*' 'own->index > index' 'own->index != index'
mutate faulty sim/parts_share.c 'sim:a_fault_*' 'made->index = of->own\[k\];' ''
# as alone, to the last bit
mutate rounded sim/parts_rows.c 'api:models_*' 'return hbg_rt_on_grid(&schedule->whole.rows, t);' 'return t;'
mutate together sim/parts.c 'api:models_*' 'hbg_rt_status status = hbg_rt_engine_step(engine);' \
    'engine->schedule.limit = fmin(engine->schedule.limit, schedule->parts[0].engine->schedule.limit); hbg_rt_status status = hbg_rt_engine_step(engine);'
