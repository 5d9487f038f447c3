// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The possible targets of faults in a model, and their kinds.
import { asWritten } from './parameters.js';
import { plain } from './numbers.js';

const OF_VALUES = [['abrupt', '-30 [%]'], ['incipient', '5 [%/s]'], ['stuck', '0']];
const OF_SENSORS = [['bias', '5 [%]'], ['drift', '1 [%/s]'], ['stuck', '0']];

/** [{ name, what, now, unit, kinds: [[kind, value]…] }], found from the list of the model. */
export function targets(list) {
    if (!list) return [];
    const values = list.parameters.map((parameter) => {
        const [number, unit] = asWritten(parameter);
        return { name: parameter.name, what: 'parameter', now: `${plain(number)} ${unit}`, unit: parameter.unit ?? '', zero: parameter.value === 0, kinds: OF_VALUES };
    });
    const elements = list.elements.filter((element) => element.numbers?.length === 1 && element.numbers[0] !== null && /^(R|C|I|Se|Sf|TF|GY)$/.test(element.kind)).map((element) => ({
        name: `${element.name}.${element.kind}`, what: 'element', now: `${plain(element.numbers[0])} ${element.units?.[0] ?? ''}`, unit: element.units?.[0] ?? '', zero: element.numbers[0] === 0, kinds: OF_VALUES }));
    const automata = list.automata.map((automaton) => ({ name: automaton.name, what: 'automaton', now: `starts ${automaton.start}`, unit: '',
        kinds: [['stuck', 'on'], ['stuck', 'off'], ...automaton.states.map((state) => ['stuck', state.name])] }));
    const sensors = list.signals.filter((signal) => signal.kind === 'sensor').map((signal) => ({ name: signal.name, what: 'sensor', now: signal.value, unit: signal.unit ?? '',
        kinds: [...OF_SENSORS, ...(signal.every ? [['noise', `0 [${signal.unit || '1'}], 1`]] : [])] }));
    return [...values, ...elements, ...automata, ...sensors];
}

/** "at 3 [s]: bulb.R abrupt -30 [%]" */
export function sentence({ target, kind, value, at, until }) {
    const times = `at ${at || '0'}${until ? ` until ${until}` : ''}`;
    return kind === 'noise' ? `${times}: ${target} noise(${value})` : `${times}: ${target} ${kind} ${value}`;
}

/** A cell of CSV. */
const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Faults as the table that `--faults` reads. */
export function table(faults) {
    return ['at,until,target,kind,value', ...faults.map(({ at, until, target, kind, value }) => [at || '0', until ?? '', target, kind, value].map(cell).join(','))].join('\n') + '\n';
}

/** CSV as rows of cells. */
export function parseTable(text) {
    const rows = [];
    let row = [], found = '', quoted = false;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (quoted) {
            if (c === '"' && text[i + 1] === '"') { found += '"'; i++; }
            else if (c === '"') quoted = false;
            else found += c;
        } else if (c === '"') quoted = true;
        else if (c === ',') { row.push(found); found = ''; }
        else if (c === '\n') { row.push(found); rows.push(row); row = []; found = ''; }
        else found += c;
    }
    if (found || row.length) rows.push([...row, found]);
    return rows;
}
