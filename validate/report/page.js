// page.js - the page of hprof-validate: verdict, what to do, the map of the
// file, findings, what is in the dump. Of several files one at a time is shown.
const FILES = DATA.files;
const SEVERITIES = ['error', 'warning', 'info'];
const WORDS = {error: ['error'], warning: ['warning'], info: ['note']};
const ICONS = {error: '✕', warning: '▲', info: '•'};
const VERDICTS = {valid: ['✓', 'valid', 'good'],
  invalid: ['✕', 'invalid', 'bad'], unreadable: ['✕', 'unreadable', 'bad']};
const KINDS = {'strings': 'strings', 'classes': 'classes',
  'stacks and threads': 'stacks', 'instances': 'instances',
  'arrays of objects': 'object-arrays',
  'arrays of primitives': 'primitive-arrays', 'roots': 'roots',
  'heads and other records': 'other', 'unknown records': 'unknown',
  'dumps not asked for': 'left-out', 'not decoded': 'gap'};
const GAP = 'not decoded';
const NOTHING = 'Nothing: it says what the dump is like, and no more.';
const FIRST = 200; // findings of a rule that are shown at first

let file = FILES[0];
const state = {severity: 'all', lanes: 'act', at: 0};

// --- words ------------------------------------------------------------------
const sum = list => list.reduce((a, b) => a + b, 0);
const lastPart = path => path.slice(path.lastIndexOf('/', path.length - 2) + 1);
const shownPath = path => path === '-' ? 'standard input' : path;
const pathOf = path => h('bdi', {class: 'name', dir: 'ltr'},
  breakable(shownPath(path)));
const totalsText = totals => SEVERITIES.filter(s => totals[s] > 0)
  .map(s => plural(totals[s], ...WORDS[s])).join(', ');
// Nothing is all or nothing that is not.
const shareText = (part, all) => part < all && part / all > 0.995 ? '>99 %' :
  formatPercent(all ? part / all * 100 : 0);
const timeText = ms => ms > 0 && ms < 8e15 ? formatTime(ms) : 'unknown';
const hex = v => '0x' + v.toString(16);
const place = v => formatCount(v);
const adviceOf = rule => rule.severity === 'info' ? NOTHING :
  DATA.catalogue[rule.rule].advice;
// Commands in the middle of a sentence.
const withCode = text => text
  .split(/(hprof-\w+(?: --?[\w.=-]+)*|jcmd PID [\w.]+)/)
  .map((part, i) => i % 2 ? h('code', {}, part) : part);
const badge = severity => h('span', {class: 'badge ' + severity},
  ICONS[severity] + ' ' + WORDS[severity][0]);
const gapBytes = () => file.map && file.map.kinds[GAP] ?
  sum(file.map.kinds[GAP]) : 0;

// --- the first screen -------------------------------------------------------
const headline = () => {
  const name = h('bdi', {dir: 'ltr'}, breakable(lastPart(shownPath(file.path))));
  const {error, warning} = file.totals;
  if (file.verdict === 'unreadable') return [name, ' could not be read'];
  if (file.verdict === 'invalid')
    return [name, ' is ', h('span', {class: 'bad'}, 'invalid'), ': ' +
      plural(error, 'error')];
  return [name, ' is ', h('span', {class: 'good'}, 'valid'),
    warning ? ', with ' + plural(warning, 'warning') : ''];
};
const leadLine = () => {
  const gap = gapBytes();
  if (file.verdict === 'unreadable') return file.error;
  if (file.map && file.map.missing) return ['It ends inside a record, of ' +
    'which ', h('b', {class: 'bad'}, formatSize(file.map.missing)),
  ' are missing, and with them all that was to follow.'];
  if (gap) return [h('b', {class: 'bad'}, shareText(gap, file.bytes)),
    ' of the dump, ' + formatSize(gap) + ', could not be decoded.'];
  if (file.totals.error + file.totals.warning) return 'Every byte of it was ' +
    'decoded, but not all that it says fits together.';
  return file.totals.info ? 'Nothing to act on: there ' +
    (file.totals.info === 1 ? 'is ' : 'are ') + totalsText(file.totals) +
    '.' : 'Nothing to act on.';
};
const renderLead = () => fill($('lead'),
  h('p', {class: 'soft'}, pathOf(file.path),
    file.header ? ' · ' + file.header + ' · ' + timeText(file.timestamp_ms) :
      ''),
  h(FILES.length > 1 ? 'h2' : 'h1', {id: 'verdict'}, headline()),
  h('p', {class: 'lead-line'}, leadLine()));

const card = (title, big, lines, tone) => h('div',
  {class: 'card' + (tone ? ' ' + tone : '')}, h('h2', {}, title),
  h('div', {class: 'big'}, big), lines.map(l => h('div', {class: 'soft'}, l)));
const verdictCard = () => {
  const [icon, word, color] = VERDICTS[file.verdict];
  return card('Verdict', h('span', {class: color}, icon + ' ' + word),
    [totalsText(file.totals) || 'no finding',
      file.known ? plural(file.known, 'finding') + ' known before' : null,
      DATA.strict && file.totals.warning ? 'strict: warnings fail' : null]
      .filter(l => l),
    file.verdict === 'valid' && !(DATA.strict && file.totals.warning) ?
      'passed' : 'failed');
};
const decodedCard = () => {
  const whole = file.bytes - gapBytes(), share = file.bytes ?
    whole / file.bytes * 100 : 0;
  return card('Decoded', whole === file.bytes ? '100 %' :
    (Math.floor(share * 10) / 10) + ' %', [
    h('div', {class: 'meter', 'aria-hidden': 'true'},
      h('i', {css: {width: share + '%'}})),
    formatSize(whole) + ' of ' + formatSize(file.bytes),
    file.map.missing ? h('span', {class: 'bad'}, formatSize(file.map.missing) +
      ' missing at the end') : null]);
};
const objectsCard = () => {
  const s = file.subrecords;
  const arrays = (s.OBJECT_ARRAY_DUMP || 0) + (s.PRIMITIVE_ARRAY_DUMP || 0) +
    (s.PRIMITIVE_ARRAY_NODATA || 0);
  return card('Objects', formatCount((s.INSTANCE_DUMP || 0) + arrays),
    [plural(s.INSTANCE_DUMP || 0, 'instance') + ', ' +
      plural(arrays, 'array'), plural(s.CLASS_DUMP || 0, 'class', 'classes')]);
};
const referencesCard = () => {
  const r = file.references;
  return r ? card('References', formatCount(r.checked), [r.dangling ?
    h('span', {class: 'bad'}, formatCount(r.dangling) + ' name nothing') :
    'all name something', formatCount(r.null) + ' null']) :
    card('References', 'not checked', ['--level=framing']);
};
const renderCards = () => {
  const read = file.verdict !== 'unreadable';
  const n = (file.not_checked || []).length;
  fill($('cards'), verdictCard(), read && file.map ? decodedCard() : null,
    read ? objectsCard() : null, read && file.id_size ? referencesCard() : null,
    n ? card('Not checked', plural(n, 'rule'),
      ['what they need is damaged or missing']) : null);
};

// --- what to do -------------------------------------------------------------
const ruleLink = rule => h('button', {type: 'button', class: 'link name',
  onclick: () => openFinding(rule)}, rule.rule);
const renderTodo = () => {
  const groups = new Map();
  for (const s of SEVERITIES.slice(0, 2))
    for (const rule of file.rules.filter(r => r.severity === s)) {
      const advice = adviceOf(rule);
      if (!groups.has(advice)) groups.set(advice, []);
      groups.get(advice).push(rule);
    }
  $('todo').hidden = file.verdict === 'unreadable';
  fill($('todo-list'), groups.size ? h('ul', {class: 'todo'},
    [...groups].map(([advice, rules]) => h('li', {},
      h('div', {}, badge(rules[0].severity)), h('p', {}, withCode(advice)),
      h('div', {class: 'rules'}, rules.map(r => h('span', {}, ruleLink(r),
        ' ' + formatCount(r.count))))))) :
    h('p', {}, 'Nothing. ' + (file.totals.info ?
      'The notes below say what the dump is like.' : '')));
};

// --- the map ----------------------------------------------------------------
const WIDE = 1000, HIGH = 100;
const bins = () => Object.values(file.map.kinds)[0]?.length || 1;
const binBytes = i => Math.min(file.map.width,
  file.bytes - i * file.map.width);
const xOf = offset => offset / file.bytes * WIDE;

// Kinds stacked in each bin by their share, as one path a kind.
const stackedPaths = () => {
  const n = bins(), below = new Array(n).fill(0);
  return Object.entries(file.map.kinds).map(([kind, amounts]) => {
    let d = '';
    amounts.forEach((v, i) => {
      if (!v) return;
      const x = xOf(i * file.map.width), tall = v / binBytes(i) * HIGH;
      d += `M${x.toFixed(3)} ${(HIGH - below[i] - tall).toFixed(3)}h` +
        `${xOf(binBytes(i)).toFixed(3)}v${tall.toFixed(3)}h` +
        `${(-xOf(binBytes(i))).toFixed(3)}z`;
      below[i] += tall;
    });
    return svg('path', {d, class: 'kind-' + KINDS[kind],
      'shape-rendering': 'crispEdges'});
  });
};
const laneOf = rule => {
  const most = Math.log1p(Math.max(...rule.places));
  const w = Math.max(rule.width / file.bytes * WIDE, 2.5);
  return svg('svg', {viewBox: `0 0 ${WIDE} 10`, preserveAspectRatio: 'none',
    class: rule.severity, 'aria-hidden': 'true'},
  rule.places.map((v, i) => {
    const tall = 3 + 7 * Math.log1p(v) / most;
    return v ? svg('rect', {x: Math.min(i * rule.width / file.bytes * WIDE,
      WIDE - w), y: 10 - tall, width: w, height: tall}) : null;
  }));
};
const kindsAt = i => Object.entries(file.map.kinds)
  .map(([kind, amounts]) => [kind, amounts[i]]).filter(([, v]) => v > 0)
  .sort((a, b) => b[1] - a[1]);
const rulesAt = i => {
  const from = i * file.map.width, to = from + binBytes(i);
  return file.rules.filter(r => r.places).map(r => [r, sum(r.places.filter(
    (v, k) => k * r.width < to && (k + 1) * r.width > from))])
    .filter(([, v]) => v > 0);
};
const kindsText = i => kindsAt(i).map(([kind, v]) => kind + ' ' +
  shareText(v, binBytes(i))).join(', ');
const rangeText = i => 'bytes ' + place(i * file.map.width) + ' to ' +
  place(i * file.map.width + binBytes(i));

const moveTo = i => {
  state.at = Math.max(0, Math.min(bins() - 1, i));
  const strip = $('strip'), x = xOf(state.at * file.map.width);
  strip.querySelector('.cursor').setAttribute('d', 'M' + x + ' 0h' +
    xOf(binBytes(state.at)) + 'v' + HIGH + 'h-' + xOf(binBytes(state.at)) +
    'z');
  strip.setAttribute('aria-valuenow', state.at);
  strip.setAttribute('aria-valuetext', rangeText(state.at) + ': ' +
    kindsText(state.at));
  const found = rulesAt(state.at);
  fill($('readout'),
    h('p', {}, h('b', {}, rangeText(state.at)), ' · ' +
      hex(state.at * file.map.width) + ' · ' + formatSize(binBytes(state.at))),
    h('p', {}, kindsAt(state.at).map(([kind, v], k) => [k ? ', ' : '',
      h('span', {class: kind === GAP ? 'bad' : null}, kind + ' ' +
        shareText(v, binBytes(state.at)))])),
    h('p', {class: 'soft'}, found.length ? found.map(([r, v], k) =>
      [k ? ', ' : '', ruleLink(r), ' ' + formatCount(v)]) : 'no finding'));
};
const binAt = e => {
  const box = $('strip').getBoundingClientRect();
  return Math.floor((e.clientX - box.left) / box.width * file.bytes /
    file.map.width);
};
const STEPS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
  PageDown: -16, PageUp: 16, Home: -1e9, End: 1e9};
const makeStrip = () => h('div', {id: 'strip', class: 'strip', tabindex: '0',
  role: 'slider', 'aria-label': 'Place in the file', 'aria-valuemin': '0',
  'aria-valuemax': bins() - 1, onkeydown: e => {
    if (!(e.key in STEPS) || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    moveTo(state.at + STEPS[e.key]);
  }, onpointermove: e => moveTo(binAt(e)), onpointerdown: e => moveTo(binAt(e))},
svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none',
  'aria-hidden': 'true'},
svg('defs', {}, svg('pattern', {id: 'hatch', width: 5, height: 10,
  patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(20)'},
svg('path', {d: 'M0 0v10'}))), stackedPaths(),
svg('path', {class: 'cursor'})));

// Neighbouring bins with bytes that were not decoded.
const gaps = () => {
  const list = [];
  (file.map.kinds[GAP] || []).forEach((v, i) => {
    const last = list[list.length - 1];
    if (!v) return;
    if (last && last.end === i * file.map.width) {
      last.end += binBytes(i);
      last.bytes += v;
    } else {
      list.push({begin: i * file.map.width,
        end: i * file.map.width + binBytes(i), bytes: v});
    }
  });
  return list;
};
const goToByte = offset => {
  moveTo(Math.floor(offset / file.map.width));
  go('map');
  $('strip').focus({preventScroll: true});
};
const byteLink = offset => file.map ? h('button', {type: 'button',
  class: 'link', title: hex(offset) + ': show on the map',
  onclick: () => goToByte(offset)}, place(offset)) : place(offset);
const th = (text, cls) => h('th', {scope: 'col', class: cls}, text);
const renderGaps = () => {
  const list = gaps();
  return list.length ? h('div', {class: 'scroll', role: 'region',
    'aria-label': 'Not decoded', tabindex: '0'}, h('table', {},
    h('caption', {}, 'Not decoded, to the nearest ' +
      formatSize(file.map.width)),
    h('thead', {}, h('tr', {}, th('from byte'), th('to byte'), th('bytes'))),
    h('tbody', {}, list.map(g => h('tr', {}, h('td', {}, byteLink(g.begin)),
      h('td', {}, place(g.end)), h('td', {}, formatCount(g.bytes))))))) : null;
};
const renderLegend = () => {
  const kinds = Object.entries(file.map.kinds).map(([k, v]) => [k, sum(v)]);
  return h('table', {}, h('caption', {class: 'unseen'}, 'Bytes by kind'),
    h('thead', {}, h('tr', {}, th('bytes of', 'text'), th('bytes'),
      th('share'), h('td', {class: 'bar-cell'}))),
    h('tbody', {}, kinds.sort((a, b) => b[1] - a[1]).map(([kind, v]) =>
      h('tr', {}, h('th', {scope: 'row', class: 'text'},
        h('span', {class: 'swatch kind-' + KINDS[kind],
          'aria-hidden': 'true'}), kind), h('td', {}, formatSize(v)),
      h('td', {}, shareText(v, file.bytes)), h('td', {class: 'bar-cell'},
        h('i', {class: 'kind-' + KINDS[kind],
          css: {width: v / file.bytes * 100 + '%'}}))))));
};
const renderLanes = () => {
  const lanes = file.rules.filter(r => r.places && (state.lanes === 'all' ||
    r.severity !== 'info'));
  fill($('lanes'), SEVERITIES.flatMap(s => lanes.filter(r => r.severity === s))
    .map(r => h('div', {class: 'lane'}, h('div', {class: 'label'},
      ruleLink(r)), laneOf(r))));
};
const renderMap = () => {
  $('map').hidden = file.verdict === 'unreadable' || !file.bytes;
  if ($('map').hidden) return;
  if (!file.map) {
    fill($('map-body'), h('p', {}, file.format === 'text' ?
      'A text has none: its findings name lines.' :
      'There is none: without a header that can be read nothing is known ' +
      'of what follows.'));
    return;
  }
  fill($('map-body'),
    h('p', {class: 'soft'}, 'From the first byte of the ' +
      (file.compression === 'none' ? 'dump' : 'unpacked dump') +
      ' to the last: what each part of it holds. Point, or use the arrow ' +
      'keys.'),
    file.rules.some(r => r.severity === 'info' && r.places) ? h('div',
      {class: 'row'}, choice('Findings under the map',
        [['act', 'errors and warnings'], ['all', 'notes, too']], state.lanes,
        v => { state.lanes = v; renderLanes(); })) : null,
    h('div', {class: 'chart'}, makeStrip(), h('div', {class: 'axis',
      'aria-hidden': 'true'}, [0, 1, 2, 3, 4].map(k => h('span', {},
      formatSize(Math.round(file.bytes * k / 4))))),
    h('div', {id: 'lanes'})),
    h('div', {id: 'readout', class: 'readout'}),
    h('div', {class: 'side'}, renderLegend(), renderGaps()));
  renderLanes();
  const worst = SEVERITIES.slice(0, 2).flatMap(s => file.rules.filter(r =>
    r.severity === s && r.places && r.examples.length))[0];
  moveTo(worst ? Math.floor(worst.examples[0].offset / file.map.width) : 0);
};

// --- findings ---------------------------------------------------------------
const exampleRow = (e, dumps) => h('tr', {},
  h('td', {class: 'at', 'data-label': e.line ? 'line' : 'byte'},
    e.line ? formatCount(e.line) : byteLink(e.offset)),
  h('td', {'data-label': 'record'}, e.record || ''),
  dumps ? h('td', {'data-label': 'dump'}, e.dump || 1) : null,
  h('td', {class: 'text name field'}, e.field || ''),
  h('td', {class: 'text'}, h('bdi', {dir: 'ltr'}, e.message)));
const examplesOf = rule => {
  const dumps = rule.examples.some(e => e.dump > 1);
  const body = h('tbody', {}, rule.examples.slice(0, FIRST)
    .map(e => exampleRow(e, dumps)));
  const left = rule.count - rule.examples.length;
  const more = rule.examples.length > FIRST ? button('Show all ' +
    formatCount(rule.examples.length), () => {
    add(body, rule.examples.slice(FIRST).map(e => exampleRow(e, dumps)));
    more.remove();
  }, {class: 'btn more'}) : null;
  return rule.examples.length ? [h('div', {class: 'scroll', role: 'region',
    'aria-label': 'Examples of ' + rule.rule, tabindex: '0'},
  h('table', {class: 'examples'},
    h('thead', {}, h('tr', {}, th(rule.examples[0].line ? 'line' : 'at byte'),
      th('record'), dumps ? th('dump') : null, th('field', 'text field'),
      th('what', 'text'))), body)), more,
  left > 0 ? h('p', {class: 'soft'}, 'and ' + formatCount(left) +
    ' more; --max-examples shows more of them') : null] : null;
};
const fillFinding = (inner, rule) => {
  const c = DATA.catalogue[rule.rule];
  fill(inner, h('p', {}, withCode(c.meaning)),
    h('p', {}, h('b', {}, 'What to do: '), withCode(adviceOf(rule))),
    rule.places && rule.count > 1 ? h('div', {class: 'lane'},
      h('div', {class: 'label soft'}, 'Where in the ' +
        (file.format === 'text' ? 'text' : 'file')), laneOf(rule)) : null,
    examplesOf(rule));
};
// What is inside is made when it is opened.
const findingOf = rule => {
  const inner = h('div', {class: 'inner'});
  const open = () => { if (!inner.firstChild) fillFinding(inner, rule); };
  const d = h('details', {class: 'finding', ontoggle: () => {
    if (d.open) open();
  }}, h('summary', {}, badge(rule.severity), h('span', {class: 'what'},
    h('b', {class: 'name'}, rule.rule), ' ', h('span', {class: 'say'},
      DATA.catalogue[rule.rule].line)),
  h('span', {class: 'count'}, formatCount(rule.count))), inner);
  if (rule.severity !== 'info') {
    open();
    d.open = true;
  }
  return {rule, element: d, open};
};
let shown = [];
const openFinding = rule => {
  state.severity = 'all';
  $('q').value = '';
  renderSeverities();
  filterFindings();
  const f = shown.find(s => s.rule === rule);
  f.open();
  f.element.open = true;
  f.element.scrollIntoView({block: 'start'});
  f.element.firstChild.focus({preventScroll: true});
};
const filterFindings = () => {
  const matches = searchFor($('q').value);
  let n = 0;
  for (const {rule, element} of shown) {
    const fits = (state.severity === 'all' ||
      rule.severity === state.severity) && (!matches || matches([rule.rule,
      DATA.catalogue[rule.rule].line, DATA.catalogue[rule.rule].about,
      ...rule.examples.flatMap(e => [e.message, e.field || ''])]));
    element.hidden = !fits;
    n += fits;
  }
  $('found').textContent = n === shown.length ?
    plural(n, 'rule has', 'rules have') + ' findings' :
    formatCount(n) + ' of ' + plural(shown.length, 'rule');
};
const renderSeverities = () => fill($('severities'), choice('Severity',
  [['all', 'all'], ...SEVERITIES.filter(s => file.rules.some(r =>
    r.severity === s)).map(s => [s, plural(file.totals[s], ...WORDS[s])])],
  state.severity, v => { state.severity = v; filterFindings(); }));
const renderFindings = () => {
  $('findings').hidden = file.verdict === 'unreadable';
  state.severity = 'all';
  renderSeverities();
  shown = SEVERITIES.flatMap(s => file.rules.filter(r => r.severity === s))
    .map(findingOf);
  const below = DATA.min_severity === 'info' ? '' :
    ' of ' + DATA.min_severity + ' or worse';
  fill($('finding-list'), shown.length ? shown.map(f => f.element) :
    h('p', {}, 'No finding' + below + '.'));
  filterFindings();
};

// --- what is in the dump, and what was checked ------------------------------
const countTable = (title, counts) => {
  const rows = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  return rows.length ? h('table', {}, h('caption', {}, title),
    h('thead', {}, h('tr', {}, th('kind', 'text'), th('number'))),
    h('tbody', {}, rows.map(([name, n]) => h('tr', {},
      h('th', {scope: 'row', class: 'text name'}, name),
      h('td', {}, formatCount(n)))))) : null;
};
const renderContent = () => {
  $('content').hidden = !Object.keys(file.records).length;
  fill($('content-body'), h('div', {class: 'side'},
    countTable('Records', file.records),
    countTable('Sub-records of the heap', file.subrecords)));
};
const facts = list => h('dl', {class: 'facts'}, list.map(([name, value]) =>
  value || value === 0 ? [h('dt', {}, name), h('dd', {}, value)] : null));
const renderAbout = () => fill($('about-body'),
  h('code', {class: 'cmd'}, DATA.command),
  facts([['File', pathOf(file.path)], ['Format', file.header],
    ['Written by', file.dialect], ['Taken', file.header &&
      timeText(file.timestamp_ms)],
    ['Identifiers', file.id_size ? file.id_size + ' bytes' : null],
    ['Size', file.bytes ? formatCount(file.bytes) + ' bytes' +
      (file.compression === 'none' ? '' : ', unpacked from ' +
        file.compression) : null],
    ['Not checked', (file.not_checked || []).join(', ')],
    ['Limits', file.limits ? file.limits.map(l => h('div', {}, l)) : null],
    ['Made by', DATA.tool + ' ' + DATA.version]]));

// --- several files ----------------------------------------------------------
const COLUMNS = [['file', f => f.path, 1], ['verdict', f => f.verdict, 1],
  ['errors', f => f.totals.error, -1], ['warnings', f => f.totals.warning, -1],
  ['notes', f => f.totals.info, -1], ['size', f => f.bytes, -1],
  ['written by', f => f.dialect, 1]];
let order = [2, -1];
const fileRow = f => h('tr', {'aria-selected': String(f === file)},
  h('th', {scope: 'row', class: 'text'}, h('button', {type: 'button',
    class: 'link', onclick: () => choose(f)}, pathOf(f.path))),
  h('td', {class: 'text ' + VERDICTS[f.verdict][2]},
    VERDICTS[f.verdict].slice(0, 2).join(' ')),
  SEVERITIES.map(s => h('td', {class: f.totals[s] ? s : 'soft'},
    formatCount(f.totals[s]))),
  h('td', {}, f.verdict === 'unreadable' ? '' : formatSize(f.bytes)),
  h('td', {class: 'text'}, f.dialect));
const compareFiles = (a, b) => {
  const value = COLUMNS[order[0]][1], x = value(a), y = value(b);
  return (x < y ? -1 : x > y ? 1 : 0) * order[1] ||
    FILES.indexOf(a) - FILES.indexOf(b);
};
const renderFiles = () => {
  const matches = searchFor($('which').value);
  const list = FILES.filter(f => !matches || matches([f.path, f.dialect]))
    .sort(compareFiles);
  fill($('file-table').tBodies[0], list.map(fileRow));
  $('which-found').textContent = list.length === FILES.length ?
    plural(FILES.length, 'file') :
    formatCount(list.length) + ' of ' + plural(FILES.length, 'file');
  [...$('file-table').tHead.rows[0].cells].forEach((cell, i) => {
    if (i === order[0]) cell.setAttribute('aria-sort',
      order[1] > 0 ? 'ascending' : 'descending');
    else cell.removeAttribute('aria-sort');
  });
};
const makeFiles = () => {
  if (FILES.length < 2) return;
  const bad = FILES.filter(f => f.verdict !== 'valid').length;
  $('files').hidden = false;
  $('files-h').textContent = bad ? plural(bad, 'file') + ' of ' +
    formatCount(FILES.length) + (bad === 1 ? ' is bad' : ' are bad') :
    'All ' + formatCount(FILES.length) + ' files are valid';
  fill($('file-table').tHead, h('tr', {}, COLUMNS.map(([name,, turn], i) =>
    h('th', {scope: 'col', class: turn > 0 ? 'text' : null},
      button(name, () => {
        order = order[0] === i ? [i, -order[1]] : [i, turn];
        renderFiles();
      }, {class: 'link'})))));
  $('which').addEventListener('input', renderFiles);
};

// --- all of it --------------------------------------------------------------
// The address tells which file is shown.
const remember = () => {
  const n = FILES.indexOf(file);
  try {
    history.replaceState(null, '', n ? '#file=' + (n + 1) : '#');
  } catch {
    // a page that is shown inside another one may not be allowed to
  }
};
const render = () => {
  renderLead();
  renderCards();
  renderTodo();
  renderMap();
  renderFindings();
  renderContent();
  renderAbout();
  if (FILES.length > 1) renderFiles();
};
const choose = f => {
  file = f;
  remember();
  render();
  go('lead');
};
const summary = () => ['**' + shownPath(file.path) + ': ' + file.verdict +
  '**' + (totalsText(file.totals) ? ', ' + totalsText(file.totals) : ''),
gapBytes() ? formatSize(gapBytes()) + ' of ' + formatSize(file.bytes) +
  ' could not be decoded' : null,
...file.rules.filter(r => r.severity !== 'info').map(r => '- ' + r.severity +
  ' `' + r.rule + '`, ' + formatCount(r.count) + (r.examples.length ?
  ': ' + r.examples[0].message : '') + '. ' + adviceOf(r)),
'made by `' + DATA.command + '`'].filter(l => l).join('\n') + '\n';

const start = () => {
  const n = Number(new URLSearchParams(location.hash.slice(1)).get('file'));
  const rank = f => [f.totals.error, f.verdict === 'unreadable',
    f.totals.warning].map(Number);
  file = FILES[n - 1] || [...FILES].sort((a, b) => {
    const x = rank(a), y = rank(b);
    return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
  })[0];
  makeFiles();
  showPage();
  render();
  makeBar([...(FILES.length > 1 ? [['files', 'Files']] : []),
    ['todo', 'What to do'], ['map', 'Map'], ['findings', 'Findings'],
    ['content', 'Contents'], ['about', 'About']],
  button('Copy summary', () => copyText(summary(), 'Copied'),
    {class: 'btn copy'}),
  [['/', 'search the findings'], ['← →', 'move on the map; Home, End, ' +
    'Page Up, Page Down, too'], ['Tab, Enter', 'reach and open a finding'],
  ['?', 'this list']]);
  $('q').addEventListener('input', filterFindings);
  document.addEventListener('keydown', e => {
    if (e.key !== '/' || isTyping(e) || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    $('q').focus();
  });
  // On paper nothing can be opened.
  addEventListener('beforeprint', () => {
    for (const f of shown) {
      f.open();
      f.was = f.element.open;
      f.element.open = true;
    }
  });
  addEventListener('afterprint', () => shown.forEach(f => {
    f.element.open = f.was;
  }));
  pageIsReady();
};
start();
