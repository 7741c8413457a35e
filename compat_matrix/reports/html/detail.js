// What opens: the modules behind a field of the sum, and one cell with its
// reasons, its LoadReport, its module.

const dialog = byId('dialog');
let backTo = null;  // shows what the cell was opened from

function showDialog(title, back, ...content) {
  backTo = back;
  byId('dialog-back').hidden = !back;
  byId('dialog-title').textContent = title;
  byId('dialog-body').replaceChildren(...content.filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId('dialog-close').focus();
}

byId('dialog-close').addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => {
  if (dialog.open) return;  // again, meanwhile
  choice.cell = null;
  keepInAddress();
});
byId('dialog-back').addEventListener('click', () => backTo && backTo());
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();  // beside it
});

function facts(entries) {
  const list = make('dl', {class: 'facts'});
  for (const [name, ...value] of entries) {
    list.append(make('dt', {}, name), make('dd', {}, ...value));
  }
  return list;
}

function listOf(title, items) {
  if (!items || items.length === 0) return null;
  return make('section', {}, make('h3', {}, title),
              make('ul', {}, ...items.map((item) => make('li', {}, item))));
}

function reasonText(reason) {
  const where = [reason.function, reason.node, reason.location]
      .filter(Boolean).join(' ');
  return make('span', {}, make('span', {class: 'code'}, reason.code), ' ',
              reason.message, where && make('span', {class: 'code'}, ` (${where})`));
}

const REPORT_COLUMNS = ['operator', 'calls', 'identical', 'filled',
  'materialized', 'dropped', 'retired', 'renamed', 'upgraded'];

function loadReport(rows) {
  if (!rows) return null;
  return make('section', {}, make('h3', {}, 'LoadReport'),
      make('div', {class: 'scroll'}, make('table', {class: 'plain'},
          make('thead', {}, make('tr', {}, ...REPORT_COLUMNS.map(
              (name) => make('th', {scope: 'col'}, name)))),
          make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map(
              (value) => make('td', {}, String(value)))))))));
}

function moduleText(module) {
  const note = module.t === -1 ? 'The results have no text of it.'
      : 'It is not in this page, which would be too large with it: see the file.';
  return make('section', {}, make('h3', {}, 'Module'),
      module.t >= 0 ? make('pre', {tabindex: 0}, lineOf(textLines, module.t))
                    : make('p', {}, note));
}

// The cell as `opcompat history-of` takes it.
function cellName(module, view, writer, reader) {
  const {a, t, g} = view.layer;
  return `${module.m} ${module.history.name} ${module.history.versions[writer]}->` +
      `${module.history.versions[reader]}${g ? '!' : ''}` +
      (a ? ` ${run.authors[a]}=>${run.testees[t]}`
         : run.testees.length > 1 ? ` ${run.testees[t]}` : '');
}

function openCell(module, view, writer, reader, back) {
  const versions = module.history.versions;
  const layer = module.layers.get(view);
  const place = writer * versions.length + reader;
  const letter = layer.s[place];
  const detail = detailOf(layer, place);
  const bad = (layer.b || []).find((entry) => entry[0] === place);
  const yes = (accepts) => accepts ? 'accepted' : 'refused';
  const since = sinceOf(layer, place);
  const before = stateBefore(layer, place);
  const entries = [
    ['State', letterBadge(letter), ` ${NAME_OF[letter]}: `,
      STATES.find((state) => state[0] === letter)[2]],
    ['Module', module.m],
    ['History', module.history.name],
    ['Written by', `version ${versions[writer]}` +
      (view.layer.a ? `, ${run.authors[view.layer.a]}` : '') +
      (view.layer.g ? `, for version ${versions[reader]}` : '')],
    ['Read by', `version ${versions[reader]}, ${run.testees[view.layer.t]}`],
    ['Predicted', yes(bad ? bad[1] : letter !== 'R')],
    ['Outcome', letter === 'C' || letter === 'H' ? 'no answer'
        : yes(bad ? bad[2] : letter !== 'R')],
  ];
  if (since) {
    entries.push(['Since', [...new Set(since)].join(', ')]);
    if (before) entries.push(['Before', `${NAME_OF[before]} in its last run`]);
  }
  entries.push(['Cell', make('code', {}, cellName(module, view, writer, reader))]);
  showDialog(`${module.name}: ${versions[writer]} \u2192 ${versions[reader]}`, back,
      facts(entries),
      detail === null && make('p', {}, 'What came of it is not in this page, ' +
          'which would be too large with it: the JSON report has it.'),
      detail && detail.x && make('section', {}, make('h3', {}, 'What is wrong'),
          make('pre', {class: 'wrapped', tabindex: 0}, detail.x)),
      detail && listOf('Reasons', (detail.r || []).map(reasonText)),
      detail && listOf('Predicted reasons', detail.p),
      detail && listOf('Warnings', detail.w),
      detail && loadReport(detail.l),
      moduleText(module));
  choice.cell = {module, view, writer, reader};
  keepInAddress();
}

// A link that opens a cell, called as history-of takes it.
function cellLink(module, view, writer, reader) {
  return make('button', {
    type: 'button', class: 'link',
    onclick: () => openCell(module, view, writer, reader, null),
  }, cellName(module, view, writer, reader));
}

const MOST_LISTED = 500;

// The modules behind a field of the sum; writer and reader of the view.
function openSum(view, writer, reader) {
  const title = `${view.title}: ${view.versions[writer]} \u2192 ${view.versions[reader]}`;
  const again = () => openSum(view, writer, reader);
  const byState = Object.fromEntries(LETTERS.map((letter) => [letter, []]));
  for (const [module] of modulesLeft()) {
    eachCell(module, view, (w, r, letter) => {
      if (module.history.versions[w] === view.versions[writer] &&
          module.history.versions[r] === view.versions[reader]) {
        byState[letter].push(make('button', {
          type: 'button', class: 'link',
          onclick: () => openCell(module, view, w, r, again),
        }, module.name));
      }
    });
  }
  const sections = STATES.filter(([letter]) => byState[letter].length > 0)
      .map(([letter, name]) => {
        const all = byState[letter];
        return make('section', {},
            make('h3', {}, letterBadge(letter), ` ${name}: ${all.length}`),
            make('ul', {}, ...all.slice(0, MOST_LISTED).map(
                (button) => make('li', {}, button))),
            all.length > MOST_LISTED && make('p', {},
                `and ${all.length - MOST_LISTED} more: narrow the filters`));
      });
  showDialog(title, null, ...sections);
  choice.cell = null;
  keepInAddress();
}
