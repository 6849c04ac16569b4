// page_lead.js - the first screen: headline, cards, gates, suspects and growth
//
// The program computes all numbers and texts here (the members "lead" and
// "answer"), as it does for the text report. The script only lays them out.
const headline = () => DATA.lead.headline.map(x => Array.isArray(x) ?
  h('span', {class: 'whole ' + x[1]}, x[0]) : x);
// The texts of the first screen come from the program, which computes the same
// figures for the table: one growth, everywhere.
const ANSWER = DATA.answer;
// With one dump there is no growth: the largest owners take the place of the
// suspects. One of them is called a suspect if it looks like a leak.
const PLACES = MANY ? DATA.suspects || [] : DATA.largest_owners ||
  DATA.suspects || [];
// The thread that ran out of memory, with its stack.
const failedSentence = () => {
  const f = DATA.failed;
  return f ? h('div', {class: 'say bad'}, f.before, h('b', {}, f.thread),
    f.after, h('ol', {class: 'chain'}, DATA.out_of_memory.frames.map(x =>
      h('li', {}, h('code', {}, x))), f.more ? h('li', {}, f.more) : null)) :
    null;
};
// The class loaders of the finding duplicate-classes that something keeps. Those
// that are kept by the same path share a line.
const keptLoaders = list => {
  const lines = new Map();
  for (const l of list.filter(x => x.path)) {
    const way = [l.class, l.name, l.path].join('\n');
    if (!lines.has(way)) lines.set(way, []);
    lines.get(way).push(l);
  }
  return lines.size ? h('ul', {}, [...lines.values()].map(same => {
    const [l] = same, more = same.length - 3;
    return h('li', {}, h('code', {}, l.class + ' ' + same.slice(0, 3)
      .map(x => x.object).join(', ')), more > 0 ? ' and ' +
      formatCount(more) + ' more' : '',
    l.name ? (l.name[0] === "'" ? ' ' : ' of ') + l.name : '',
    same.length > 1 ? ' are kept by ' : ' is kept by ',
    h('code', {}, l.path), ': ' + l.meaning);
  })) : null;
};
// What is unusual in the last dump, one sentence each. The first screen only
// names the findings, so that the suspects are on it. A report about waste is
// itself what the finding about waste says.
const findingsNow = () => (DATA.findings || []).filter(f =>
  !(KEY.partsOfHeap && f.id === 'waste'));
const findingsLine = () => findingsNow().length ? h('p', {class: 'say'},
  plural(findingsNow().length, 'finding') + ': ', findingsNow().map((f, i) =>
    [i ? ' ' : null, oneLine([h('button', {type: 'button', class: 'link',
      onclick: () => go('findings')}, f.id),
    i < findingsNow().length - 1 ? ',' : '.'])])) : null;
const findingsList = () => findingsNow().length ? h('ul', {class: 'findings'},
  findingsNow().map(f => h('li', {}, h('b', {}, f.id), ': ', f.text,
    f.in_first === undefined ? '' : f.in_first ? ' (also in the first dump)' :
      ' (not in the first dump)', '. ', h('span', {class: 'soft'},
      wholeWords(f.advice)),
    keptLoaders(f.loaders || [])))) : null;
const drawFindings = () => {
  $('findings').hidden = !findingsNow().length;
  fill($('finding-list'), findingsList());
};
// The sentence about waste and its largest rows come from the program. A report
// about waste has the sentence below its headline.
const wasteSentence = () => DATA.waste ? [DATA.waste.words, '.'] : [];
const wasteParts = () => [KEY.partsOfHeap ? null : h('p', {class: 'say'},
  wasteSentence()), miniTable(['Waste and what holds it', 'Objects', 'Size'],
  DATA.waste.rows.map(([key, count, size, text]) => [[nameOf(key), text ?
    h('span', {class: 'soft'}, ' “' + text + '”') : null],
  count, size]))];
const drawWaste = () => {
  $('waste').hidden = !DATA.waste;
  if (DATA.waste) fill($('waste-list'), wasteParts());
};
// The parts of the growth: kept alive and garbage, and memory outside the heap.
const partsSentence = () => ANSWER.parts || ANSWER.outside ?
  h('p', {class: 'say'}, ANSWER.parts ?
    ['Of the growth: ', wholeWords(ANSWER.parts), '. '] : null,
  ANSWER.outside ? [wholeWords(ANSWER.outside), '.'] : null) : null;
// A sentence about the suspects: the first of them, or why there are none.
const suspectsSentence = () => ANSWER.sentence.map(x => Array.isArray(x) ?
  h('b', {}, x[0]) : wholeWords(x));
const timeOf = i => DATA.dumps[i].timestamp_ms;
const labelsOf = d => d.labels ? Object.entries(d.labels)
  .map(([k, v]) => k + '=' + v).join(' ') : '';
// The list of dumps: file, size, time and labels.
const drawDumps = () => h('ul', {class: MANY ? 'dumps soft' :
  'dumps one soft', 'aria-label': 'What was compared'},
DATA.compared.map(d => h('li', {}, MANY ? h('b', {}, d.word) : null,
  d.file ? h('code', {title: d.path}, clip(d.file, 200)) : null,
  h('span', {}, d.facts, d.problems ? h('b', {class: 'bad'},
    (d.facts ? ' · ' : '') + d.problems) : null))));
const leadParts = () => {
  const what = [DATA.heap ? 'heap ' + DATA.heap : '', DATA.filter ?
    'rows like ' + DATA.filter : ''].filter(Boolean);
  return [drawDumps(), what.length ?
    h('p', {class: 'over soft'}, what.join(', ')) : null,
  failedSentence(), h('h1', {}, headline()), partsSentence(),
  h('p', {class: 'say'},
    KEY.partsOfHeap ? wasteSentence() : suspectsSentence()),
  findingsLine()];
};
const drawLead = () => fill($('top'), leadParts());

// Two bars for before and after, or a line for more dumps.
const compareBars = ({values: v, texts}) => {
  const most = Math.max(...v, 1), width = x => x / most * 100 + '%';
  if (N > 2) return spark(v, 240, 40);
  return h('div', {class: 'versus'},
    h('span', {}, 'before'), h('i', {css: {'--a': width(v[0])}}),
    h('span', {}, texts[0]),
    h('span', {}, 'after'), h('i', {css: {
      '--a': width(Math.min(v[0], v[1])), '--b': width(v[1]),
      '--c': colorOf(v[1] > v[0] ? 3 : 0)}}),
    h('span', {}, texts[1]));
};
// A bar of parts with a legend below.
const shareBar = parts => [
  h('div', {class: 'shares', 'aria-hidden': 'true'}, parts.filter(p => p.value)
    .map(p => h('i', {css: {'flex-grow': p.value,
      background: 'var(--' + p.color + ')'}}))),
  h('div', {class: 'legend'}, parts.filter(p => p.text).map(p =>
    h('span', {}, h('i', {css: {background: 'var(--' + p.color + ')'}}),
      p.text)))];
const drawCard = c => h('div', {class: 'card ' + (c.mark || '')},
  h('h2', {}, c.title), h('div', {class: 'big'}, c.value),
  c.growth ? h('div', {class: 'sub ' + c.tone}, oneLine(c.growth),
    c.percent ? [', ', oneLine(c.percent)] : null) : null,
  c.note ? h('div', {class: 'sub'}, c.note) : null,
  c.line ? h('div', {class: 'line soft'}, c.line.map(x => Array.isArray(x) ?
    nameOf(x[0], 100) : wholeWords(x))) : null,
  c.bad ? h('div', {class: 'sub bad'}, c.bad) : null,
  c.values ? compareBars(c) : null, c.parts ? shareBar(c.parts) : null);
const drawCards = () => fill($('cards'), DATA.lead.cards.map(drawCard));

// A name that can be clicked. It opens a row; without a row, the box with this
// name; without a box, it searches the rows for the name, as by path.
const link = (name, act) => h('button', {type: 'button', class: 'link',
  onclick: e => act(e.currentTarget)}, nameOf(name));
let boxNames = null;
const boxNamed = name => {
  // boxes with larger numbers are smaller, and names come before classes
  const list = boxNames ? [] : (boxes || []).slice(1).reverse();
  boxNames = boxNames || new Map([...list.map(b => [b.kind, b]),
    ...list.map(b => [b.name, b])]);
  // a static field is in the box of its class
  return boxNames.get(name) || boxNames.get('class ' +
    name.replace(/\.[^.]* \(static\)$/, ''));
};
const nameButton = (name, row) => {
  const box = row ? null : boxNamed(name);
  if (row) return link(name, from => openRow(row, from));
  if (box) return link(name, () => showInTree(box));
  return !KEY.details && DATA.rows.length < 5000 &&
    DATA.rows.some(r => r.key.includes(name)) ? link(name, () => {
      searchRows(name.replace(/"|\[\*\]/g, ' '));
      go('rows');
    }) : nameOf(name);
};
const rowButton = (key, row) => nameButton(key, row || rowsByKey(key));
// The row of the class in a step of a path. A step is a class, a field of a
// class ("Shop.BUS (static)"), or the elements of a container
// ("java.util.ArrayList[*]").
const rowOfStep = step => {
  const name = step.replace(/ \(static\)$/, '');
  return [step, step.replace(/\[\*\]$/, ''), name.replace(/\.[^.]*$/, ''),
    step.replace(/^system class /, '')].map(rowsByKey).find(Boolean);
};
const stepButton = step => nameButton(step, rowOfStep(step));
// The value that a gate checked: of the last dump, or the growth.
const measured = row => row.text ? h('b', {class: row.tone || ''}, row.text) :
  null;
const gateMeasure = (g, i) => {
  const m = DATA.measured[i];
  if (m.total) return ['all rows: ', measured(m.rows[0])];
  return [m.rows.slice(0, m.listed).map((row, k) => [k ? ', ' : '',
    rowButton(g.rows[k], rowOf.get(idOf(g.rows[k], row.site))), ' ',
    measured(row)]), m.more];
};
const drawGates = () => {
  $('gates').hidden = !DATA.gates.length;
  fill($('gates'), h('ul', {class: 'gates'}, DATA.gates.map((g, i) =>
    h('li', {}, h('b', {class: g.tripped || !g.matched ? 'bad' : 'good'},
      g.tripped ? '✕ Failed' : g.matched ? '✓ Passed' : '? No row matches'),
    h('code', {}, g.gate), h('span', {}, g.blind ? 'counts only the ' +
      'objects of the rows, and passes; if it also counted the objects that ' +
      'they retain, it would fail' : gateMeasure(g, i))))));
};

// --- suspects ---------------------------------------------------------------
const drawSuspect = (s, i) => {
  const steps = s.path.split(' → '), a = ANSWER.suspects[i];
  const texts = DATA.suspect_texts[i];
  return h('li', {class: 'card suspect', id: 'suspect-' + (i + 1)},
    h('p', {}, h('span', {class: 'number', 'aria-hidden': 'true'}, i + 1),
      h('b', {}, a.label), ' ', h('span', {class: 'under'}, a.figures)),
    s.percent === undefined ? null :
      h('div', {class: 'share', 'aria-hidden': 'true'},
        h('i', {css: {width: s.percent + '%'}})),
    texts.path_of ? h('p', {class: 'soft'}, texts.path_of) : null,
    h('ol', {class: 'chain', 'aria-label': 'The path from the roots'},
      steps.map((step, k) => h('li',
        {class: k === steps.length - 1 && !s.element ? 'hot' : ''},
        stepButton(step))),
      s.element ? h('li', {class: 'hot'}, texts.elements,
        rowButton(s.element), changeAfter(texts.grew)) : null),
    texts.holds ? h('p', {class: 'soft'}, 'In it: ',
      texts.holds.map(([count, key, size], k) => [k ? ', ' : '', count, ' ',
        rowButton(key), ' ', oneLine(size)])) : null,
    a.evidence ? h('p', {class: 'soft'},
      capital(a.evidence.replace(/ ·$/, '')), '.') :
      null,
    s.loader ? h('p', {class: 'soft'}, 'Loaded by ', nameOf(s.loader), '.') :
      null,
    drawExamples(s),
    h('p', {class: 'soft'}, 'Object ', h('code', {}, s.object), ' · ',
      'next: ', h('code', {}, wholeWords(a.next.replace(/^next: /, '')))),
    a.box ? button('Show it in the tree', () => showInTree(boxes[a.box])) :
      null);
};
// The suspects in a box of the dominator tree, or in boxes inside of it, as
// indexes in PLACES.
const placesIn = b => !b.up ? [] : [...PLACES.keys()].filter(i => {
  let at = boxes && boxes[ANSWER.suspects[i].box];
  while (at && at !== b) at = at.up;
  return Boolean(at);
});
// The suspects that consist of objects of a class, or contain them.
const placesOf = key => [...PLACES.keys()].filter(i =>
  PLACES[i].class === key || PLACES[i].element === key);
const showSuspect = i => {
  const to = $('suspect-' + (i + 1));
  for (let x = to; x; x = x.parentElement)
    if (x.tagName === 'DETAILS') x.open = true;
  if (innerWidth < 1200 && !$('drawer').hidden) shut();
  go(to.id);
};
const suspectLinks = list => list.map(i => button(capital(
  DATA.suspect_words.noun) + ' ' + (i + 1) + ': ' +
  clip(ANSWER.suspects[i].label, 60), () => showSuspect(i)));
const drawSuspects = () => {
  const list = PLACES;
  $('suspects-h').textContent = DATA.suspect_words.heading;
  $('suspects').hidden = !list.length;
  $('pair').classList.toggle('two', list.length > 0);
  fill($('suspect-list'), h('ol', {class: 'suspects'},
    list.slice(0, 3).map(drawSuspect)),
  list.length > 3 ? h('details', {}, h('summary', {class: 'link'},
    formatCount(list.length - 3) + ' more'),
  h('ol', {class: 'suspects'}, list.slice(3).map((s, i) =>
    drawSuspect(s, i + 3)))) : null);
};

// --- where the growth is: before, then what was added and lost, then after. Rows
// that overlap have no sum, so they have neither before nor after. --
// The program chooses the bars and computes where each begins and ends.
const drawFalls = () => {
  const g = DATA.growth;
  $('growth').hidden = !g;
  if (!g) return;
  const most = Math.max(1, ...g.bars.flatMap(b => [b.from, b.to]),
    ...[g.before, g.after].filter(Boolean).map(v => v.value));
  const width = v => Math.max(0, v) / most * 100 + '%';
  const end = (word, v) => h('div', {class: 'fall end'}, h('b', {}, word),
    h('i', {css: {'--a': '0%', '--b': width(v.value),
      '--c': 'var(--strong)'}}), h('b', {}, v.text));
  const bar = b => {
    const line = [h('span', {class: 'what'}, b.word || nameOf(b.name),
      b.sub ? h('small', {class: 'soft'}, b.sub) : null),
    h('i', {css: {'--a': width(Math.min(b.from, b.to)),
      '--b': width(Math.max(b.from, b.to)),
      '--c': MANY ? colorOf(b.tone === 'up' ? 3 : -3) : 'var(--accent)'}}),
    h('b', {class: b.tone || ''}, b.text)];
    const act = b.box ? () => showInTree(boxes[b.box]) : b.row === undefined ?
      null : e => openRow(DATA.rows[b.row], e.currentTarget);
    return act ? h('button', {type: 'button', class: 'fall', onclick: act},
      line) : h('div', {class: 'fall'}, line);
  };
  $('growth-h').textContent = g.title;
  $('growth-note').textContent = g.note;
  fill($('falls'), g.before ? end('Before', g.before) : null, g.bars.map(bar),
    g.after ? end(MANY ? 'After' : 'All', g.after) : null);
};

// --- the tree of --why -------------------------------------------------------
const drawAsked = () => {
  $('why').hidden = !DATA.why;
  if (!DATA.why) return;
  fill($('why-h'), 'What keeps ', nameOf(DATA.why.of), ' alive');
  fill($('why-tree'), drawSteps(whySteps()));
};

// --- the stacks of threads (--stacks) ----------------------------------------
const THREADS = 10;
// take: returns the texts of the next local variable or value
const drawLocals = (list, take) => list.length ? h('ul', {}, list.map(x => {
  const [times, retains, keeps] = take(3);
  return h('li', {}, x.field ? [h('code', {}, x.field), ': '] : null, times,
    rowButton(x.class), h('span', {class: 'of'}, retains),
    keeps ? h('span', {class: 'tag bad'}, keeps) : null);
})) : null;
const drawThread = (s, i) => {
  const texts = DATA.thread_texts[i].map(x => DATA.texts[x]);
  let at = 0;
  const take = n => texts.slice(at, at += n), [times, retains] = take(2);
  return h('details', {class: 'site', open: s.out_of_memory},
    h('summary', {}, times, h('code', {}, s.key), h('span', {class: 'of'},
      retains), s.out_of_memory ? h('span', {class: 'tag bad'},
      'OutOfMemoryError') : null),
    s.frames.length ? h('ol', {class: 'stack'}, s.frames.map(f => h('li', {},
      f.frame === undefined ? h('span', {class: 'soft'},
        'in frames that are not known') : h('code', {}, f.frame),
      drawLocals(f.locals, take)))) :
      h('p', {class: 'soft'}, 'The dump has no stack of it.'),
    s.thread_locals ? [h('p', {class: 'soft'}, 'Values of ThreadLocals'),
      drawLocals(s.thread_locals, take)] : null);
};
const drawThreads = () => {
  const list = DATA.stacks || [];
  $('threads').hidden = !list.length;
  if (!list.length) return;
  fill($('thread-list'), list.slice(0, THREADS).map(drawThread),
    list.length > THREADS ? h('details', {}, h('summary', {class: 'link'},
      formatCount(list.length - THREADS) + ' more'),
    list.slice(THREADS).map((s, i) => drawThread(s, i + THREADS))) : null);
};

// --- three dumps and more ---------------------------------------------------
const spark = (v, w, height) => {
  const most = Math.max(...v, 1), x = i => 3 + i * (w - 6) / (v.length - 1);
  const y = a => height - 4 - a / most * (height - 8);
  const points = v.map((a, i) => x(i).toFixed(1) + ',' + y(a).toFixed(1));
  return svg('svg', {class: 'spark ' + tone(delta(v)), viewBox: '0 0 ' + w +
    ' ' + height, width: w, height, 'aria-hidden': 'true'},
  svg('polyline', {points: points.join(' ')}),
  svg('circle', {cx: x(v.length - 1), cy: y(v[v.length - 1]), r: 2.5}));
};
// The program chooses the lines, and writes the labels of the axes.
const drawTrend = () => {
  const chart = DATA.trend;
  $('trend').hidden = !chart;
  if (!chart) return;
  const rows = chart.lines.map(l => l.row === undefined ? {...l,
    key: ANSWER.suspects[l.suspect].label, short: PLACES[l.suspect].label,
    act: () => showSuspect(l.suspect)} : {...l, key: DATA.rows[l.row].key,
    act: () => openRow(DATA.rows[l.row])});
  const w = Math.max(320, $('lines').clientWidth), size = 7;
  // the labels of the lines may use two fifths of the picture
  const nameOfLine = r => r.short || splitName(r.key)[1];
  const widest = Math.max(...rows.map(r =>
    nameOfLine(r).length + r.growth.length + 1));
  const label = w > 640 ? Math.min(24 + size * widest, w * 0.4) : 8;
  const height = 300, left = 74, bottom = 26, top = 10, {most} = chart;
  const x = i => left + (w - left - label) * (chart.timed ? (timeOf(i) -
    timeOf(0)) / (timeOf(LAST) - timeOf(0)) : i / LAST);
  const y = v => top + (1 - v / most) * (height - top - bottom);
  const colors = ['--up-4', '--accent', '--good', '--down-4', '--bad',
    '--soft'].map(c => 'var(' + c + ')');
  const dashes = ['', '7 4', '2 3', '10 3 2 3', '4 4', '1 4'];
  // move labels so that they do not overlap, from the highest line down
  const order = rows.map((r, i) => ({r, i, at: y(r.values[LAST])}))
    .sort((a, b) => a.at - b.at);
  order.forEach((o, k) => {
    if (k) o.at = Math.max(o.at, order[k - 1].at + 19);
  });
  for (let k = order.length - 1, low = height - bottom; k >= 0; k--) {
    order[k].at = Math.min(order[k].at, low);
    low = order[k].at - 19;
  }
  // leave out times that would cover the one before, or the last
  const room = 8 * Math.max(...chart.times.map(t => t.length));
  let used = -Infinity;
  const drawn = chart.times.map((t, i) => {
    const from = x(i) - (i === LAST ? room : i ? room / 2 : 0);
    if (i < LAST && (from < used || i &&
      x(i) + room / 2 > x(LAST) - room)) return '';
    used = from + room;
    return t;
  });
  $('trend-note').textContent = chart.note;
  fill($('lines'), svg('svg', {viewBox: '0 0 ' + w + ' ' + height,
    width: w, height, role: 'img', 'aria-label': 'Lines of ' +
      rows.map(r => r.key).join(', ')},
  chart.ticks.map(([v, text]) => [svg('line', {class: 'grid', x1: left,
    x2: w - label, y1: y(v), y2: y(v)}),
  svg('text', {x: left - 8, y: y(v) + 4, 'text-anchor': 'end'}, text)]),
  drawn.map((t, i) => t && svg('text', {x: x(i), y: height - 6,
    'text-anchor': i === LAST ? 'end' : i ? 'middle' : 'start'}, t)),
  order.map(({r, i, at}) =>
    // a click on a line shows its suspect, or opens its row; with the keyboard,
    // the list of suspects and the table lead there
    svg('g', {class: 'pick', css: {color: colors[i]}, onclick: r.act},
      svg('polyline', {class: 'line', 'stroke-dasharray': dashes[i],
        points: r.values.map((a, k) => x(k).toFixed(1) + ',' +
          y(a).toFixed(1)).join(' ')}),
      r.values.map((a, k) => svg('circle', {cx: x(k), cy: y(a), r: 3.5},
        svg('title', {}, r.key + ' ' + r.texts[k]))),
      label > 8 ? [svg('path', {class: 'lead-line', d: 'M' +
        (x(LAST) + 5) + ' ' + y(r.values[LAST]) + 'L' + (x(LAST) + 20) + ' ' +
        at}),
      svg('text', {class: 'label', x: x(LAST) + 24, y: at + 4},
        clip(nameOfLine(r), Math.max(8, Math.floor((label - 24) / size) -
          r.growth.length - 1)) + ' ' + r.growth)] : null))));
  if (label <= 8) add($('lines'), [h('div', {class: 'legend'}, rows.map(
    (r, i) => h('span', {}, h('i', {css: {background: colors[i]}}),
      r.short || nameOf(r.key), ' ', r.growth)))]);
};
