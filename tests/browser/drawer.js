// drawer.js - check the details that a page shows when a row is opened
//
//   node drawer.js PAGE.html RESULT.json HOLDERS.json
//
// RESULT is the JSON result with the same rows, HOLDERS the one with
// --by=holder. Computes the texts of the details again, and compares them with
// those of the page, for all rows. Prints the differences.
'use strict';
const fs = require('fs');
const {openPage} = require('./world.js');
const read = file => JSON.parse(fs.readFileSync(file, 'utf8'));
const page = openPage(process.argv[2]);
const {data} = page;
const result = read(process.argv[3]);
const last = data.dumps.length - 1, many = last > 0;
const differ = [];
let checked = 0;
const same = (what, is, want) => {
  checked++;
  if (is !== want) differ.push(what + ': ' + is + ' instead of ' + want);
};
const count = v => String(v).replace(/\B(?=(\d{3})+$)/g, ',');
const signed = (v, text = count) => (v > 0 ? '+' : v < 0 ? '−' : '') +
  text(Math.abs(v));
const noun = (v, word) => count(v) + ' ' + word + (v === 1 ? '' : 's');
const delta = v => v[last] - v[0];

// Group rows by a part of their keys.
const groupBy = (rows, keyOf) => {
  const groups = new Map();
  for (const r of rows) {
    const key = keyOf(r);
    if (key === null) continue;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(r);
  }
  return groups;
};
// The first rows: those that changed most, then the largest.
const mostChanged = (rows, column) => [...rows].sort((a, b) =>
  Math.abs(delta(b[column])) - Math.abs(delta(a[column])) ||
  b[column][last] - a[column][last] || (a.key < b.key ? -1 : 1));
const more = (n, most, word, of) => n > most ?
  [noun(n - most, 'more ' + word) + of] : [];

// --- references ---------------------------------------------------------------
const holders = read(process.argv[4]).rows.filter(r => !r.rollup)
  .map(r => {
    const [from, held] = r.key.split(' → ');
    return {...r, from, held};
  });
// The class that has a reference: an array, or the class of a field.
const classOf = r => {
  const name = r.from.replace(/ \(static\)$/, '');
  return /\[\]$/.test(name) ? name : name.includes('.') ?
    name.replace(/\.[^.]*$/, '') : null;
};
const held = groupBy(holders, r => r.held);
const holding = groupBy(holders, classOf);
const references = (title, word, list, cell) => list ? [title,
  '|' + word + '|References' + (many ? '|Change' : ''),
  ...mostChanged(list, 'references').slice(0, 10).map(r => '|' + cell(r) + '|' +
    count(r.references[last]) + (many ? '|' + signed(delta(r.references)) :
      '')), ...more(list.length, 10, 'kind', ' of reference')] : [];
if (data.references) page.lines('...DATA.rows.map(drawHolders)').forEach((is, i) => {
  const {key} = data.rows[i];
  same('references of ' + key, is.join('\n'), [
    ...references('Who refers to them', 'Holder', held.get(key), r => r.from),
    ...references('What they refer to', 'Held', holding.get(key), r =>
      r.from + ' → ' + r.held)].join('\n'));
});

same('rows', data.rows.length, result.rows.length);
console.log(differ.length ? differ.slice(0, 3).map(x =>
  x.slice(0, 1000)).join('\n') : checked > 4 ? 'same' :
  'nothing was compared');
