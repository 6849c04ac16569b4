// others.js - open our files with other web programs, in Chromium
//
//   node others.js speedscope PACKAGES FILE   print what speedscope's importer
//                                             makes of a profile
//   node others.js markdown PACKAGES FILE PNG draw a comment in Markdown as
//                                             GitHub shows it
//
// PACKAGES is the folder that tests/npm/install printed.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const {openBrowser} = require('./browser.js');

// speedscope's own page imports the file, as `speedscope FILE` does: a script
// that calls the page back with the contents.
const speedscope = async (t, modules, file) => {
  const script = path.resolve(file + '.js');
  const contents = fs.readFileSync(file).toString('base64');
  fs.writeFileSync(script, 'speedscope.loadFileFromBase64(' +
    JSON.stringify(path.basename(file)) + ', ' + JSON.stringify(contents) +
    ')');
  const page = path.join(modules, 'speedscope/dist/release/index.html');
  await t.load(page, '#localProfilePath=' + script);
  let title = '';
  for (let i = 0; i < 600 && !title.includes('('); i++) {
    await new Promise(done => {
      setTimeout(done, 100);
    });
    title = await t.run(() => document.title);
  }
  console.log(title);
};

const markdown = async (t, modules, file, picture) => {
  const {marked} = await import(path.join(modules, 'marked/lib/marked.esm.js'));
  const page = path.resolve(file + '.html');
  fs.writeFileSync(page, '<!doctype html><meta charset=utf-8><style>' +
    'body {font: 16px sans-serif; width: 900px; margin: 2em}' +
    'code {background: #eee; padding: 2px} table {border-collapse: collapse}' +
    'td, th {border: 1px solid #ccc; padding: 4px 10px}</style>' +
    marked.parse(fs.readFileSync(file, 'utf8'), {gfm: true}));
  await t.load(page);
  await t.page.screenshot({path: picture, fullPage: true});
};

const main = async (kind, packages, ...rest) => {
  const t = await openBrowser('chromium', packages);
  const modules = path.join(packages, 'node_modules');
  await (kind === 'speedscope' ? speedscope : markdown)(t, modules, ...rest);
  await t.browser.close();
};
main(...process.argv.slice(2)).catch(e => {
  console.log(e.message);
  process.exit(1);
});
