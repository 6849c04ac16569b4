// page.js - build the page from its parts
const layoutWords = l => 'references ' + l.reference + ', headers ' +
  l.header + ' and ' + l.array_header + ', alignment ' + l.alignment + ' (' +
  l.source + ')';
const MEANINGS = [
  ['Shallow size', 'the bytes of the objects themselves, without the objects ' +
    'that they refer to'],
  ['Retained size', 'the bytes that would be freed if the objects were ' +
    'removed; a row counts each object once, but rows overlap'],
  ['Dominator', 'the nearest object that every path from the roots to an ' +
    'object goes through'],
  ['Reachable', 'a path of strong or soft references leads from a root to ' +
    'the object'],
  ['Hidden fields', 'the fields of java.lang.Class, which dumps of HotSpot ' +
    'do not list; they keep reflection data alive'],
  ['Suspect', 'an object in which growth accumulates; the search descends ' +
    'the dominator tree while one child has nearly all of the growth'],
  ['+, orange', 'grew; the stronger the colour, the larger the new part'],
  ['−, blue', 'shrank; the stronger the colour, the larger the lost part']];
const drawFacts = () => {
  const d = DATA.dumps, graph = d.some(x => x.reachable);
  const facts = [['Command', DATA.command && h('code', {class: 'cmd'},
    DATA.command)], ['Made by', DATA.tool + ' ' + DATA.version],
  ['Sizes', HEAP && (d[0].measured ? 'measured, for ' + formatCount(d[0].measured) +
    ' objects; ' : '') + layoutWords(DATA.layout)],
  ['Filter', DATA.filter], ['Heap', DATA.heap],
  // with --by=site, the source of the sites; else the sites themselves
  ['Sites from', typeof DATA.sites === 'string' ? DATA.sites : ''],
  ['Reachability', DATA.reachability],
  ['Names', DATA.normalize ? 'suffixes of lambdas, proxies and hidden ' +
    'classes are left out' : 'as they are in the dump']];
  fill($('facts'), scroller('Dumps', h('table', {class: 'mini'},
    h('thead', {}, h('tr', {}, ['Dump', 'Taken', 'Written by', 'File',
      ...HEAP ? ['Objects', 'Size'] : [words.size],
      ...graph ? ['Reachable', 'Unreachable'] : []]
      .map((t, i) => h('th', {scope: 'col', class: i < 3 ? 'text' : ''}, t)))),
    h('tbody', {}, d.map((x, i) => h('tr', {}, h('th', {scope: 'row',
      class: 'text'}, h('code', {}, dumpName(x.path)), ' ' + labelsOf(x), x.partial ?
      h('span', {class: 'tag bad'}, 'partial') : null),
    h('td', {class: 'text'}, x.timestamp_ms ? formatTime(x.timestamp_ms) :
      'not known'), h('td', {class: 'text'}, x.dialect +
      (x.sample ? ', sampled every ' + formatSize(x.sample) : '')),
    h('td', {}, DATA.files[i] ? formatSize(DATA.files[i]) : ''),
    HEAP ? [h('td', {}, formatCount(x.objects)),
      h('td', {}, formatSize(x.bytes))] :
      h('td', {}, formatCount(DATA.whole[i])),
    graph ? [x.reachable, x.unreachable].map(s => h('td', {}, s ?
      formatSize(s.bytes) : '')) : null))))),
  d.some(x => x.layout) ? h('p', {class: 'bad'}, 'The dumps have different ' +
    'memory layouts, so sizes differ even if counts are equal: ' +
    d.filter(x => x.layout).map(x => layoutWords(x.layout)).join('; ')) : null,
  h('dl', {class: 'facts'}, facts.filter(f => f[1]).map(([word, what]) =>
    [h('dt', {}, word), h('dd', {}, what)])),
  h('details', {}, h('summary', {class: 'link'}, 'What the words mean'),
    h('dl', {class: 'facts'}, MEANINGS.map(([word, what]) =>
      [h('dt', {}, word), h('dd', {}, what)]))));
};

// A summary in Markdown for an issue or a chat: the headline, suspects, gates
// and ten rows.
const summary = () => {
  const code = s => '`` ' + s.replace(/`/g, '\'') + ' ``';
  const view = viewNow(), columns = columnsOf(view).filter(c => !c.text &&
    !c.draw && isShown(c));
  const cells = list => '| ' + list.map(c => c.replace(/\|/g, '¦'))
    .join(' | ') + ' |';
  return ['**' + document.querySelector('h1').textContent + '**', '',
    ...ANSWER.suspects.slice(0, 3).map((s, i) => '- ' + code(s.label) +
      ': ' + s.figures + '; ' + code(PLACES[i].path)),
    ...DATA.gates.map(g => '- ' + (g.tripped ? 'FAILED ' : g.matched ?
      'passed ' : 'no row matches ') + code(g.gate)), '', cells(['', ...columns.map(c => c.title)]),
    cells(['---', ...columns.map(() => '--:')]),
    ...shown.slice(0, 10).map(r => cells([code(clip(r.key, 200)),
      ...columns.map(c => c.show(c.get(r), r))])), '',
    code(DATA.command || DATA.tool)].join('\n');
};

const onKey = e => {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]'))
    return;
  if (e.key === 'Escape') {
    if ($('columns').open) {
      $('columns').open = false;
      $('columns').firstElementChild.focus();
    } else if (!$('drawer').hidden) shut();
    else if (e.target === $('search')) searchRows('');
  } else if (e.key === 'Backspace' && !isTyping(e) && !e.defaultPrevented) {
    if (!$('drawer').hidden) shut();
    else if (!goOut()) return;
    e.preventDefault();
  } else if (e.key === '/' && !isTyping(e)) {
    e.preventDefault();
    go('rows');
    $('search').focus({preventScroll: true});
  }
};

// The words of the bar for the sections. The suspects have the word of their
// heading: with one dump, they are owners.
const sections = () => [['suspects', DATA.suspect_words.heading],
  ['growth', MANY ? 'Growth' : 'Sizes'], ['findings', 'Findings'],
  ['why', 'Why'], ['waste', 'Waste'], ['threads', 'Thread stacks'],
  ['trend', 'Trend'], ['rows', 'Rows'], ['owners', 'Owners'],
  ['packages', 'Packages'], ['stacks', 'Stacks'], ['about', 'About']];
const start = () => {
  if (GRAPH) linkBoxes();
  prepareRows();
  prepareGates();
  const open = readAddress();
  showPage();
  drawLead();
  drawCards();
  drawGates();
  drawSuspects();
  drawFalls();
  drawFindings();
  drawAsked();
  drawWaste();
  drawThreads();
  startTable();
  drawTable();
  drawTrend();
  drawPictures();
  drawFacts();
  makeBar(sections().filter(([id]) => !$(id).hidden),
  [button('Copy summary', () => copyText(summary(), 'Copied as Markdown'))],
  [['/', 'search: part of a name, or a glob with * and ? as in --filter; ' +
    '-word excludes, "name" matches a whole name'], ['↑ ↓', 'from row to row'],
  ['Enter', 'open a row, go into a box'],
  ['← → ↑ ↓', 'in a picture: beside, above, below'],
  ['Backspace', 'close the row, or go out of a box'],
  ['Esc', 'close, clear the search'], ['?', 'this list']]);
  document.addEventListener('keydown', onKey);
  document.querySelector('.skip').addEventListener('click', e => {
    e.preventDefault();
    go('rows');
  });
  startHistory(open);
  let width = innerWidth, resizing = 0;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(resizing);
    resizing = setTimeout(() => {
      fitTable();
      drawTrend();
      for (const p of Object.values(pictures)) p.draw();
    }, 100);
  });
  // Nothing can be opened on paper, so all suspects and stacks are printed. The
  // objects of a suspect and the smaller owners would fill many pages, so they
  // are printed only if the reader has opened them.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('#about details, #threads details' +
      (MANY ? ', #suspect-list > details' : ''))].filter(x => !x.open);
    for (const x of opened) x.open = true;
  });
  addEventListener('afterprint', () => opened.forEach(x => {
    x.open = false;
  }));
  pageIsReady();
};
start();
