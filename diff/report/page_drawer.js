// page_drawer.js - the drawer with the details of a row: its values, what keeps
// it alive, and what it retains
let openedFrom = null;
const figures = r => {
  const lines = COLUMNS.filter(c => r[c.key] && (!c.asked || GRAPH ||
    DATA.columns)).map(c => [c.title, r[c.key], showOf(c), figureOf(r,
    c === MAIN ? 'growth' : 'growth_' + c.key)]);
  return h('table', {class: 'figures'}, MANY ? h('thead', {}, h('tr', {},
    h('td', {}), ['Before', 'After', 'Change', N > 2 ? 'Trend' : '%']
      .map((t, i) => h('th', {scope: 'col', class: i > 2 ? 'last' : null},
        t)))) : null,
  h('tbody', {}, lines.map(([word, v, show, grew]) => h('tr', {},
    h('th', {scope: 'row', class: 'text'}, word), MANY ? [
      h('td', {}, show(v[0])), h('td', {}, show(v[LAST])),
      h('td', {class: tone(delta(v))}, signed(delta(v), show)),
      h('td', {class: 'last'}, N > 2 ? spark(v, 96, 24) :
        grew)] :
      h('td', {}, show(v[0]))))));
};
const eachKeeps = r => figureOf(r, 'retains') ? h('p', {}, MANY ?
  'The retained size grew by ' : 'Each retains ',
h('b', {}, figureOf(r, 'retains')), figureOf(r, 'retainers')) : null;

// Whether a row is a class with details. Packages, loaders and sites have none.
const isClass = r => KEY.details && DATA.rows.includes(r);
// The boxes of a row in the dominator tree, largest change first, and how many
// smaller ones are left out.
const placesOfRow = r => {
  const {more, own} = detailsOf(DATA.places, r);
  return {more, list: own.map(i => boxes[i])};
};
const drawKeepers = r => {
  if (!boxes) return null;
  const {more, list} = placesOfRow(r);
  const title = h('h3', {}, 'What keeps them alive');
  if (!list.length)
    return [title, h('p', {class: 'soft'}, r.key === 'java.lang.Class' ?
      'In the tree, class objects have the names of their classes.' :
      'None of them retains enough to have a box in the tree.')];
  return [title, h('p', {class: 'soft'}, 'The dominators, from the ' +
    'roots down, with retained sizes.'),
  list.map(b => {
    const way = [];
    for (let x = b; x.up; x = x.up) way.unshift(x);
    return h('ol', {class: 'chain'}, way.length > 7 ?
      [...way.slice(0, 3).map(drawStep), h('li', {class: 'soft'},
        plural(way.length - 6, 'step')), ...way.slice(-3).map(drawStep)] :
      way.map(drawStep));
  }),
  leftOut(more)];
};
const boxName = b => link(b.name, () => showInTree(b));
const drawStep = (b, i, all) => h('li',
  {class: i === all.length - 1 ? 'hot' : ''}, b.times, rowButton(b.name),
  b.kind === b.name ? null : [': ', rowButton(b.kind)],
  h('span', {class: 'of'}, b.label ? b.label + ' · ' : '', b.size,
    changeAfter(b.change)));
// What the objects of a row retain: rows with the index of a box, which has the
// name, and the texts of the number of objects, of their size and its change.
const drawKept = r => {
  const list = r.figures ? [] : (DATA.kept || []).filter(k => k[0] === r.at);
  return list.length ? [h('h3', {}, 'What they retain'),
    miniTable(['What', 'Objects', 'Retained', MANY ? 'Change' : null],
      list.map(([, box, ...texts]) => [boxName(boxes[box]),
        ...numberCells(texts)]))] : null;
};
// The cells of a table for numbers, as indexes of texts. With several dumps the
// last text is a change.
const numberCells = texts => texts.map((x, i) =>
  MANY && i === texts.length - 1 ? changed(DATA.texts[x]) : DATA.texts[x]);
const miniTable = (titles, rows) => scroller(titles[0],
  h('table', {class: 'mini'}, h('thead', {}, h('tr', {}, titles
    .filter(Boolean).map((t, i) => h('th', {scope: 'col',
      class: i ? '' : 'text'}, t)))), h('tbody', {}, rows.map(cells =>
    h('tr', {}, cells.filter(c => c !== null).map((c, i) => i ?
      h('td', {}, c) : h('th', {scope: 'row', class: 'text'}, c)))))));

// The kinds of references to the objects of a row, and those from its objects:
// the program has chosen them, and says how many others there are.
const referencesOf = (r, side) => {
  const all = DATA.references, size = 3 + PAIR;
  const [, more, ...list] = all && all[side].find(x => x[0] === r.at) || [];
  return {more, list: list.map(i => {
    const [from, field, held, ...numbers] = all.list.slice(i * size,
      (i + 1) * size);
    return {from: nameAt(from) + DATA.texts[field], held: nameAt(held),
      numbers};
  })};
};
const nameAt = x => typeof x === 'number' ? DATA.rows[x].key : x;
// The line below a list that says how many entries are left out.
const leftOut = more => DATA.texts[more] ?
  h('p', {class: 'soft'}, DATA.texts[more]) : null;
const drawReferences = (r, side, title, word, draw) => {
  const {more, list} = referencesOf(r, side);
  return list.length ? [h('h3', {}, title), miniTable([word, 'References',
    MANY ? 'Change' : null], list.map(x => [draw(x),
    ...numberCells(x.numbers)])), leftOut(more)] : null;
};
const drawHolders = r => [
  drawReferences(r, 'to', 'Who refers to them', 'Holder',
    x => stepButton(x.from)),
  drawReferences(r, 'from', 'What they refer to', 'Held',
    x => [nameOf(x.from), ' → ', rowButton(x.held)])];
// A change as the program wrote it, in the colour of its sign.
const toneOf = text => ({'+': 'up', '−': 'down'}[text[0]] || 'same');
const changed = text => h('span', {class: toneOf(text)}, text);

// Merged shortest paths. A node has a step, texts and children. Steps without
// branches have the same indentation. If many of them follow each other, those
// in the middle are folded at first.
const FLAT = 7;
const stepName = step => {
  const at = step.lastIndexOf(' → ');
  if (at < 0) return stepButton(step.trim());
  return [stepButton(step.slice(0, at).trim()), ' → ',
    rowButton(step.slice(at + 3))];
};
const pathLine = (node, depth) => {
  const [objects, grew = ''] = node.texts.map(i => DATA.texts[i]);
  return h('li', {class: (node.grew === undefined ? toneOf(grew) === 'up' :
    node.grew) ? 'hot' : '',
    css: {'margin-left': Math.min(depth, 12) * 1.2 + 'rem'}},
  stepName(node.step), h('span', {class: 'of'},
    node.label ? node.label + ' · ' : '', objects, changeAfter(grew)),
  node.moved ? h('span', {class: 'tag', title: movedText(node, node.says)}, 'moved') :
    null);
};
const foldLines = run => {
  if (run.length <= FLAT) return run;
  const inner = run.slice(3, -3);
  const fold = h('li', {}, h('button', {type: 'button', class: 'link soft',
    onclick: () => {
      const all = document.createDocumentFragment();
      fold.replaceWith(add(all, inner));
      inner[0].tabIndex = -1;
      inner[0].focus();
    }}, plural(inner.length, 'more step')));
  return [...run.slice(0, 3), fold, ...run.slice(-3)];
};
// The steps of --why: the program lists their texts in depth-first order.
const whySteps = () => {
  const todo = [...DATA.why.tree].reverse();
  for (let at = 0; todo.length; at += 1 + PAIR) {
    const node = todo.pop();
    [node.says, ...node.texts] = DATA.why_texts.slice(at, at + 1 + PAIR);
    for (const k of [...node.children || []].reverse()) todo.push(k);
  }
  return DATA.why.tree;
};
const drawSteps = tree => {
  const todo = tree.map(k => [k, 0]).reverse(), lines = [];
  let run = [];
  while (todo.length) {
    const [node, depth] = todo.pop(), kids = node.children || [];
    run.push(pathLine(node, depth));
    if (kids.length !== 1) {
      run[0].classList.add('begin');
      run[run.length - 1].classList.add('end');
      lines.push(...foldLines(run));
      run = [];
    }
    for (const k of [...kids].reverse())
      todo.push([k, depth + (kids.length > 1 ? 1 : 0)]);
  }
  return h('ol', {class: 'chain'}, lines);
};

// The paths of a row: [row, ...].
let pathsByRow = null;
const pathsOf = r => {
  if (!pathsByRow) {
    pathsByRow = new Map();
    for (const [at, ...rest] of DATA.paths.of) {
      if (!pathsByRow.has(at)) pathsByRow.set(at, []);
      pathsByRow.get(at).push(rest);
    }
  }
  return pathsByRow.get(r.at) || [];
};
// Merge the paths of a row to a tree. The program has the texts of those steps
// at which paths end or part; any other step has the texts of its only child.
const mergePaths = paths => {
  const nodes = new Map(), top = [];
  const nodeOf = step => {
    let node = nodes.get(step);
    if (node) return node;
    const [parent, text, label] = DATA.paths.steps[step - 1];
    node = {step: text, label, children: [], up: parent ? nodeOf(parent) :
      null};
    nodes.set(step, node);
    (node.up ? node.up.children : top).push(node);
    return node;
  };
  const known = paths.filter(p => p[0]).map(([step, ...texts]) =>
    Object.assign(nodeOf(step), {texts}));
  for (const node of known)
    for (let up = node.up; up && !up.texts; up = up.up)
      up.texts = node.texts;
  return top;
};
const drawPaths = r => {
  const title = h('h3', {}, 'Paths from the roots');
  if (DATA.why && globMatches(DATA.why.of, r.key))
    return [title, drawSteps(whySteps())];
  if (!DATA.paths || standsApart(r)) return null;
  const paths = pathsOf(r), rest = paths.find(p => !p[0]);
  return [title, paths.length ? [h('p', {class: 'soft'},
    'The shortest paths, merged by names' + (MANY ?
      '; orange steps have more objects than before.' : '.')),
  drawSteps(mergePaths(paths)), rest ? h('p', {class: 'soft'},
    DATA.texts[rest[1]]) : null] :
    h('p', {class: 'soft'}, 'Paths are shown for the rows that ' + (MANY ?
      'changed' : 'retain') + ' most. For other rows, run ', h('code', {}, 'hprof-diff --why=\'' +
      clip(r.key, 300) + '\''))];
};

// The details of a row in one of the lists of the program: how many are left
// out, and the others.
const detailsOf = (list, r) => {
  const [, more, ...own] = (list || []).find(x => x[0] === r.at) || [];
  return {more, own};
};
// The loaders of the class: their number, and that of the objects.
const drawLoaders = r => {
  const {more, own} = detailsOf(DATA.loaders, r);
  if (!DATA.loaders || standsApart(r) || r.key.endsWith('[]') && !own.length)
    return null;
  const title = h('h3', {}, 'Loaded by');
  if (!own.length)
    return [title, h('p', {}, 'the VM itself ', h('span', {class: 'soft'},
      '(bootstrap)'))];
  return [title, miniTable(['Loader', 'Loaders', MANY ? 'Change' : null,
    'Objects', MANY ? 'Change ' : null], own.map(([loader, ...texts]) =>
    [nameOf(DATA.texts[loader]), ...numberCells(texts.slice(0, PAIR)),
      ...numberCells(texts.slice(PAIR))])), leftOut(more)];
};

// The allocation sites of the objects, if the dump has traces.
const drawSites = r => {
  const {more, own} = detailsOf(DATA.sites, r);
  return more === undefined ? null : [h('h3', {}, 'Allocated at'),
    own.map(([objects, grew, ...frames]) => h('details', {class: 'site'},
      h('summary', {}, h('code', {}, DATA.texts[frames[0]]),
        h('span', {class: 'of'}, DATA.texts[objects], changeAfter(DATA.texts[grew]))),
      h('ol', {class: 'stack'}, frames.map(f => h('li', {},
        h('code', {}, DATA.texts[f])))))), leftOut(more)];
};
// A change after a value, or nothing if the value has not changed.
const changeAfter = (text = '') => toneOf(text) === 'same' ? null :
  h('b', {class: toneOf(text)}, ' ' + text);
const drawFrames = r => r.frames && r.frames.length ? [h('h3', {},
  HEAP ? 'Allocated at' : 'Stack'), h('ol', {class: 'stack'},
  r.frames.map(f => h('li', {}, h('code', {}, f))))] : null;

const markOpen = () => {
  for (const tr of $('body').rows)
    tr.classList.toggle('open', Boolean(tr.row) && tr.row === state.row);
};
// from: the element that gets the focus when the drawer closes; stay: it keeps
// the focus now
const openRow = (r, from, stay) => {
  const d = $('drawer');
  if (from && !d.contains(from)) openedFrom = from;
  state.row = r;
  markOpen();
  const at = shown.indexOf(r), list = placesOfRow(r).list, ofClass = isClass(r);
  const move = (n, sign, word) => button(sign, () => openRow(shown[at + n]),
    {'aria-label': word, title: word, disabled: at < 0 || !shown[at + n]});
  fill(d, h('div', {class: 'drawer-head'}, h('h2', {id: 'drawer-h',
    tabindex: -1}, nameOf(r.key, Infinity)), move(-1, '↑', 'Row above'),
  move(1, '↓', 'Row below'), button('✕', shut, {'aria-label': 'Close',
    title: 'Close'})),
  trippedBy(r) ? h('p', {class: 'bad'}, '✕ fails the gate ',
    h('code', {}, trippedBy(r))) : null,
  r.moved ? h('p', {}, movedText(r, movedOf(r))) : null,
  figures(r), eachKeeps(r), drawFrames(r),
  ofClass || DATA.why ? drawPaths(r) : null,
  ofClass ? drawKeepers(r) : null, drawKept(r),
  ofClass ? [drawHolders(r), drawLoaders(r), drawSites(r)] : null,
  ofClass && !RETAINED ? h('p', {class: 'soft'},
    'To see what keeps them alive, use ', h('code', {}, '--retained'), '.') : null,
  h('p', {class: 'actions'},
    button(STACKS ? 'Only this name' : 'Only this row', () => {
      searchRows('"' + r.key + '"');
      go('rows');
    }),
    list.length ? button('Show it in the tree', () => showInTree(list[0])) :
      null,
    suspectLinks(placesOf(r.key)),
    button('Copy the name', () => copyText(r.key, 'Name copied'))));
  d.hidden = false;
  document.body.classList.add('drawn');
  d.scrollTop = 0;
  if (!stay) $('drawer-h').focus({preventScroll: true});
  keepAddress(!stay);
};
const shut = () => {
  // the table may have been drawn again since the row was opened
  const drawn = [...$('body').rows].find(tr => tr.row && tr.row === state.row);
  $('drawer').hidden = true;
  document.body.classList.remove('drawn');
  state.row = null;
  markOpen();
  if (openedFrom && openedFrom.isConnected)
    openedFrom.focus({preventScroll: true});
  else if (openedFrom && drawn)
    drawn.querySelector('[data-row]').focus({preventScroll: true});
  keepAddress(true);
};
