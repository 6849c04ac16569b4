// page_table.js - the table of rows: columns, order, search and hidden rows
const ROWS = 50, STEP = 450;
const state = {view: 0, sort: '', down: true, query: '', same: false,
  limit: ROWS, picked: new Map(), row: null};

// A column of the table has an id, a title, get (a number or text of a row),
// and show (formats it). A bar is drawn from "before" to the value. Columns
// marked "shy" are hidden at first, and "wide" ones are hidden on phones. Each
// column of COLUMNS gives one or more of them: its value and, with several
// dumps, its growth and earlier values.
const growthOf = (c, more) => ({id: idOfColumn(c) + '-growth', column: c,
  get: r => delta(r[c.key]), show: x => signed(x, showOf(c)), signed: true,
  ...more});
const valueOf = (c, more) => ({id: idOfColumn(c), column: c, title: c.title,
  get: r => r[c.key] ? r[c.key][LAST] : 0, show: showOf(c), ...more});
const idOfColumn = c => c === MAIN ? 'size' : c.key;
// The main size: its growth, its values in all dumps, and its share.
const mainColumns = wide => {
  const list = [], c = MAIN, name = words.size;
  if (MANY) {
    list.push(growthOf(c, {id: 'growth', title: words.grew, bar: 'growth',
      wide, sum: true}),
    {id: 'percent', column: c, title: words.grew + ' %', wide: true,
      signed: true, sum: true, get: r => mainOf(r)[0] ? delta(mainOf(r)) /
        mainOf(r)[0] : delta(mainOf(r)) ? Infinity : 0,
      show: (x, r) => figureOf(r, 'growth') ||
        formatGrowth(delta(mainOf(r)), mainOf(r)[0])},
    {id: 'before', column: c, title: name + ' before', shy: true, wide: true,
      sum: true, get: r => mainOf(r)[0], show: showCell});
    for (let i = 1; i < LAST; i++)
      list.push({id: 'at-' + (i + 1), title: name + ' ' + (i + 1), shy: true,
        wide: true, sum: true, get: r => mainOf(r)[i], show: showCell});
  }
  list.push(valueOf(c, {title: name, bar: 'size', wide: MANY, sum: true,
    before: MANY ? r => mainOf(r)[0] : null}),
  {id: 'share', title: 'Share', shy: MANY, wide: true, sum: true,
    get: r => mainOf(r)[LAST] / (DATA.whole[LAST] || 1) * 100,
    show: (x, r) => figureOf(r, 'share') || formatPercent(x)});
  return list;
};
// The count of the objects or events in the rows.
const secondColumns = c => [...MANY ? [
  growthOf(c, {title: '± ' + c.title, wide: true, sum: true}),
  {id: c.key + '-before', column: c, title: c.title + ' before', shy: true,
    wide: true, sum: true, get: r => r[c.key][0], show: showOf(c)}] : [],
valueOf(c, {sum: true})];
// Retained sizes overlap, so they have no sum.
const retainedColumns = () => [...MANY ? [growthOf(RETAINED_SIZE,
  {title: 'Retained growth', bar: 'growth'})] : [],
valueOf(RETAINED_SIZE, {bar: 'size', wide: true,
  before: MANY ? r => r[RETAINED_SIZE.key][0] : null}),
...COLUMNS.filter(c => c.retained && c !== RETAINED_SIZE)
  .map(c => valueOf(c, {shy: true, wide: true}))];
const otherColumns = c => DATA.rows.some(r => r[c.key]) ? [
  ...MANY && c.grows ? [growthOf(c, {title: '± ' + c.title, wide: true})] : [],
  valueOf(c, {wide: true, shy: c.asked && !DATA.columns})] : [];
const columnsOf = view => {
  const own = view.by === DATA.by;
  const kept = own && RETAINED && !OWNERS;
  const rest = COLUMNS.filter(c => c !== MAIN && c !== SECOND && !c.retained);
  const list = [{id: 'name', title: capital(keyWord(view.by)), text: true,
    get: r => r.key}, ...kept ? retainedColumns() : [],
  ...mainColumns(kept && MANY), ...SECOND ? secondColumns(SECOND) : []];
  if (HEAP && !OWNERS && SECOND)
    list.push({id: 'each', title: 'Bytes each', shy: true, wide: true,
      get: r => r[SECOND.key][LAST] ? mainOf(r)[LAST] / r[SECOND.key][LAST] : 0,
      show: (x, r) => figureOf(r, 'each') || '–'});
  if (own)
    list.push(...rest.filter(c => !c.asked || GRAPH || DATA.columns)
      .flatMap(otherColumns));
  // for sampled files: the margin of error of estimates
  const error = 'error_' + MAIN.key;
  if (own && DATA.total[error])
    list.push({id: 'margin', title: MANY ? '± growth, ' + MAIN.key :
      '± ' + MAIN.key, wide: true, get: r => MANY ? Math.hypot(r[error][0],
      r[error][LAST]) : r[error][0],
      show: (x, r) => figureOf(r, 'margin')});
  if (N > 2)
    list.push({id: 'steps', title: 'Every step', shy: true, wide: true,
      get: r => r.grows ? 1 : 0, show: x => x ? '▲ grows' : ''},
    {id: 'trend', title: 'Trend', wide: true, draw: r => spark(
      kept ? r[RETAINED_SIZE.key] : mainOf(r), 64, 24)});
  return list;
};
// Whether a column is shown. With --columns, the named columns are shown, and
// those that do not come from COLUMNS.
const isShown = c => state.picked.has(c.id) ? state.picked.get(c.id) :
  DATA.columns && c.column ? DATA.columns.includes(c.column.word) ||
    Boolean(c.column.ofKey) : !c.shy;
const viewNow = () => views[state.view];
// Whether rows are in the order of --sort, because no column was clicked yet.
const isAsGiven = () => DATA.sort && !state.view && !state.sort;
const defaultSort = view => {
  const ids = columnsOf(view).map(c => c.id);
  const kept = RETAINED ? RETAINED_SIZE.key : 'none';
  const grew = DATA.changed ? [kept + '-growth', 'growth'] : [];
  return [...grew, ...MANY && DATA.changed ? ['size'] : [kept, 'size']]
    .find(id => ids.includes(id));
};

// The texts of a row in which the search looks: the name and the frames.
const textsOf = r => r.frames ? [r.key, ...r.frames] : [r.key];
// The rows to show, in order. Only the first ones are drawn.
let shown = [];
const chooseRows = (view, sort) => {
  const match = searchFor(state.query, true);
  const rows = view.rows.filter(r => (!match || match(textsOf(r))) &&
    (!MANY || state.same || match || isChanged(r)));
  if (!sort) return rows;
  const keyed = rows.map(r => [sort.get(r), r]);
  const sign = state.down ? -1 : 1;
  keyed.sort(sort.text ?
    (a, b) => sign * (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) :
    (a, b) => (a[0] === b[0] ? 0 : a[0] < b[0] ? -sign : sign) ||
      (a[1].key < b[1].key ? -1 : 1));
  const list = keyed.map(k => k[1]);
  // java.lang.Class retains nearly everything, so it must not be the first row
  const apart = sort.column && sort.column.retained ? list.findIndex(standsApart) : -1;
  if (apart >= 0) list.push(...list.splice(apart, 1));
  return list;
};

const drawHead = (columns, sort) => fill($('head'), h('tr', {},
  columns.map(c => h('th', {scope: 'col', class: classOf({...c, bar: ''}),
    'aria-sort': c === sort ? state.down ? 'descending' : 'ascending' : null},
  c.draw ? h('span', {class: 'plain'}, c.title) :
    h('button', {type: 'button', 'data-column': c.id,
    onclick: () => {
      state.down = state.sort === c.id ? !state.down : !c.text;
      state.sort = c.id;
      drawTable();
      $('head').querySelector('[data-column="' + c.id + '"]').focus();
    }}, c.title, c === sort ? state.down ? ' ▼' : ' ▲' : '')))));
const classOf = c => (c.text ? 'text' : '') + (c.wide ? ' wide' : '') +
  (c.bar ? ' bar bar-' + c.bar : '');

// The range of a column's values; the largest value gets the longest bar.
const scaleOf = (c, rows) => {
  let low = 0, high = 0;
  for (const r of rows) {
    if (standsApart(r)) continue;
    const v = c.get(r), was = c.before ? c.before(r) : 0;
    if (v > high) high = v;
    if (v < low) low = v;
    if (was > high) high = was;
  }
  return [low, high];
};
const barOf = (c, r, [low, high]) => {
  const span = high - low || 1, v = c.get(r);
  const at = x => Math.min(100, Math.max(0, (x - low) / span * 100)) + '%';
  if (c.bar === 'growth')
    return {'--a': at(Math.min(0, v)), '--b': at(Math.max(0, v)),
      '--axis': at(0), '--c': v < 0 ? 'var(--down-2)' : 'var(--up-2)'};
  const was = c.before ? c.before(r) : v;
  return {'--a': at(Math.min(was, v)), '--b': at(Math.max(was, v)),
    '--c': v > was ? 'var(--up-2)' : 'var(--down-1)'};
};
const cellOf = (c, r, scale) => {
  if (c.draw) return h('td', {class: classOf(c)}, c.draw(r));
  const v = c.get(r);
  return h('td', {class: classOf(c) + (c.signed ? ' ' + tone(v) : ''),
    css: c.bar && scale && !standsApart(r) ? barOf(c, r, scale) : {}},
  c.show(v, r));
};
// With --by=path: the row may have grown only because objects moved there from
// another path.
let moved = null;
const movedOf = r => {
  moved = moved || new Map(DATA.moved_texts);
  return moved.get(r.at);
};
const movedText = ({moved: {from}}, text) => DATA.texts[text] +
  (from ? ': ' + from : '');
const nameCell = r => h('th', {scope: 'row', class: 'text'},
  h('button', {type: 'button', 'data-row': '', onclick: e =>
    openRow(r, e.currentTarget)}, nameOf(r.key)),
  trippedBy(r) ? h('span', {class: 'tag bad',
    title: 'fails ' + trippedBy(r)}, '✕ gate') : null,
  r.new ? h('span', {class: 'tag up'}, 'new') : null,
  r.moved ? h('span', {class: 'tag', title: movedText(r, movedOf(r))}, 'moved') : null,
  r.rollup ? h('span', {class: 'tag'}, 'sum of others') : null,
  N > 2 && r.grows ? h('span', {class: 'tag up'}, '▲ every step') : null,
  standsApart(r) && state.view === 0 ? h('span', {class: 'tag',
    title: 'retains all that static fields refer to'}, 'all classes') : null,
  r.frames && r.frames.length ? h('span', {class: 'frames soft'},
    clip(r.frames.slice(0, 3).join(' ← '), 200) +
    (r.frames.length > 3 ? ' ← …' : '')) : null);

// The sum of all rows that match, and of the rows that are not drawn. Rows that
// overlap have no sum.
const sumCells = (columns, rows) => columns.map(c => c.sum && !KEY.overlaps ?
  cellOf({...c, bar: ''}, sumOf(rows)) :
  h('td', {class: classOf({...c, bar: ''})}));
const sumOf = rows => {
  const sum = {sum: true, figures: {}}, columns = [MAIN, SECOND].filter(Boolean);
  for (const c of columns) sum[c.key] = new Array(N).fill(0);
  for (const r of rows) {
    if (r.rollup) continue;
    for (const c of columns)
      for (let i = 0; i < N; i++) sum[c.key][i] += r[c.key][i];
  }
  return sum;
};
const drawRow = (columns, scales, r) => {
  const tr = h('tr', {class: r === state.row ? 'open' :
    standsApart(r) ? 'apart' : null}, nameCell(r),
  columns.slice(1).map((c, i) => cellOf(c, r, scales[i + 1])));
  tr.row = r;
  return tr;
};
// Draw all rows again. A row that had the focus gets it back.
const drawBody = columns => {
  const had = document.activeElement?.closest('#body tr')?.row;
  const scales = columns.map(c => c.bar ? scaleOf(c, shown) : null);
  const sum = h('tr', {class: 'sum'}, h('th', {scope: 'row', class: 'text'},
    'Sum of ' + plural(plainRows(shown).length, 'row')),
  sumCells(columns.slice(1), shown));
  const here = shown.slice(0, state.limit);
  const rest = shown.slice(state.limit);
  fill($('body'), shown.length > 1 && !KEY.overlaps ? sum : null,
    here.map(r => drawRow(columns, scales, r)),
    rest.length ? h('tr', {class: 'rest'}, h('th', {scope: 'row',
      class: 'text'}, plural(rest.length, 'more row')),
    sumCells(columns.slice(1), rest)) : null,
    shown.length ? null : h('tr', {}, h('td', {class: 'text',
      colspan: columns.length}, state.query ? 'No row matches “' +
      state.query + '”.' : MANY ? 'No row changed.' : 'No rows.')));
  const again = had && [...$('body').rows].find(tr => tr.row === had);
  if (again) again.querySelector('[data-row]').focus({preventScroll: true});
};
const drawFound = () => {
  const view = viewNow(), all = view.rows.length;
  const same = MANY ? view.rows.filter(r => !isChanged(r)).length : 0;
  const parts = [formatCount(shown.length) + ' of ' +
    plural(all, 'row')];
  if (shown.length > state.limit) parts.push(formatCount(state.limit) +
    ' on the page');
  if (same && !state.same && !state.query)
    parts.push(formatCount(same) + ' did not change and are left out');
  if (view.rows.some(r => r.rollup))
    parts.push('sums of other rows do not count in the sum');
  if (RETAINED && !OWNERS && state.view === 0)
    parts.push('retained sizes overlap and have no sum');
  if (KEY.overlaps) parts.push('rows overlap and have no sum');
  if (isAsGiven()) parts.push('in the order of --sort=' + DATA.sort);
  if (DATA.cut) parts.push(plural(DATA.cut, 'row') + ' left out by --top');
  if (DATA.filter) parts.push('filtered by ' + DATA.filter);
  $('found').textContent = parts.join(' · ');
  $('same-label').hidden = !MANY || !same;
  $('same-text').textContent = formatCount(same) + ' unchanged';
  const left = shown.length - state.limit;
  fill($('more'), left > 0 ? [button('Show ' + formatCount(Math.min(left,
    STEP)) + ' more', () => addRows(STEP)), ' ', left > STEP && left < 5000 ?
    button('Show all ' + formatCount(shown.length), () => addRows(left)) :
    null] : null);
};
// Add rows below the present ones, so that the reader's place does not move.
const addRows = n => {
  const from = state.limit;
  state.limit += n;
  drawTable();
  const next = $('body').querySelectorAll('[data-row]')[from];
  if (next) next.focus({preventScroll: true});
};
const drawTable = () => {
  const view = viewNow(), all = columnsOf(view);
  if (!isAsGiven() && !all.some(c => c.id === state.sort)) {
    state.sort = defaultSort(view);
    state.down = true;
  }
  const columns = all.filter(c => isShown(c) || c.id === state.sort);
  const sort = all.find(c => c.id === state.sort);
  shown = chooseRows(view, sort);
  $('rows-h').textContent = capital(nounOf(view.by));
  $('table-caption').textContent = 'Rows by ' + keyWord(view.by);
  $('table').classList.toggle('roomy',
    columns.filter(c => c.bar).length < 3);
  drawHead(columns, sort);
  drawBody(columns);
  drawFound();
  drawPicker(all);
  fitTable();
  keepAddress();
};
// A table that is wider than the page scrolls in its own frame.
const fitTable = () => {
  const wrap = $('wrap');
  wrap.classList.remove('frame');
  wrap.removeAttribute('tabindex');
  if ($('table').offsetWidth > wrap.clientWidth + 1) {
    wrap.classList.add('frame');
    wrap.tabIndex = 0;
  }
};
const drawPicker = all => fill($('column-list'), all.filter(c => !c.text)
  .map(c => h('label', {class: 'check'}, dress(h('input',
    {type: 'checkbox', onchange: e => {
      state.picked.set(c.id, e.target.checked);
      if (!e.target.checked && state.sort === c.id) state.sort = '';
      const at = [...$('column-list').querySelectorAll('input')]
        .indexOf(e.target);
      drawTable();
      $('column-list').querySelectorAll('input')[at].focus();
    }}), {checked: isShown(c)}), c.title)));

let waiting = 0;
const searchRows = query => {
  state.query = query;
  state.limit = ROWS;
  if ($('search').value !== query) $('search').value = query;
  clearTimeout(waiting);
  waiting = setTimeout(drawTable, DATA.rows.length > 5000 ? 150 : 0);
};
const drawViews = () => {
  $('views').hidden = views.length < 2;
  if (views.length > 1)
    fill($('views'), choice('A row stands for', views.map((v, i) =>
      [i, capital(v.by)]), state.view, i => {
      state.view = i;
      state.sort = '';
      state.limit = ROWS;
      drawTable();
    }));
};
const startTable = () => {
  drawViews();
  $('search').value = state.query;
  $('search').addEventListener('input', e => searchRows(e.target.value));
  $('same').checked = state.same;
  $('same').addEventListener('change', e => {
    state.same = e.target.checked;
    drawTable();
  });
  document.addEventListener('click', e => {
    if (!$('columns').contains(e.target) && e.target.isConnected)
      $('columns').open = false;
  });
  $('table').addEventListener('keydown', e => {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    const all = [...$('body').querySelectorAll('[data-row]')];
    const at = all.indexOf(e.target);
    const to = all[at + (e.key === 'ArrowDown' ? 1 : -1)];
    if (at < 0 || !to) return;
    e.preventDefault();
    to.focus();
    if (state.row) openRow(to.closest('tr').row, to, true);
  });
};

// The address contains the search, the view, the order, the columns, the open
// row and the open box, so that it can be shared.
//
// The browser's button Back goes to the previous address. Opening and closing
// adds an entry to the history; a search or another order replaces the address
// of the present entry, because it is typed or clicked in small steps.
let restoring = true; // the page is being drawn from an address
const addressNow = () => {
  const p = new URLSearchParams(), picked = [...state.picked];
  if (state.view) p.set('by', viewNow().by);
  if (state.query) p.set('find', state.query);
  if (state.same && !DATA.all) p.set('all', '1');
  if (state.sort && (state.sort !== defaultSort(viewNow()) || !state.down))
    p.set('sort', (state.down ? '' : '-') + state.sort);
  if (picked.length)
    p.set('columns', picked.map(([id, on]) => (on ? '' : '-') + id).join());
  if (state.row) p.set('row', state.row.key);
  if (state.row && state.row.site) p.set('site', state.row.site);
  if (pictures.owners && pictures.owners.at.up)
    p.set('box', String(boxes.indexOf(pictures.owners.at)));
  return p;
};
const keepAddress = adds => {
  const p = addressNow();
  const to = p.size ? '#' + p : location.pathname + location.search;
  if (restoring || (p.size ? to : '') === location.hash) return;
  try {
    if (adds) history.pushState(null, '', to);
    else history.replaceState(null, '', to);
  } catch {
    return; // some viewers forbid changing the address
  }
};
// Set the state from the address. Returns the row and the box to open.
const readAddress = () => {
  const p = new URLSearchParams(location.hash.slice(1));
  const sort = p.get('sort') || '';
  const split = id => [id.replace(/^-/, ''), !id.startsWith('-')];
  state.view = Math.max(0, views.findIndex(v => v.by === p.get('by')));
  state.query = p.get('find') || '';
  state.same = DATA.all || !DATA.changed || p.has('all');
  [state.sort, state.down] = split(sort);
  state.picked = new Map((p.get('columns') || '').split(',').filter(Boolean)
    .map(split));
  const key = p.get('row'), site = p.get('site') || '';
  return {row: viewNow().rows.find(r => r.key === key &&
    (r.site || '') === site) || rowsByKey(key),
  box: boxes && boxes[Number(p.get('box'))] || null};
};
// Open what the address names, and close the rest.
const openFromAddress = ({row, box}) => {
  if (row) openRow(row);
  else if (!$('drawer').hidden) shut();
  if (box && pictures.owners.at !== box) pictures.owners.go(box, false);
};
const startHistory = open => {
  openFromAddress(open);
  restoring = false;
  addEventListener('popstate', () => {
    restoring = true;
    const to = readAddress();
    drawViews();
    $('search').value = state.query;
    $('same').checked = state.same;
    drawTable();
    openFromAddress(to);
    restoring = false;
  });
};
