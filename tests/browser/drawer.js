// drawer.js - check the details that a page shows when a row is opened
//
//   node drawer.js PAGE.html RESULT.json [HOLDERS.json LOADERS.json SITES.json]
//
// RESULT is the JSON result with the same rows. If the rows are classes, the
// others are the results with --by=holder, --by=loader and --by=site. Computes the texts of the details
// again, and compares them with those of the page, for all rows. Prints the
// differences.
'use strict';
const fs = require('fs');
const {count, growth, noun, signed, size} = require('./formats.js');
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
  if (is === want) return;
  const got = String(is).split('\n'), other = String(want).split('\n');
  const at = got.findIndex((line, i) => line !== other[i]);
  differ.push(what + ': ' + (at < 0 ? 'nothing' : got[at]) + ' instead of ' +
    (at < 0 ? other[got.length] : other[at]));
};
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

// What the page must have follows from the JSON result. If the page has not the
// lists for it, this is a difference.
const graph = result.rows.some(r => r.retained_bytes &&
  r.retained_bytes[last] > 0);
const classes = result.by === 'class' && graph;
const owners = /^(dominator|thread)$/.test(result.by) && graph;
for (const [name, needed] of [['references', classes], ['paths', classes],
  ['loaders', classes], ['dominators', graph], ['box_texts', graph],
  ['places', classes || owners], ['kept', classes || owners],
  ['stacks', result.stacks], ['thread_texts', result.stacks],
  ['why_texts', result.why]])
  if (needed) same('presence of ' + name, Boolean(data[name]), true);

// --- the suspects: their elements, and the objects in them --------------------
const suspects = many ? result.suspects : result.largest_owners;
const now = v => v[v.length - 1];
page.lines('...PLACES.map(drawSuspect)').forEach((is, i) => {
  const s = suspects[i], came = s.elements && many && s.elements[0] !== null ?
    s.elements[1] - s.elements[0] : 0;
  const want = [...s.path_of_largest ? ['The path of the largest of ' +
    count(now(s.count)) + ':'] : [], ...s.path.split(' → '), ...s.element ?
    [count(now(s.elements)) + ' × ' + s.element + (came ? ' ' +
    signed(came) : '')] : [], ...s.holds.length ? ['In it: ' + s.holds.map(p =>
    count(p.count) + ' ' + p.key + ' (' + size(p.bytes) + ')').join(', ')] : []];
  same('suspect ' + (i + 1), is.slice(1, 1 + want.length).join('\n'),
    want.join('\n'));
});

// --- waste, if the rows of the page are waste ----------------------------------
// The page has no rows of kinds that are not added to the waste.
if (result.by === 'waste') {
  const [head, ...lines] = page.lines('wasteParts()')[0];
  const shown = lines.map(line => result.rows.find(r => line === '|' + r.key +
    (r.example && r.example.text ? ' “' + r.example.text + '”' : '') + '|' +
    count(now(r.count)) + '|' + size(now(r.waste))));
  same('heading of the waste', head, '|Waste and what holds it|Objects|Size');
  lines.forEach((line, i) => same('row of waste ' + line, Boolean(shown[i]),
    true));
  same('order of the waste', shown.filter((r, i) => i && r && shown[i - 1] &&
    now(r.waste) > now(shown[i - 1].waste)).length, 0);
}

// --- the stacks of threads -----------------------------------------------------
const times = n => n > 1 ? count(n) + ' × ' : '';
const retain = (n, bytes) => 'retain' + (n > 1 ? ' ' : 's ') + size(bytes);
const locals = list => (list || []).map(x => (x.field ? x.field + ': ' : '') +
  times(x.count) + x.class + retain(x.count, x.retained_bytes) + (x.suspect ?
  'keep' + (x.count > 1 ? ' ' : 's ') + (many ? 'suspect ' : 'owner ') +
  x.suspect + ' alive' : ''));
if (result.stacks)
  page.lines('...DATA.stacks.map(drawThread)').forEach((is, i) => {
    const s = result.stacks[i];
    same('stack of ' + s.key, is.join('\n'), [times(s.threads) + s.key +
      retain(s.threads, s.retained_bytes) + (s.out_of_memory ?
      'OutOfMemoryError' : ''), ...s.frames.flatMap(f => [f.frame ||
      'in frames that are not known', ...locals(f.locals)]),
    ...s.frames.length ? [] : ['The dump has no stack of it.'],
    ...s.thread_locals ? ['Values of ThreadLocals',
      ...locals(s.thread_locals)] : []].join('\n'));
  });

// --- how much each object retains ---------------------------------------------
if (graph)
  page.lines('...DATA.rows.map(eachKeeps)').forEach((is, i) => {
    const r = data.rows[i];
    const came = r.count[last] - (many ? r.count[0] : 0);
    const kept = (r.retained_bytes || [0])[last] - (many ?
      (r.retained_bytes || [0])[0] : 0);
    const text = size(kept / came);
    same('what each object of ' + r.key + ' retains', is.join(),
      !r.count[last] || came <= 0 || !(kept > 0) ? '' : !many ?
        'Each retains ' + text + ' on average.' :
        'The retained size grew by ' + text + (came === 1 ?
          ' while one object was added.' : ' for each of the ' + count(came) +
          ' new objects, on average.'));
  });

// --- references ---------------------------------------------------------------
const [holdersFile, loadersFile, sitesFile] = process.argv.slice(4);
const rowsOf = file => classes ? read(file).rows : [];
const holders = rowsOf(holdersFile).filter(r => !r.rollup)
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
if (classes) page.lines('...DATA.rows.map(drawHolders)').forEach((is, i) => {
  const {key} = data.rows[i];
  same('references of ' + key, is.join('\n'), [
    ...references('Who refers to them', 'Holder', held.get(key), r => r.from),
    ...references('What they refer to', 'Held', holding.get(key), r =>
      r.from + ' → ' + r.held)].join('\n'));
});

// --- what the objects retain: the boxes in those of the row ------------------
const pair = many ? 2 : 1;
const numberOf = text => Number(text.replace(/,/g, '').replace('−', '-'));
const boxes = (data.dominators || []).map((b, i) => ({up: b[0], name: b[1],
  count: i && numberOf(data.texts[data.box_texts[i * (many ? 5 : 3)]]
    .replace(/ objects?/, '')), bytes: b.slice(2, 2 + pair),
  kind: b[2 + pair] || b[1], label: b[3 + pair]}));
const sumBoxes = list => [...groupBy(list, b => b.name)].map(([name, own]) =>
  ({name, count: own.reduce((s, b) => s + b.count, 0),
    bytes: own[0].bytes.map((v, k) => own.reduce((s, b) =>
      s + b.bytes[k], 0))}));
// A row of --by=dominator is one box, because other boxes may have its name also.
const nameOfBox = b => owners ? b.name + b.bytes : b.kind;
const nameOfRow = r => owners ? r.key + (many ?
  [r.retained_bytes[0], r.retained_bytes[last]] : r.retained_bytes) : r.key;
const inside = groupBy(boxes.slice(1).filter(b => b.up), b =>
  nameOfBox(boxes[b.up]));
if (classes || owners) page.lines('...DATA.rows.map(drawKept)').forEach((is, i) => {
  const {key} = data.rows[i];
  const list = sumBoxes(inside.get(nameOfRow(data.rows[i])) || []).map(b => [b.bytes[pair - 1],
    '|' + b.name + '|' + count(b.count) + '|' + size(b.bytes[pair - 1]) +
    (many ? '|' + signed(b.bytes[1] - b.bytes[0], size) : '')]);
  const least = list.map(x => x[0]).sort((a, b) => b - a)[7] || 0;
  // of boxes with equal sizes, the page may show any
  const fits = is.slice(2).every(line => list.some(x => x[0] >= least &&
    x[1] === line));
  same('what ' + key + ' retains', fits ? is.length : is.join('\n'),
    list.length ? 2 + Math.min(8, list.length) : 0);
});

// --- what keeps them alive: the boxes of the row, and those around them -------
const nameSteps = b => b.up || boxes.indexOf(b) ? [...nameSteps(boxes[b.up]),
  b] : [];
const step = b => (b.count > 1 ? count(b.count) + ' × ' : '') + b.name +
  (b.kind === b.name ? '' : ': ' + b.kind) + (b.label ? b.label + ' · ' : '') +
  size(b.bytes[pair - 1]) +
  (many && b.bytes[1] !== b.bytes[0] ? ' ' + signed(b.bytes[1] - b.bytes[0],
    size) : '');
const grew = b => many ? Math.abs(b.bytes[1] - b.bytes[0]) : b.bytes[0];
const ofRow = groupBy(boxes.slice(1), nameOfBox);
if (classes)
  page.lines('...DATA.rows.map(drawKeepers)').forEach((is, i) => {
    const {key} = data.rows[i], own = ofRow.get(key) || [];
    own.sort((a, b) => grew(b) - grew(a) || b.bytes[pair - 1] -
      a.bytes[pair - 1]);
    const lines = own.slice(0, 6).flatMap(b => {
      const way = nameSteps(b);
      return way.length > 7 ? [...way.slice(0, 3).map(step),
        noun(way.length - 6, 'step'), ...way.slice(-3).map(step)] :
        way.map(step);
    });
    same('what keeps ' + key + ' alive', own.length ? is.slice(2).join('\n') :
      0, own.length ? [...lines,
      ...own.length > 6 ? [noun(own.length - 6, 'smaller place')] : []]
      .join('\n') : 0);
  });

// --- class loaders: the sums of all classes are the rows of --by=loader -------
// A loader loads one class or several of them, so the number of loaders of a row
// is at least that of each class, and at most the sum for all classes.
const byLoader = new Map();
let complete = classes;
if (classes) page.lines('...DATA.rows.map(drawLoaders)').forEach((is, i) => {
  const {key, count: objects} = data.rows[i];
  if (is[0] !== 'Loaded by' || /^the VM itself/.test(is[1])) return;
  const cells = is.slice(2).filter(line => line[0] === '|')
    .map(line => line.slice(1).split('|'));
  same('heading of the loaders of ' + key, is[1], many ?
    '|Loader|Loaders|Change|Objects|Change ' : '|Loader|Loaders|Objects');
  if (is[is.length - 1][0] !== '|') {
    complete = false;
    return;
  }
  const sums = [0, 0];
  for (const [name, ...texts] of cells) {
    const [loaders, more, now, came] = many ? texts.map(numberOf) :
      [numberOf(texts[0]), 0, numberOf(texts[1]), 0];
    const sum = byLoader.get(name) || {objects: [0, 0], loaders: []};
    byLoader.set(name, sum);
    sum.objects = [sum.objects[0] + now, sum.objects[1] + came];
    sum.loaders.push(many ? [loaders - more, loaders] : [loaders]);
    sums[0] += now;
    sums[1] += came;
  }
  same('objects of ' + key + ' by loader', sums.join(),
    [objects[last], delta(objects)].join());
});
if (complete)
  for (const r of rowsOf(loadersFile))
    if (r.key !== '(bootstrap)' && !r.rollup && Math.max(...r.count)) {
      const {objects, loaders} = byLoader.get(r.key) ||
        {objects: [], loaders: [[0, 0]]};
      same('objects of classes of ' + r.key, objects.join(),
        [r.count[last], delta(r.count)].join());
      loaders[0].forEach((v, k) => {
        const all = r.loaders[k ? last : 0], each = loaders.map(x => x[k]);
        same('loaders ' + r.key, Math.max(...each) <= all &&
          all <= each.reduce((s, x) => s + x, 0) ? all : each.join(), all);
      });
    }

// --- allocation sites ---------------------------------------------------------
const sites = groupBy(rowsOf(sitesFile).filter(r => !r.rollup &&
  r.frames && r.frames.length), r => r.key);
const siteLines = r => [r.frames[0] + noun(r.count[last], 'object') + ', ' +
  size(r.bytes[last]) + (many && delta(r.bytes) ?
  ' ' + signed(delta(r.bytes), size) : ''), ...r.frames].join('\n');
if (classes)
  page.lines('...DATA.rows.map(drawSites)').forEach((is, i) => {
    const {key} = data.rows[i], list = mostChanged(sites.get(key) || [],
      'bytes');
    // sites with equal sizes may be in any order
    const order = r => [delta(r.bytes), r.bytes[last]].join();
    const text = is.join('\n');
    const own = list.filter(r => text.includes(siteLines(r)));
    const rest = more(list.length, 8, 'site', '');
    const {length} = (data.sites || []).find(x => x[0] === i) || ['', ''];
    same('number of sites of ' + key, length - 2, Math.min(8, list.length));
    same('sizes of the sites of ' + key, own.map(order).slice(0, 8).join(' '),
      list.slice(0, 8).map(order).join(' '));
    same('further sites of ' + key, rest.join(), is.filter(line =>
      / more sites?$/.test(line)).join());
  });

// --- the pictures: what a box shows, and that packages have their classes -----
const valueText = v => {
  const {one, unit} = data.table.find(c => c.key === data.weights[0]);
  return unit === 'bytes' ? size(v) : unit === 'ms' ? count(v) + ' ms' :
    one ? noun(v, one) : count(v);
};
const [pictures] = page.said('JSON.stringify(Object.entries(pictures).map(' +
  '([name, p]) => { const all = [p.root]; for (const b of all) all.push(' +
  '...b.kids); return [name, all.map(b => ({name: b.name, kind: b.kind, ' +
  'label: b.label, values: b.values, objects: b.objects, says: sayBox(b), ' +
  'kids: b.kids.map(k => k.values)}))]; }))');
for (const [picture, list] of JSON.parse(pictures))
  for (const b of list) {
    const v = b.values, now = v[pair - 1], d = now - v[0];
    same('box of the picture of ' + picture, b.says, [b.name + (b.kind &&
      b.kind !== b.name ? ': ' + b.kind : ''), b.label, valueText(now),
    many ? d ? signed(d, valueText) + ' (' + growth(v[0], now) + ')' :
      'unchanged' : '', b.objects].filter(Boolean).join(', '));
    const sums = v.map((x, k) => b.kids.reduce((s, kid) => s + kid[k], 0));
    if (picture === 'packages' && b.kids.length)
      same('sum of the boxes in ' + b.name, sums.join(), v.join());
  }

// The lines of a tree of steps. If more than seven follow each other, the page
// folds those in the middle.
const folded = (nodes, run = []) => nodes.flatMap(n => {
  const steps = [...run, n.line];
  if (n.kids.length === 1) return folded(n.kids, steps);
  return [...steps.length > 7 ? [...steps.slice(0, 3), noun(steps.length - 6,
    'more step'), ...steps.slice(-3)] : steps, ...folded(n.kids)];
});

// --- paths: with all others, they have each reachable object once ------------
// The objects of a step or sentence, in the first and in the last dump; the
// sentence about all other paths has only the last.
const objectsOf = texts => {
  const now = numberOf(/([\d,]+) objects?, /.exec(texts[0])[1]);
  return texts.length > 1 ? [now - numberOf(texts[1]), now] : [now];
};
if (classes && data.paths) {
  const of = new Map();
  for (const [row, at, ...texts] of data.paths.of) {
    if (!of.has(row)) of.set(row, []);
    of.get(row).push({at, v: objectsOf(texts.map(i => data.texts[i]))});
  }
  // up to 150 rows have paths
  data.rows.filter(r => data.rows.length <= 150 && !r.rollup &&
    r.key !== 'java.lang.Class' && r.retained_bytes[last] > 0).forEach(r =>
    same('presence of paths of ' + r.key, of.has(data.rows.indexOf(r)), true));
  const isIn = (at, up) => {
    for (let s = at; s; s = data.paths.steps[s - 1][0])
      if (s === up) return true;
    return false;
  };
  for (const [row, list] of of) {
    const r = data.rows[row], ends = many ? [r.count[0], r.count[last]] :
      [r.count[0]];
    const paths = list.filter(p => p.at);
    const tops = list.filter(p => !p.at || !paths.some(q => q !== p &&
      isIn(p.at, q.at)));
    const sum = own => own.reduce((s, p) => s + now(p.v), 0);
    checked++;
    if (sum(tops) > now(ends) || paths.some(p => p.v.some((v, k) =>
      v > ends[k])))
      differ.push('the paths to ' + r.key + ' have more objects than the row');
    for (const p of paths) {
      const below = paths.filter(q => q !== p && isIn(q.at, p.at));
      const next = below.filter(q => !below.some(x => x !== q &&
        isIn(q.at, x.at)));
      if (p.v.some((v, k) => next.reduce((s, q) => s + q.v[k], 0) > v))
        differ.push('a step to ' + r.key + ' has less than its next steps');
    }
  }
  // A step that is not listed has the texts of its only next step.
  const tree = row => {
    const nodes = new Map(), top = [];
    const node = at => {
      if (nodes.has(at)) return nodes.get(at);
      const [up, step, label] = data.paths.steps[at - 1];
      const own = {name: step.trim() + (label ? label + ' · ' : ''), kids: []};
      nodes.set(at, own);
      (up ? node(up).kids : top).push(own);
      return own;
    };
    for (const [, at, ...texts] of data.paths.of.filter(p => p[0] === row))
      if (at) node(at).text = texts.map(i => data.texts[i]);
    const textOf = n => n.text || textOf(n.kids[0]);
    for (const n of nodes.values()) {
      const [objects, change = '0'] = textOf(n);
      n.line = n.name + objects + (change === '0' ? '' : ' ' + change);
    }
    return top;
  };
  page.lines('...DATA.rows.map(r => !standsApart(r) && ' +
    'pathsOf(r).length ? drawSteps(mergePaths(pathsOf(r))) : "")')
    .forEach((is, row) => is.length && same('paths to ' +
      data.rows[row].key, is.join('\n'), folded(tree(row)).join('\n')));
}

// --- the tree of --why ---------------------------------------------------------
if (result.why) {
  const nodes = list => list.map(n => {
    const d = delta(n.count);
    return {kids: nodes(n.children || []), line: n.step.trim() + (n.label ?
      n.label + ' · ' : '') + noun(n.count[last], 'object') + ', ' +
      size(n.bytes[last]) + (many && d ? ' ' + signed(d) : '') + (n.moved ?
      'moved' : '')};
  });
  same('steps of --why', page.lines('drawSteps(whySteps())')[0].join('\n'),
    folded(nodes(result.why.tree)).join('\n'));
}

same('rows', data.rows.length, result.rows.length);
console.log(differ.length ? differ.slice(0, 3).map(x =>
  x.slice(0, 1000)).join('\n') : checked > 4 ? 'same' :
  'nothing was compared');
