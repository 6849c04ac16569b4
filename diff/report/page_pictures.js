// page_pictures.js - pictures of nested boxes: dominators, stacks and packages
//
// A node has name, values (before and after, or one value for one dump), kids
// and up. It also has the texts of its values; a node that is a row does not.
const nameIn = b => b.up ? splitName(b.name)[1] || b.name : b.name;
const textsOfBox = b => b.row ? textsOfRow(b) : b;
// A row has no texts, as in the table: they are written when they are needed.
const textsOfRow = b => ({size: showMain(last(b)),
  change: MANY ? signed(change(b), showMain) : '', note: !MANY ? '' :
    change(b) ? '(' + figureOf(b.row, 'growth') + ')' : 'unchanged'});
const sayBox = b => {
  const {size, change: text, note} = textsOfBox(b);
  return [b.name + (b.kind && b.kind !== b.name ? ': ' + b.kind : ''), b.label,
    size, toneOf(text) === 'same' ? note : text + ' ' + note, b.objects]
    .filter(Boolean).join(', ');
};
const rowOfBox = b => rowsByKey(b.name) || rowsByKey(b.kind);
const weights = {after: last, before: first,
  growth: b => Math.abs(change(b))};
const widthChoices = (MANY ? [['after', 'After'], ['growth', 'Change'],
  ['before', 'Before']] : [['after', 'Size']]);
const colorLegend = () => MANY ? h('div', {class: 'legend ramp'}, 'shrank ',
  [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(l => h('i', {css:
    {background: colorOf(l)}})), ' grew') : null;

// Make a picture: its choices, the way from the root to the current node, the
// boxes, and a table of the boxes in the current node.
//
// draw(view, put) places the boxes and returns the height. put(node, left, top,
// width, height, lines, group) takes percent of the width, and pixels.
const makePicture = (place, {root, label, draw}) => {
  const p = {root, at: root, by: 'after', shown: new Map()};
  const crumbs = h('nav', {class: 'crumbs',
    'aria-label': label + ': the way here'});
  const area = h('div', {class: 'boxes', role: 'group', 'aria-label': label +
    ': arrow keys move, Enter goes in, Backspace goes back'});
  const hint = h('p', {class: 'hint soft', 'aria-hidden': 'true'});
  const side = h('div', {class: 'inside'});
  // lines: the text in the box, shortened; the label has the complete text
  const box = (b, left, top, width, height, lines, group) => {
    const level = levelOf(first(b), last(b));
    const e = h('button', {type: 'button', tabindex: -1,
      class: group ? 'group' : null, 'aria-label': [...lines, '']
        .join(' ') + sayBox(b), css: {
        left: left + '%', top: top + 'px', width: width + '%',
        height: height + 'px', background: group ? null : MANY ? colorOf(level) :
          shadeOf(b.name),
        color: group ? null : inkOf(level)}}, lines.map((line, i) =>
      [i ? ' ' : '', h(i ? 'span' : 'b', {}, line)]));
    e.node = b;
    p.shown.set(b, e);
    area.append(e);
  };
  p.go = (node, focus) => {
    p.at = node;
    p.draw();
    keepAddress(true);
    const e = p.shown.get(node) || area.firstChild;
    if (e) {
      e.tabIndex = 0;
      if (focus) e.focus({preventScroll: true});
    }
  };
  p.draw = () => {
    const way = [];
    for (let b = p.at; b; b = b.up) way.unshift(b);
    fill(crumbs, way.map((b, i) => [i ? ' › ' : '', b === p.at ?
      h('b', {'aria-current': 'location'}, nameOf(b.name)) :
      h('button', {type: 'button', class: 'link', onclick: () =>
        p.go(b, true)}, nameOf(b.name))]));
    p.shown.clear();
    area.replaceChildren();
    area.style.height = draw(p, box) + 'px';
    if (area.firstChild) area.firstChild.tabIndex = 0;
    hint.textContent = sayBox(p.at);
    drawInside();
  };
  const drawInside = () => {
    const kids = [...p.at.kids].sort((a, b) =>
      weights[p.by](b) - weights[p.by](a)).slice(0, 12);
    fill(side, h('table', {}, h('caption', {}, 'Directly in ',
      nameOf(p.at.name)), h('thead', {}, h('tr', {},
      h('th', {class: 'text', scope: 'col'}, 'What'),
      h('th', {scope: 'col'}, words.size), MANY ?
        h('th', {scope: 'col'}, words.grew) : null)),
    h('tbody', {}, kids.map(b => h('tr', {}, h('th', {class: 'text',
      scope: 'row'}, h('button', {type: 'button', class: 'link',
      onclick: () => p.go(b, true)}, nameOf(b.name))),
    h('td', {}, textsOfBox(b).size), MANY ? h('td', {},
      changed(textsOfBox(b).change)) : null)),
    p.at.kids.length ? null : h('tr', {}, h('td', {class: 'text soft',
      colspan: 3}, 'Nothing that is large enough to show.')))),
    rowOfBox(p.at) ? button('Open this row', e =>
      openRow(rowOfBox(p.at), e.currentTarget)) : null,
    suspectLinks(placesIn(p.at)));
  };
  area.addEventListener('click', e => {
    const b = e.target.closest('button');
    if (b) p.go(b.node === p.at && b.node.up ? b.node.up : b.node, true);
  });
  for (const type of ['mouseover', 'focusin'])
    area.addEventListener(type, e => {
      const b = e.target.closest('button');
      if (b) hint.textContent = sayBox(b.node);
    });
  area.addEventListener('mouseleave', () => {
    hint.textContent = sayBox(p.at);
  });
  area.addEventListener('keydown', e => {
    const b = e.target.node;
    if (!b) return;
    const line = (b.up ? b.up.kids : [b]).filter(k => p.shown.has(k))
      .sort((x, y) => x === b.up ? 0 : weights[p.by](y) - weights[p.by](x));
    const at = line.indexOf(b);
    const to = {ArrowRight: line[at + 1], ArrowLeft: line[at - 1],
      ArrowUp: b.up, ArrowDown: b.kids.filter(k => p.shown.has(k))
        .sort((x, y) => weights[p.by](y) - weights[p.by](x))[0]}[e.key];
    if (e.key === 'Backspace' && p.at.up) p.go(p.at.up, true);
    else if (to && p.shown.has(to)) {
      e.target.tabIndex = -1;
      p.shown.get(to).tabIndex = 0;
      p.shown.get(to).focus();
    } else if (!e.key.startsWith('Arrow')) return;
    e.preventDefault();
  });
  fill(place, h('div', {class: 'controls'}, widthChoices.length > 1 ?
    choice('The size of a box is', widthChoices, 'after', by => {
      p.by = by;
      p.draw();
    }) : null, colorLegend()), crumbs,
  h('div', {class: 'picture'}, h('div', {}, area, hint), side));
  return p;
};

// The lines of a box for its value: the size and, if it changed, the change.
const valueLines = b => {
  const {size, change: text} = textsOfBox(b);
  return toneOf(text) === 'same' ? [size] : [size, text];
};

// An icicle picture: one row of boxes for each level. It is used for dominators
// and stacks.
const LINE = 22, DEEPEST = 40;
const drawIcicle = (p, put) => {
  const weigh = weights[p.by], todo = [];
  let depth = 0, bottom = 0;
  const one = (b, left, top, width) => {
    put(b, left, top, width, LINE - 1, width > 2.2 ? [nameIn(b),
      ...width > 14 ? valueLines(b) : []] : []);
    bottom = Math.max(bottom, top + LINE);
  };
  const way = [];
  for (let b = p.at; b; b = b.up) way.unshift(b);
  for (const b of way.slice(-4)) one(b, 0, LINE * depth++, 100);
  todo.push([p.at, 0, depth, 100]);
  while (todo.length) {
    const [b, left, level, width] = todo.pop();
    const sum = Math.max(weigh(b), b.kids.reduce((s, k) => s + weigh(k), 0));
    let at = left;
    if (level - depth >= DEEPEST || !sum) continue;
    for (const k of [...b.kids].sort((x, y) => weigh(y) - weigh(x))) {
      const w = width * weigh(k) / sum;
      if (w < 0.15) break;
      one(k, at, LINE * level, w);
      // thin boxes have no names, so a deep tower of them only takes space
      if (w >= 0.4) todo.push([k, at, level + 1, w]);
      at += w;
    }
  }
  return bottom;
};

// A squarified treemap, which shows several levels at once.
//
// Source: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000
const squarify = (items, x, y, w, height, place) => {
  const all = items.filter(i => i.size > 0);
  let begin = 0, total = all.reduce((s, i) => s + i.size, 0);
  while (begin < all.length && w > 0 && height > 0) {
    const side = Math.min(w, height), scale = w * height / total;
    let end = begin, sum = 0, worst = Infinity;
    for (; end < all.length; end++) {
      const s = sum + all[end].size, long = s * scale / side;
      const ratio = Math.max(...[all[begin], all[end]].map(i => {
        const short = i.size * scale / long;
        return Math.max(short / long, long / short);
      }));
      if (end > begin && ratio > worst) break;
      sum = s;
      worst = ratio;
    }
    const thick = sum * scale / side;
    let at = w < height ? x : y;
    for (const item of all.slice(begin, end)) {
      const long = item.size * scale / thick;
      if (w < height) place(item, at, y, long, thick);
      else place(item, x, at, thick, long);
      at += long;
    }
    if (w < height) { y += thick; height -= thick; } else {
      x += thick;
      w -= thick;
    }
    total -= sum;
    begin = end;
  }
};
const drawTreemap = width => (p, put) => {
  const w = Math.max(280, width()), height = w < 600 ? 360 : 460;
  const weigh = weights[p.by];
  const inside = (b, x, y, bw, bh, deep) => {
    const items = b.kids.map(k => ({k, size: weigh(k)}))
      .sort((m, n) => n.size - m.size);
    squarify(items, x, y, bw, bh, ({k}, kx, ky, kw, kh) => {
      if (kw < 2 || kh < 2) return;
      const group = k.kids.length && deep < 3 && kw > 70 && kh > 44;
      const lines = kw > 38 && kh > 15 ? [clip(nameIn(k), 60),
        ...group || kh > 34 ? valueLines(k).slice(0, !group && kh > 50 ?
          2 : 1) : []] : [];
      put(k, kx / w * 100, ky, (kw - 1) / w * 100, kh - 1, lines, group);
      if (group) inside(k, kx + 2, ky + 19, kw - 5, kh - 22, deep + 1);
    });
  };
  inside(p.at.kids.length ? p.at : {kids: [p.at]}, 0, 0, w, height, 0);
  return height;
};
// The sums of packages and of stacks come from the program: here the nodes of
// its lists are linked to trees.
const treeOf = (list, nameOfNode) => {
  const nodes = [];
  list.forEach((n, i) => {
    const up = i ? nodes[n[0]] : undefined;
    const at = n.length - PAIR - TEXTS;
    const node = {kids: [], up, values: n.slice(at, at + PAIR),
      ...textsAt(n.slice(-TEXTS))};
    node.name = nameOfNode(n, node, i);
    if (up) up.kids.push(node);
    nodes.push(node);
  });
  return nodes;
};
// The treemap of packages, with a box for each of @list in its package: name,
// package and box. A package with only one part is merged with it.
const makePackages = list => {
  const map = new Map();
  const nodes = treeOf(DATA.treemap, (n, node, i) => {
    const name = node.up && node.up.up ? node.up.name + '.' + n[1] : n[1];
    if (i) map.set(name, node);
    return i ? name : 'all packages';
  });
  const packages = new Set(nodes);
  for (const {pack, ...leaf} of list) {
    // the program joins packages of more levels than real programs have
    let name = pack;
    while (!map.has(name) && name.includes('.'))
      name = name.slice(0, name.lastIndexOf('.'));
    const up = map.get(name) || nodes[0];
    up.kids.push({...leaf, kids: [], up});
  }
  for (const b of nodes)
    while (b.up && packages.has(b) && b.kids.length === 1 &&
      packages.delete(b.kids[0])) {
      b.name = b.kids[0].name;
      b.kids = b.kids[0].kids;
      for (const k of b.kids) k.up = b;
    }
  return nodes[0];
};
const packageLeaves = () => DATA.owners ? DATA.owners.map(o => ({name: o[0],
  pack: packageOf(o[0]), values: o.slice(1, 1 + PAIR),
  ...textsAt(o.slice(-TEXTS))})) :
  plainRows(DATA.rows).map(r => ({row: r, name: KEY.rollups ? r.key + '.*' : r.key,
    pack: KEY.rollups ? r.key : packageOf(r.key), values: MANY ?
      [mainOf(r)[0], mainOf(r)[LAST]] : mainOf(r)}));
const makeStacks = () => treeOf(DATA.flame, (n, node, i) => !i ? 'all ' +
  words.whole : n[1] < 0 ? '(rows that are not in this report)' :
  n[2] < 0 ? DATA.rows[n[1]].key : DATA.rows[n[1]].frames[n[2]])[0];

const pictures = {};
const clickHint = () => h('span', {class: 'screen'}, 'Click to go in.');
const drawPictures = () => {
  if (GRAPH) {
    $('owners').hidden = false;
    boxes[0].name = 'the roots';
    pictures.owners = makePicture($('owners-picture'), {root: boxes[0],
      label: 'Dominator tree', draw: drawIcicle});
  }
  if (DATA.flame) {
    $('stacks').hidden = false;
    fill($('stacks-note'), capital(KEY.stacks) + ', outermost frames on top. ',
      clickHint());
    pictures.stacks = makePicture($('stacks-picture'), {root: makeStacks(),
      label: 'Flame graph', draw: drawIcicle});
  }
  if (KEY.inPackages) {
    $('packages').hidden = false;
    fill($('packages-note'), GRAPH ? 'Classes in packages, each with the ' +
      'arrays that its objects retain. ' : 'Classes in packages. With ' +
      '--retained, arrays count for the classes that retain them. ',
    clickHint());
    pictures.packages = makePicture($('packages-picture'), {
      root: makePackages(packageLeaves()), label: 'Treemap',
      draw: drawTreemap(() =>
        $('packages-picture').querySelector('.boxes').clientWidth)});
  }
  for (const p of Object.values(pictures)) p.draw();
};
// Open a box in the dominator tree. It gets the focus.
const showInTree = b => {
  if (innerWidth < 1200 && !$('drawer').hidden) shut();
  go('owners');
  pictures.owners.go(b, true);
};
// Go out of the box that is open in a picture. Returns false if there is none.
const goOut = () => {
  const p = Object.values(pictures).find(x => x.at.up);
  if (p) p.go(p.at.up, true);
  return Boolean(p);
};
