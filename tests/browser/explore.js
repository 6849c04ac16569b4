// explore.js - click everything that opens something on a page of hprof-diff,
// and close it again
'use strict';
const {say} = require('./browser.js');

const MOST = 12; // links of one kind that are clicked
const KINDS = {
  'bars of the growth': '#falls button',
  'steps of suspects': '#suspect-list .chain .link',
  'trees of suspects': '#suspect-list .btn',
  'paths of --why': '#why-tree .link:not(.soft)',
  'gates': '#gates .link',
  'rows': '#body [data-row]',
  'boxes': '#owners .boxes button:not(:first-child)',
  'frames': '#stacks .boxes button:not(:first-child)',
  'packages': '#packages .boxes button:not(:first-child)',
};
// What is open: whether a row is open, the text of the search, and for each
// picture whether a box is open.
const opened = () => [!document.getElementById('drawer').hidden,
  document.getElementById('search').value,
  ...[...document.querySelectorAll('.crumbs')].map(c => c.querySelectorAll(
    'bdi').length > 1)].join();
const CLOSED = /^false,(,false)*$/;
const close = async t => {
  for (let i = 0; i < 60; i++) {
    const now = await t.run(opened);
    if (!/true/.test(now)) break;
    await t.key('Backspace');
  }
  const left = await t.run(opened);
  if (!CLOSED.test(left)) {
    await t.run(() => document.getElementById('search').focus());
    await t.key('Escape');
    await t.until(() => !document.getElementById('search').value);
    await t.run(() => document.activeElement.blur());
  }
  return t.run(opened);
};
const click = (t, selector, i) => t.run((s, k) => {
  for (const d of document.querySelectorAll('main details')) d.open = true;
  const e = [...document.querySelectorAll(s)].filter(x => x.offsetWidth)[k];
  if (!e) return null;
  e.focus();
  e.click();
  return e.isConnected ? e.textContent || e.getAttribute('aria-label') : '?';
}, selector, i);

// A click on each of these opens something. Backspace closes it, wherever the
// focus is.
const all = async t => {
  const bad = [];
  let clicked = 0;
  for (const [what, selector] of Object.entries(KINDS))
    for (let i = 0; i < MOST; i++) {
      const name = await click(t, selector, i);
      if (name === null) break;
      clicked++;
      const now = await t.run(opened);
      if (CLOSED.test(now)) bad.push(what + ': ' + name + ' opens nothing');
      await t.run(() => document.activeElement.blur());
      if (!CLOSED.test(await close(t)))
        bad.push(what + ': ' + name + ' stays open');
    }
  say('each click opens something, and Backspace closes it',
    clicked > 0 && !bad.length, clicked + '; ' + bad.slice(0, 5).join('; '));
};

// The button of a suspect opens the tree at the object of the suspect, and this
// object gets the focus.
const inTree = async t => {
  const {answer, dominators} = await t.run(() => JSON.parse(
    document.getElementById('data').textContent));
  const list = answer.suspects.filter(s => s.box), bad = [];
  for (let i = 0; i < Math.min(list.length, MOST); i++) {
    await t.run(k => {
      for (const d of document.querySelectorAll('#suspects details'))
        d.open = true;
      [...document.querySelectorAll('#suspect-list .btn')][k].click();
    }, i);
    const label = await t.run(() => document.activeElement.closest(
      '#owners .boxes') ? document.activeElement.getAttribute('aria-label') :
      '');
    if (!label.includes(dominators[list[i].box][1]))
      bad.push(list[i].label + ': ' + label);
    await close(t);
  }
  if (list.length)
    say('the tree opens at the object of each suspect', !bad.length,
      bad.join('; '));
};

// Open rows, follow their links to other rows and to the tree, and close these.
const around = async t => {
  const rows = await t.run(() => document.querySelectorAll('#body [data-row]')
    .length);
  const bad = [];
  let links = 0;
  for (let i = 0; i < Math.min(rows, 3); i++) {
    for (let k = 0; k < MOST; k++) {
      await click(t, '#body [data-row]', i);
      const name = await t.run(n => {
        const e = [...document.querySelectorAll('#drawer .link, #drawer ' +
          '.actions .btn')].filter(x => x.textContent !== 'Copy the name')[n];
        if (e) e.click();
        return e ? e.textContent : null;
      }, k);
      if (name === null) break;
      links++;
      if (CLOSED.test(await t.run(opened)) && !/^(Suspect|Owner) /.test(name))
        bad.push(name);
      if (!CLOSED.test(await close(t))) bad.push(name + ' stays open');
    }
    await close(t);
  }
  if (links)
    say('each link of a row opens something, and Backspace closes it',
      !bad.length, bad.join('; '));
};

// Opening a row adds an entry to the history, so Back closes the row.
const history = async t => {
  const name = await click(t, '#body [data-row]', 0);
  if (name === null) return;
  await t.run(() => window.history.back());
  say('the browser\'s Back button closes a row', await t.until(() => document
    .getElementById('drawer').hidden));
};

module.exports = async t => {
  await t.run(() => { location.hash = ''; });
  await t.load(t.url.slice('file://'.length));
  await all(t);
  await inTree(t);
  await around(t);
  await history(t);
};
