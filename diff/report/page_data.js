// page_data.js - what the figures of a row are, and what is made of them
const N = DATA.dumps.length, LAST = N - 1, MANY = N > 1;
const HEAP = DATA.by !== 'cpu' && DATA.by !== 'monitor';
const GRAPH = Boolean(DATA.dominators);
const RETAINED = Boolean(DATA.total.retained_bytes);
const STACKS = ['site', 'cpu', 'monitor'].includes(DATA.by);
const OWNERS = DATA.by === 'dominator';

const delta = v => v[LAST] - v[0];
const words = HEAP ? {one: 'object', many: 'objects', size: 'Size',
  grew: 'Growth', whole: 'heap'} :
  DATA.by === 'cpu' ? {one: DATA.unit === 'ms' ? 'ms' : 'sample',
    many: DATA.unit, size: DATA.unit === 'ms' ? 'ms' : 'Samples',
    grew: 'Change', whole: DATA.unit === 'ms' ? 'CPU time' : 'CPU samples'} :
    {one: 'wait', many: 'waits', size: 'ms waited', grew: 'Change',
      whole: 'time waited for monitors'};
// What bars, pictures and the headline are about: bytes, samples, ms.
const mainOf = OWNERS ? r => r.retained_bytes :
  DATA.by === 'cpu' ? r => r.count : r => r.bytes;
const showMain = HEAP ? formatSize : v => formatCount(v) + ' ' +
  (DATA.by !== 'cpu' ? 'ms' : Math.abs(v) === 1 ? words.one : DATA.unit);
const showCell = HEAP ? formatSize : formatCount;
// The total is of all heaps, also where --heap shows the rows of one.
const totalOf = DATA.heap ? DATA.dumps.map(d => d.bytes) : mainOf(DATA.total);
// By holder an object counts several times; the headline is about the heap.
const heapOf = DATA.by === 'holder' ? DATA.dumps.map(d => d.bytes) : totalOf;
const objectsOf = DATA.by === 'holder' || DATA.heap ?
  DATA.dumps.map(d => d.objects) :
  OWNERS ? DATA.total.retained_count : DATA.total.count;
const rowNoun = {class: 'classes', package: 'packages', loader: 'loaders',
  heap: 'heaps', site: 'sites', cpu: 'methods', monitor: 'monitors',
  dominator: 'owners', holder: 'kinds of reference', path: 'paths'};
const keyWord = by => ({cpu: 'method', monitor: 'monitor and stack',
  site: 'class and stack', dominator: 'owner', holder: 'reference'})[by] || by;
const nounOf = by => rowNoun[by] || 'rows';

// Shares of what is new or gone, in four steps each: -4 to 4.
const levelOf = (before, after) => {
  const most = Math.max(before, after);
  if (!MANY || before === after || !most) return 0;
  const share = Math.abs(after - before) / most;
  if (share < 0.001) return 0;
  return Math.sign(after - before) *
    (share < 0.02 ? 1 : share < 0.2 ? 2 : share < 0.5 ? 3 : 4);
};
const colorOf = level => level === 0 ? 'var(--was)' :
  'var(--' + (level > 0 ? 'up-' : 'down-') + Math.abs(level) + ')';
// Of one dump boxes side by side differ a little, each by its name.
const shadeOf = name => {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = sum * 31 + name.charCodeAt(i) | 0;
  return 'var(--shade-' + (Math.abs(sum) % 3 + 1) + ')';
};
const inkOf = level => Math.abs(level) === 4 ? 'var(--on-4)' :
  'var(--on-fill)';

// Rows summed up by package; what sums others already is left out.
const packageOf = key => {
  if (/^(boolean|byte|char|short|int|long|float|double)\[/.test(key))
    return '(arrays of primitives)';
  // without the mark of a name that was cut, and an anonymous class's number
  const at = key.replace(/(\.\.\.#[0-9a-f]{16}|\.\d+)?(\[\])*$/, '')
    .replace(/[/(].*/s, '').lastIndexOf('.');
  return at > 0 ? key.slice(0, at) : '(no package)';
};
const sumByPackage = rows => {
  const sums = new Map();
  for (const r of rows) {
    const key = packageOf(r.key);
    let s = sums.get(key);
    if (!s) sums.set(key, s = {key, count: r.count.map(() => 0),
      bytes: r.bytes.map(() => 0)});
    r.count.forEach((v, i) => { s.count[i] += v; });
    r.bytes.forEach((v, i) => { s.bytes[i] += v; });
  }
  const list = [...sums.values()];
  for (const s of list)
    if (N > 2) s.grows = s.bytes.every((v, i) => !i || v > s.bytes[i - 1]);
  return list;
};
// A row that is as it was in all dumps; noted once, it is asked often.
const compared = ['count', 'bytes', 'retained_count', 'retained_bytes',
  'loaders', 'references', 'inclusive', ...(DATA.columns || []).filter(c =>
    ['largest', 'depth', 'native'].includes(c))];
const isSame = r => compared.every(id =>
  !r[id] || r[id].every(v => v === r[id][0]));
const isChanged = r => {
  if (r.same === undefined) r.same = isSame(r);
  return !r.same;
};

const views = [{by: DATA.by, rows: DATA.rows}];
const rowOf = new Map();
const rowsByKey = key => rowOf.get(key);
// Sites of one class have one key.
const idOf = (key, site) => key + '\n' + (site || '');
const prepareRows = () => {
  if (DATA.by === 'class')
    views.push({by: 'package', rows: sumByPackage(DATA.rows)});
  for (const r of DATA.rows) {
    if (!rowOf.has(r.key)) rowOf.set(r.key, r);
    rowOf.set(idOf(r.key, r.site), r);
  }
};
const plainRows = rows => rows.filter(r => !r.rollup);

// The boxes of the dominator tree, linked; null without a graph.
// A static field's has the class of what it names, too.
const PAIR = MANY ? 2 : 1;
const boxes = GRAPH ? DATA.dominators.map(b => ({name: b[1], kids: [],
  count: b.slice(2, 2 + PAIR), values: b.slice(2 + PAIR, 2 + 2 * PAIR),
  kind: b[2 + 2 * PAIR] || b[1]})) : null;
const linkBoxes = () => boxes.forEach((b, i) => {
  if (!i) return;
  b.up = boxes[DATA.dominators[i][0]];
  b.up.kids.push(b);
});
const first = b => MANY ? b.values[0] : 0;
const last = b => b.values[b.values.length - 1];
const change = b => last(b) - first(b);

// Class objects as such keep what their static fields keep: nearly all.
const standsApart = r => r.key === 'java.lang.Class' && RETAINED;
const fileName = path => path.replace(/^.*\/(?=.)/s, '');
const tripped = new Map();
const trippedBy = r => tripped.get(idOf(r.key, r.site));
const prepareGates = () => DATA.gates.forEach((g, i) => g.rows.forEach(
  (key, k) => tripped.set(idOf(key, DATA.measured[i].rows[k].site), g.gate)));
