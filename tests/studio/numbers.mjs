// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of axes and of tables: one prefix for all of an axis, the same form for all of its numbers.
import { axisNumbers, counted, quantity } from '../../web/numbers.js';
import { equal } from './expect.mjs';

const axis = (values, unit, log) => { const { texts, unit: shown } = axisNumbers(values, unit, log); return `${texts.join(' ')} [${shown}]`; };
equal(axis([0, 0.01, 0.02, 0.03], 'A'), '0 10 20 30 [mA]', 'a prefix for all');
equal(axis([-1e-4, -5e-5, 0], 'Wb'), '-100 -50 0 [µWb]', 'of the larger end, also below 0');
equal(axis([0, 0.2, 0.4], 'V'), '0 0.2 0.4 [V]', 'none where the unit fits');
equal(axis([0, 2000, 4000], 'V'), '0 2000 4000 [V]', 'nor above it');
equal(axis([0, 20000, 40000], 'Pa'), '0 20 40 [kPa]', 'thousands');
equal(axis([0, 2.5e-5, 5e-5, 1.25e-4], 'm/s'), '0 2.5e-5 5e-5 1.25e-4 [m/s]', 'exponents for all where there is no prefix');
equal(axis([20, 40, 60], 'degC'), '20 40 60 [degC]', 'a unit without prefixes');
equal(axis([0, 1e7, 2e7], ''), '0 1e7 2e7 []', 'pure numbers');
equal(axis([0.1, 1, 10], 'A', true), '0.1 1 10 [A]', 'decades');
equal(axis([1e-5, 1e-4, 1e-3], 'A', true), '1e-5 1e-4 1e-3 [A]', 'decades that are all small');
equal(axis([1.00001, 1.00002, 1.00003], 's'), '1.00001 1.00002 1.00003 [s]', 'digits that tell neighbours apart');
equal(axis([300.001, 300.0015, 300.002], 'K'), '300.001 300.0015 300.002 [K]', 'also half steps');
equal(axis([0.0120000025, 0.012000005, 0.0120000075], 's'), '12.0000025 12.000005 12.0000075 [ms]', 'behind a prefix');
equal(axis([1234567.1, 1234567.2], ''), '1.2345671e6 1.2345672e6 []', 'with exponents');
equal(axis([0, 0.1 + 0.2, 0.6000000000000001], 'V'), '0 0.3 0.6 [V]', 'and no more');
equal(new Set(axisNumbers([5, 5 + 1e-13, 5 + 2e-13], 's').texts).size, 3, 'down to the last that a number has');
equal(axis([1, 1], 'V'), '1 1 [V]', 'nothing between them');
equal(axis([0], 'V'), '0 [V]', 'nothing but zero');
equal(quantity(-7.74e-13, 'J', 3), '-774 fJ', 'what is next to nothing');
equal(counted(1, 'event') + counted(2, 'event'), '1 event2 events', 'one and several');
