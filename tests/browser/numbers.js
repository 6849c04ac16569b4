// numbers.js - compare the numbers of a page with the JSON result
//
//   node numbers.js RESULT.json TEXT.txt   TEXT: what say.js printed
//
// Each number in the text of the first screen must be one of the result: a
// count, a size, the growth of one of these, or a share. Prints the numbers that
// are not.
'use strict';
const fs = require('fs');
const result = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
let text = fs.readFileSync(process.argv[3], 'utf8');

const count = v => String(v).replace(/\B(?=(\d{3})+$)/g, ',');
const size = v => {
  if (v < 1024) return v + ' B';
  const units = ['KB', 'MB', 'GB', 'TB'];
  let i = -1, x = v;
  do {
    x /= 1024;
    i++;
  } while (x >= 1024 && i < 3);
  return (Math.round(x * 10) / 10).toFixed(1) + ' ' + units[i];
};
const known = new Set();
const add = v => {
  if (typeof v !== 'number' || !Number.isInteger(v)) return;
  for (const t of [count(Math.abs(v)), size(Math.abs(v))]) known.add(t);
};
// Names also contain digits, so they are removed from the text first.
const names = new Set();
const walk = x => {
  if (typeof x === 'string') {
    names.add(x);
    for (const part of x.split(' → ')) names.add(part);
  }
  add(x);
  if (!x || typeof x !== 'object') return;
  if (Array.isArray(x) && x.length > 1 && x.every(v => typeof v === 'number'))
    add(x[x.length - 1] - x[0]);
  for (const v of Object.values(x)) walk(v);
};
walk(result);
const places = result.largest_owners || result.suspects || [];
const dumps = result.dumps, a = dumps[0], b = dumps[dumps.length - 1];
const rows = result.rows;
for (const part of ['reachable', 'weak', 'hidden_fields', 'unreachable',
  'finalizer_queue'])
  add(((b[part] || {}).bytes || 0) - ((a[part] || {}).bytes || 0));
add(b.bytes - a.bytes);
add(b.objects - a.objects);
add(dumps.length);
add(places.length);
// shares, as in hprof-diff(1): of the reachable objects and those that wait for
// a finalizer
const kept = d => (d.reachable ? d.reachable.bytes : 0) +
  (d.finalizer_queue ? d.finalizer_queue.bytes : 0);
const percent = p => p === 0 ? '0 %' : p < 0.05 ? '<0.1 %' : p < 100 &&
  p >= 99.95 ? '>99.9 %' : (p < 9.95 || p > 99 && p < 99.95 ?
  (Math.round(p * 10) / 10).toFixed(1) : count(Math.round(p))) + ' %';
const share = (part, all) => known.add(percent(Math.min(100,
  part / all * 100)));
for (const s of places) {
  if (dumps.length === 1)
    share(s.retained_bytes[0], kept(b));
  else if (s.delta_retained_bytes !== undefined)
    share(s.delta_retained_bytes, kept(b) - kept(a));
  names.add(s.object);
}
if (b.reachable) share(b.reachable.bytes, b.bytes);
// the cards of one dump: the average size of the objects, the share of the
// largest row, and that of all largest owners
if (dumps.length === 1) {
  add(Math.round(b.bytes / b.objects));
  share(Math.max(...rows.filter(r => !r.rollup).map(r => r.bytes[0])), b.bytes);
  share(places.reduce((sum, s) => sum + s.retained_bytes[0], 0), kept(b));
  add(places.length - 3);
}
// growth in percent or, from tenfold on, as a factor
const grown = (x, y) => {
  const p = Math.abs(y - x) / x * 100;
  if (!x || x === y) return known.add('0 %');
  return known.add(y / x >= 10.995 ? count(Math.round(y / x)) :
    percent(y < x && y ? Math.min(99.9, p) : p));
};
grown(a.bytes, b.bytes);
grown(a.objects, b.objects);
// how many rows grew, shrank, kept their size, and did not change at all
const change = r => r.bytes[r.bytes.length - 1] - r.bytes[0];
const isSame = r => Object.values(r).every(v => !Array.isArray(v) ||
  typeof v[0] !== 'number' || v.every(x => x === v[0]));
const plain = rows.filter(r => !r.rollup);
add(plain.length);
add(plain.filter(r => change(r) > 0).length);
add(plain.filter(r => change(r) < 0).length);
add(plain.filter(r => !change(r) && !isSame(r)).length);
add(plain.filter(isSame).length);
for (const name of [...names].filter(n => /\d/.test(n))
  .sort((x, y) => y.length - x.length))
  text = text.split(name).join(' ');
// the parts of a card follow each other without a space
text = text.replace(/(?<=[a-z])(?=[<>]\d)/g, ' ');
text = text.replace(/(\d (?:[KMGT]?B|%))(?=[A-Za-z])/g, '$1 ');
let n = 0;
for (const [, number] of text.matchAll(
  /(?<![\w.$,-])[+−-]?([<>]?[\d,]*\d(?:\.\d+)?(?: (?:[KMGT]?B|%))?)(?![\w$])/g)) {
  n++;
  if (!known.has(number)) console.log('not in the result: ' + number);
}
console.log(rows.length > 0 && n > 0 ? 'compared' : 'no numbers');
