// page_data.js - the values of rows, and everything that is computed from them
//
// The program computes the numbers and sentences of the page, chooses what is
// listed, and writes texts. The script lays them out. It computes numbers only
// in these cases:
//
// - The cells of the table, the table of values of an open row, and the boxes of
//   a treemap that are rows show the values of a row and their differences. The
//   table is sorted by these numbers, and the texts of all cells would double
//   the size of a page of 50,000 rows.
// - Only the page knows the search. So the script counts the rows that match, and
//   adds their values up.
// - The script counts the entries of a list that it has folded, such as the
//   steps of a long path or class loaders that the same path keeps.
// - Numbers that the JSON result also has, with only a unit added: the dumps
//   below "How this was made", and the objects in a suspect.
// - Positions, widths and colours follow from the values.
const N = DATA.dumps.length, LAST = N - 1, MANY = N > 1;
const KEY = DATA.key, HEAP = !KEY.events;
const GRAPH = Boolean(DATA.dominators);
const STACKS = Boolean(KEY.stacks);
const OWNERS = Boolean(KEY.owners);

// The columns of the rows. A value is formatted by the unit of its column; in a
// sentence it also gets a noun.
const COLUMNS = DATA.table;
const columnOf = key => COLUMNS.find(c => c.key === key);
const SHOWS = {bytes: formatSize, percent: formatPercent};
const showOf = c => SHOWS[c.unit] || formatCount;
const sayOf = c => c.unit === 'ms' ? v => formatCount(v) + ' ms' :
  c.one ? v => plural(v, c.one) : showOf(c);
const RETAINED_SIZE = COLUMNS.find(c => c.retained && c.unit === 'bytes');
const RETAINED = Boolean(RETAINED_SIZE);
// The columns for bars, pictures and the headline: a size or time, and a count.
const MAIN = columnOf(DATA.weights[0]), SECOND = columnOf(DATA.weights[1]);

const delta = v => v[LAST] - v[0];
const words = {size: HEAP ? 'Size' : MAIN.title, grew: HEAP ? 'Growth' : 'Change',
  whole: KEY.whole};
const mainOf = r => r[MAIN.key];
const showMain = sayOf(MAIN), showCell = showOf(MAIN);
const keyWord = by => (DATA.keys[by] || {title: by}).title;
const nounOf = by => (DATA.keys[by] || {noun: 'rows'}).noun;

// The level of a change, from -4 to 4: four steps each for the share of a box
// that was removed or is new.
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
// With one dump, adjacent boxes get slightly different shades, by their names.
const shadeOf = name => {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = sum * 31 + name.charCodeAt(i) | 0;
  return 'var(--shade-' + (Math.abs(sum) % 3 + 1) + ')';
};
const inkOf = level => Math.abs(level) === 4 ? 'var(--on-4)' :
  'var(--on-fill)';

// The package of a class, as the program finds it for its sums.
const packageOf = key => {
  if (/^(boolean|byte|char|short|int|long|float|double)\[/.test(key))
    return '(arrays of primitives)';
  // remove the mark of a shortened name, and the number of an anonymous class
  const at = key.replace(/(\.\.\.#[0-9a-f]{16}|\.\d+)?(\[\])*$/, '')
    .replace(/[/(].*/s, '').lastIndexOf('.');
  return at > 0 ? key.slice(0, at) : '(no package)';
};
// The program computes all shares, percentages, averages and sums, and writes
// each of these texts once. Here a row has the index of a text.
//
// In a list for all rows, a negative number -N repeats the index before it N
// times. A row that is a sum has its own indexes. The sum of the rows that a
// search finds has no texts.
const unpack = list => {
  const all = [];
  for (const x of list)
    if (x < 0) for (let i = x; i < 0; i++) all.push(all[all.length - 1]);
    else all.push(x);
  return all;
};
const FIGURES = Object.fromEntries(Object.entries(DATA.figures)
  .map(([name, list]) => [name, unpack(list)]));
const figureOf = (r, name) => {
  const own = r.figures || FIGURES;
  return own[name] === undefined ? '' :
    DATA.texts[r.figures ? own[name] : own[name][r.at]] || '';
};
// Whether a row has equal values in all dumps. The result is cached, because it
// is requested often.
const compared = COLUMNS.filter(c => !c.asked || c.shown);
const isSame = r => compared.every(c => {
  const v = r[c.key];
  return !v || v.every(x => x === v[0]);
});
const isChanged = r => {
  if (r.same === undefined) r.same = isSame(r);
  return !r.same;
};

const views = [{by: DATA.by, rows: DATA.rows}];
const rowOf = new Map();
const rowsByKey = key => rowOf.get(key);
// Rows of --by=site for the same class have equal keys, so the site is a part
// of the id.
const idOf = (key, site) => key + '\n' + (site || '');
const prepareRows = () => {
  if (KEY.inPackages && !KEY.rollups)
    views.push({by: 'package', rows: DATA.packages});
  for (const [at, r] of DATA.rows.entries()) {
    r.at = at;
    if (!rowOf.has(r.key)) rowOf.set(r.key, r);
    rowOf.set(idOf(r.key, r.site), r);
  }
};
const plainRows = rows => rows.filter(r => !r.rollup);

// The texts of a box, which the program writes: its size, its change, and a note
// about the change, such as "(+35 %)".
const PAIR = MANY ? 2 : 1, TEXTS = MANY ? 3 : 1;
const textsAt = list => {
  const [size, change = '', note = ''] = list.map(i => DATA.texts[i]);
  return {size, change, note};
};
// The boxes of the dominator tree, linked to a tree; null without a graph. The
// box of a static field also has the class of its object, as kind. Further texts
// of a box are "12 objects" and, if it has several, "12 × ".
const boxes = GRAPH ? DATA.dominators.map((b, i) => {
  const at = i * (2 + TEXTS), [objects, times, ...texts] = DATA.box_texts
    .slice(at, at + 2 + TEXTS);
  return {name: b[1], kids: [], values: b.slice(2, 2 + PAIR),
    kind: b[2 + PAIR] || b[1], label: b[3 + PAIR],
    objects: DATA.texts[objects], times: DATA.texts[times], ...textsAt(texts)};
}) : null;
const linkBoxes = () => boxes.forEach((b, i) => {
  if (!i) return;
  b.up = boxes[DATA.dominators[i][0]];
  b.up.kids.push(b);
});
const first = b => MANY ? b.values[0] : 0;
const last = b => b.values[b.values.length - 1];
const change = b => last(b) - first(b);

// The row of class objects. They retain everything that static fields refer to,
// which is nearly the whole heap, so the row is shown apart.
const standsApart = r => r.key === 'java.lang.Class' && RETAINED;
const dumpName = path => path === '-' ? 'standard input' : path;
const tripped = new Map();
const trippedBy = r => tripped.get(idOf(r.key, r.site));
const prepareGates = () => DATA.gates.forEach((g, i) => g.rows.forEach(
  (key, k) => tripped.set(idOf(key, DATA.measured[i].rows[k].site), g.gate)));
