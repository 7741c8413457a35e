// The results as the page holds them: lines of JSON (html_report.h has their
// form). Modules are read at once, details when somebody asks for them.

// In the order in which they win where several meet in one field; `a` is for
// sums only.
const STATES = [
  ['M', 'misread', 'accepted with another meaning'],
  ['C', 'crashed', 'no answer'],
  ['H', 'hung', 'no answer in time'],
  ['U', 'unexpected', 'accepted or refused against the prediction'],
  ['R', 'refused', 'as predicted, with reasons'],
  ['A', 'adapted', 'accepted with the writer\u2019s meaning'],
  ['I', 'identical', 'accepted, every call as it stood'],
];
const LETTERS = STATES.map((state) => state[0]);
const NAME_OF = Object.fromEntries(STATES.map((s) => [s[0], s[1]]));
NAME_OF.a = 'some accepted, some refused';

const histories = [];
const operators = [];
const modules = [];
const detailLines = [];
const textLines = [];

const run = JSON.parse(document.getElementById('run').textContent);

function readLines() {
  const element = document.getElementById('lines');
  const text = element.textContent;
  for (let at = 0; at < text.length;) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const kind = text[at];
    if (kind === 'D') detailLines.push([at + 1, end]);
    else if (kind === 'T') textLines.push([at + 1, end]);
    else if (kind === 'H') histories.push(JSON.parse(text.slice(at + 1, end)));
    else if (kind === 'O') operators.push(JSON.parse(text.slice(at + 1, end)));
    else if (kind === 'M') modules.push(JSON.parse(text.slice(at + 1, end)));
    at = end + 1;
  }
  readLines.text = text;
  element.remove();
}
readLines();

function lineOf(lines, number) {
  const [from, to] = lines[number];
  return JSON.parse(readLines.text.slice(from, to));
}

// A view is what one table shows: the modules of a group of histories, read by
// one testee, written by one author, as they are or for a target.
const views = [];
const viewOfKey = new Map();
const moduleOfKey = new Map();
const moduleKey = (path, history) => JSON.stringify([path, history]);
for (const module of modules) {
  const history = histories[module.h];
  module.history = history;
  module.name = history.name === history.group
      ? module.m : `${module.m} (${history.name})`;
  const key = moduleKey(module.m, history.name);
  if (!moduleOfKey.has(key)) moduleOfKey.set(key, module);
  module.layers = new Map();
  for (const layer of module.l) {
    // By names: addresses have it, and numbers change with the next run.
    const key = JSON.stringify([history.group, run.authors[layer.a],
                                run.testees[layer.t], layer.g]);
    if (!viewOfKey.has(key)) {
      viewOfKey.set(key, {key, group: history.group, layer, modules: [],
                          versions: [], indexOf: new Map()});
      views.push(viewOfKey.get(key));
    }
    const view = viewOfKey.get(key);
    view.modules.push(module);
    module.layers.set(view, layer);
    for (const version of history.versions) {
      if (!view.indexOf.has(version)) {
        view.indexOf.set(version, view.versions.length);
        view.versions.push(version);
      }
    }
  }
}
views.sort((a, b) => a.layer.g - b.layer.g);
for (const view of views) {
  const {a, t, g} = view.layer;
  view.bad = 0;
  for (const module of view.modules) {
    for (const letter of module.layers.get(view).s) {
      if ('MCHU'.includes(letter)) ++view.bad;
    }
  }
  view.title = view.group +
      (g ? ', written for the reader\u2019s version' : '') +
      (a ? `, written by ${run.authors[a]}` : '') +
      (run.testees.length > 1 ? `, read by ${run.testees[t]}` : '');
}

// What is looked at first: something that is wrong, if there is anything.
const firstView = views.find((view) => view.bad > 0) || views[0];

// `1 cell`, `2 cells`.
function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

// The places of a layer with a cell, in order: `d` and `e` have one entry each.
function ordinalOf(layer, place) {
  let ordinal = 0;
  for (let i = 0; i < place; ++i) if (layer.s[i] !== '-') ++ordinal;
  return ordinal;
}

function detailOf(layer, place) {
  const number = layer.d[ordinalOf(layer, place)];
  if (number === -1) return {};
  return number === -2 ? null : lineOf(detailLines, number);
}

// The name and the time of the run since which a cell has its state;
// undefined: no database.
function sinceOf(layer, place) {
  if (!layer.e) return undefined;
  let ordinal = ordinalOf(layer, place);
  for (let i = 0; i < layer.e.length; i += 2) {
    if (ordinal < layer.e[i]) {
      const id = layer.e[i + 1];
      return id === 0 ? [run.run.name, run.run.time] : run.runs[id];
    }
    ordinal -= layer.e[i];
  }
  return undefined;
}

// The letter of the state that a cell had in its last run, if it changed.
function stateBefore(layer, place) {
  const change = (layer.c || []).find((entry) => entry[0] === place);
  return change && change[1];
}

const allVersions = [...new Set(histories.flatMap((h) => h.versions))];
