// formats.js - write numbers as texts, independently of the page's script and of
// the programs
'use strict';
const count = v => String(v).replace(/\B(?=(\d{3})+$)/g, ',');
const noun = (v, word) => count(v) + ' ' + word + (v === 1 ? '' : 's');
const size = v => {
  let i = 0, x = v;
  for (; x >= 1024 && i < 6; i++) x /= 1024;
  return i ? (Math.round(x * 10) / 10).toFixed(1) + ' ' + ' KMGTPE'[i] + 'B' :
    Math.round(v) + ' B';
};
const signed = (v, text = count) => (v > 0 ? '+' : v < 0 ? '−' : '') +
  text(Math.abs(v));
const short = p => (p < 9.95 || p > 99 && p < 99.95 ?
  (Math.round(p * 10) / 10).toFixed(1) : count(Math.round(p))) + ' %';
const percent = p => p === 0 ? '0 %' : p < 0.05 ? '<0.1 %' : p < 100 &&
  p >= 99.95 ? '>99.9 %' : short(p);
const growth = (a, b) => {
  const p = Math.abs(b - a) / a * 100;
  if (a === b) return '0 %';
  if (!a) return 'new';
  if (b > a && (b - a) / a >= 9.995) return '×' + count(Math.round(b / a));
  return p < 0.05 ? '<0.1 %' : (b < a ? '−' : '+') + short(b < a && b ?
    Math.min(p, 99.9) : p);
};
module.exports = {count, growth, noun, percent, signed, size};
