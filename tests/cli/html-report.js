// html-report.js - drives the HTML report in a headless Chromium; prints what it saw
//
//   node html-report.js PAGE.html [SHOTS]
//
// Real mouse and key events over the browser's own protocol, on the pipe of
// --remote-debugging-pipe: no package is needed. Chromium is told by $CHROMIUM.
// With SHOTS, screenshots in light and dark are left in that folder.
'use strict';
const {spawn} = require('child_process');
const fs = require('fs'), os = require('os'), path = require('path');

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'hprof-page.'));
const browser = spawn(process.env.CHROMIUM || 'chromium', ['--headless',
  '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  '--disable-background-networking', '--disable-component-update',
  '--user-data-dir=' + profile, '--remote-debugging-pipe', 'about:blank'],
{stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const [, , , send, receive] = browser.stdio;
const waiting = new Map(), requests = [], failures = [];
let serial = 0, rest = '', loaded = () => {};

const finish = status => {
  browser.removeAllListeners('exit');
  browser.on('exit', () => {
    try { // its children may take a while to go
      fs.rmSync(profile, {recursive: true, force: true, maxRetries: 20,
        retryDelay: 200});
    } catch (e) {
      console.error('left behind: ' + e.message);
    }
    process.exit(status);
  });
  browser.kill('SIGKILL');
};
const give = why => {
  console.log(why);
  finish(1);
};
browser.on('exit', () => {
  console.log('the browser ended');
  process.exit(1);
});
browser.on('error', e => {
  console.log('no browser: ' + e.message);
  process.exit(1);
});
setTimeout(() => give('no answer'), 240000).unref();

const event = m => {
  if (m.method === 'Network.requestWillBeSent')
    requests.push(m.params.request.url);
  if (m.method === 'Runtime.exceptionThrown')
    failures.push(m.params.exceptionDetails.text + ' ' +
      (m.params.exceptionDetails.exception || {}).description);
  if (m.method === 'Log.entryAdded')
    failures.push(m.params.entry.text);
  if (m.method === 'Page.loadEventFired')
    loaded();
};
receive.setEncoding('utf8');
receive.on('data', chunk => {
  const parts = (rest + chunk).split('\0');
  rest = parts.pop();
  parts.map(p => JSON.parse(p)).forEach(m => {
    if (!m.id) return event(m);
    const {yes, no} = waiting.get(m.id);
    waiting.delete(m.id);
    m.error ? no(new Error(m.error.message)) : yes(m.result);
  });
});
let sessionId;
const ask = (method, params = {}) => new Promise((yes, no) => {
  const id = ++serial;
  waiting.set(id, {yes, no});
  send.write(JSON.stringify({id, method, params, sessionId}) + '\0');
});
const run = async code => {
  const r = await ask('Runtime.evaluate',
    {expression: code, returnByValue: true, awaitPromise: true});
  if (r.exceptionDetails) throw new Error(code + ': ' +
    r.exceptionDetails.exception.description);
  return r.result.value;
};
const KEYS = {Enter: [13, '\r'], Tab: [9, ''], ' ': [32, ' '],
  Escape: [27, ''], Backspace: [8, ''], ArrowDown: [40, ''],
  ArrowRight: [39, '']};
const key = async (name, shift) => {
  const [code, text] = KEYS[name] || [0, name];
  const p = {key: name, code: name === ' ' ? 'Space' : name, text,
    windowsVirtualKeyCode: code, modifiers: shift ? 8 : 0};
  await ask('Input.dispatchKeyEvent',
    {...p, type: text ? 'keyDown' : 'rawKeyDown'});
  await ask('Input.dispatchKeyEvent', {...p, text: '', type: 'keyUp'});
};
// Click the middle of the element that @code names.
const click = async code => {
  const at = await run(`(() => { const e = ${code};
    e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();
    return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`);
  for (const type of ['mousePressed', 'mouseReleased'])
    await ask('Input.dispatchMouseEvent',
      {type, ...at, button: 'left', clickCount: 1});
};
const say = (what, fine) => console.log((fine ? 'ok ' : 'NOT ') + what);

const data = `JSON.parse(document.getElementById('data').textContent)`;
const header = id => `document.querySelector('#head [data-column="${id}"]')`;
const rows = `[...document.querySelectorAll('#body tr')]
  .filter(tr => tr.querySelector('[data-row]'))`;
const names = rows + `.map(tr => tr.querySelector('[data-row]').textContent)`;
const sorted = `document.querySelector('#head [aria-sort]')
  ?.getAttribute('aria-sort')`;
const boxes = id => `[...document.querySelectorAll('#${id} .boxes button')]`;
const inOrder = (list, sign) => list.length > 1 && list.every((v, i) =>
  !i || (list[i - 1] <= v ? 1 : -1) === sign || list[i - 1] === v);
// As sizes are printed, from what is said of them, not from the page's code.
const size = v => {
  let unit = 0, tenths = v * 10;
  for (; Math.round(tenths) >= 10240; tenths /= 1024) unit++;
  return (unit ? (Math.round(tenths) / 10).toFixed(1) : v) + ' ' +
    ['B', 'KB', 'MB', 'GB'][unit];
};

// Tab from the top of the page until the focus is where @code is true.
const tabTo = async code => {
  await run('document.activeElement.blur(); scrollTo(0, 0)');
  for (let i = 0; i < 200; i++) {
    await key('Tab');
    if (await run(`(e => ${code})(document.activeElement)`)) return true;
  }
  return false;
};
const type = async text => {
  await run(`document.getElementById('search').focus();
    document.getElementById('search').select()`);
  for (const c of text) await key(c);
  await run('new Promise(r => setTimeout(r, 200))');
};

const table = async () => {
  await click(header('name'));
  say('a click sorts by name', await run(sorted) === 'ascending' &&
    inOrder(await run(names), 1));
  say('the sorted header keeps the focus', await run(
    `document.activeElement === ${header('name')}`));
  await key('Enter');
  say('Enter turns the order', await run(sorted) === 'descending' &&
    inOrder(await run(names), -1));
  say('Tab reaches another header',
    await tabTo(`/^(count|inclusive)$/.test(e.dataset.column)`));
  await key(' ');
  say('Space sorts by numbers', await run(sorted) === 'descending' &&
    inOrder(await run(rows + `.map(tr => Number(
      tr.cells[document.querySelector('#head [aria-sort]').cellIndex]
        .textContent.replace(/,/g, '')))`), -1));
  const wide = await run(`document.getElementById('head').rows[0]
    .cells.length`);
  await click(`document.querySelector('#columns summary')`);
  const last = `document.querySelector('#column-list label:last-child input')`;
  const more = await run(last + '.checked') ? -1 : 1;
  await click(last);
  say('the picker adds or takes a column', wide + more === await run(
    `document.getElementById('head').rows[0].cells.length`));
  await click(last);
  await click(`document.querySelector('#columns summary')`);
};

// One file: the column has what the rows' JSON says.
const margins = async () => {
  const wanted = await run(data + `.rows.map(r => [r.key,
    r.error_bytes[0]])`);
  const got = await run(`(() => { const at = [...document.getElementById(
    'head').rows[0].cells].findIndex(c => c.textContent === '± bytes');
    return at < 0 ? [] : ${rows}.map(tr => [tr.querySelector('[data-row]')
      .textContent, tr.cells[at].textContent]); })()`);
  say('margins have a column', got.length > 0 &&
    wanted.some(w => w[1] > 0) && got.every(([k, v]) =>
      wanted.some(w => w[0] === k && size(w[1]) === v)));
};

const search = async () => {
  const all = await run(data + '.rows');
  const texts = r => [r.key, ...r.frames || []];
  // a name that not all rows have, in capitals
  const having = w => all.filter(r => texts(r).some(t =>
    t.toLowerCase().includes(w)));
  const name = all.map(r => r.key.toLowerCase()).find(k =>
    /^[^\s*?-]+$/.test(k) && having(k).length < all.length) || '';
  await type(name.toUpperCase());
  const want = having(name).length;
  say('typing searches', name && (await run(names)).length ===
    Math.min(want, 50) && want > 0);
  const found = `document.getElementById('found').textContent`;
  say('the number found is told',
    (await run(found)).startsWith(want + ' of ' + all.length + ' '));
  // a glob is all of a name, as for --filter
  const glob = all.filter(r => texts(r).some(t => /^ja.*g$/s.test(t))).length;
  await type('ja*g');
  say('a glob is as on the command line',
    (await run(found)).startsWith(glob + ' of '));
  await key('Escape');
  await run('new Promise(r => setTimeout(r, 200))');
  say('Escape clears the search', await run(
    `document.getElementById('search').value`) === '');
};

const drawer = async () => {
  const at = rows + `[0].querySelector('[data-row]')`;
  const name = await run(at + '.textContent');
  await click(at);
  const shown = `!document.getElementById('drawer').hidden`;
  say('a row opens', await run(shown) && await run(
    `document.getElementById('drawer-h').textContent`) === name && await run(
    `document.activeElement.id`) === 'drawer-h');
  await key('Escape');
  say('Escape closes it, the row has the focus', !await run(shown) &&
    await run(`document.activeElement === ${at}`));
};

const way = id => `[...document.querySelectorAll('#${id} .crumbs bdi')]
  .map(e => e.textContent)`;
const picture = async (id, what) => {
  const n = await run(boxes(id) + '.length');
  say(what + ' has boxes with names', n > 1 && await run(
    boxes(id) + `.every(b => b.getAttribute('aria-label'))`));
  // 1: sizes are rounded
  say('no box lies outside', await run(boxes(id) + `.every(b =>
    b.offsetLeft + b.offsetWidth <= b.parentNode.clientWidth + 1 &&
    b.offsetTop + b.offsetHeight <= b.parentNode.clientHeight + 1)`));
  const top = await run(way(id));
  await click(boxes(id) + `.find(b => b.node ? b.node.kids.length && b.node.up
    : false)`);
  const inside = await run(way(id));
  say('a click goes in', inside.length > top.length && await run(
    `document.activeElement.parentNode ===
      document.querySelector('#${id} .boxes')`));
  await key('Backspace');
  await key('Backspace');
  say('Backspace goes back out', (await run(way(id))).length < inside.length);
  await run(`document.querySelector('#${id} .crumbs button')?.click()`);
  await run(boxes(id) + '[0].focus()');
  await key('ArrowDown');
  await key('ArrowRight');
  say('arrow keys move', await run(`(e => e.parentNode ===
    document.querySelector('#${id} .boxes') && e !== ${boxes(id)}[0])(
    document.activeElement)`) || n < 3);
};

// The root is as large as the heading says.
const totals = async id => {
  const head = await run(`document.querySelector('.card .big').textContent`);
  say('the picture\'s total is the heading\'s', (await run(boxes(id) +
    `[0].getAttribute('aria-label')`)).includes(', ' + head));
};

const shots = async folder => {
  for (const mode of ['light', 'dark']) {
    await ask('Emulation.setEmulatedMedia', {features:
      [{name: 'prefers-color-scheme', value: mode}]});
    await run('scrollTo(0, 0)');
    const shot = await ask('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(path.join(folder, mode + '.png'),
      Buffer.from(shot.data, 'base64'));
  }
};

const main = async (file, folder) => {
  const {targetInfos} = await ask('Target.getTargets');
  const {targetId} = targetInfos.find(t => t.type === 'page');
  sessionId = (await ask('Target.attachToTarget',
    {targetId, flatten: true})).sessionId;
  for (const part of ['Page', 'Network', 'Runtime', 'Log'])
    await ask(part + '.enable');
  await ask('Emulation.setDeviceMetricsOverride',
    {width: 1200, height: 1000, deviceScaleFactor: 1, mobile: false});
  const done = new Promise(r => { loaded = r; });
  const url = 'file://' + path.resolve(file);
  await ask('Page.navigate', {url});
  await done;
  say('the page is ready', await run(
    `document.documentElement.dataset.ready > 0`));
  const by = await run(data + '.by');
  await table();
  if (await run(`!!${data}.total.error_bytes`)) await margins();
  await search();
  await drawer();
  if (await run(`!document.getElementById('owners').hidden`))
    await picture('owners', 'the dominator tree');
  if (by === 'class') await picture('packages', 'the treemap');
  if (by === 'site' || by === 'cpu') {
    await totals('stacks');
    await picture('stacks', 'the flame graph');
  }
  if (folder) await shots(folder);
  const colors = [];
  for (const mode of ['light', 'dark']) {
    await ask('Emulation.setEmulatedMedia', {features:
      [{name: 'prefers-color-scheme', value: mode}]});
    colors.push(await run(`getComputedStyle(document.body).backgroundColor`));
  }
  say('light and dark differ', colors[0] !== colors[1]);
  say('nothing but the page is fetched',
    requests.length === 1 && requests[0] === url);
  say('no error', failures.length === 0);
  failures.forEach(f => console.log(f));
};
main(process.argv[2], process.argv[3]).then(() => finish(0),
  e => give(e.message));
