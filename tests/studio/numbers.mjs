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
equal(axis([0], 'V'), '0 [V]', 'nothing but zero');
equal(quantity(-7.74e-13, 'J', 3), '-774 fJ', 'what is next to nothing');
equal(counted(1, 'event') + counted(2, 'event'), '1 event2 events', 'one and several');
