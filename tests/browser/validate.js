// validate.js - the page of hprof-validate
'use strict';
const {say} = require('./browser.js');

const data = () => JSON.parse(document.getElementById('data').textContent);
const findings = () => [...document.querySelectorAll('.finding')]
  .filter(d => !d.hidden).map(d => [d.querySelector('summary .name')
    .textContent, d.open]);
const focused = () => document.activeElement.closest('.finding')
  ?.querySelector('.name').textContent || document.activeElement.id;
const strip = name => document.getElementById('strip')
  .getAttribute('aria-' + name);

// The numbers on the page are those of the result.
const figures = async t => {
  const {files} = await t.run(data);
  const path = await t.run(() => document.querySelector('#lead .name')
    .textContent);
  const file = files.find(f => f.path === path);
  say('the page shows the worst file first', files.every(f =>
    f.totals.error <= file.totals.error));
  const words = await t.run(() => document.getElementById('verdict')
    .textContent);
  say('the page shows the verdict in a sentence',
    words.includes(' is ' + file.verdict), words);
  const got = await t.run(findings);
  say('the page lists every rule with findings',
    file.rules.length === got.length &&
      file.rules.every(r => got.some(([name]) => name === r.rule)));
  say('exactly the warnings and errors are open',
    got.every(([name, open]) => open ===
      file.rules.some(r => r.rule === name && r.severity !== 'info')));
  return file;
};

const map = async (t, file) => {
  const n = Object.values(file.map.kinds)[0].length, width = file.map.width;
  const at = async () => Number(await t.run(strip, 'valuenow'));
  say('the slider of the map has all bins',
    Number(await t.run(strip, 'valuemax')) === n - 1);
  say('Tab reaches the map', await t.tabTo(() =>
    document.activeElement.id === 'strip'));
  await t.key('Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'PageUp');
  say('arrow keys and Page Up move the slider',
    await at() === Math.min(17, n - 1));
  await t.key('End');
  say('End moves the slider to the last bytes',
    (await t.run(strip, 'valuetext'))
      .startsWith('bytes ' + String((n - 1) * width)
        .replace(/\B(?=(\d{3})+$)/g, ',') + ' to '));
  // the middle of the file is under the middle of the strip
  const {x, y} = await t.middle('#strip');
  await t.page.mouse.move(x, y);
  say('the mouse moves the slider', Math.abs((await at() + 0.5) * width -
    file.bytes / 2) <= width);
  const kinds = Object.entries(file.map.kinds).filter(([, v]) => v[0])
    .sort((a, b) => b[1][0] - a[1][0]).map(([k]) => k);
  await t.run(() => document.getElementById('strip').focus());
  await t.key('Home');
  say('the map shows what the bytes at the slider are', kinds.length > 0 &&
    (await t.run(() => document.getElementById('readout').textContent))
      .includes(kinds[0]) && (await t.run(strip, 'valuetext'))
      .includes(kinds[0] + ' '));
};

// If the file is truncated, the missing bytes are shown after its end on the
// map, and in words.
const missing = async (t, file) => {
  if (!file.map.missing) return;
  const [strip, behind] = await t.run(() => ['#strip', '.missing']
    .map(s => document.querySelector(s).getBoundingClientRect())
    .map(r => [r.left, r.width]));
  const share = Math.min(0.25, file.map.missing / (file.bytes +
    file.map.missing));
  say('the map shows the missing bytes after the end',
    Math.abs(behind[0] - strip[0] -
      strip[1]) < 2 && Math.abs(behind[1] / (strip[1] + behind[1]) - share) <
      0.01);
  say('the page shows how many bytes are missing',
    (await t.run(() => document.getElementById('lead')
      .textContent)).includes('It ends inside a record') &&
      (await t.run(() => document.querySelector('tr.bad').lastChild
        .textContent)).replace(/,/g, '') === String(file.map.missing));
};

// An example leads to its place on the map, and the map leads to the finding.
const ways = async (t, file) => {
  const rule = file.rules.find(r => r.severity !== 'info' && r.places);
  if (!rule) return;
  await t.click(name => [...document.querySelectorAll('.finding')].find(d =>
    d.querySelector('.name').textContent === name)
    .querySelector('.examples .link'), rule.rule);
  say('a click on an offset moves the slider to it', await t.run(() =>
    document.activeElement.id) === 'strip' && Number(await t.run(strip,
    'valuenow')) === Math.floor(rule.examples[0].offset / file.map.width));
  await t.click(name => [...document.querySelectorAll('#readout .link')]
    .find(b => b.textContent === name), rule.rule);
  say('a click on a finding of the map opens the finding',
    await t.run(focused) === rule.rule);
  await t.click('#todo-list .link');
  say('a click on an action opens the finding',
    (await t.run(findings)).some(([name, open]) =>
      open && name === rule.rule));
};

const filters = async (t, file) => {
  const all = (await t.run(findings)).length;
  await t.key('/');
  say('/ moves the focus to the search', await t.run(() =>
    document.activeElement.id) === 'q');
  const name = file.rules[0].rule;
  await t.type(name);
  say('typing searches the findings',
    (await t.run(findings)).some(([n]) => n === name) &&
      (await t.run(() => document.getElementById('found').textContent))
        .startsWith((await t.run(findings)).length + ' '));
  await t.run(() => document.getElementById('q').select());
  await t.type(name.slice(0, 3) + '*');
  const found = (await t.run(findings)).map(([n]) => n);
  say('a glob matches whole names of rules',
    file.rules.every(r => found.includes(r.rule) ||
      !r.rule.startsWith(name.slice(0, 3))) && found.includes(name));
  await t.run(() => document.getElementById('q').select());
  await t.key('Backspace');
  say('an empty search shows all findings',
    (await t.run(findings)).length === all);
  await t.click('#severities button:last-child');
  const last = ['info', 'warning', 'error'].find(s => file.totals[s]);
  say('a button shows only the findings of one severity',
    (await t.run(findings)).length ===
      file.rules.filter(r => r.severity === last).length);
  await t.click('#severities button');
};

// Informational findings are closed at first. Enter on the summary opens one.
const keyboard = async (t, file) => {
  const note = file.rules.find(r => r.severity === 'info');
  if (!note) return;
  say('Tab reaches a closed informational finding', await t.tabTo(() => {
    const e = document.activeElement;
    return e.tagName === 'SUMMARY' && !e.parentNode.open;
  }));
  await t.key('Enter');
  say('Enter opens the finding, with advice and examples', await t.until(() => {
    const d = document.activeElement.parentNode;
    return d.open && /What to do: /.test(d.textContent) &&
      d.querySelectorAll('.examples tbody tr').length > 0;
  }));
  await t.key('?');
  say('? shows the list of keys', await t.run(() =>
    document.querySelector('dialog').open));
  await t.key('Escape');
};

const printed = async t => {
  await t.run(() => {
    window.opened = null;
    addEventListener('beforeprint', () => {
      window.opened = [...document.querySelectorAll('.finding')]
        .every(d => d.open && d.querySelector('.inner').firstChild);
    });
  });
  await t.page.pdf({format: 'a4'});
  say('the printed page has all findings open',
    await t.run(() => window.opened));
};

// If there are several files, the worst comes first, and a click shows another.
const several = async t => {
  const {files} = await t.run(data);
  if (files.length < 2) return;
  const names = () => t.run(() => [...document.querySelectorAll(
    '#file-table tbody tr')].map(tr => tr.cells[0].textContent));
  const sizes = files.map(f => f.bytes);
  say('the table lists all files', (await names()).length === files.length);
  await t.click(() => [...document.querySelectorAll('#file-table thead button')]
    .find(b => b.textContent === 'size'));
  say('a click on a header sorts the files by size', (await names())[0] ===
    files[sizes.indexOf(Math.max(...sizes))].path && await t.run(() =>
    document.querySelector('[aria-sort]').getAttribute('aria-sort')) ===
    'descending');
  await t.key('Enter');
  say('Enter reverses the order, and the header keeps the focus',
    await t.run(() =>
      document.activeElement.closest('th')?.getAttribute('aria-sort')) ===
      'ascending');
  await t.click(path => [...document.querySelectorAll('#file-table .link')]
    .find(b => b.textContent === path), files[1].path);
  say('a click on a file shows the file', (await t.run(() =>
    document.getElementById('verdict').textContent)).startsWith(files[1].path));
  await t.click('#which');
  await t.type(files[0].path);
  say('typing searches the files', (await names()).includes(files[0].path) &&
    (await names()).length < files.length);
  const hash = await t.run(() => location.hash);
  await t.load(t.url.slice('file://'.length), hash);
  say('the address opens the same file again', (await t.run(() =>
    document.getElementById('verdict').textContent)).startsWith(files[1].path));
};

module.exports = async t => {
  const file = await figures(t);
  if (file.map && file.bytes) {
    await map(t, file);
    await missing(t, file);
    await ways(t, file);
  }
  await filters(t, file);
  await keyboard(t, file);
  await printed(t);
  await several(t);
};
