// page.js - functions that the pages of all programs share
//
// They create elements, format numbers and names, search with globs, and make
// the bar at the top. The program's own script follows in the same function.
const $ = id => document.getElementById(id);
const DATA = JSON.parse($('data').textContent);
const page = document.documentElement;

// Append children to an element. Strings become text, never markup. Arrays are
// flattened; empty values are skipped.
const add = (to, kids) => {
  for (const kid of kids)
    if (Array.isArray(kid)) add(to, kid);
    else if (kid || kid === 0)
      to.append(typeof kid === 'object' ? kid : String(kid));
  return to;
};
const fill = (to, ...kids) => { to.replaceChildren(); return add(to, kids); };

// Set attributes, listeners ("onclick") and style properties ("css") of an
// element. The Content-Security-Policy forbids style attributes, so each style
// property is set by itself.
const dress = (e, props) => {
  for (const [k, v] of Object.entries(props || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k === 'css')
      for (const [p, x] of Object.entries(v)) e.style.setProperty(p, x);
    else if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v === true ? '' : v);
  }
  return e;
};
const h = (tag, props, ...kids) =>
  add(dress(document.createElement(tag), props), kids);
// The SVG namespace. It is read from the parser instead of written as a URL, so
// that the page contains no URL at all: it must not load anything.
const SVG = new DOMParser().parseFromString('<svg></svg>', 'text/html')
  .body.firstChild.namespaceURI;
const svg = (tag, props, ...kids) =>
  add(dress(document.createElementNS(SVG, tag), props), kids);
const button = (label, onclick, props) =>
  h('button', {type: 'button', class: 'btn', onclick, ...props}, label);

// A box whose contents may be wider than the page: it scrolls, also by keyboard.
const scroller = (label, ...kids) => h('div', {class: 'scroll', tabindex: 0,
  role: 'group', 'aria-label': label}, kids);

// --- numbers, formatted as the programs do, but with a typographic minus -----
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
const minus = (v, text) => v < 0 ? '−' + text : text;
const formatCount = v => minus(v, String(Math.abs(Math.round(v)))
  .replace(/\B(?=(\d{3})+$)/g, ','));
const formatSize = v => {
  const a = Math.abs(v);
  if (a < 1024) return minus(v, Math.round(a) + ' B');
  let unit = 1, t = Math.round(a / 1024 * 10);
  while (t >= 10240 && unit < 6) t = Math.round(a / 1024 ** ++unit * 10);
  return minus(v, (t / 10).toFixed(1) + ' ' + UNITS[unit]);
};
const signed = (v, format) => (v > 0 ? '+' : '') + format(v);
// Format a percentage as hp_percent_text() does. It is never rounded to 0 % or
// 100 %: then it begins with < or >.
const rounded = a => (a < 9.95 || a > 99 && a < 99.95 ?
  (Math.round(a * 10) / 10).toFixed(1) : formatCount(a)) + ' %';
const formatPercent = p => {
  const a = Math.abs(p);
  return a === 0 ? '0 %' : a < 0.05 ? '<0.1 %' : a >= 99.95 && a < 100 ?
    '>99.9 %' : minus(p, rounded(a));
};
// Format the growth of a value as hp_growth_percent_text() does: in percent or,
// if it has grown more than tenfold, as a factor. Growth from 0 is "new".
const formatGrowth = (delta, from) => {
  const p = Math.abs(delta) / from * 100;
  if (!delta) return '0 %';
  if (!from) return 'new';
  if (delta > 0 && delta / from >= 9.995)
    return '×' + formatCount(delta / from + 1);
  return p < 0.05 ? '<0.1 %' : (delta < 0 ? '−' : '+') +
    rounded(delta < 0 && delta + from > 0 ? Math.min(p, 99.9) : p);
};
const formatTime = ms => new Date(ms).toISOString()
  .replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
const plural = (n, one, many) => formatCount(n) + ' ' +
  (n === 1 ? one : many || one + 's');
const capital = text => text.slice(0, 1).toUpperCase() + text.slice(1);
const tone = v => v > 0 ? 'up' : v < 0 ? 'down' : 'same';

// --- names: packages are dimmed, class and method names are bold -------------
// Split a class name after its package, and a stack frame after the package of
// its class. Returns both parts.
const splitName = key => {
  const head = key.replace(/([ ([]|<(?!(cl)?init>)).*/s, '');
  const dot = head.lastIndexOf('.');
  const at = key[head.length] === '(' ? head.lastIndexOf('.', dot - 1) : dot;
  return at < 0 ? ['', key] : [key.slice(0, at + 1), key.slice(at + 1)];
};
// Insert <wbr> between the words of a long name, so that lines break there.
const breakable = text => text.split(/(?<=[.$/_])|(?<=[a-z])(?=[A-Z])/).flatMap((part, i) =>
  i ? [h('wbr'), part] : [part]);
// A text of at most @n characters, without its middle if it is longer.
const clip = (text, n) => text.length > n ? text.slice(0, (n - 1) >> 1) + '…' +
  text.slice(text.length - (n >> 1)) : text;
// A text on one line, and a text in which no line ends after the hyphens of an
// option, or between a number and its unit.
const oneLine = text => h('span', {class: 'whole'}, text);
const wholeWords = text => text.split(
  /(--[\w-]+|[+−]?[\d.,]+ (?:[KMGT]?B\b|%))/).map((t, i) =>
  i % 2 ? oneLine(t) : t);
// An element for a name, cut to @most characters. The tooltip has more of it:
// names can have thousands of characters. In references and paths each part is
// formatted as a name.
const nameOf = (key, most = 160) => h('bdi', {class: 'name', dir: 'ltr',
  title: key.length > most ? clip(key, 2000) : null},
clip(key, most).split(' → ').map((part, i) => {
  const [before, rest] = splitName(part);
  return [i ? ' → ' : null,
    before ? h('span', {class: 'soft'}, breakable(before)) : null,
    h('b', {}, breakable(rest))];
}));

// --- search -----------------------------------------------------------------
// Whether a glob matches all of the text, like hp_glob_match(): "*" matches any
// text, "?" one code point.
const globMatches = (glob, text) => {
  let g = 0, t = 0, star = -1, resume = 0;
  const next = i => i + (text.codePointAt(i) > 0xffff ? 2 : 1);
  while (t < text.length) {
    if (glob[g] === '*') {
      star = g++;
      resume = t;
    } else if (g < glob.length && glob[g] === '?') {
      g++;
      t = next(t);
    } else if (g < glob.length && glob[g] === text[t]) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = resume = next(resume);
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
};
// Compile a search into a function that tests a list of texts; null if the query
// is empty. The query is a list of words, and all of them must match. A word
// with "*" or "?" is a glob, as on the command line; any other word must occur
// in a text, in any case. A word that begins with "-" must not match. Quotes
// make one word of a text with spaces. With @whole, a query that is one quoted
// text must be equal to a text.
const searchFor = (query, whole) => {
  const exact = whole && /^"(?![^"]*"\s)(.+)"$/su.exec(query.trim());
  if (exact) return texts => texts.includes(exact[1]);
  const parts = query.matchAll(/(-?)(?:"([^"]+)"?|([^\s"]\S*))/gu);
  const words = [...parts].filter(p => p[2] || p[3] !== '-')
    .map(([, not, phrase, bare]) => {
      const word = phrase || bare, lower = word.toLowerCase();
      return {not: not !== '', test: !phrase && /[*?]/.test(word) ?
        text => globMatches(word, text) :
        text => text.toLowerCase().includes(lower)};
    });
  return words.length ?
    texts => words.every(w => texts.some(w.test) !== w.not) : null;
};

// --- the bar, dialogs and short messages -------------------------------------
let toastTimer = 0;
const toast = text => {
  const t = $('toast');
  t.textContent = text;
  t.classList.add('on');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => t.classList.remove('on'), 1800);
};
const copyText = (text, said) => {
  const old = () => {
    const area = h('textarea', {class: 'unseen'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    toast(said);
  };
  if (navigator.clipboard)
    navigator.clipboard.writeText(text).then(() => toast(said), old);
  else old();
};
const isDark = () => page.dataset.theme ? page.dataset.theme === 'dark' :
  matchMedia('(prefers-color-scheme: dark)').matches;
const go = id => {
  const e = $(id);
  e.scrollIntoView({behavior: matchMedia('(prefers-reduced-motion: reduce)')
    .matches ? 'auto' : 'smooth', block: 'start'});
  if (e.tabIndex < 0) e.tabIndex = -1;
  e.focus({preventScroll: true});
};
// sections: [id, word]; tools: elements; keys: [key, what it does]
const makeBar = (sections, tools, keys) => {
  const help = h('dialog', {class: 'help', 'aria-labelledby': 'help-h'},
    h('h2', {id: 'help-h'}, 'Keys'),
    h('dl', {}, keys.map(([k, what]) =>
      [h('dt', {}, h('kbd', {}, k)), h('dd', {}, what)])),
    button('Close', () => help.close()));
  const theme = button('◐', () => {
    page.dataset.theme = isDark() ? 'light' : 'dark';
  }, {'aria-label': 'Light or dark', title: 'Light or dark'});
  document.body.append(help,
    h('div', {id: 'toast', role: 'status'}));
  fill($('bar'),
    h('a', {class: 'brand', href: '#top', onclick: e => {
      e.preventDefault();
      scrollTo(0, 0);
    }}, DATA.tool),
    h('nav', {'aria-label': 'Sections'}, sections.map(([id, word]) =>
      h('a', {href: '#' + id, onclick: e => {
        e.preventDefault();
        go(id);
      }}, word))),
    h('div', {class: 'tools'}, tools, theme,
      button('?', () => help.showModal(),
        {'aria-label': 'Keys', title: 'Keys'})));
  document.addEventListener('keydown', e => {
    if (e.key === '?' && !isTyping(e) && !e.ctrlKey && !e.metaKey)
      help.showModal();
  });
  const links = [...$('bar').querySelectorAll('nav a')];
  const watch = new IntersectionObserver(seen => seen.forEach(s => {
    const link = links.find(a => a.hash === '#' + s.target.id);
    if (s.isIntersecting) {
      links.forEach(a => a.removeAttribute('aria-current'));
      link.setAttribute('aria-current', 'true');
    }
  }), {rootMargin: '-20% 0px -70% 0px'});
  sections.forEach(([id]) => watch.observe($(id)));
};
const isTyping = e => /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) &&
  e.target.type !== 'checkbox';
// A group of buttons, of which one is pressed.
const choice = (label, options, chosen, change) =>
  h('div', {class: 'choice', role: 'group', 'aria-label': label},
    options.map(([value, word]) => h('button', {type: 'button',
      'aria-pressed': String(value === chosen), onclick: e => {
        for (const b of e.currentTarget.parentNode.children)
          b.setAttribute('aria-pressed', String(b === e.currentTarget));
        change(value);
      }}, word)));

// Replace the plain tables by the page that the script has built.
const showPage = () => {
  $('fallback').remove();
  $('app').hidden = false;
};
const pageIsReady = () => {
  page.dataset.ready = String(Math.round(performance.now()));
};
