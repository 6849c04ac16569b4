// shots.js - pictures of the pages, for the documentation
//
//   node shots.js PACKAGES DIFF.html VALIDATE.html FOLDER
//
// PACKAGES is the folder that tests/npm/install printed.
'use strict';
const path = require('path');
const {openBrowser} = require('./browser.js');

// open a row of hprof-diff's table; scroll a part of a page to the top
const openRow = name => [...document.querySelectorAll('#body [data-row]')]
  .find(b => b.textContent === name).click();
const show = id => document.getElementById(id).scrollIntoView();

const SHOTS = [ // name, page, width, height, dark, what is done before
  ['diff', 0, 1060, 760, false],
  ['diff-row', 0, 1060, 640, true, t => t.run(openRow, 'Shop$CartListener')],
  ['diff-owners', 0, 1060, 720, false, t => t.run(show, 'owners')],
  ['diff-phone', 0, 390, 700, false, t => t.run(show, 'rows')],
  ['validate', 1, 1060, 720, false],
];

const main = async (packages, diff, validate, folder) => {
  const t = await openBrowser('chromium', packages);
  for (const [name, page, width, height, dark, before] of SHOTS) {
    await t.resize(width, height);
    await t.setDark(dark);
    await t.load([diff, validate][page]);
    if (before) await before(t);
    await new Promise(done => { setTimeout(done, 500); });
    await t.page.screenshot({path: path.join(folder, name + '.png')});
  }
  await t.browser.close();
};
main(...process.argv.slice(2)).then(() => process.exit(0), e => {
  console.error(e.stack);
  process.exit(1);
});
