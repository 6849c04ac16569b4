{
showPage();
const data = DATA;
const n = data.dumps.length, many = n > 1, cpu = data.by === 'cpu';
const el = (tag, text, name) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
};
const by = id => document.getElementById(id);
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
const size = v => {
  let a = Math.abs(v), u = 0;
  while (a >= 1024 && u < 6) { a /= 1024; u++; }
  return (v < 0 ? '-' : '') + (u ? a.toFixed(1) : a) + ' ' + units[u];
};
const count = v => String(v).replace(/[0-9](?=([0-9]{3})+$)/g, '$&,');
const plus = (v, f) => (v > 0 ? '+' : '') + f(v);
const tone = v => v > 0 ? 'up' : v < 0 ? 'down' : '';
const value = r => cpu ? r.count : r.bytes;
const last = r => value(r)[n - 1];
const growth = r => many ? value(r)[n - 1] - value(r)[0] : value(r)[0];
const unit = data.unit || 'samples';
const monitor = data.by === 'monitor';
const show = v => cpu ? count(v) + ' ' + unit :
  monitor ? count(v) + ' ms' : size(v);

/* What was compared. */
by('title').textContent = many ? 'Heap growth' : 'Heap histogram';
by('map').textContent = many ? 'Growth' : 'Sizes';
data.dumps.forEach((d, i) => {
  const l = d.layout || data.layout;
  by('dumps').append(el('p', (many ? (i + 1) + '. ' : '') + d.path + ': ' +
    d.dialect + ', ' + (d.timestamp_ms ? new Date(d.timestamp_ms)
    .toISOString().replace('T', ' ').replace(/[.].*/, ' UTC, ') : '') + (cpu ? count(d.objects) + ' ' + unit :
    count(d.objects) + (monitor ? ' waits, ' : ' objects, ') + show(d.bytes)) +
    (i && !d.layout || cpu ? '' : ' (layout ' + l.source + ': references ' +
    l.reference + ', headers ' + l.header + ' and ' + l.array_header +
    ', alignment ' + l.alignment + ')') + (d.partial ? ', partial' : '')));
});
if (many && !data.changed)
  by('treemap-none').textContent = 'Nothing changed.';
data.gates.forEach(g => {
  const p = el('p', (g.tripped ? 'Failed: ' : g.matched ? 'Passed: ' :
    'No row matches: ') + g.gate +
    (g.rows.length ? ' (' + g.rows.join(', ') + ')' : ''),
    g.tripped || !g.matched ? 'bad' : 'good');
  by('gates').append(p);
});

/* The table. */
const columns = [];
for (let i = 0; i < n; i++)
  columns.push({title: (cpu ? unit : 'count') + (many ? ' ' + (i + 1) : ''),
    get: r => r.count[i], show: count});
for (let i = 0; i < n; i++)
  columns.push(cpu ?
    {title: 'inclusive' + (many ? ' ' + (i + 1) : ''),
      get: r => r.inclusive[i], show: count} :
    {title: (monitor ? 'ms' : 'bytes') + (many ? ' ' + (i + 1) : ''),
      get: r => r.bytes[i], show: monitor ? count : size});
if (many) {
  columns.push({title: 'growth, ' + (cpu ? unit : 'count'),
    get: r => r.delta_count, show: v => plus(v, count), tone: true});
  if (!cpu) columns.push({title: 'growth, bytes', get: r => r.delta_bytes,
    show: v => plus(v, size), tone: true});
}
/* Of files whose objects were sampled: how far estimates may be off. */
if (data.total.error_bytes)
  columns.push({title: many ? '± growth, bytes' : '± bytes',
    get: r => many ? Math.hypot(r.error_bytes[0], r.error_bytes[n - 1]) :
      r.error_bytes[0], show: v => size(Math.floor(v))});
if (n > 2) columns.push({title: 'every step', get: r => r.grows ? 1 : 0,
  show: v => v ? 'grows' : '', tone: true});
if (data.by === 'loader')
  columns.push({title: 'loaders', get: r => r.loaders[n - 1],
    show: count});
columns.push({title: data.by, key: true, get: r => r.key});
let order = null, down = true, page = 200;
const drawHead = () => {
  const tr = el('tr');
  columns.forEach(c => {
    const th = el('th', undefined, c.key ? 'key' : '');
    const b = el('button', c.title + (order === c ? down ? ' ▼' : ' ▲' : ''));
    th.scope = 'col';
    if (order === c) th.setAttribute('aria-sort',
      down ? 'descending' : 'ascending');
    b.onclick = () => {
      down = order === c ? !down : !c.key;
      order = c;
      draw();
      by('head').querySelectorAll('button')[columns.indexOf(c)].focus();
    };
    th.append(b);
    tr.append(th);
  });
  by('head').replaceChildren(tr);
};
const text = r => (r.key + ' ' + (r.frames || []).join(' ')).toLowerCase();
const draw = () => {
  const want = by('search').value.toLowerCase();
  let rows = data.rows.filter(r => !want || text(r).includes(want));
  if (order) {
    rows = rows.slice().sort((a, b) => {
      const x = order.get(a), y = order.get(b);
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
    });
  }
  drawHead();
  const body = by('body');
  body.replaceChildren();
  rows.slice(0, page).forEach(r => {
    const tr = el('tr');
    columns.forEach(c => {
      const v = c.get(r);
      const td = el('td', c.key ? v : c.show(v), c.key ? 'key' :
        c.tone ? tone(v) : '');
      if (c.key && r.frames && r.frames.length) {
        const ol = el('ol');
        r.frames.forEach(f => ol.append(el('li', f)));
        td.append(ol);
      }
      tr.append(td);
    });
    body.append(tr);
  });
  by('found').textContent = count(rows.length) + ' rows' +
    (rows.length > page ? ', ' + page + ' shown' : '');
  by('more').hidden = rows.length <= page;
};
by('search').oninput = () => { page = 200; draw(); };
by('more').onclick = () => { page += 1000; draw(); };
draw();

/* A box of a chart: a button that says what it is. */
const red = 'hsl(8 70% 72%)', green = 'hsl(140 45% 68%)';
const blue = 'hsl(212 60% 76%)';
const box = (chart, x, y, w, h, label, color, act) => {
  const b = el('button', w > 40 && h > 12 ? label : '');
  b.title = label;
  b.setAttribute('aria-label', label);
  b.style.cssText = 'left:' + x + 'px;top:' + y + 'px;width:' +
    Math.max(w, 1) + 'px;height:' + h + 'px;background:' + color +
    (w < 12 || h < 6 ? ';padding:0' : '') +
    (w < 4 || h < 4 ? ';border-width:0 1px 1px 0' : '');
  b.onclick = act;
  chart.append(b);
};

/* The treemap: halves of about the same weight, along the longer side. */
const treemap = () => {
  const chart = by('treemap'), width = chart.clientWidth, height = 420;
  const items = data.rows.filter(r => !r.rollup && growth(r) > 0)
    .sort((a, b) => growth(b) - growth(a)).slice(0, 200);
  chart.replaceChildren();
  chart.style.height = items.length ? height + 'px' : '0';
  by('treemap-none').hidden = items.length > 0;
  const todo = items.length ? [[items, 0, 0, width, height]] : [];
  while (todo.length) {
    const [part, x, y, w, h] = todo.pop();
    if (part.length === 1) {
      const r = part[0];
      box(chart, x, y, w, h, r.key + ' ' + (many ? '+' : '') +
        show(growth(r)), many ? red : blue, () => {
        by('search').value = r.key;
        page = 200;
        draw();
        by('search').focus();
      });
      continue;
    }
    const sum = part.reduce((s, r) => s + growth(r), 0);
    let half = growth(part[0]), cut = 1;
    while (cut < part.length - 1 && half + growth(part[cut]) / 2 < sum / 2)
      half += growth(part[cut++]);
    const share = half / sum, a = part.slice(0, cut), b = part.slice(cut);
    if (w > h) todo.push([b, x + w * share, y, w * (1 - share), h],
      [a, x, y, w * share, h]);
    else todo.push([b, x, y + h * share, w, h * (1 - share)],
      [a, x, y, w, h * share]);
  }
};

/* The flame graph: root first, as wide as what lives there. */
const root = {name: 'all', first: 0, last: 0, kids: new Map(), up: null};
const grow = (node, r) => {
  node.first += many ? value(r)[0] : 0;
  node.last += last(r);
};
let deepest = 0, focus = root;
if (data.by === 'site' || cpu) {
  data.rows.filter(r => !r.rollup).forEach(r => {
    const path = (r.frames || []).slice().reverse();
    if (!cpu) path.push(r.key);
    let node = root;
    grow(root, r);
    path.forEach(name => {
      let kid = node.kids.get(name);
      if (!kid) {
        kid = {name, first: 0, last: 0, kids: new Map(), up: node};
        node.kids.set(name, kid);
      }
      node = kid;
      grow(node, r);
    });
    deepest = Math.max(deepest, path.length);
  });
}
const weight = node => Math.max(node.last, many ? node.first : 0);
/* Draws; returns which button is the focus's. */
const flame = () => {
  const chart = by('flame'), width = chart.clientWidth;
  const above = [];
  for (let p = focus; p; p = p.up) above.unshift(p);
  chart.replaceChildren();
  let depth = 0, bottom = 0;
  const one = (node, x, y, w) => {
    const d = node.last - node.first;
    box(chart, x, y, w, 18, node.name + ' ' + show(node.last) +
      (many ? ' (' + plus(d, v => show(v)) + ')' : ''),
      !many ? blue : d > 0 ? red : d < 0 ? green : blue, () => {
        focus = node;
        const at = flame();
        by('flame').querySelectorAll('button')[at].focus();
      });
    bottom = Math.max(bottom, y + 18);
  };
  above.forEach(p => one(p, 0, 18 * depth++, width));
  const todo = [[focus, 0, 18 * depth, width]];
  while (todo.length) {
    const [node, x, y, w] = todo.pop();
    let at = x;
    const kids = [...node.kids.values()];
    const sum = Math.max(weight(node),
      kids.reduce((s, k) => s + weight(k), 0));
    kids.sort((a, b) => weight(b) - weight(a)).forEach(k => {
      const kw = sum ? w * weight(k) / sum : 0;
      if (kw < 1.5) return;
      one(k, at, y, kw);
      todo.push([k, at, y + 18, kw]);
      at += kw;
    });
  }
  chart.style.height = bottom + 'px';
  return above.length - 1;
};
const charts = () => {
  treemap();
  if (data.by === 'site' || cpu) { by('flames').hidden = false; flame(); }
};
window.addEventListener('resize', charts);
charts();
Object.assign(window, {data, columns, by, count, size});
}
pageIsReady();
