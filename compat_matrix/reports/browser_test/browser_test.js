// What the page of the matrix promises, by mouse and by keyboard. Each case has
// a page of its own, in a browser without a network.
//
//   node browser_test.js DIRECTORY CHROMIUM [XML]
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');

const [directory, executablePath, xmlFile] = process.argv.slice(2);
const cases = [];
const test = (name, file, body, options = {}) =>
    cases.push({name, file, body, options});

const text = (page, selector) => page.locator(selector).innerText();
const cell = (grid, writer, reader) =>
    `#${grid} td[aria-label^="writer ${writer}, reader ${reader}:"]`;
const view = async (page, title) => {
  const option = page.locator('#view option', {hasText: title}).first();
  await page.selectOption('#view', await option.getAttribute('value'));
};
const focused = (page) => page.evaluate(
    () => document.activeElement.getAttribute('aria-label') ||
        document.activeElement.id);
const names = (page) => page.locator('#rows .row span:first-child').allInnerTexts();

test('TheVerdictComesFirst', 'states.html', async (page) => {
  assert.equal(await text(page, '#verdict'),
      'Not good: 1 misread, 2 crashed or hung, 1 unexpected of 12 cells; ' +
      '6 accepted, 2 refused as predicted.');
  assert.match(await page.title(), /^Not good/);
});

test('ATableWithFaultsIsShownBeforeOthers', 'states.html', async (page) => {
  assert.match(await text(page, '#sum-title'), /simulated/);
  assert.match(await text(page, '#view option:checked'), /^3 wrong: /);
});

test('EveryCellHasALetterAndWords', 'states.html', async (page) => {
  const words = {M: 'misread', C: 'crashed', H: 'hung', U: 'unexpected',
    R: 'refused', A: 'adapted', I: 'identical', a: 'refused'};
  const seen = new Set();
  for (const option of await page.locator('#view option').all()) {
    await page.selectOption('#view', await option.getAttribute('value'));
    for (const field of await page.locator('#sum-grid tbody td:not(.off)').all()) {
      const letter = (await field.innerText())[0];
      seen.add(letter);
      assert.ok((await field.getAttribute('aria-label')).includes(words[letter]));
    }
  }
  assert.deepEqual([...seen].sort().join(''), 'ACHIMRU');
});

test('WhatResultsSayIsTextAndNeverMarkup', 'states.html', async (page) => {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.locator('#rows .row', {hasText: 'nasty'}).click();
  assert.match(await text(page, '#one-title'), /<\/script><script>window\.hacked/);
  await page.click(cell('one-grid', '1', '1'));
  const body = await text(page, '#dialog-body');
  assert.match(body, /<!-- \]\]>/);
  assert.match(body, /\u{1f600} end/u);
  assert.equal(await page.locator('#dialog-body script').count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
});

test('ASumOpensItsModulesAndAModuleItsCell', 'states.html', async (page) => {
  await view(page, 't, read by in-process');
  await page.click(cell('sum-grid', '2', '1'));
  assert.match(await text(page, '#dialog-body'),
      /^R\s+refused: 1\s+modules\/plain\.graph$/);
  await page.click('#dialog-body button');
  const body = await text(page, '#dialog-body');
  assert.match(body, /Predicted\s+refused/);
  assert.match(body, /unknown_argument t::f \(t 2\): argument mode="mean"/);
  assert.match(body, /%y : Tensor = t::f\(%x, "s::no\("\)/);
  assert.match(body, /modules\/plain\.graph t 2->1 in-process/);
  await page.click('#dialog-back');
  assert.match(await text(page, '#dialog-body'), /refused: 1/);
  await page.click('#dialog-close');
  assert.equal(await page.locator('#dialog').evaluate((d) => d.open), false);
});

test('AnAdaptedCellOpensItsLoadReport', 'states.html', async (page) => {
  await view(page, 't, read by in-process');
  await page.click('#rows .row');
  await page.click(cell('one-grid', '1', '2'));
  assert.deepEqual(await page.locator('#dialog-body table tr').allInnerTexts(), [
    'operator\tcalls\tidentical\tfilled\tmaterialized\tdropped\tretired\trenamed\tupgraded',
    't::f\t2\t1\t1\t0\t0\t0\t0\t0']);
});

test('CellsOfTargetsAreATableOfTheirOwn', 'states.html', async (page) => {
  await view(page, 't, written for');
  assert.equal(await text(page, cell('sum-grid', '2', '1')), 'A 1/1');
  await page.click('#rows .row');
  await page.click(cell('one-grid', '2', '1'));
  assert.match(await text(page, '#dialog-body'), /t 2->1! in-process/);
});

test('TheKeyboardWalksOpensAndCloses', 'states.html', async (page) => {
  await view(page, 't, read by in-process');
  await page.focus('#clear');
  await page.keyboard.press('Tab');  // the grid scrolls or is next
  if (!/^writer/.test(await focused(page))) await page.keyboard.press('Tab');
  assert.match(await focused(page), /^writer 1, reader 1:/);
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(page), /^writer 1, reader 2:/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');  // there is no third row
  assert.match(await focused(page), /^writer 2, reader 2:/);
  await page.keyboard.press('Home');
  assert.match(await focused(page), /^writer 2, reader 1: 1 refused/);
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'dialog-close');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');  // the first module
  assert.match(await text(page, '#dialog-title'), /plain\.graph/);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#dialog').evaluate((d) => d.open), false);
  assert.match(await focused(page), /^writer 2, reader 1: 1 refused/);
});

test('TheListIsWalkedByKeys', 'runs.html', async (page) => {
  await page.focus('#rows');
  await page.keyboard.press('End');
  assert.match(await text(page, '#rows .at'), /two\.graph/);
  await page.keyboard.press('ArrowUp');
  assert.match(await text(page, '#rows .at'), /one\.graph/);
  await page.keyboard.press('Enter');
  assert.match(await text(page, '#one-title'), /one\.graph/);
  assert.match(await focused(page), /^writer 1\.0, reader 1\.0: identical/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  assert.match(await text(page, '#dialog-body'), /it is misread/);
});

test('EachBadCellIsReached', 'states.html', async (page) => {
  assert.deepEqual((await page.locator('#bad-tables li').allInnerTexts())
      .map((line) => line.match(/^\d+/)[0]), ['3', '1']);
  await page.click('#bad-list summary');
  const links = page.locator('#bad-cells button');
  assert.equal(await links.count(), 4);
  for (const [i, state] of ['misread', 'crashed', 'hung', 'unexpected'].entries()) {
    await links.nth(i).click();
    assert.match(await text(page, '#dialog-body'),
        new RegExp(`^State\\s+. ${state}`));
    await page.keyboard.press('Escape');
  }
  await page.click('#bad-tables li:nth-child(2) button');
  assert.match(await text(page, '#view option:checked'), /^1 wrong: /);
});

test('StatesFilterCellsAndModules', 'runs.html', async (page) => {
  for (const letter of ['R', 'I']) await page.uncheck(`#states [value="${letter}"]`);
  assert.deepEqual(await names(page), ['modules/one.graph']);
  assert.equal(await page.locator(cell('sum-grid', '1.0', '1.0')).count(), 0);
  assert.equal(await text(page, cell('sum-grid', '1.0', '2.0')), 'M 0/1');
  await page.click('#clear');
  assert.equal((await names(page)).length, 2);
});

test('OperatorsAndNamesFilterModules', 'runs.html', async (page) => {
  await page.fill('#filter-operator', 'T::two');
  assert.deepEqual(await names(page), ['modules/two.graph']);
  await page.fill('#filter-operator', 'no::such');
  assert.match(await text(page, '#sum-grid'), /No cell is left/);
  await page.fill('#filter-operator', '');
  await page.fill('#filter-module', 'ONE');
  assert.deepEqual(await names(page), ['modules/one.graph']);
});

test('AVersionLeavesItsRowAndColumn', 'states.html', async (page) => {
  await view(page, 't, read by in-process');
  await page.selectOption('#filter-version', '2');
  assert.equal(await page.locator(cell('sum-grid', '1', '1') + ':not(.off)').count(), 0);
  assert.equal(await page.locator('#sum-grid tbody td:not(.off)').count(), 3);
});

test('TheAddressKeepsTheChoice', 'runs.html', async (page) => {
  await page.uncheck('#states [value="I"]');
  await page.fill('#filter-module', 'one');
  await page.click('#rows .row');
  await page.reload();
  assert.equal(await page.isChecked('#states [value="I"]'), false);
  assert.equal(await page.inputValue('#filter-module'), 'one');
  assert.match(await text(page, '#one-title'), /one\.graph/);
  await page.evaluate(() => { location.hash = 'module=two'; });
  await page.waitForFunction(
      () => document.querySelector('#filter-module').value === 'two');
  assert.deepEqual(await names(page), ['modules/two.graph']);
});

test('TheAddressNamesWhatIsOpened', 'runs.html', async (page) => {
  await page.click('#rows .row >> nth=0');
  await page.click(cell('one-grid', '1.0', '2.0'));
  const hash = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
  assert.equal(hash.get('open'), 'modules/one.graph');
  assert.equal(hash.get('of'), 't');
  assert.deepEqual(JSON.parse(hash.get('cell')).slice(0, 4),
      ['modules/one.graph', 't', '1.0', '2.0']);
  await page.reload();
  assert.match(await text(page, '#dialog-title'), /one\.graph: 1\.0 \u2192 2\.0/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash.includes('cell='));
  assert.match(await text(page, '#one-title'), /one\.graph/);
});

test('AnAddressThatMakesNoSenseShowsAll', 'runs.html', async (page) => {
  for (const hash of ['states=', 'states=xyz', 'open=constructor', 'open=0',
    'open=__proto__&of=constructor', 'table=constructor', 'cell=constructor',
    'cell=[null,{},"length"]', 'cell=null', 'version=length', '%']) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.waitForFunction(() => location.hash.length < 2);
    assert.equal((await names(page)).length, 2, hash);
    assert.equal(await page.locator('#one').isVisible(), false, hash);
  }
  await page.evaluate(() => { location.hash = 'states=none'; });
  await page.waitForFunction(
      () => document.querySelector('#sum-grid').innerText.includes('No cell'));
});

test('AFirstRunHasNothingToCompareWith', 'first.html', async (page) => {
  assert.equal(await text(page, '#run-line'), '2027-01-15 08:00:00 UTC');
  assert.match(await text(page, '#changes'), /^This is the first run[^\n]*$/);
  await page.click('#rows .row');
  await page.click(cell('one-grid', '1.0', '1.0'));
  assert.match(await text(page, '#dialog-body'), /Since\s+2027-01-15 08:00:00 UTC\n/);
});

test('ItSaysSinceWhenAndWhatChanged', 'runs.html', async (page) => {
  assert.match(await text(page, '#changes-title'), /nightly-2/);
  assert.equal(await text(page, '#changes-line'),
      'Changed their state: 1 cell; new: 2 cells; not in this run: 0 cells; ' +
      'did not run: 1 module.');
  await page.click('#changes-list summary');
  const items = await page.locator('#changes-list li').allInnerTexts();
  assert.deepEqual(items, ['A \u2192 M modules/one.graph t 1.0->2.0',
    'did not run: modules/three.graph t']);
  await page.click('#changes-list button');
  let body = await text(page, '#dialog-body');
  assert.match(body, /Since\s+nightly-3, 2027-01-18/);
  assert.match(body, /Before\s+adapted in its last run/);
  await page.keyboard.press('Escape');
  await page.click('#rows .row >> nth=0');
  assert.equal(await page.locator('#one-grid td.moved').count(), 1);
  await page.click(cell('one-grid', '1.0', '1.0'));
  body = await text(page, '#dialog-body');
  assert.match(body, /Since\s+nightly-1, 2027-01-16/);
  assert.doesNotMatch(body, /Before/);
});

test('WhatIsLeftOutIsSaid', 'cut.html', async (page) => {
  await page.click('#rows .row');
  await page.locator('#one-grid tbody td:not(.off)').first().click();
  const body = await text(page, '#dialog-body');
  assert.match(body, /the JSON report has it/);
  assert.match(body, /see the file/);
});

// The contrast of two colours `rgb(r, g, b)`, by WCAG.
function contrast(a, b) {
  const light = (color) => {
    const [r, g, b] = color.match(/\d+/g).map((part) => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

async function assertReadable(page) {
  for (const badge of await page.locator('#legend .letter').all()) {
    const [color, back] = await badge.evaluate((element) => {
      const style = getComputedStyle(element);
      return [style.color, style.backgroundColor];
    });
    const found = contrast(color, back);
    assert.ok(found >= 4.5, `${await badge.innerText()}: ${color} on ${back}: ${found}`);
  }
}
const backOf = (page) => page.evaluate(
    () => getComputedStyle(document.body).backgroundColor);

test('LightIsReadable', 'states.html', async (page) => {
  assert.equal(await backOf(page), 'rgb(255, 255, 255)');
  await assertReadable(page);
});

test('DarkIsReadable', 'states.html', async (page) => {
  assert.equal(await backOf(page), 'rgb(20, 23, 27)');
  await assertReadable(page);
}, {colorScheme: 'dark'});

test('TheThemeIsTheUsersChoice', 'states.html', async (page) => {
  await page.click('#theme');
  assert.match(await text(page, '#theme'), /light/);
  assert.equal(await backOf(page), 'rgb(255, 255, 255)');
  await page.click('#theme');
  assert.equal(await backOf(page), 'rgb(20, 23, 27)');
  await page.reload();
  assert.match(await text(page, '#theme'), /dark/);
  assert.equal(await backOf(page), 'rgb(20, 23, 27)');
}, {colorScheme: 'dark'});

test('ANarrowWindowNeedsNoScrollingAside', 'states.html', async (page) => {
  await page.locator('#rows .row').first().click();
  const [all, window] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(all <= window, `${all} > ${window}`);
}, {viewport: {width: 380, height: 800}});

test('ANarrowWindowCutsNoExplanation', 'states.html', async (page) => {
  await page.click('#bad-list summary');
  await page.locator('#bad-cells button').first().click();
  const [all, shown] = await page.locator('#dialog-body pre.wrapped').evaluate(
      (element) => [element.scrollWidth, element.clientWidth]);
  assert.ok(all <= shown, `${all} > ${shown}`);
}, {viewport: {width: 420, height: 800}});

function xml(results) {
  const escape = (value) => value.replace(/[&<>"]/g,
      (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c])
      .replace(/[^\x20-\x7e\n]/g, '?');
  const lines = results.map(({name, error}) =>
    `<testcase classname="browser_test" name="${name}">` +
    (error ? `<failure message="failed">${escape(error)}</failure>` : '') +
    '</testcase>');
  return `<testsuites><testsuite name="browser_test" tests="${results.length}">\n` +
      lines.join('\n') + '\n</testsuite></testsuites>\n';
}

async function runCase(browser, {name, file, body, options}) {
  const context = await browser.newContext({offline: true, ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url());
  });
  try {
    await page.goto(pathToFileURL(path.join(directory, file)).href);
    await page.waitForSelector('#sum-grid tbody td');
    await body(page);
    assert.deepEqual(complaints, []);
    console.log(`passed: ${name}`);
    return {name};
  } catch (error) {
    const said = [String(error.stack), ...complaints].join('\n');
    console.log(`FAILED: ${name}\n${said}`);
    return {name, error: said};
  } finally {
    await context.close();
  }
}

async function main() {
  const browser = await chromium.launch(
      {executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});
  const results = [];
  for (const one of cases) results.push(await runCase(browser, one));
  await browser.close();
  if (xmlFile) fs.writeFileSync(xmlFile, xml(results));
  process.exitCode = results.every((result) => !result.error) ? 0 : 1;
}

main().catch((error) => {
  console.log(error);
  process.exitCode = 1;
});
