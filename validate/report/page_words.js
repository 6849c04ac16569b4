// page_words.js - the words and the state of the page of hprof-validate
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
  'headers and other records': 'other', 'unknown records': 'unknown',
  'dumps not selected': 'left-out', 'not decoded': 'gap'};
const GAP = 'not decoded';
const NOTHING = 'Nothing: this is only information about the dump.';
const FIRST = 200; // examples of a rule that are shown at first

let file = FILES[0];
const state = {severity: 'all', lanes: 'act', at: 0};

const sum = list => list.reduce((a, b) => a + b, 0);
const lastPart = path => path.slice(path.lastIndexOf('/', path.length - 2) + 1);
const shownPath = path => path === '-' ? 'standard input' : path;
const pathOf = path => h('bdi', {class: 'name', dir: 'ltr'},
  breakable(shownPath(path)));
const totalsText = totals => SEVERITIES.filter(s => totals[s] > 0)
  .map(s => plural(totals[s], ...WORDS[s])).join(', ');
// A share as a percentage. It is never rounded up to 100 %.
const shareText = (part, all) => part < all && part / all > 0.995 ? '>99 %' :
  formatPercent(all ? part / all * 100 : 0);
const timeText = ms => ms > 0 && ms < 8e15 ? formatTime(ms) : 'unknown';
const hex = v => '0x' + v.toString(16);
const place = v => formatCount(v);
const adviceOf = rule => rule.severity === 'info' ? NOTHING :
  DATA.catalogue[rule.rule].advice;
// Mark commands inside a sentence as code.
const withCode = text => text
  .split(/(hprof-\w+(?: --?[\w.=-]+)*|jcmd PID [\w.]+)/)
  .map((part, i) => i % 2 ? h('code', {}, wholeWords(part)) : part);
const badge = severity => h('span', {class: 'badge ' + severity},
  ICONS[severity] + ' ' + WORDS[severity][0]);
const gapBytes = () => file.map && file.map.kinds[GAP] ?
  sum(file.map.kinds[GAP]) : 0;
