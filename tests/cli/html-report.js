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
    {expression: code, returnByValue: true});
  if (r.exceptionDetails) throw new Error(code + ': ' +
    r.exceptionDetails.exception.description);
  return r.result.value;
};
const KEYS = {Enter: [13, '\r'], Tab: [9, ''], ' ': [32, ' ']};
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

const header = title => `[...document.querySelectorAll('#head button')]
  .find(b => b.textContent.startsWith(${JSON.stringify(title)}))`;
const names = `[...document.querySelectorAll('#body td.key')]
  .map(e => e.firstChild.textContent)`;
const sorted = `document.querySelector('#head [aria-sort]')
  ?.getAttribute('aria-sort')`;
const boxes = id => `[...document.querySelectorAll('#${id} button')]`;
const inOrder = (list, sign) => list.every((v, i) =>
  !i || (list[i - 1] <= v ? 1 : -1) === sign || list[i - 1] === v);

// Tab from the top of the page until the focus is where @code is true.
const tabTo = async code => {
  await run('document.activeElement.blur(); scrollTo(0, 0)');
  for (let i = 0; i < 600; i++) {
    await key('Tab');
    if (await run(`(e => ${code})(document.activeElement)`)) return true;
  }
  return false;
};

const table = async by => {
  await click(header(by));
  say('a click sorts by name', await run(sorted) === 'ascending' &&
    inOrder(await run(names), 1));
  say('the sorted header keeps the focus', await run(
    `document.activeElement === ${header(by)}`));
  await key('Enter');
  say('Enter turns the order', await run(sorted) === 'descending' &&
    inOrder(await run(names), -1));
  say('Tab reaches another header',
    await tabTo(`e.parentElement.tagName === 'TH'`));
  await key(' ');
  say('Space sorts by numbers', await run(sorted) === 'descending' &&
    inOrder(await run(`(() => { const c = columns[0];
      return [...document.querySelectorAll('#body tr')].map(tr =>
        Number(tr.cells[0].textContent.replace(/,/g, ''))); })()`), -1));
};

// One file: the column has what the rows' JSON says.
const margins = async () => {
  say('margins have a column', await run(`(() => {
    const at = columns.findIndex(c => c.title === '± bytes');
    const of = tr => data.rows.find(r => r.key === tr.lastChild.firstChild
      .textContent && count(r.count[0]) === tr.cells[0].textContent);
    return at > 0 && data.rows.some(r => r.error_bytes[0] > 0) &&
      [...document.querySelectorAll('#body tr')].every(tr =>
        tr.cells[at].textContent === size(of(tr).error_bytes[0])); })()`));
};

const search = async () => {
  const all = await run(`data.rows.length`);
  // a name that not all rows have, in capitals
  const found = w => `data.rows.filter(r =>
    (r.key + ' ' + (r.frames || []).join(' ')).toLowerCase()
      .includes(${w}))`;
  const name = await run(`data.rows.map(r => r.key.toLowerCase())
    .find(k => ${found('k')}.length < data.rows.length) || ''`);
  const want = await run(found(JSON.stringify(name)) + '.length');
  await click(`document.getElementById('search')`);
  for (const c of name.toUpperCase()) await key(c);
  const got = await run(names);
  say('typing searches', name && got.length === Math.min(want, 200) &&
    want > 0 && want < all);
  say('the number found is told', (await run(
    `document.getElementById('found').textContent`)).startsWith(want + ' '));
  await run(`by('search').value = ''; by('search').oninput()`);
};

const treemap = async () => {
  const n = await run(boxes('treemap') + '.length');
  say('the treemap has boxes with names', n > 0 && await run(
    boxes('treemap') + `.every(b => b.getAttribute('aria-label'))`));
  // 1: sizes are rounded, and a box is at least 1 wide
  say('no box lies outside', await run(boxes('treemap') + `.every(b =>
    b.offsetLeft + b.offsetWidth <= by('treemap').clientWidth + 1 &&
    b.offsetTop + b.offsetHeight <= by('treemap').clientHeight + 1)`));
  await click(boxes('treemap') + '[0]');
  say('a box puts its name into the search', await run(
    `document.getElementById('search').value.length > 0 && ` +
    boxes('treemap') + `[0].title.startsWith(by('search').value)`));
  await run(`by('search').value = ''; by('search').oninput()`);
};

const flame = async () => {
  const find = `.findIndex((b, i) => i > 0 && b.offsetTop === 18 &&
    b.offsetWidth < by('flame').clientWidth - 5)`;
  const at = await run(boxes('flame') + find);
  const name = await run(boxes('flame') + `[${at}].title`);
  await click(boxes('flame') + `[${at}]`);
  const wide = `(b => b.offsetWidth >= by('flame').clientWidth - 1)`;
  say('a click zooms into a stack', at > 0 && await run(boxes('flame') +
    `[1].title`) === name && await run(wide + `(${boxes('flame')}[1])`));
  say('the box keeps the focus', await run(
    `document.activeElement === ${boxes('flame')}[1]`));
  await key('Tab', true);
  await key('Enter');
  say('Shift-Tab and Enter zoom out', !await run(boxes('flame') +
    `.filter(b => b.title === ${JSON.stringify(name)}).some(${wide})`) &&
    await run(`document.activeElement === ${boxes('flame')}[0]`));
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
  const by = await run('data.by');
  await table(by);
  if (await run('!!data.total.error_bytes')) await margins();
  await search();
  await treemap();
  if (by === 'site' || by === 'cpu') await flame();
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
