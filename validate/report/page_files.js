// page_files.js - a table of several files, to choose one
const COLUMNS = [['file', f => f.path, 1], ['verdict', f => f.verdict, 1],
  ['errors', f => f.totals.error, -1], ['warnings', f => f.totals.warning, -1],
  ['notes', f => f.totals.info, -1], ['size', f => f.bytes, -1],
  ['written by', f => f.dialect, 1]];
let order = [2, -1];
const fileRow = f => h('tr', {'aria-selected': String(f === file)},
  h('th', {scope: 'row', class: 'text'}, h('button', {type: 'button',
    class: 'link', onclick: () => choose(f)}, pathOf(f.path))),
  h('td', {class: 'text ' + VERDICTS[f.verdict][2]},
    VERDICTS[f.verdict].slice(0, 2).join(' ')),
  SEVERITIES.map(s => h('td', {class: f.totals[s] ? s : 'soft'},
    formatCount(f.totals[s]))),
  h('td', {}, f.verdict === 'unreadable' ? '' : formatSize(f.bytes)),
  h('td', {class: 'text'}, f.dialect));
const compareFiles = (a, b) => {
  const value = COLUMNS[order[0]][1], x = value(a), y = value(b);
  return (x < y ? -1 : x > y ? 1 : 0) * order[1] ||
    FILES.indexOf(a) - FILES.indexOf(b);
};
const renderFiles = () => {
  const matches = searchFor($('which').value);
  const list = FILES.filter(f => !matches || matches([f.path, f.dialect]))
    .sort(compareFiles);
  fill($('file-table').tBodies[0], list.map(fileRow));
  $('which-found').textContent = list.length === FILES.length ?
    plural(FILES.length, 'file') :
    formatCount(list.length) + ' of ' + plural(FILES.length, 'file');
  [...$('file-table').tHead.rows[0].cells].forEach((cell, i) => {
    if (i === order[0]) cell.setAttribute('aria-sort',
      order[1] > 0 ? 'ascending' : 'descending');
    else cell.removeAttribute('aria-sort');
  });
};
const makeFiles = () => {
  if (FILES.length < 2) return;
  const bad = FILES.filter(f => f.verdict !== 'valid').length;
  $('files').hidden = false;
  $('files-h').textContent = bad ? plural(bad, 'file') + ' of ' +
    formatCount(FILES.length) + (bad === 1 ? ' is' : ' are') +
    ' not valid' :
    'All ' + formatCount(FILES.length) + ' files are valid';
  fill($('file-table').tHead, h('tr', {}, COLUMNS.map(([name,, turn], i) =>
    h('th', {scope: 'col', class: turn > 0 ? 'text' : null},
      button(name, () => {
        order = order[0] === i ? [i, -order[1]] : [i, turn];
        renderFiles();
      }, {class: 'link'})))));
  $('which').addEventListener('input', renderFiles);
};
