#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The comparison of proofs with runs, and the answers known by hand, are shown to catch a broken verifier.
# needs: build test
set -euo pipefail
. "$HBG_SOURCE_DIR/tests/mutation.sh"
. "$HBG_SOURCE_DIR/tests/verify/release.sh"

release_tree hbg_library
mutated_tree=$release mutated_flags=() mutated_folder=verify mutated_limit=300 mutated_all=yes
export HBG_VERIFY_GRAPHS=110

for test in paths answers consistency consistency_digits consistency_loop consistency_reach consistency_states formula formula_interval formula_share paths_in consistency_clocks consistency_flows; do
    test_of "verify/$test"
    unchanged "$test"
done

# proofs against runs
mutate pulses consistency_operators.c paths 'if (!a.area && !b.area) return fin;' 'return fin;'
mutate first paths.c consistency 'none_before = hbg_verify_formula_and(f, none_before, hbg_verify_formula_not(f, holds));' ''
mutate together paths.c paths 'm->next\[automaton\] = proof->model->transitions.items\[transition\].target;' \
    'if (number < 1) m->next[automaton] = proof->model->transitions.items[transition].target;'
mutate jumps consistency_modes.c paths '        x\[state\] = found->fin;' ''
mutate rebound paths_in.c paths 'hbg_verify_formula_multiply(&proof->f, coefficient, sum)' 'proof->f.zero'
mutate waits paths.c paths 'if (search->moved && search->moved\[automaton\] > 0) return f->no;' ''
mutate clocks paths.c paths 'formula none_before = proof->timing.tick\[automaton\] ? proof->timing.tick\[automaton\] : f->yes;' \
    'formula none_before = f->yes;'
mutate before consistency_modes.c paths 'return hbg_verify_group_outside(proof, false, past->before, signal);' \
    'return hbg_verify_group_outside(proof, false, false, signal);'
mutate loops consistency_loop.c paths 'hbg_verify_formula_negate(f, at_zero)' 'at_zero'
mutate levels formula_check.c paths 'return level.depth == 0 ||' 'return level.depth >= 0 ||'
# what is known by hand
mutate strict consistency_operators.c consistency 'case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS, b, a);' \
    'case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS_EQUAL, b, a);'
mutate events paths.c consistency 'formula counts = start ? no_event(e->proof) : f->yes;' 'formula counts = f->yes;'
mutate elsewhere paths_in.c consistency 'changed\[in.automaton\] = in.state;' ''
mutate areas_elsewhere eqn/island_map.c paths_in 'read_variable(map, base);' ''
mutate undetermined consistency_values.c paths_in 'if (of.role == HBG_EXACT_OPEN) {' 'if (false) {'
mutate multiples consistency_clocks.c consistency_clocks 'if (others != f->no)' 'if (false)'
mutate powers consistency_clocks.c consistency_clocks 'number / power % prime == 0' 'false'
mutate sampled consistency_clocks.c consistency_clocks 'hbg_verify_formula_or(f, hbg_verify_formula_not(f, sample->ticks), ticked)' 'f->yes'
mutate kept_on consistency_clocks.c consistency_clocks 'now.holds = now.first_pass = true;' 'now.before = true;'
mutate ranges consistency_clocks.c consistency_clocks 'clocks > 1 \&\& open > 0' 'false'
mutate waits_apart consistency.c consistency 'if (isnan(other) || other == after) continue;' 'continue;'
mutate kept paths_findings.c consistency 'return follows ? proof->instant.flowed : f->no;' 'return f->no;'
mutate once paths.c consistency 'next.past.first_pass = false; // events are over' ''
mutate exits consistency_reach.c consistency_reach 'if (earlier) holds = hbg_verify_shift_truth(earlier, holds);' 'if (earlier) holds = f->no;'
mutate bounds paths_findings.c consistency 'if (is_clear(f, symbol, region)) continue;' 'continue;'
mutate circle consistency_functions.c consistency 'hbg_verify_formula_equal(f, squares, f->one)' 'f->yes'
mutate widened consistency_region.c consistency 'if (hbg_verify_formulas_check(f, rest) == ANSWER_NONE) cube->items\[i\] = NULL;' \
    'cube->items[i] = NULL;'
mutate inputs paths_open.c consistency 'assume_given(proof, state, &now);' '(void)now;'
mutate ranges consistency.c consistency 'if (is_asked(model, range)) continue;' 'continue;'
mutate contacts consistency.c consistency 'contested = hbg_verify_contested(modes);' 'contested = NULL;'
mutate angles consistency_functions.c consistency 'for (int i = 1; i < abs(times); i++) {' 'for (int i = 1; i < 1; i++) {'
mutate rebounds paths_in.c consistency 'off\[i\] ? hbg_verify_paths_bounce(proof, proof->of.restitution\[i\], state, there) : proof->f.zero' 'proof->f.zero'
mutate values consistency_values.c consistency 'add_needs(scope, node.a, \&entry);' ''
mutate reached paths.c consistency_states 'hbg_verify_paths_reached(e, search->start);' ''
mutate remainder consistency_functions.c consistency 'hbg_verify_formula_choose(f, negative, down, up)' 'f->yes'
mutate signs formula_fraction.c formula 'if (sign < 0) up = hbg_verify_formula_negate(f, up);' 'if (sign == 0) continue;'
mutate squares formula_circle.c formula 'hbg_verify_formula_integer(f, -1)' 'f->one'
mutate products formula_linear.c formula 'number = hbg_verify_formula_multiply(f, number, at);' 'number = f->one;'
mutate measure formula_share.c formula_share 'if (sign < 0) at->number = hbg_verify_formula_negate(f, at->number);' ''
mutate lengths formula_share.c formula_share 'if (!sum.level) return false;' ''
mutate factors formula_share.c formula_share 'return found == own;' 'return true;'
# what ways have in common
mutate shared paths.c consistency_states 'i < steps - 1 \&\& e->shares; i++' 'i < 0; i++'
mutate sided consistency_modes.c paths 'bool side = !at->sided ||' 'bool side = at->sided || !at->sided ||'
# modes as they are entered, and what is within reach
mutate entered consistency_real.c consistency_reach 'if (from == HBG_NONE || from == i)' 'if (from < count)'
mutate lost paths_open.c consistency_reach 'formula stays = hbg_verify_formula_and(f, fits, .*;' 'formula stays = fits;'
mutate edges consistency_shift.c consistency_reach 'hbg_verify_formula_not(f, doubtful)' 'f->yes'
mutate continuous consistency_loop.c consistency_loop 'return hbg_verify_formulas_check(f, hbg_verify_formula_and(f, edge, jump)) == ANSWER_NONE;' 'return true;'
mutate numbers consistency_reach.c consistency_reach '\&proof->law_pre\[proof->of.pres\[i\]\], 1))' '\&proof->law_pre[proof->of.pres[i]], 0))'
mutate nowhere_begun consistency_reach.c consistency_reach 'starts_there(proof, \&regions\[i\]) != ANSWER_FOUND' 'false'
mutate entered_with consistency_flows.c consistency_flows 'formula then = renamed(proof, \&names, flow->x_plus\[k\]);' 'formula then = proof->x[k];'
mutate standing consistency_flows.c consistency_flows 'if (!of->stands\[i\] || rates\[i\] == f->zero) continue;' 'continue;'
# constants that are no fractions
mutate firm consistency_digits.c consistency_digits 'if (!hbg_verify_formula_hangs(f, found)) return ANSWER_FOUND;' 'return ANSWER_FOUND;'
mutate edge consistency_digits.c consistency_digits 'found = hbg_verify_formula_replace(f, found, 1, &symbol, &solved);' ''
mutate moving consistency_digits.c consistency_loop 'if (!hbg_verify_formula_hangs(f, law)) continue;' 'continue;'
mutate between consistency_symbols.c consistency_digits \
    'add_bound(f, hbg_verify_formula_less_equal(f, symbol->symbol, between.high));' ''
mutate roots consistency_symbols.c consistency_digits 'add_bound(f, hbg_verify_formula_equal(f, power, a));' ''
mutate parts consistency_symbols.c consistency_digits 'folded > 6) folded = 12 - folded' 'folded > 6) folded = 18 - folded'
mutate shares formula_linear.c consistency_digits 'hbg_verify_formula_choose(f, positive, up, down)' 'up'
mutate sides formula_enclose.c consistency_digits 'if (sign == 0 \&\& !zero) return HOLDS_PERHAPS;' ''
mutate machin formula_interval.c formula_interval 'odd_series(f, other, true), 4)' 'odd_series(f, other, true), 3)'
mutate quarters formula_interval.c formula_interval 'if (quarter >= 2)' 'if (quarter > 2)'
mutate outwards formula_interval.c formula_interval 'return (interval){below(f, low), above(f, high)};' \
    'return (interval){above(f, low), below(f, high)};'
# all answers against runs
mutate nowhere consistency_real.c answers 'never = hbg_verify_formula_and(f, never, row->departed\[i\]);' \
    'if (i != 1) never = hbg_verify_formula_and(f, never, row->departed[i]);'
mutate told consistency_words.c answers 'into->high = line->high;' ''
mutate covered consistency_region.c answers 'bool covered = false;' 'bool covered = i > 0;'
mutate unreached consistency_reach.c answers 'formula there = hbg_verify_formula_or(f, region->condition, behind);' 'formula there = f->no;'
mutate flowed consistency_reach.c answers 'if (earlier) holds = hbg_verify_shift_truth(earlier, holds);' 'if (earlier) holds = f->no;'
mutate mended consistency_repair.c answers 'if (hbg_verify_finding_is_wrong(found->kind)) return false;' ''
mutate laws consistency_loop.c answers 'hbg_verify_formula_negate(f, at_zero)' 'at_zero'
# of each kind of model: loops of powers, what throws back asked for elsewhere, what has a value in one state only, ends of functions,
# constants
mutate powers consistency_functions.c answers 'for (int i = 0; i < exponent; i++) result' \
    'for (int i = 0; i < exponent \&\& i < 2; i++) result'
mutate thrown_there paths_in.c answers 'off\[i\] ? hbg_verify_paths_bounce(proof, proof->of.restitution\[i\], state, there) : proof->f.zero' 'proof->f.zero'
mutate junctions consistency_values.c answers 'entry->defined = proof->f.no;' ''
mutate ends consistency_functions.c answers \
    'hbg_verify_value_require(proof, hbg_verify_formula_less_equal(f, f->zero, a),$' 'hbg_verify_value_require(proof, f->yes,'
mutate constants consistency_symbols.c answers 'hbg_verify_interval_function(f, op, enclose(f, a), enclose(f, b));' \
    'hbg_verify_interval_negate(f, hbg_verify_interval_function(f, op, enclose(f, a), enclose(f, b)));'
# the judgement of a run: energies, lateness, modes, flows, and instants that are one
test_of verify/process_check
unchanged process_check
mutate energies process_check.c process_check 'size > 0 ? fabs(j->now\[i\] - to.value) / size : 0' '0 * size'
mutate late process_check.c process_check 'if (most.by > j->tolerance) return refuse(j, to->t, HBG_REFUSED_LATE, most);' ''
mutate target process_check.c process_check 'if (at->from != from || at->to != to) continue;' 'if (at->from != from) continue;'
mutate flows process_check.c process_check 'if (most.by > j->tolerance) return refuse(j, to->t, HBG_REFUSED_FLOW, most);' ''
mutate apart process_check.c process_check '10 \* HBG_RT_BAND \* points\[count - 1\].t' '-1'
mutate anywhere process_check.c process_check '10 \* HBG_RT_BAND \* points\[count - 1\].t' '1'
# 003's constitutive processes, readings, switching and what follows from them
test_of verify/paper verify/paper_difference verify/process
for test in paper paper_difference process; do unchanged "$test"; done
mutate resistors paper_part.c paper 'equal(work, \&row->jump, port_work(work, element, port), zero(work));' ''
mutate stored paper_part.c paper 'equal(work, \&row->jump, all, stored_change(work, element));' ''
mutate moved paper_part.c paper 'of->kind == HBG_KIND_C ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;' 'HBG_VARIABLE_EFFORT;'
mutate passed paper_part.c paper 'hbg_term_multiply(terms, value, passed)' 'zero(work)'
mutate ratio paper_part.c paper 'gyrator ? f2 : e2' 'gyrator ? e2 : f2'
mutate gyrated paper_part.c paper 'equal(work, into, gyrator ? e2 : f2,' 'equal(work, into, gyrator ? f2 : e2,'
mutate common paper_part.c paper 'common = one ? 1 : 0;' 'common = one ? 0 : 1;'
mutate incoming paper_part.c paper 'in ? hbg_term_add(terms, sum, own) : hbg_term_subtract' 'in ? hbg_term_add(terms, sum, own) : hbg_term_add'
mutate cut paper_part.c paper 'return (of->kind == HBG_KIND_ONE) !=$' 'return (of->kind == HBG_KIND_ONE) =='
mutate areas paper_part.c paper 'area == HBG_NONE ? zero(work) : area' 'zero(work)'
mutate losing paper_switch.c paper 'loses ? HBG_OP_GREATER_EQUAL : HBG_OP_EQUAL' 'HBG_OP_EQUAL'
mutate opening paper_switch.c paper 'add_row(work, of, 1, 0, PAPER_LAW_OFF, true' 'add_row(work, of, 1, 0, PAPER_LAW_ON, true'
mutate quiet paper_switch.c paper 'add_row(work, of, 0, 0, PAPER_LAW_NONE, false, "off' 'add_row(work, of, 0, 0, PAPER_LAW_ON, false, "off'
mutate included paper_merge.c paper 'return hbg_verify_formulas_check(f, outside) == ANSWER_NONE;' 'return false;'
mutate clamped paper_compare.c paper_difference 'formula may = from == HBG_NONE || to == HBG_NONE ? f->no : allowed(c, from, to);' 'formula may = f->yes;'
mutate two_sides paper_formula.c paper_difference 'add_function(work, term, HBG_PROCESS_FUNCTION)' 'add_function(work, term, HBG_PROCESS_HIDDEN)'
mutate kept_value paper_formula.c paper_difference 'keep_value(work, made, a);' ''
mutate guessed paper_compare.c paper_difference 'if (hbg_verify_formula_reads(\&work->proof->f, a, sides, 2)) return true;' ''
mutate overlapping paper_difference.c paper_difference 'return hbg_verify_formulas_check(f, both) != ANSWER_NONE;' 'return false;'
mutate orders process.c process 'clause->order--;' ''
mutate ends process.c process '\*jumps = true;' ''
[ "$missed" -eq 0 ] || { echo "$missed broken verifiers are not noticed"; exit 1; }
echo "every broken verifier is noticed"
