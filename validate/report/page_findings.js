// page_findings.js - the list of findings: meaning, advice and places
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
    ' more; use --max-examples to show more of them') : null] : null;
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
// A finding whose contents are created when it is opened for the first time.
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
