// each.js - run scripts of this folder many times in one process
//
//   node each.js < LIST
//
// Starting node takes more processor time than most of these scripts do. Each
// line of LIST has three or more columns with tabs between them: a file, the name
// of a script of this folder, and its arguments. What the script prints goes to
// the file. If a script fails, so does this program, with the script's error.
'use strict';
const fs = require('fs');
const path = require('path');
const {format} = require('util');

const programs = new Map();
const program = name => {
  if (!programs.has(name))
    programs.set(name, new Function('require', 'process', 'console',
      fs.readFileSync(path.join(__dirname, name + '.js'), 'utf8')));
  return programs.get(name);
};
for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(x => x)) {
  const [file, name, ...args] = line.split('\t');
  let text = '';
  program(name)(require, {argv: ['node', name, ...args]},
    {log: (...what) => { text += format(...what) + '\n'; }});
  fs.writeFileSync(file, text);
}
