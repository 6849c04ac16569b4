// run.js - check pages in one browser, and print the results
//
//   node run.js BROWSER PACKAGES PROGRAM:PAGE.html[:brief]...
//   node run.js --time BROWSER PACKAGES PAGE.html   how long it takes to load
//   node run.js --have BROWSER                      is it installed?
//
// BROWSER is chromium or firefox. PACKAGES is the folder that tests/npm/install
// printed. PROGRAM is the program that wrote the page, diff or validate. With
// ":brief", the checks of common.js for colours, window sizes, printing and
// missing scripts are left out, because a similar page is checked completely.
'use strict';
const common = require('./common.js');
const {findProgram, openBrowser} = require('./browser.js');

let browser = null;
const end = async status => {
  if (browser) await browser.close().catch(() => {});
  process.exit(status);
};
// if the reader of the output has closed the pipe, end
process.stdout.on('error', () => end(1));
setTimeout(() => {
  console.log('not finished after 10 minutes');
  end(1);
}, 600000).unref();

const look = async (t, program, file, brief) => {
  console.log(file);
  await t.setDark(false);
  await common.stands(t, file);
  await require('./' + program + '.js')(t, file);
  if (!brief) {
    await common.looks(t);
    await common.print(t);
  }
  common.quiet(t);
  if (!brief) await common.withoutScripts(t, file);
};

const main = async (kind, packages, ...pages) => {
  const t = await openBrowser(kind, packages);
  browser = t.browser;
  await t.resize(1200, 900);
  for (const page of pages) {
    const [program, file, brief] = page.split(':');
    await look(t, program, file, brief);
  }
};
// Milliseconds from a click until the page has been drawn again.
const reaction = (t, what) => t.run(async selector => {
  const begun = performance.now();
  document.querySelector(selector).click();
  await new Promise(done => {
    requestAnimationFrame(() => setTimeout(done, 0));
  });
  return Math.round(performance.now() - begun);
}, what);
const time = async (kind, packages, file) => {
  const t = await openBrowser(kind, packages), times = [];
  browser = t.browser;
  await t.resize(1200, 900);
  for (let i = 0; i < 5; i++) times.push(await t.load(file));
  console.log(kind + ': ready in ' + times.sort((a, b) => a - b).join(', ') +
    ' ms; sorted by name in ' + await reaction(t, '[data-column=name]') +
    ', by size in ' + await reaction(t, '[data-column=size]') +
    ', 450 rows more in ' + await reaction(t, '#more button') + ' ms');
};

const args = process.argv.slice(2);
if (args[0] === '--have') process.exit(findProgram(args[1]) ? 0 : 1);
(args[0] === '--time' ? time(...args.slice(1)) : main(...args))
  .then(() => end(0), e => {
    console.log('NOT finished: ' + e.stack);
    end(1);
  });
