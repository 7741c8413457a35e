// A grid of writers and readers that is walked with the arrow keys: one field
// of it is in the order of the Tab key, the one where the user was last.

// Builds an element: make('td', {class: 's-I', onclick: f}, 'I'). What is false
// or nothing is left out.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter(
      (child) => child !== undefined && child !== null && child !== false));
  return element;
}

function letterBadge(letter, count) {
  return make('span', {class: `letter s-${letter}`, title: NAME_OF[letter]},
              count === undefined ? letter : `${letter} ${count}`);
}

// Fills `place` with a table over `versions`. field(writer, reader) is
// {letter, note, label, moved} or null (no cell); open(writer, reader) is
// called for a field that the user opens. Versions without any field are left
// out.
function showGrid(place, name, versions, field, open) {
  const fields = versions.map((_, w) => versions.map((_, r) => field(w, r)));
  const rows = versions.map((_, w) => w).filter((w) => fields[w].some(Boolean));
  const columns = versions.map((_, r) => r)
      .filter((r) => rows.some((w) => fields[w][r]));
  const old = place.querySelector('td[tabindex="0"]');
  const at = old && [old.dataset.w, old.dataset.r];
  const hadFocus = old && old === document.activeElement;
  if (rows.length === 0) {
    place.replaceChildren(make('p', {}, 'No cell is left by the filters.'));
    return;
  }
  const long = columns.length > 6 &&
      columns.some((r) => versions[r].length > 3);
  const table = make('table', {
    class: long ? 'grid upright' : 'grid', role: 'grid', 'aria-label': name,
  });
  const head = make('tr', {role: 'row'}, make('td', {class: 'corner', role: 'presentation'},
                         'writer \u2193 reader \u2192'));
  for (const r of columns) {
    head.append(make('th', {scope: 'col', role: 'columnheader', title: `reader ${versions[r]}`},
                     make('span', {}, versions[r])));
  }
  table.append(make('thead', {role: 'rowgroup'}, head));
  const body = make('tbody', {role: 'rowgroup'});
  for (const w of rows) {
    const row = make('tr', {role: 'row'},
                     make('th', {scope: 'row', role: 'rowheader', title: `writer ${versions[w]}`},
                          versions[w]));
    for (const r of columns) {
      const shown = fields[w][r];
      const ways = `writer ${versions[w]}, reader ${versions[r]}`;
      row.append(shown
          ? make('td', {
            class: `s-${shown.letter}${shown.moved ? ' moved' : ''}`,
            role: 'gridcell', tabindex: -1, 'data-w': w, 'data-r': r,
            'aria-label': `${ways}: ${shown.label}`,
            title: `${ways}: ${shown.label}`,
          }, shown.letter, shown.note && make('small', {}, ' ' + shown.note))
          : make('td', {
            class: 'off', role: 'gridcell', tabindex: -1, 'data-w': w,
            'data-r': r, 'aria-label': `${ways}: no cell`,
          }, '\u00b7'));
    }
    body.append(row);
  }
  table.append(body);

  const cells = [...body.rows].map((row) => [...row.querySelectorAll('td')]);
  const focus = (cell, move) => {
    table.querySelector('td[tabindex="0"]')?.setAttribute('tabindex', -1);
    cell.setAttribute('tabindex', 0);
    if (move) {
      cell.focus();
      cell.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }
  };
  const openCell = (cell) => {
    focus(cell, true);
    if (!cell.classList.contains('off')) {
      open(Number(cell.dataset.w), Number(cell.dataset.r));
    }
  };
  body.addEventListener('click', (event) => {
    const cell = event.target.closest('td');
    if (cell) openCell(cell);
  });
  body.addEventListener('keydown', (event) => {
    const cell = event.target.closest('td');
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    const y = cells.findIndex((row) => row.includes(cell));
    const x = cells[y].indexOf(cell);
    const last = cells[y].length - 1;
    const to = {
      ArrowUp: [y - 1, x], ArrowDown: [y + 1, x],
      ArrowLeft: [y, x - 1], ArrowRight: [y, x + 1],
      Home: [y, 0], End: [y, last],
      PageUp: [0, x], PageDown: [cells.length - 1, x],
    }[event.key];
    if (to) {
      event.preventDefault();
      if (cells[to[0]] && cells[to[0]][to[1]]) focus(cells[to[0]][to[1]], true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      openCell(cell);
    }
  });
  place.replaceChildren(table);
  const start = at &&
      body.querySelector(`td[data-w="${at[0]}"][data-r="${at[1]}"]`);
  focus(start || cells[0][0], hadFocus);
}
