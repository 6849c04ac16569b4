// page_map.js - the map of a file: the kinds of contents and the findings, by
// offset
const WIDE = 1000, HIGH = 100;
const bins = () => Object.values(file.map.kinds)[0]?.length || 1;
const binBytes = i => Math.min(file.map.width,
  file.bytes - i * file.map.width);
const xOf = offset => offset / file.bytes * WIDE;

// The stacked areas of the map: one SVG path per kind. In each bin the kinds are
// stacked by their share of the bytes.
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

// The width of the part that is missing after the end of the file, to scale, but
// at most a quarter of the map.
const missingWidth = () => Math.min(25, file.map.missing / (file.bytes +
  file.map.missing) * 100).toFixed(2) + '%';

// The parts of the file with bytes that were not decoded: neighbouring bins are
// joined.
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
  if (file.map.missing) list.push({begin: file.bytes,
    end: file.bytes + file.map.missing, bytes: file.map.missing,
    missing: true});
  return list.length ? h('div', {class: 'scroll', role: 'region',
    'aria-label': 'Not decoded', tabindex: '0'}, h('table', {},
    h('caption', {}, 'Not decoded, to the nearest ' +
      formatSize(file.map.width) + (file.map.missing ?
      '; after the end, the length that its last record states' : '')),
    h('thead', {}, h('tr', {}, th('from byte'), th('to byte'), th('bytes'))),
    h('tbody', {}, list.map(g => h('tr', {class: g.missing ? 'bad' : null},
      h('td', {}, g.missing ? place(g.begin) : byteLink(g.begin)),
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
      'A text dump has no map: its findings have line numbers.' :
      'There is no map: the header cannot be read, so the contents are ' +
      'unknown.'));
    return;
  }
  fill($('map-body'),
    h('p', {class: 'soft'}, 'From the first byte of the ' +
      (file.compression === 'none' ? 'dump' : 'unpacked dump') +
      ' to the last: the contents of each part. ', h('span',
      {class: 'screen'}, 'Point at a part, or use the arrow keys.')),
    file.rules.some(r => r.severity === 'info' && r.places) ? h('div',
      {class: 'row'}, choice('Findings under the map',
        [['act', 'errors and warnings'], ['all', 'all, with notes']],
        state.lanes, v => { state.lanes = v; renderLanes(); })) : null,
    h('div', {class: 'chart', css: {'--missing': missingWidth()}},
      makeStrip(), file.map.missing ? h('div', {class: 'missing kind-gap',
        title: formatSize(file.map.missing) + ' missing'}) : null, h('div', {class: 'axis',
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
