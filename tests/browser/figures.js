// figures.js - check the sums and shares of a page
//
//   node figures.js PAGE.html RESULT.json [PACKAGES.json]
//
// RESULT is the JSON result with the same rows, PACKAGES the one with
// --by=package. Computes the shares of rows, the sums by package, the treemap,
// the flame graph and the trend again, and compares them with the data
// of the page. Prints the differences. drawer.js checks the details of rows.
'use strict';
const fs = require('fs');
const {count, growth, percent, size} = require('./formats.js');
const read = file => JSON.parse(fs.readFileSync(file, 'utf8'));
const data = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')
  .match(/<script id="data"[^>]*>([\s\S]*?)<\/script>/)[1]);
const result = read(process.argv[3]);
const n = data.dumps.length, last = n - 1, many = n > 1, pair = many ? 2 : 1;
const differ = [];
let checked = 0;
const same = (what, is, want) => {
  checked++;
  if (JSON.stringify(is) !== JSON.stringify(want))
    differ.push(what + ': ' + JSON.stringify(is) + ' instead of ' +
      JSON.stringify(want));
};

const ends = v => many ? [v[0], v[last]] : [v[0]];
// The texts of a box: its value, its change, and a note about the change.
const boxTexts = v => {
  const d = v[v.length - 1] - v[0];
  return [valueText(v[v.length - 1]), ...many ? [(d > 0 ? '+' : d < 0 ? '−' :
    '') + valueText(Math.abs(d)), d ? '(' + growth(v[0], v[v.length - 1]) +
    ')' : 'unchanged'] : []];
};
const textAt = i => data.texts[i];
const {one, unit} = data.table.find(c => c.key === data.weights[0]);
const valueText = v => unit === 'bytes' ? size(v) : count(v) + (unit === 'ms' ?
  ' ms' : one ? ' ' + one + (v === 1 ? '' : 's') : '');

// --- the rows ---------------------------------------------------------------
const [main, second] = data.weights;
// the sum of rows that overlap, and of those of one Android heap, is no whole
const total = data.heap || data.key.overlaps ?
  result.dumps.map(d => d.bytes) : result.total[main];
same('the whole', data.whole, total);
const unpack = list => list.reduce((all, x) => x < 0 ?
  all.concat(new Array(-x).fill(all[all.length - 1])) : all.concat(x), [])
  .map(textAt);
const lists = Object.fromEntries(Object.entries(data.figures)
  .map(([k, v]) => [k, unpack(v)]));
const heap = !data.key.events && !data.key.owners && second;
const figuresOf = r => ({growth: many ? growth(r[main][0], r[main][last]) : '',
  share: percent(Math.min(100, (r[main][last] || 0) / (total[last] || 1) *
    100)), each: heap && r[second][last] ? size(r[main][last] /
    r[second][last]) : ''});
// the page may have its rows in another order
const idOf = r => r.key + '\n' + (r.site || '') + (r.rollup || '');
const byId = new Map(result.rows.map(r => [idOf(r), r]));
same('rows', data.rows.length, byId.size);
result.rows = data.rows.map(r => byId.get(idOf(r)));
for (const [i, r] of result.rows.entries()) {
  const own = figuresOf(r);
  for (const k of Object.keys(own)) same(k + ' of ' + r.key,
    lists[k] ? lists[k][i] : '', own[k]);
  for (const k of Object.keys(lists).filter(x => x.startsWith('growth_'))) {
    const v = r[k.slice(7)];
    same(k + ' of ' + r.key, lists[k][i], v ? growth(v[0], v[last]) : '0 %');
  }
}

// --- the dumps, the thread with the OutOfMemoryError, the largest row --------
const ago = ms => {
  if (ms < 2000) return (Math.round(ms / 100) / 10).toFixed(1) + ' s';
  const [unit, word] = [[86400000, 'days'], [3600000, 'h'], [60000, 'min'],
    [1000, 's']].find(([u]) => ms >= 2 * u);
  return Math.round(ms / unit) + ' ' + word;
};
const timeOf = i => {
  const time = data.dumps[i].timestamp_ms;
  const since = time - data.dumps[0].timestamp_ms;
  return !time ? '' : new Date(time).toISOString().replace('T', ' ')
    .replace(/\..*/, ' UTC') + (since ? ', ' + ago(Math.abs(since)) +
      (since > 0 ? ' later' : ' earlier') : '');
};
const listed = data.dumps.map((d, i) => i)
  .filter(i => n <= 4 || !i || i === last);
same('dumps', data.compared.length, listed.length + (n > 4 ? 1 : 0));
for (const [k, i] of listed.entries())
  same('facts of ' + data.dumps[i].path, data.compared[k].facts,
    [data.files[i] ? size(data.files[i]) : '', timeOf(i)].filter(Boolean)
      .join(' · '));
const lost = result.out_of_memory;
if (lost) same('thread with the OutOfMemoryError', Object.values(data.failed),
  ['OutOfMemoryError in thread ', lost.thread, ', which retains ' +
    size(lost.retained_bytes)]);
if (data.key.events && !many) {
  const sums = result.rows.filter(r => r.rollup);
  const top = (sums.length ? sums : result.rows).reduce((a, b) =>
    b[main][0] > a[main][0] ? b : a);
  const v = top[main][0];
  same('sentence about the largest row', data.answer.sentence,
    ['The largest part is ',
    [top.key], ': ' + valueText(v) + ', ' + percent(v / total[0] * 100) + '.']);
}

// --- packages ---------------------------------------------------------------
if (data.packages) {
  const list = read(process.argv[4]).rows.filter(r => !r.rollup);
  const packages = new Map(list.map(r => [r.key, r]));
  same('packages', data.packages.length, list.length);
  for (const p of data.packages) {
    const want = packages.get(p.key) || {count: [], bytes: []};
    same('package ' + p.key, [p.count, p.bytes], [want.count, want.bytes]);
    const {figures} = p, own = {...figuresOf(p), ...n === 2 && main !== 'count' ?
      {growth_count: growth(p.count[0], p.count[1])} : {}};
    same('figures of package ' + p.key, Object.entries(figures)
      .map(([k, i]) => [k, textAt(i)]), Object.entries(own));
  }
  // the treemap: a package has its own classes, and all packages in it
  if (!data.owners) {
    const names = [];
    data.treemap.forEach((t, i) => {
      const name = names[i] = t[0] ? names[t[0]] + '.' + t[1] : t[1];
      const inside = list.filter(r => !i || r.key === name ||
        r.key.startsWith(name + '.'));
      const sum = ends(total.map((v, k) => inside.reduce((s, r) =>
        s + r[main][k], 0)));
      same('treemap ' + name, [...t.slice(2, 2 + pair), ...t.slice(2 + pair)
        .map(textAt)], [...sum, ...boxTexts(sum)]);
    });
  }
}
if (data.owners && data.treemap) {
  const sum = ends(data.owners[0].slice(1)).map((v, k) => data.owners
    .reduce((s, o) => s + o[1 + k], 0));
  same('treemap', data.treemap[0].slice(2, 2 + pair), sum);
  // the leaves of a package are what its parts do not have
  data.treemap.forEach((t, i) => {
    const parts = data.treemap.filter((x, k) => k && x[0] === i);
    for (let k = 2; k < 2 + pair; k++)
      if (parts.reduce((s, x) => s + x[k], 0) > t[k])
        differ.push('the parts of ' + t[1] + ' are larger');
  });
}

// --- stacks -----------------------------------------------------------------
if (data.flame) {
  const sums = new Map();
  const grow = (way, v) => {
    const sum = sums.get(way) || v.map(() => 0);
    sums.set(way, sum.map((x, k) => x + v[k]));
  };
  const rest = ends(total);
  for (const r of result.rows.filter(x => !x.rollup)) {
    const v = ends(r[main]), frames = [...r.frames].reverse();
    if (!data.key.namesFrame || !frames.length) frames.push(r.key);
    frames.forEach((f, i) => grow(frames.slice(0, i + 1).join('\n'), v));
    v.forEach((x, k) => { rest[k] -= x; });
  }
  sums.set('', ends(total));
  if (rest.some(v => v > 0)) sums.set('?', rest.map(v => Math.max(0, v)));
  const ways = [];
  same('boxes of the flame graph', data.flame.length, sums.size);
  data.flame.forEach(([up, row, frame, ...v], i) => {
    const name = !i ? '' : row < 0 ? '?' : frame < 0 ? data.rows[row].key :
      data.rows[row].frames[frame];
    const way = ways[i] = !i ? '' : up ? ways[up] + '\n' + name : name;
    const want = sums.get(way) || [];
    same('flame graph ' + way, [...v.slice(0, pair), ...v.slice(pair)
      .map(textAt)], [...want, ...boxTexts(want)]);
  });
}

// --- the trend --------------------------------------------------------------
if (n > 2 && data.trend) {
  const valueOf = l => l.row === undefined ?
    result.suspects[l.suspect].retained_bytes_of_dumps :
    result.rows[l.row].retained_bytes || result.rows[l.row][main];
  for (const l of data.trend.lines) {
    const v = valueOf(l);
    same('values of a line of the trend', l.values, v);
    if (!data.key.events) {
      same('sizes of a line of the trend', l.texts, v.map(size));
      const d = v[last] - v[0];
      same('growth of a line of the trend', l.growth,
        (d > 0 ? '+' : d < 0 ? '−' : '') + size(Math.abs(d)));
    }
  }
  same('largest value of the trend', data.trend.most, Math.max(1,
    ...data.trend.lines.flatMap(l => l.values)));
  same('labels of the axis', new Set(data.trend.ticks.map(t => t[1])).size,
    data.trend.ticks.length);
  same('labels of the dumps', new Set(data.trend.times).size, n);
}
console.log(differ.length ? differ.slice(0, 5).map(x =>
  x.slice(0, 300)).join('\n') : checked > 4 ?
  'same' : 'nothing was compared');
