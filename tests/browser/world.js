// world.js - run the script of a page without a browser
//
//   const page = openPage(FILE)
//   page.said(EXPRESSION...)   evaluates them in the page's script, as texts
//   page.lines(EXPRESSION)     the same, with "|" before each cell of a table
//                              and a line for each paragraph, row or list item
//
// An element is a list of texts and elements. Everything else in a document is
// an object that does nothing and has only members of this kind.
'use strict';
const fs = require('fs');
const vm = require('vm');

const nothing = () => new Proxy(function () {}, {
  get: (t, key) => key === Symbol.toPrimitive ? () => '' :
    key === Symbol.iterator ? function* () {} : key === 'length' ? 0 : nothing(),
  set: () => true, has: () => true, apply: nothing, construct: nothing});
const element = tag => {
  const own = {tag, kids: [], append: (...kids) => own.kids.push(...kids),
    replaceChildren: (...kids) => { own.kids = kids; }};
  return new Proxy(own, {
    get: (t, key) => key in own ? own[key] :
      key === 'textContent' ? textOf(own) : nothing(),
    set: () => true});
};
// around: what to write before and after the text of an element
const textOf = (x, around = () => ['', '']) => {
  if (Array.isArray(x)) return x.map(k => textOf(k, around)).join('');
  if (!x || !x.kids) return x === null || x === undefined || x === false ? '' :
    String(x);
  const [before, after] = around(x.tag);
  return before + textOf(x.kids, around) + after;
};
const BLOCK = /^(p|h\d|li|tr|summary|dd)$/;
const inLines = tag => /^t[dh]$/.test(tag) ? ['|', ''] : BLOCK.test(tag) ?
  ['\n', '\n'] : ['', ''];

// The processor time of this process in milliseconds. It depends less than
// performance.now() on the other work of the machine.
const processorMs = () => process.cpuUsage().user / 1000;

const openPage = file => {
  const scripts = [...fs.readFileSync(file, 'utf8')
    .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  const data = scripts.find(s => /id="data"/.test(s[1]))[2];
  const document = new Proxy({}, {get: (t, key) =>
    key === 'createElement' ? element :
      key === 'createElementNS' ? (space, tag) => element(tag) :
        key === 'getElementById' ? id => id === 'data' ? {textContent: data} :
          nothing() : nothing(), set: () => true});
  const world = {document, Intl, URLSearchParams, innerWidth: 1200,
    innerHeight: 800, performance, processorMs, addEventListener: () => {},
    setTimeout: () => {}, requestAnimationFrame: () => {},
    matchMedia: () => ({matches: false, addEventListener: () => {}})};
  for (const name of ['window', 'location', 'history', 'navigator', 'DOMParser',
    'ResizeObserver', 'IntersectionObserver', 'getComputedStyle', 'localStorage'])
    world[name] = nothing();
  // The script is one function that is called at once.
  const code = scripts.filter(s => !/type=/.test(s[1])).pop()[2].trimEnd();
  const end = code.lastIndexOf('})()');
  const run = what => {
    world.said = [];
    vm.runInNewContext(code.slice(0, end) + ';said.push(' + what + ');' +
      code.slice(end), world);
    return world.said;
  };
  return {data: JSON.parse(data),
    said: (...what) => run(what.join(', ')).map(x => textOf(x)),
    lines: what => run(what).map(x => textOf(x, inLines).split('\n')
      .filter(line => line))};
};
module.exports = {openPage};
