// diff.js - the page of hprof-diff
'use strict';
const {say} = require('./browser.js');
const explore = require('./explore.js');

const data = () => JSON.parse(document.getElementById('data').textContent);
const names = () => [...document.querySelectorAll('#body [data-row]')]
  .map(b => b.textContent);
const sorted = () => {
  const th = document.querySelector('#head [aria-sort]');
  return [th.getAttribute('aria-sort'), document.activeElement
    .closest('th') === th];
};
// Returns the values of the sorted column, from the rows that can be opened.
const values = () => {
  const at = document.querySelector('#head [aria-sort]').cellIndex;
  return [...document.querySelectorAll('#body tr')]
    .filter(tr => tr.querySelector('[data-row]'))
    .map(tr => tr.cells[at].textContent);
};
const found = () => document.getElementById('found').textContent;
const inOrder = (list, sign) => list.every((v, i) =>
  !i || (list[i - 1] <= v ? 1 : -1) === sign || list[i - 1] === v);
const header = id => [...document.querySelectorAll('#head [data-column]')]
  .find(b => b.dataset.column === id);

// Until a column is clicked, the rows are in the order of --sort, and the page
// shows this order in words.
const given = async t => {
  const {rows, sort} = await t.run(data);
  if (!sort) return;
  const all = await t.run(names);
  say('the rows are in the order of --sort', all.join() === rows
    .map(r => r.key).join() && (await t.run(found)).includes(sort),
  all.join());
};

// Parse a gate of the command line: its rows, its value and its limit.
const KEYS = {retained: 'retained_bytes', 'retained-count': 'retained_count'};
const UNITS = {KB: 1024, GB: 1024 ** 3};
const readGate = text => {
  const [, glob, grew, what, limit, unit] = text.match(
    /^(.*) (growth-)?([a-z-]+)>(\d+)([KG]B)?$/);
  return {all: glob === 'total', names: new RegExp('^' + glob.replace(
    /[.[\]$]/g, '\\$&').replace(/\*/g, '.*') + '$'), grew,
  what: KEYS[what] || what, limit: limit * (UNITS[unit] || 1)};
};
const sizeText = n => n < 1024 ? n + ' B' : n < 1024 * 1024 ?
  (n / 1024).toFixed(1) + ' KB' : (n / 1024 / 1024).toFixed(1) + ' MB';
const gateValue = (g, r) => {
  const v = r[g.what];
  return v[v.length - 1] - (g.grew ? v[0] : 0);
};
const gateText = (g, r) => (g.grew ? '+' : '') + (/bytes/.test(g.what) ?
  sizeText : String)(gateValue(g, r));
// From the rows of the data, compute again what each gate measured and for
// which rows it failed. Compare this with the list of gates and the marked
// rows.
const gatesTold = async t => {
  const {gates, rows, total} = await t.run(data);
  if (!gates.length) return;
  const told = await t.run(() => [...document.querySelectorAll('.gates li')]
    .map(li => li.textContent));
  const bad = [], trips = new Set();
  gates.map(g => readGate(g.gate)).forEach((g, i) => {
    const list = g.all ? [total] : rows.filter(r => g.names.test(r.key) &&
      gateValue(g, r) > g.limit);
    if (!g.all) list.forEach(r => trips.add(r.key + r.site));
    if (list.length !== (g.all ? 1 : gates[i].rows.length) || !list.every(r =>
      told[i].includes((g.all ? 'all rows: ' : r.key + ' ') + gateText(g, r))))
      bad.push(told[i]);
  });
  say('the list of gates shows the measured values',
    !bad.length, bad.join('; '));
  const marked = await t.run(() => [...document.getElementById('body').rows]
    .filter(tr => tr.row).map(tr => [tr.row.key + tr.row.site,
      Boolean(tr.querySelector('.tag.bad'))]));
  say('exactly the rows for which a gate failed are marked',
    marked.some(m => m[1]) ===
      trips.size > 0 && marked.every(([row, is]) => is === trips.has(row)),
    marked.join('; '));
};

// The first screen shows the files with their sizes, times and labels, and the
// gates with the rows for which they failed.
const lead = async t => {
  const {dumps, files, gates, tool} = await t.run(data);
  const lines = await t.run(() => [...document.querySelectorAll('.dumps li')]
    .map(li => li.textContent));
  // the page shows the names of the files without their folders
  const names = dumps.map(d => d.path.replace(/.*\//, ''));
  say('the page shows the sizes, times and labels of the files',
    lines.length ===
      dumps.length && lines.every((line, i) => line.includes(names[i]) &&
      line.includes(sizeText(files[i])) &&
      (!dumps[i].timestamp_ms || line.includes(new Date(dumps[i].timestamp_ms)
        .toISOString().slice(0, 10))) && Object.entries(dumps[i].labels || {})
      .every(([k, v]) => line.includes(k + '=' + v))), lines.join('; '));
  const title = await t.run(() => document.title);
  say('the title contains the names of the dumps', title.includes(tool) &&
    title.startsWith(names[0]) && title.includes(names[names.length - 1]) &&
    !title.includes('/'), title);
  if (!gates.length) return;
  const told = await t.run(() => [...document.querySelectorAll('.gates li')]
    .map(li => li.textContent));
  say('the list of gates shows the results and the failed rows',
    told.length === gates.length &&
      gates.every((g, i) => told[i].includes(g.tripped ? 'Failed' :
        g.matched ? 'Passed' : 'No row matches') &&
      told[i].includes(g.gate) && g.rows.slice(0, 5).every(r =>
        told[i].includes(r))), told.join('; '));
};

// A gate that matches no row has not passed. The card must not count it as
// passed, nor the text that the button "Copy summary" copies.
const verdicts = async t => {
  const {gates} = await t.run(data);
  if (!gates.length) return;
  const failed = gates.filter(g => g.tripped).length;
  const idle = gates.filter(g => !g.matched).length;
  const card = await t.run(() => [...document.querySelectorAll('.card')]
    .map(c => c.innerText).find(text => text.startsWith('Gates')));
  say('the card counts failed and unmatched gates',
    card.includes('passed') === (!failed && !idle) && card.includes(
      failed + ' of ' + gates.length + ' failed') === (failed > 0) &&
      card.includes(idle + ' of ' + gates.length + ' match') === (idle > 0),
    card);
  await t.run(() => Object.defineProperty(navigator, 'clipboard', {value:
    {writeText: async text => { window.copied = text; }}}));
  await t.click(() => [...document.querySelectorAll('#bar .btn')]
    .find(b => b.textContent === 'Copy summary'));
  const copied = await t.run(() => window.copied);
  say('the copied summary has the result of each gate',
    gates.every(g => copied.includes('- ' +
      (g.tripped ? 'FAILED' : g.matched ? 'passed' : 'no row matches') +
      ' `` ' + g.gate)), copied);
};

const table = async t => {
  await t.click(header, 'name');
  let [order, focus] = await t.run(sorted);
  say('a click on a header sorts by name', order === 'ascending' &&
    inOrder((await t.run(names)), 1));
  say('the clicked header keeps the focus', focus);
  await t.key('Enter');
  [order, focus] = await t.run(sorted);
  say('Enter on the header reverses the order',
    order === 'descending' && focus && inOrder(await t.run(names), -1));
  say('Tab reaches another header', await t.tabTo(() => /^(count|inclusive)$/
    .test(document.activeElement.dataset.column)));
  await t.key(' ');
  [order] = await t.run(sorted);
  say('Space on a header sorts by numbers', order === 'descending' &&
    inOrder((await t.run(values)).map(v => Number(v.replace(/,/g, ''))), -1));
};

const picker = async t => {
  const wide = () => t.run(() => document.getElementById('head').rows[0].cells
    .length);
  const last = '#column-list label:last-child input';
  say('the page has a list of columns', await t.run(s =>
    Boolean(document.querySelector('.menu ' + s)), last));
  const before = await wide();
  await t.click('#columns summary');
  const more = await t.run(s => document.querySelector(s).checked, last) ?
    -1 : 1;
  await t.click(last);
  say('a click in the list of columns adds or removes a column',
    await wide() === before + more);
  await t.click(last);
  say('a second click in the list of columns undoes the first',
    await wide() === before);
  await t.click('#columns summary');
};

const search = async t => {
  const {rows} = await t.run(data), texts = r => [r.key, ...r.frames || []];
  const having = w => rows.filter(r => texts(r).some(s =>
    s.toLowerCase().includes(w)));
  const name = rows.map(r => r.key.toLowerCase()).find(k =>
    /^[^\s*?-]+$/.test(k) && having(k).length < rows.length);
  const clear = async () => {
    await t.run(() => {
      document.getElementById('search').focus();
      document.getElementById('search').select();
    });
    await t.key('Backspace');
  };

  const before = await t.run(found);
  say('a screen reader says how many rows the search found',
    await t.run(() => document
      .getElementById('found').getAttribute('role')) === 'status');
  await t.run(() => document.activeElement.blur());
  await t.key('/');
  say('/ moves the focus to the search', await t.run(() =>
    document.activeElement.id === 'search'));
  if (name) {
    await t.type(name.toUpperCase());
    say('the search finds names in upper or lower case', await t.until(n =>
      document.getElementById('found').textContent.startsWith(n + ' of '),
    having(name).length));
    await clear();
    await t.type('"' + rows[0].key + '"');
    say('a name in quotes finds only the same name', await t.until(n =>
      document.getElementById('found').textContent.startsWith(n + ' of '),
    rows.filter(r => texts(r).includes(rows[0].key)).length),
    await t.run(found));
    await clear();
  }
  await t.type('ja*g');
  const glob = rows.filter(r => texts(r).some(s => /^ja.*g$/su.test(s))).length;
  say('a glob matches whole names, as on the command line', await t.until(n =>
    document.getElementById('found').textContent.startsWith(n + ' of '), glob),
  await t.run(found));
  await t.key('Escape');
  // wait until all rows are shown again: they are drawn a little later
  say('Escape clears the search', await t.until(text =>
    !document.getElementById('search').value &&
    document.getElementById('found').textContent === text, before));
};

const drawer = async t => {
  const shown = () => t.run(() => !document.getElementById('drawer').hidden);
  const title = () => t.run(() => document.getElementById('drawer-h')
    .textContent);
  const row = n => [...document.querySelectorAll('#body [data-row]')][n];
  const all = await t.run(names);

  await t.click(row, 0);
  say('a click opens a row', await shown() && await title() === all[0] &&
    await t.run(() => document.activeElement.id) === 'drawer-h');
  say('the address contains the open row', (await t.run(() =>
    new URLSearchParams(location.hash.slice(1)).get('row'))) === all[0]);
  if (all.length > 1) {
    await t.click('#drawer [aria-label="Row below"]');
    say('a button opens the row below', await title() === all[1]);
  }
  const wide = await t.run(() => document.documentElement.scrollWidth <=
    document.documentElement.clientWidth);
  const violations = await t.axe();
  say('the drawer fits the window and is accessible',
    wide && !violations, violations);
  // Choose a row whose name contains a special character of the search, or is
  // the beginning of another name. The button must still find only this row.
  const name = all.find(n => /[*?\s]/.test(n)) ||
    all.find(n => all.some(m => m !== n && m.startsWith(n))) || all[0];
  await t.click(n => [...document.querySelectorAll('#body [data-row]')]
    .find(b => b.textContent === n), name);
  await t.click(() => document.querySelector('#drawer .actions button'));
  say('a button shows only the open row in the table',
    await t.until(n => [...document
      .querySelectorAll('#body [data-row]')].every(b => b.textContent === n),
    name), (await t.run(names)).join());
  await t.run(() => document.getElementById('search').focus());
  await t.key('Escape');
  await t.run(() => document.getElementById('search').focus());
  await t.key('Escape');
  await t.until(n => document.querySelectorAll('#body [data-row]').length === n,
    all.length);
  await t.click(row, 0);
  await t.key('Escape');
  // the table may be drawn again a little later, because the search was cleared
  say('Escape closes the row, and the row gets the focus', await t.until(() =>
    document.getElementById('drawer').hidden &&
    document.activeElement.hasAttribute('data-row')));
  await t.tabTo(() => document.activeElement.matches('#body [data-row]'));
  await t.key('ArrowDown', 'ArrowUp', 'Enter');
  say('arrow keys and Enter open a row',
    await shown() && await title() === all[0]);
  await t.key('Escape');
};

// If the dump has an object graph, the drawer of a class shows how its objects
// are reached, what refers to them, and what loaded the class. If the dump has
// traces, it also shows where the objects were allocated.
const details = async t => {
  const {by, rows, paths, loaders, sites, texts} = await t.run(data);
  if (by !== 'class' || !paths) return;
  const told = new Set(paths.of.map(([row]) => row));
  const at = Math.max(0, rows.findIndex((r, i) => told.has(i) &&
    loaders.some(([row]) => row === i)));
  const {key} = rows[at];
  await t.run(k => {
    location.hash = '';
    history.replaceState(null, '', '#' + new URLSearchParams({row: k}));
  }, key);
  await t.load(t.url.slice('file://'.length), await t.run(() =>
    location.hash));
  const parts = await t.run(() => [...document.querySelectorAll('#drawer h3')]
    .map(e => e.textContent));
  say('the drawer shows paths, references and the class loader',
    ['Paths from the roots',
    'What keeps them alive', 'Who refers to them', 'Loaded by'].every(p =>
      parts.includes(p)), parts.join(', '));
  // the first steps of the paths together have all objects of the paths
  const own = paths.of.filter(([row, step]) => row === at && step);
  const isIn = (step, up) => step === up || step > 0 &&
    isIn(paths.steps[step - 1][0], up);
  const sum = own.filter(p => !own.some(q => q !== p && isIn(p[1], q[1])))
    .reduce((n, p) => n + Number(texts[p[2]].replace(/ object.*|,/g, '')), 0);
  const begun = await t.run(() => [...document.querySelectorAll(
    '#drawer h3 + p + .chain .begin')].filter(li => !li.style.marginLeft ||
    li.style.marginLeft === '0rem').map(li => Number(li.querySelector('.of')
    .textContent.match(/([\d,]+) objects?,/)[1].replace(/,/g, '')))
    .reduce((a, b) => a + b, 0));
  say('the first steps of the paths have all objects', begun === sum && sum > 0,
    begun + ' of ' + sum);
  say('the drawer shows the largest object',
    (await t.run(() => document.querySelector(
      '#drawer .figures').textContent)).includes('Largest'));
  if (sites) {
    await t.click('#drawer .site summary');
    say('the drawer shows where the objects were allocated',
      await t.until(() => document
        .querySelector('#drawer .site[open] .stack li').offsetHeight > 0));
  }
  // click a step of a path: a class, or a field of a class
  const next = await t.run(() => {
    const b = [...document.querySelectorAll('#drawer .chain .link')]
      .find(e => e.textContent !== document.getElementById('drawer-h')
        .textContent);
    return b ? b.textContent : null;
  });
  if (next) {
    await t.click(name => [...document.querySelectorAll('#drawer .chain .link')]
      .find(e => e.textContent === name), next);
    // if there is no row for the step, its box in the tree opens
    const [title, box] = await t.run(() => [document.getElementById('drawer-h')
      .textContent, document.querySelectorAll('#owners .crumbs bdi').length]);
    say('a click on a step of a path opens a row or a box',
      next.includes(title) || box > 1, next);
  }
  const violations = await t.axe();
  say('the drawer with all its parts is accessible', !violations, violations);
  await t.run(() => { location.hash = ''; });
  await t.load(t.url.slice('file://'.length));
};

// A package has no loader and no place in the dominator tree, so its drawer
// does not show them. The drawer of an owner shows what the owner retains.
const others = async t => {
  const {by, dominators} = await t.run(data);
  const headings = () => [...document.querySelectorAll('#drawer h3')]
    .map(e => e.textContent);
  const row = () => [...document.querySelectorAll('#body [data-row]')][0];
  if (by === 'class') {
    await t.click(() => [...document.querySelectorAll('#views button')]
      .find(b => b.textContent === 'Package'));
    await t.click(row);
    const told = await t.run(headings);
    say('the drawer of a package has no parts of a class', !told.length,
      told.join(', '));
    const violations = await t.axe();
    say('the drawer of a package is accessible', !violations, violations);
    await t.key('Escape');
    await t.click('#views button');
  }
  if (by !== 'dominator') return;
  const at = dominators.findIndex((b, i) => b[1].endsWith(' (static)') &&
    dominators.some(k => k[0] === i));
  await t.click(name => [...document.querySelectorAll('#body [data-row]')]
    .find(b => b.textContent === name), dominators[at][1]);
  const told = await t.run(headings);
  const kept = await t.run(() => [...document.querySelectorAll(
    '#drawer .mini tbody th')].map(e => e.textContent));
  say('the drawer of an owner shows what the owner retains',
    told.join() === 'What they retain' && kept
      .length > 0 && kept.every(k => dominators.some(b => b[0] === at &&
      b[1] === k)), told + ': ' + kept);
  await t.key('Escape');
};

// The address contains the row that is open. If several rows have the same
// name, it still opens the right one. It can also open a package.
const address = async t => {
  const {by, rows} = await t.run(data);
  if (by === 'class')
    await t.click(() => [...document.querySelectorAll('#views button')]
      .find(b => b.textContent === 'Package'));
  const open = () => t.run(() => {
    const tr = document.querySelector('#body tr.open');
    return tr ? tr.row.key + ' ' + tr.row.count + ' ' + tr.row.site : 'none';
  });
  const twin = rows.findLast(r => rows.some(x => x !== r && x.key === r.key));
  await t.click(site => [...document.getElementById('body').rows].filter(
    tr => tr.row && (!site || tr.row.site === site)).pop()
    .querySelector('[data-row]'), twin ? twin.site : null);
  const was = await open();
  await t.load(t.url.slice('file://'.length), await t.run(() =>
    location.hash));
  const is = await open();
  say('the address opens the same row again', was !== 'none' && is === was,
    was + ', then ' + is);
  await t.key('Escape');
};

// Back closes what was opened. The address contains the order, the columns and
// the open box.
const backAndForth = async t => {
  const shown = () => !document.getElementById('drawer').hidden;
  const at = () => [...document.querySelectorAll('#owners .crumbs bdi')].length;
  const entries = await t.run(() => history.length);
  await t.click(header, 'name');
  say('sorting adds no entry to the history',
    await t.run(() => history.length) ===
      entries && (await t.run(() => location.hash)).includes('sort=-name'),
    await t.run(() => location.hash));
  await t.click(() => document.querySelector('#body [data-row]'));
  const title = await t.run(() => document.getElementById('drawer-h')
    .textContent);
  await t.run(() => history.back());
  say('Back closes the row', await t.until(() => document.getElementById(
    'drawer').hidden) && (await t.run(sorted))[0] === 'ascending');
  await t.run(() => history.forward());
  say('Forward opens the row again', await t.until(name => !document
    .getElementById('drawer').hidden && document.getElementById('drawer-h')
    .textContent === name, title));
  await t.run(() => history.back());
  await t.until(() => document.getElementById('drawer').hidden);
  if (await t.run(shown)) return;
  await t.click('#columns summary');
  await t.click('#column-list input');
  await t.click('#columns summary');
  const heads = () => [...document.getElementById('head').rows[0].cells]
    .map(c => c.textContent).join();
  const was = await t.run(heads);
  if (!await t.run(() => document.getElementById('owners').hidden)) {
    await t.click(() => [...document.querySelectorAll('#owners .inside ' +
      'tbody button')][0]);
    await t.run(() => history.back());
    say('Back closes the box', await t.until(() => document.querySelectorAll(
      '#owners .crumbs bdi').length === 1));
    await t.run(() => history.forward());
    await t.until(() => document.querySelectorAll('#owners .crumbs bdi')
      .length === 2);
  }
  const depth = await t.run(at);
  await t.load(t.url.slice('file://'.length), await t.run(() => location.hash));
  say('the address restores the order, the columns and the open box',
    await t.run(heads)
      === was && await t.run(at) === depth, was + '; ' + await t.run(heads));
  await t.run(() => { location.hash = ''; });
  await t.load(t.url.slice('file://'.length));
};

// A suspect leads to its box in the tree, the box leads back to the suspect,
// and a step of its path leads to a class.
const suspects = async t => {
  const {answer} = await t.run(data);
  if (!answer.suspects.some(s => s.box)) return;
  const label = answer.suspects[0].label;
  await t.click(() => [...document.querySelectorAll('#suspect-1 .btn')]
    .find(b => b.textContent === 'Show it in the tree'));
  const links = () => [...document.querySelectorAll('#owners .inside .btn')]
    .map(b => b.textContent);
  say('a button of a suspect opens the box of the suspect',
    (await t.run(links)).some(x =>
      x.includes(label.slice(0, 50))), (await t.run(links)).join());
  await t.click(() => [...document.querySelectorAll('#owners .inside .btn')]
    .find(b => / 1: /.test(b.textContent)));
  say('a button of the box leads back to the suspect', await t.until(() =>
    document.activeElement.id === 'suspect-1'));
  await t.click(() => document.querySelector('#suspect-1 .chain .link'));
  say('a click on a step of a suspect opens a row or a box', await t.run(() =>
    !document.getElementById('drawer').hidden ||
    document.querySelectorAll('#owners .crumbs bdi').length > 1));
  await t.key('Escape');
  await t.run(() => { location.hash = ''; });
  await t.load(t.url.slice('file://'.length));
};

const way = id => [...document.querySelectorAll(id + ' .crumbs bdi')]
  .map(e => e.textContent);
const inBoxes = id => document.activeElement.parentNode ===
  document.querySelector(id + ' .boxes');
const picture = async (t, id, what) => {
  if (await t.run(i => document.querySelector(i).hidden, id)) return;
  const labels = await t.run(i => [...document.querySelectorAll(i +
    ' .boxes button')].map(b => b.getAttribute('aria-label')), id);
  say('each box of ' + what + ' has a name', labels.length > 1 &&
    labels.every(l => l));
  say('no box of ' + what + ' is outside the picture',
    await t.run(i => [...document.querySelectorAll(i +
      ' .boxes button')].every(b => // 1: sizes are rounded
      b.offsetLeft + b.offsetWidth <= b.parentNode.clientWidth + 1 &&
      b.offsetTop + b.offsetHeight <= b.parentNode.clientHeight + 1), id));
  const top = await t.run(way, id);
  // click the second largest box: the largest contains the whole picture
  await t.click(i => [...document.querySelectorAll(i + ' .boxes button')]
    .filter(b => b.offsetWidth > 4).sort((a, b) =>
      b.offsetWidth * b.offsetHeight - a.offsetWidth * a.offsetHeight)
    .find(b => b !== document.querySelector(i + ' .boxes button')), id);
  // in the middle of this box, there may be a box of any level
  const opened = await t.run(way, id);
  say('a click on a box of ' + what + ' opens the box',
    opened.length > top.length && await t.run(inBoxes, id));
  await t.key('Backspace');
  const left = await t.run(way, id);
  say('Backspace in ' + what + ' closes the box',
    left.join() === opened.slice(0, -1).join() && await t.run(inBoxes, id),
    left.join(' › '));
  for (let i = 0; i < 9 && (await t.run(way, id)).length > top.length; i++)
    await t.key('Backspace');
  await t.run(i => document.querySelector(i + ' .boxes button').focus(), id);
  await t.key('ArrowDown');
  say('an arrow key in ' + what + ' moves to another box',
    labels.length < 3 || await t.run(i =>
      document.activeElement !== document.querySelector(i + ' .boxes button') &&
      document.activeElement.parentNode === document.querySelector(i +
        ' .boxes'), id));
};

// A click on a line of the trend leads to its suspect, or opens its row.
const trend = async t => {
  if (await t.run(() => document.getElementById('trend').hidden)) return;
  await t.run(() => scrollTo(0, 0));
  await t.run(() => document.querySelector('#lines .pick').dispatchEvent(
    new MouseEvent('click', {bubbles: true})));
  say('a click on a line of the trend leads to a row or a suspect',
    await t.run(() =>
      !document.getElementById('drawer').hidden ||
      /suspect-/.test(location.hash) || scrollY > 0));
  await t.key('Escape');
};

// The root of the stacks has the size that the heading shows.
const totals = async t => {
  if (await t.run(() => document.getElementById('stacks').hidden)) return;
  const [head, root] = await t.run(() => [document.querySelector('.card .big')
    .textContent, document.querySelector('#stacks .boxes button')
    .getAttribute('aria-label')]);
  say('the root of the stacks has the size in the heading',
    root.includes(', ' + head), root);
};

// If the files are sampled, each number has a margin of error.
const margins = async t => {
  const {rows, total} = await t.run(data);
  if (!total.error_bytes) return;
  const got = await t.run(() => {
    const at = [...document.getElementById('head').rows[0].cells]
      .findIndex(c => c.textContent === '± bytes');
    return at < 0 ? [] : [...document.querySelectorAll('#body tr')]
      .filter(tr => tr.querySelector('[data-row]')).map(tr =>
        [tr.querySelector('[data-row]').textContent, tr.cells[at].textContent]);
  });
  say('a column shows the margins of error', got.length > 0 && rows.some(r =>
    r.error_bytes[0] > 0) && got.every(([key, text]) => rows.some(r =>
    r.key === key && (r.error_bytes[0] < 1024 ? text === r.error_bytes[0] +
    ' B' : text.startsWith(String(Math.floor(r.error_bytes[0] / 1024)))))),
  got.join('; '));
};

// If many steps follow each other, a button shows those in the middle.
const unfold = async t => {
  const lines = () => document.querySelectorAll('#why-tree li').length;
  const fold = () => [...document.querySelectorAll('#why-tree li > button')]
    .find(b => / more steps?$/.test(b.textContent));
  const text = await t.run(() => [...document.querySelectorAll('#why-tree li')]
    .map(li => li.textContent).find(x => / more steps?$/.test(x)));
  if (!text) return;
  const before = await t.run(lines);
  await t.click(fold);
  say('a button shows the steps that were folded, and the focus is on the first',
    await t.run(lines) === before - 1 + parseInt(text) &&
    await t.run(() => [...document.querySelectorAll('#why-tree li')]
      .indexOf(document.activeElement)) === 3, text);
};

module.exports = async t => {
  const {rows} = await t.run(data);
  say('the table counts all rows', Number((await t.run(found))
    .match(/of ([\d,]+) row/)[1].replace(/,/g, '')) >= rows.length);
  await given(t);
  await lead(t);
  await gatesTold(t);
  await verdicts(t);
  await table(t);
  await picker(t);
  await margins(t);
  await search(t);
  await drawer(t);
  await details(t);
  await others(t);
  await address(t);
  await backAndForth(t);
  await suspects(t);
  await picture(t, '#owners', 'the dominator tree');
  await picture(t, '#packages', 'the treemap');
  await picture(t, '#stacks', 'the flame graph');
  await totals(t);
  await trend(t);
  await unfold(t);
  await explore(t);
};
