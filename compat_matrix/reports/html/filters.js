// What the user has chosen, in the page's address too, and what of the results
// it leaves.

const choice = {
  view: firstView,
  module: '',
  operator: '',
  version: '',
  states: new Set(LETTERS),
  opened: null,  // a module
};

const byId = (id) => document.getElementById(id);

function hashOfChoice() {
  const hash = new URLSearchParams();
  if (choice.view && choice.view !== firstView) hash.set('table', choice.view.key);
  if (choice.module) hash.set('module', choice.module);
  if (choice.operator) hash.set('operator', choice.operator);
  if (choice.version) hash.set('version', choice.version);
  if (choice.states.size < LETTERS.length) {
    hash.set('states', [...choice.states].join(''));
  }
  if (choice.opened) hash.set('open', choice.opened.number);
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

function chooseFromAddress() {
  const hash = new URLSearchParams(location.hash.slice(1));
  choice.view = viewOfKey.get(hash.get('table')) || firstView;
  choice.module = hash.get('module') || '';
  choice.operator = hash.get('operator') || '';
  choice.version = allVersions.includes(hash.get('version'))
      ? hash.get('version') : '';
  choice.states = new Set(hash.has('states')
      ? LETTERS.filter((letter) => hash.get('states').includes(letter))
      : LETTERS);
  choice.opened = modules[hash.get('open') ?? -1] || null;
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
