// page_objects.js - the largest and the newest elements of a suspect, with
// their fields; a field leads to its object if the page has it
const examplesOf = s => s.examples ?
  [...s.examples.largest, ...s.examples.newest || []] : [];
const EXAMPLES = new Map(PLACES.flatMap(examplesOf).map(o => [o.id, o]));
// The elements on the page that show an object, in the order of the page.
const shownObjects = new Map();
const showObject = id => {
  const to = (shownObjects.get(id) || []).find(x => x.isConnected);
  if (!to) return;
  for (let x = to; x; x = x.parentElement)
    if (x.tagName === 'DETAILS') x.open = true;
  to.scrollIntoView({block: 'center'});
  to.querySelector('summary').focus();
};
const drawValue = f => {
  if (f.null) return 'null';
  if (!f.refers_to) return f.value === undefined ? f.type : String(f.value);
  return [EXAMPLES.has(f.refers_to) ? h('button', {type: 'button',
    class: 'link', onclick: () => showObject(f.refers_to)}, f.refers_to) :
    h('code', {}, f.refers_to), ' ',
  f.class ? rowButton(f.class) : 'not in the dump',
  f.text === undefined ? null : ' “' + f.text + '”'];
};
const drawObject = o => {
  const fields = o.fields || o.elements, more = o.more_fields ||
    o.more_elements;
  const e = h('details', {class: 'object'}, h('summary', {}, h('code', {},
    o.id), ' ', o.label || nameOf(o.class), ', ', formatSize(o.retained_bytes ||
    o.bytes), o.text === undefined ? null : ' “' + o.text + '”'),
  h('ul', {}, fields.map(f => h('li', {}, f.name === undefined ?
    '[' + f.index + ']' : f.name, ' = ', drawValue(f))),
  more ? h('li', {class: 'soft'}, 'and ' + plural(more, o.fields ? 'field' :
    'element')) : null),
  rowsByKey(o.class) ? h('p', {class: 'soft'}, 'Class: ', rowButton(o.class)) :
    null);
  shownObjects.set(o.id, [...shownObjects.get(o.id) || [], e]);
  return e;
};
// The objects of a suspect, folded at first.
const drawExamples = s => {
  const list = (title, objects) => objects && objects.length ? [h('p',
    {class: 'soft'}, title), objects.map(drawObject)] : null;
  return s.examples ? h('details', {class: 'objects'}, h('summary',
    {class: 'link'}, 'Objects in it'), list('Retaining most:',
    s.examples.largest), list('Added last:', s.examples.newest)) : null;
};
