// The page's parts, and what happens when something is chosen.

const ROW_HEIGHT = 30;
let left = [];  // [module, counts]
let rowAt = 0;  // where the keyboard is in the list

function countText(counts) {
  return STATES.filter(([letter]) => counts[letter])
      .map(([letter, name]) => `${counts[letter]} ${name}`).join(', ');
}

function showSum() {
  const view = choice.view;
  byId('sum-title').textContent =
      view ? `All modules: ${view.title}` : 'No cells';
  if (!view) return;
  const sums = sumOf(left);
  const size = view.versions.length;
  const room = size <= 12;
  showGrid(byId('sum-grid'), `All modules, ${view.title}`, view.versions,
      (w, r) => {
        const sum = sums[w * size + r];
        if (sum.all === 0) return null;
        return {
          letter: letterOfSum(sum),
          note: room ? `${accepted(sum)}/${sum.all}` : '',
          label: `${countText(sum)} of ${sum.all}`,
        };
      }, (w, r) => openSum(view, w, r));
}

// Only the rows that can be seen are in the page: there may be thousands.
function showRows() {
  const rows = byId('rows');
  const all = byId('rows-all');
  all.style.height = `${left.length * ROW_HEIGHT}px`;
  const first = Math.max(0, Math.floor(rows.scrollTop / ROW_HEIGHT) - 5);
  const last = Math.min(left.length,
      first + Math.ceil(rows.clientHeight / ROW_HEIGHT) + 10);
  const shown = [];
  for (let i = first; i < last; ++i) {
    const [module, counts] = left[i];
    const row = make('div', {
      class: i === rowAt ? 'row at' : 'row', role: 'option', id: `row-${i}`,
      'aria-selected': module === choice.opened ? 'true' : 'false',
      'aria-setsize': left.length, 'aria-posinset': i + 1,
      'aria-label': `${module.name}: ${countText(counts)}`,
      title: module.name, onclick: () => openRow(i),
    }, make('span', {}, module.name));
    for (const letter of LETTERS) {
      if (counts[letter]) row.append(letterBadge(letter, counts[letter]));
    }
    row.style.top = `${i * ROW_HEIGHT}px`;
    shown.push(row);
  }
  all.replaceChildren(...shown);
  if (byId(`row-${rowAt}`)) rows.setAttribute('aria-activedescendant', `row-${rowAt}`);
  else rows.removeAttribute('aria-activedescendant');
}

function moveRow(to) {
  rowAt = Math.max(0, Math.min(left.length - 1, to));
  const rows = byId('rows');
  const top = rowAt * ROW_HEIGHT;
  if (top < rows.scrollTop) rows.scrollTop = top;
  if (top + ROW_HEIGHT > rows.scrollTop + rows.clientHeight) {
    rows.scrollTop = top + ROW_HEIGHT - rows.clientHeight;
  }
  showRows();
}

function openRow(i) {
  rowAt = i;
  choice.opened = left[i][0];
  showRows();
  showOne();
  keepInAddress();
  byId('one').scrollIntoView({block: 'nearest'});
}

function showOne() {
  const module = choice.opened;
  const view = choice.view;
  const layer = module && module.layers.get(view);
  byId('one').hidden = !layer;
  if (!layer) return;
  byId('one-title').textContent = module.name;
  const counts = {};
  const fields = new Map();
  const size = module.history.versions.length;
  eachCell(module, view, (w, r, letter, place) => {
    counts[letter] = (counts[letter] || 0) + 1;
    const before = stateBefore(layer, place);
    fields.set(place, {
      letter, moved: before !== undefined,
      label: NAME_OF[letter] + (before ? `, was ${NAME_OF[before]}` : ''),
    });
  });
  byId('one-line').textContent = `${view.title}: ${countText(counts) || 'no cell is left'}` +
      (layer.c ? '. Cells with a frame changed since their last run.' : '');
  showGrid(byId('one-grid'), module.name, module.history.versions,
      (w, r) => fields.get(w * size + r) || null,
      (w, r) => openCell(module, view, w, r, null));
}

function showAll() {
  left = modulesLeft();
  rowAt = Math.max(0, left.findIndex(([module]) => module === choice.opened));
  byId('list-line').textContent = choice.view
      ? `${left.length} of ${choice.view.modules.length}; those with faults first`
      : '';
  showSum();
  showRows();
  showOne();
  keepInAddress();
}

function showChoice() {
  byId('view').value = choice.view ? choice.view.key : '';
  byId('filter-module').value = choice.module;
  byId('filter-operator').value = choice.operator;
  byId('filter-version').value = choice.version;
  for (const box of document.querySelectorAll('#states input')) {
    box.checked = choice.states.has(box.value);
  }
  showAll();
}

// The verdict counts all tables, of which one is shown: from here each bad cell
// is reached.
function showBad() {
  const bad = views.filter((view) => view.bad > 0);
  byId('bad').hidden = bad.length === 0;
  byId('bad-tables').replaceChildren(...bad.map((view) => make('li', {},
      `${view.bad} in `, make('button', {
        type: 'button', class: 'link',
        onclick: () => {
          choice.view = view;
          showChoice();
          byId('sum-title').scrollIntoView({block: 'nearest'});
        },
      }, view.title))));
  const items = [];
  let all = 0;
  for (const view of bad) {
    all += view.bad;
    for (const module of view.modules) {
      const layer = module.layers.get(view);
      const size = module.history.versions.length;
      for (const [place] of layer.b || []) {
        if (items.length >= MOST_LISTED) break;
        items.push([LETTERS.indexOf(layer.s[place]), make('li', {},
            letterBadge(layer.s[place]), ' ',
            cellLink(module, view, Math.floor(place / size), place % size))]);
      }
    }
  }
  const missing = all - items.length;
  byId('bad-cells').replaceChildren(
      ...items.sort((a, b) => a[0] - b[0]).map(([, item]) => item),
      ...(missing > 0 ? [make('li', {}, `and ${missing} more, in the tables`)] : []));
}

// A run that nobody gave a name is called by its time.
const runName = run.run.name === run.run.time ? '' : run.run.name;

function showVerdict() {
  const s = run.summary;
  const good = s.misread + s.crashed + s.unexpected === 0;
  const verdict = byId('verdict');
  verdict.className = good ? 'good' : 'bad';
  verdict.textContent = (good ? 'Good: ' : 'Not good: ') +
      `${s.misread} misread, ${s.crashed} crashed or hung, ${s.unexpected} unexpected ` +
      `of ${counted(s.cells, 'cell')}; ${s.accepted} accepted, ${s.refused} refused as predicted.`;
  byId('run-line').textContent = runName
      ? `${runName}, ${run.run.time}` : run.run.time;
  document.title = `${good ? 'Good' : 'Not good'}: compatibility matrix` +
      (runName ? ` ${runName}` : '');
}

function showChanges() {
  const changes = run.changes;
  if (!changes) return;
  byId('changes').hidden = false;
  if (changes.last === null) {
    byId('changes-title').textContent =
        'This is the first run that is stored: there is none to compare with.';
    byId('changes-line').hidden = byId('changes-list').hidden = true;
    return;
  }
  byId('changes-title').textContent = `Since run ${changes.last}`;
  byId('changes-line').textContent =
      `Changed their state: ${counted(changes.changed, 'cell')}; ` +
      `new: ${counted(changes.fresh, 'cell')}; ` +
      `not in this run: ${counted(changes.vanished, 'cell')}; ` +
      `did not run: ${counted(changes.gone.length, 'module')}.`;
  const items = [];
  for (const module of modules) {
    for (const [view, layer] of module.layers) {
      for (const [place, before] of layer.c || []) {
        if (items.length >= MOST_LISTED) break;
        const size = module.history.versions.length;
        const w = Math.floor(place / size);
        const r = place % size;
        items.push(make('li', {}, letterBadge(before), ' \u2192 ',
            letterBadge(layer.s[place]), ' ', cellLink(module, view, w, r)));
      }
    }
  }
  for (const name of changes.gone.slice(0, MOST_LISTED)) {
    items.push(make('li', {}, `did not run: ${name}`));
  }
  const missing = changes.changed + changes.gone.length - items.length;
  if (missing > 0) items.push(make('li', {}, `and ${missing} more: see history-of`));
  byId('changes-list').hidden = items.length === 0;
  byId('changes-list').querySelector('ul').replaceChildren(...items);
}

function makeFilters() {
  const total = Object.fromEntries(LETTERS.map((letter) => [letter, 0]));
  for (const module of modules) {
    for (const layer of module.l) {
      for (const letter of layer.s) if (letter !== '-') ++total[letter];
    }
  }
  for (const [letter, name, meaning] of STATES) {
    byId('states').append(make('label', {class: 'state', title: meaning},
        make('input', {
          type: 'checkbox', value: letter, onchange: (event) => {
            if (event.target.checked) choice.states.add(letter);
            else choice.states.delete(letter);
            showAll();
          },
        }), letterBadge(letter), `${name} ${total[letter]}`));
    byId('legend').append(make('dt', {}, letterBadge(letter)),
        make('dd', {}, `${name}: ${meaning}`));
  }
  byId('legend').append(make('dt', {}, letterBadge('a')),
      make('dd', {}, 'in sums: some accepted, some refused as predicted'));
  byId('view').append(...views.map(
      (view) => make('option', {value: view.key},
          (view.bad > 0 ? `${view.bad} wrong: ` : '') + view.title)));
  byId('filter-version').append(make('option', {value: ''}, 'any'),
      ...allVersions.map((version) => make('option', {value: version}, version)));
  byId('operators').append(...[...operators].sort().slice(0, 5000).map(
      (name) => make('option', {value: name})));

  const text = (id, name, event) => byId(id).addEventListener(event, () => {
    choice[name] = byId(id).value.trim();
    showAll();
  });
  text('filter-module', 'module', 'input');
  text('filter-operator', 'operator', 'input');
  text('filter-version', 'version', 'change');
  byId('view').addEventListener('change', () => {
    choice.view = viewOfKey.get(byId('view').value);
    showAll();
  });
  byId('clear').addEventListener('click', () => {
    choice.module = choice.operator = choice.version = '';
    choice.states = new Set(LETTERS);
    showChoice();
  });
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
}

const rows = byId('rows');
rows.addEventListener('scroll', showRows);
rows.addEventListener('keydown', (event) => {
  const page = Math.max(1, Math.floor(rows.clientHeight / ROW_HEIGHT) - 1);
  const to = {
    ArrowUp: rowAt - 1, ArrowDown: rowAt + 1, PageUp: rowAt - page,
    PageDown: rowAt + page, Home: 0, End: left.length - 1,
  }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    moveRow(to);
  } else if ((event.key === 'Enter' || event.key === ' ') && left[rowAt]) {
    event.preventDefault();
    openRow(rowAt);
    byId('one-grid').querySelector('td[tabindex="0"]')?.focus();
  }
});

// As the system has it, or one of the two.
const THEMES = {'': 'as the system', light: 'light', dark: 'dark'};
function showTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  byId('theme').textContent = `Theme: ${THEMES[theme]}`;
}
function storedTheme() {
  try {
    const theme = localStorage.getItem('opcompat-theme');
    return Object.keys(THEMES).includes(theme) ? theme : '';
  } catch (error) {
    return '';  // some browsers have no storage for file: pages
  }
}
byId('theme').addEventListener('click', () => {
  const names = Object.keys(THEMES);
  const now = document.documentElement.dataset.theme || '';
  const next = names[(names.indexOf(now) + 1) % names.length];
  showTheme(next);
  try {
    localStorage.setItem('opcompat-theme', next);
  } catch (error) { /* it lasts as long as the page */ }
});

showTheme(storedTheme());
function followAddress() {
  chooseFromAddress();
  const cell = choice.cell;
  showChoice();
  if (cell) openCell(cell.module, cell.view, cell.writer, cell.reader, null);
  else if (dialog.open) dialog.close();
}

showVerdict();
showBad();
showChanges();
makeFilters();
followAddress();
window.addEventListener('hashchange', followAddress);
window.addEventListener('resize', showRows);
