// say.js - evaluate functions of a page without a browser
//
//   node say.js PAGE.html EXPRESSION...   each evaluated in the page's script
'use strict';
const {openPage} = require('./world.js');

const [, , file, ...expressions] = process.argv;
for (const text of openPage(file).said(...expressions)) console.log(text);
