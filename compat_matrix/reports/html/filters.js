// What the user has chosen, in the page's address too, and what of the results
// it leaves.

const choice = {
  view: firstView,
  module: '',
  operator: '',
  version: '',
  states: new Set(LETTERS),
  opened: null,  // a module
  cell: null,  // in the dialog: {module, view, writer, reader}
};

const byId = (id) => document.getElementById(id);

function hashOfChoice() {
  const hash = new URLSearchParams();
  // Which table is the first may be another in the next run.
  if (choice.view && (choice.view !== firstView || choice.opened)) {
    hash.set('table', choice.view.key);
  }
  if (choice.module) hash.set('module', choice.module);
  if (choice.operator) hash.set('operator', choice.operator);
  if (choice.version) hash.set('version', choice.version);
  if (choice.states.size < LETTERS.length) {
    hash.set('states', [...choice.states].join('') || 'none');
  }
  if (choice.opened) {
    hash.set('open', choice.opened.m);
    hash.set('of', choice.opened.history.name);
  }
  if (choice.cell) {
    const {module, view, writer, reader} = choice.cell;
    const versions = module.history.versions;
    hash.set('cell', JSON.stringify([module.m, module.history.name,
      versions[writer], versions[reader], view.key]));
  }
  return hash.toString();
}

function keepInAddress() {
  const hash = hashOfChoice();
  if (location.hash.slice(1) === hash) return;
  try {
    history.replaceState(null, '', location.href.split('#')[0] + (hash && '#' + hash));
  } catch (error) {
    location.hash = hash;  // where file: pages may not change their address
  }
}

// The cell that an address names; null: there is none like that (any more).
function cellOfAddress(text) {
  let parts;
  try {
    parts = JSON.parse(text);
  } catch (error) {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const module = moduleOfKey.get(moduleKey(parts[0], parts[1]));
  const view = viewOfKey.get(parts[4]);
  const layer = module && view && module.layers.get(view);
  if (!layer) return null;
  const versions = module.history.versions;
  const writer = versions.indexOf(parts[2]);
  const reader = versions.indexOf(parts[3]);
  if (writer < 0 || reader < 0) return null;
  return layer.s[writer * versions.length + reader] === '-' ? null
      : {module, view, writer, reader};
}

// What it does not understand it leaves as it is at first.
function chooseFromAddress() {
  const hash = new URLSearchParams(location.hash.slice(1));
  choice.view = viewOfKey.get(hash.get('table')) || firstView;
  choice.module = hash.get('module') || '';
  choice.operator = hash.get('operator') || '';
  choice.version = allVersions.includes(hash.get('version'))
      ? hash.get('version') : '';
  const states = hash.get('states') || '';
  choice.states =
      new Set(LETTERS.filter((letter) => states.includes(letter)));
  if (choice.states.size === 0 && states !== 'none') {
    choice.states = new Set(LETTERS);
  }
  choice.opened =
      moduleOfKey.get(moduleKey(hash.get('open'), hash.get('of'))) || null;
  choice.cell = cellOfAddress(hash.get('cell'));
}

// Whether the version filter leaves a cell of this writer and reader.
function versionLeft(history, writer, reader) {
  return !choice.version || history.versions[writer] === choice.version ||
      history.versions[reader] === choice.version;
}

// Calls `visit` with writer, reader, letter and place for each cell that the
// filters leave.
function eachCell(module, view, visit) {
  const layer = module.layers.get(view);
  if (!layer) return;
  const size = module.history.versions.length;
  for (let place = 0; place < layer.s.length; ++place) {
    const letter = layer.s[place];
    if (letter === '-' || !choice.states.has(letter)) continue;
    const writer = Math.floor(place / size);
    const reader = place % size;
    if (versionLeft(module.history, writer, reader)) {
      visit(writer, reader, letter, place);
    }
  }
}

function matchingOperators() {
  if (!choice.operator) return null;
  const wanted = choice.operator.toLowerCase();
  const found = new Set();
  operators.forEach((name, number) => {
    if (name.toLowerCase().includes(wanted)) found.add(number);
  });
  return found;
}

// The modules that are left, with how many cells of each state: [module,
// counts], the worst first.
function modulesLeft() {
  const wanted = choice.module.toLowerCase();
  const wantedOperators = matchingOperators();
  const left = [];
  for (const module of choice.view ? choice.view.modules : []) {
    if (wanted && !module.name.toLowerCase().includes(wanted)) continue;
    if (wantedOperators && !module.o.some((o) => wantedOperators.has(o))) continue;
    const counts = {};
    let any = false;
    eachCell(module, choice.view, (writer, reader, letter) => {
      counts[letter] = (counts[letter] || 0) + 1;
      any = true;
    });
    if (any) left.push([module, counts]);
  }
  const badness = ([, counts]) => {
    const worst = LETTERS.findIndex((letter) => counts[letter]);
    return worst < 4 ? worst : 4;
  };
  return left.map((entry, i) => [badness(entry), i, entry])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map(([, , entry]) => entry);
}

// Sums of the modules that are left, by writer and reader of the view:
// {counts by letter, all}.
function sumOf(left) {
  const view = choice.view;
  const size = view ? view.versions.length : 0;
  const sums = Array.from({length: size * size}, () => ({all: 0}));
  for (const [module] of left) {
    const index = module.history.versions.map((v) => view.indexOf.get(v));
    eachCell(module, view, (writer, reader, letter) => {
      const sum = sums[index[writer] * size + index[reader]];
      sum[letter] = (sum[letter] || 0) + 1;
      ++sum.all;
    });
  }
  return sums;
}

// One letter for a sum: the worst, `a` if some are accepted and some refused.
function letterOfSum(sum) {
  const worst = LETTERS.find((letter) => sum[letter]);
  if (worst === 'R' && sum.R < sum.all) return 'a';
  return worst;
}

function accepted(sum) {
  return (sum.I || 0) + (sum.A || 0);
}
