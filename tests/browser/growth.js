// growth.js - check the chart "Where the growth is" of a page
//
//   node growth.js PAGE.html
//
// Finds the owners again, from the boxes of the dominator tree, and compares
// them with the bars of the chart. Prints the differences.
'use strict';
const fs = require('fs');
const data = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')
  .match(/<script id="data"[^>]*>([\s\S]*?)<\/script>/)[1]);
const n = data.dumps.length, last = data.dumps[n - 1], many = n > 1;
const width = many ? 2 : 1;
const boxes = (data.dominators || []).map(b => ({up: b[0], name: b[1],
  from: many ? b[2] : 0, to: b[1 + width], kind: b[2 + width] || b[1]}));
const owners = new Map();
boxes.forEach((b, i) => {
  const isClass = x => x.name.startsWith('class ') &&
    boxes.some((k, at) => at && boxes[k.up] === x);
  const top = i && b.up === 0 && !isClass(b);
  if (!top && !(i && b.up && boxes[b.up].up === 0 && isClass(boxes[b.up])))
    return;
  const o = owners.get(b.name) || {name: b.name, kind: b.kind, from: 0, to: 0};
  o.from += b.from;
  o.to += b.to;
  owners.set(b.name, o);
});
// an object that a field owns in only one dump; in the other its class does
for (const o of [...owners.values()]) {
  const other = o.kind !== o.name && owners.get(o.kind);
  if (!many || !other || !owners.has(o.name)) continue;
  if (o.to === 0 && other.from === 0) {
    other.from = o.from;
    owners.delete(o.name);
  } else if (o.from === 0 && other.to === 0) {
    o.from = other.from;
    owners.delete(other.name);
  }
}
const list = [...owners.values()];
const queued = d => (d.finalizer_queue || {bytes: 0}).bytes;
const part = (name, of) => list.push({name, from: many ? of(data.dumps[0]) : 0,
  to: of(last)});
part('garbage', d => d.unreachable.bytes);
part('weakly reachable', d => Math.max(0, d.weak.bytes - queued(d)));
const want = list.map(o => ({...o, growth: o.to - o.from}))
  .filter(o => o.growth)
  .sort((a, b) => Math.abs(b.growth) - Math.abs(a.growth)).slice(0, 8)
  .filter((o, i, all) => Math.abs(o.growth) >=
    Math.floor(Math.abs(all[0].growth) / 1000));

const g = data.growth || {bars: [], after: null};
const bars = g.bars.filter(b => b.word !== 'Everything else');
const differ = [];
if (bars.length !== want.length)
  differ.push(bars.length + ' bars instead of ' + want.length);
bars.forEach((b, i) => {
  const name = b.word || b.name, o = list.find(x => x.name === name);
  if (!o || o.to - o.from !== b.growth)
    differ.push(name + ' has not grown by ' + b.growth);
  if (want[i] && Math.abs(want[i].growth) !== Math.abs(b.growth))
    differ.push(name + ' is in the wrong place');
});
// each bar begins where the previous bar ended, and together they are the
// growth
let at = many && g.before ? g.before.value : 0;
for (const b of g.bars) {
  if (b.from !== at || b.to - b.from !== b.growth)
    differ.push((b.word || b.name) + ' begins at ' + b.from);
  at = b.to;
}
if (g.after && (at !== g.after.value || at !== last.bytes ||
  many && g.before.value !== data.dumps[0].bytes))
  differ.push('the sum is ' + at + ' instead of ' + last.bytes);
console.log(differ.length ? differ.join('\n') : 'same');
