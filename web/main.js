// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The page: its panels, and the connection to the server.
import { connect } from './server.js';
import { createDiagram } from './diagram.js';
import { createExport } from './export.js';
import { createFaults } from './faults.js';
import { createProblems, createText } from './text.js';
import { createProofs } from './proofs.js';
import { createRun } from './run.js';
import { createShell, openFirst } from './shell.js';
import { studio } from './studio.js';

const panels = [
    { name: 'diagram', label: 'Diagram', create: (host) => { studio.diagramPanel = createDiagram(host); } },
    { name: 'run', label: 'Run', create: (host) => { studio.runPanel = createRun(host); } },
    { name: 'faults', label: 'Faults', create: (host) => { studio.faultPanel = createFaults(host); } },
    { name: 'proofs', label: 'Proofs', create: createProofs },
    { name: 'export', label: 'Export', create: createExport },
];

createShell(document.getElementById('studio'), panels, (host, problems) => {
    problems.append(createProblems());
    return createText(host);
});
connect();
openFirst().catch((error) => studio.say(error.message, 'error'));
window.studio = studio; // for scripts and tests
