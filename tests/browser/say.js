// say.js - evaluate functions of a page without a browser
//
//   node say.js PAGE.html EXPRESSION...   each evaluated in the page's script
//
// An element is a list of texts and elements. Everything else in a document is
// an object that does nothing and has only members of this kind.
'use strict';
const fs = require('fs');
const vm = require('vm');

const [, , file, ...expressions] = process.argv;
const scripts = [...fs.readFileSync(file, 'utf8')
  .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
const data = scripts.find(s => /id="data"/.test(s[1]))[2];

const nothing = () => new Proxy(function () {}, {
  get: (t, key) => key === Symbol.toPrimitive ? () => '' :
    key === Symbol.iterator ? function* () {} : key === 'length' ? 0 : nothing(),
  set: () => true, has: () => true, apply: nothing, construct: nothing});
const textOf = x => Array.isArray(x) ? x.map(textOf).join('') :
  x && x.kids ? textOf(x.kids) : x === null || x === undefined ||
    x === false ? '' : String(x);
const element = () => {
  const own = {kids: [], append: (...kids) => own.kids.push(...kids),
    replaceChildren: (...kids) => { own.kids = kids; }};
  return new Proxy(own, {
    get: (t, key) => key in own ? own[key] :
      key === 'textContent' ? textOf(own.kids) : nothing(),
    set: () => true});
};
const document = new Proxy({}, {get: (t, key) =>
  key === 'createElement' || key === 'createElementNS' ? element :
    key === 'getElementById' ? id => id === 'data' ? {textContent: data} :
      nothing() : nothing(), set: () => true});
const world = {document, Intl, URLSearchParams, innerWidth: 1200,
  innerHeight: 800, performance, addEventListener: () => {},
  setTimeout: () => {}, requestAnimationFrame: () => {},
  matchMedia: () => ({matches: false, addEventListener: () => {}})};
for (const name of ['window', 'location', 'history', 'navigator', 'DOMParser',
  'ResizeObserver', 'IntersectionObserver', 'getComputedStyle', 'localStorage'])
  world[name] = nothing();

// The script is one function that is called at once.
const code = scripts.filter(s => !/type=/.test(s[1])).pop()[2].trimEnd();
const end = code.lastIndexOf('})()');
world.said = [];
vm.runInNewContext(code.slice(0, end) + ';said.push(' +
  expressions.join(', ') + ');' + code.slice(end), world);
for (const x of world.said) console.log(textOf(x));
