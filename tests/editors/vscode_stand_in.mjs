// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the module `vscode`, which only VS Code itself has: as much of it as the client of language servers asks for. What the client registers and
// reports is kept, so that a test can ask it as the editor would.
const disposable = { dispose() {} };

class Emitter {
    #heard = new Set();
    event = (hear, self) => { const bound = hear.bind(self); this.#heard.add(bound); return { dispose: () => this.#heard.delete(bound) }; };
    fire(what) { for (const hear of this.#heard) hear(what); }
    dispose() { this.#heard.clear(); }
}
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(...at) { [this.start, this.end] = at.length === 4 ? [new Position(at[0], at[1]), new Position(at[2], at[3])] : at; } }
class Uri {
    constructor(text) { this.text = text; }
    static parse = (text) => new Uri(text);
    static file = (path) => new Uri(`file://${path}`);
    get scheme() { return new URL(this.text).protocol.slice(0, -1); }
    get fsPath() { return decodeURIComponent(new URL(this.text).pathname); }
    toString() { return this.text; }
}
class WorkspaceEdit {
    edits = new Map();
    set(uri, edits) { this.edits.set(String(uri), edits); }
}
class CancellationTokenSource { token = { isCancellationRequested: false, onCancellationRequested: () => disposable }; cancel() {} dispose() {} }

/** A class of which a test asks nothing but what it was made of. */
const plain = (name) => ({ [name]: class { constructor(...made) { Object.assign(this, { made }); } append(part) { return new this.constructor(part); } } })[name];
const names = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? name : undefined) });

/** The module, on a document `{ path, language, text }` with `settings`; `told` is what the extension says to people. */
export function standIn(opened, settings) {
    const provided = {}, told = [], emitters = {}, collections = [];
    const document = { uri: Uri.file(opened.path), fileName: opened.path, languageId: opened.language, version: 1, isClosed: false, isDirty: false, getText: () => opened.text };
    const group = (own) => new Proxy(own, { get: (_, name) => {
        if (name in own) return own[name];
        if (/^on[A-Z]/.test(name)) return (emitters[name] ??= new Emitter()).event;
        if (/^register/.test(name)) return (_selector, ...provider) => { provided[name] = provider; return disposable; };
        return undefined;
    } });
    const say = (text) => { told.push(text); return Promise.resolve(); };
    const watcher = () => ({ ...disposable, onDidCreate: () => disposable, onDidChange: () => disposable, onDidDelete: () => disposable });
    const own = {
        Position, Range, Uri, EventEmitter: Emitter, WorkspaceEdit, CancellationTokenSource, version: '1.82.0',
        Disposable: class { constructor(end) { this.dispose = end; } },
        CancellationError: class extends Error {},
        Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
        TextEdit: class { constructor(range, newText) { Object.assign(this, { range, newText }); } },
        CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
        CodeActionKind: Object.assign(class { append(part) { return Object.assign(new own.CodeActionKind(), { value: part }); } }, { Empty: { append: (value) => ({ value }) }, QuickFix: { value: 'quickfix' } }),
        Hover: class { constructor(contents, range) { Object.assign(this, { contents, range }); } },
        MarkdownString: class { constructor(value) { Object.assign(this, { value }); } appendMarkdown(text) { this.value = (this.value ?? '') + text; return this; } },
        SemanticTokens: class { constructor(data) { this.data = data; } },
        env: { language: 'en', appName: 'stand-in', openExternal: () => {} },
        workspace: group({
            textDocuments: [document], notebookDocuments: [], workspaceFolders: undefined,
            getConfiguration: (section) => ({ get: (name, otherwise) => settings[section ? `${section}.${name}` : name] ?? otherwise, inspect: () => undefined }),
            createFileSystemWatcher: watcher, applyEdit: async () => true, asRelativePath: (path) => path,
        }),
        window: group({
            showErrorMessage: say, showWarningMessage: say, showInformationMessage: say, visibleTextEditors: [], activeTextEditor: undefined,
            tabGroups: { all: [], onDidChangeTabs: () => disposable, onDidChangeTabGroups: () => disposable }, withProgress: (_, work) => work({ report() {} }),
            createOutputChannel: () => ({ append() {}, appendLine: (line) => told.push(line), show() {}, clear() {}, dispose() {} }),
        }),
        languages: group({
            match: (selector, { languageId }) => ([selector].flat().some(({ language }) => language === languageId) ? 10 : 0),
            createDiagnosticCollection: () => { const kept = new Map(); collections.push(kept); return { set: (uri, list) => kept.set(String(uri), list), delete: (uri) => kept.delete(String(uri)), get: (uri) => kept.get(String(uri)), has: (uri) => kept.has(String(uri)), clear: () => kept.clear(), forEach() {}, dispose() {} }; },
        }),
        commands: group({ executeCommand: async () => undefined }),
    };
    const vscode = new Proxy(own, { get: (_, name) => {
        if (typeof name !== 'string' || name in own) return own[name];
        return (own[name] = /(Severity|Kind|Tag|Reason|Type|Location|Level|Column|Modifier|Trigger|Encoding|Host|Mode)$/.test(name) ? names : plain(name));
    } });
    return { vscode, document, provided, told, diagnostics: () => collections.flatMap((kept) => kept.get(String(document.uri)) ?? []) };
}
