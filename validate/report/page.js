// page.js - the page of hprof-validate
//
// It shows the verdict, what to do, the map of the file, the findings and the
// contents of the dump. If there are several files, it shows one at a time.

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
  if (file.map && file.map.missing) return ['It ends inside a record: ',
    h('b', {class: 'bad'}, formatSize(file.map.missing)),
    ' of the record are missing, and everything after it.'];
  if (gap) return [h('b', {class: 'bad'}, shareText(gap, file.bytes)),
    ' of the dump, ' + formatSize(gap) + ', could not be decoded.'];
  if (file.totals.error + file.totals.warning) return 'All bytes could ' +
    'be decoded, but some of the contents contradict each other.';
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

const card = (title, big, lines, result) => h('div',
  {class: 'card' + (result ? ' ' + result : '')}, h('h2', {}, title),
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
  // it is not known how much of a file that ends too early is missing, so there is
  // no share, and nothing is green
  const cut = file.map.missing > 0;
  return card('Decoded', cut ? h('span', {class: 'bad'}, 'incomplete') :
    whole === file.bytes ? '100 %' : (Math.floor(share * 10) / 10) + ' %', [
    h('div', {class: 'meter' + (cut || whole < file.bytes ? ' bad' : ''),
      'aria-hidden': 'true'},
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
// The colour of the number of dangling references. It is red only if they are
// more than a note: with G1, HotSpot's archived objects are referred to but
// never dumped, which is harmless.
const danglingClass = () => file.rules.some(r => r.severity !== 'info' &&
  r.rule.startsWith('ref-dangling-')) ? 'bad' : '';
const referencesCard = () => {
  const r = file.references;
  if (!r)
    return card('References', 'not checked', ['--level=framing']);
  const part = r.dangling_known === false;
  // a file that ends before its heap has no references: "none dangling" would
  // look like a result
  if (!r.checked && !r.null && !r.dangling && !part) return null;
  return card('References', formatCount(r.checked), [r.dangling ?
    h('span', {class: danglingClass()}, (part ? 'at least ' : '') +
      formatCount(r.dangling) + ' dangling') :
    part ? 'not all were checked' : 'none dangling',
  formatCount(r.null) + ' null']);
};
const renderCards = () => {
  const read = file.verdict !== 'unreadable';
  const n = (file.not_checked || []).length;
  fill($('cards'), verdictCard(), read && file.map ? decodedCard() : null,
    read ? objectsCard() : null, read && file.id_size ? referencesCard() : null,
    n ? card('Not checked', plural(n, 'rule'),
      ['the data that they need is damaged or missing']) : null);
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
      'The notes below are only for information.' : '')));
};

// --- the contents of the dump, and what was checked --------------------------
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

// --- the whole page -----------------------------------------------------------
// Store in the page's address which file is shown.
const remember = () => {
  const n = FILES.indexOf(file);
  try {
    history.replaceState(null, '', n ? '#file=' + (n + 1) : '#');
  } catch {
    // a page inside a frame may not be allowed to do this
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
  [['/', 'search the findings: words, globs with * and ?, "words in a ' +
    'row", -word to exclude'], ['← →', 'move on the map; Home, End, ' +
    'Page Up and Page Down also work'], ['Tab, Enter', 'reach and open a finding'],
  ['?', 'this list']]);
  $('q').addEventListener('input', filterFindings);
  document.addEventListener('keydown', e => {
    if (e.key !== '/' || isTyping(e) || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    $('q').focus();
  });
  // Print all findings opened, because nothing can be opened on paper.
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
