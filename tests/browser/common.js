// common.js - what the pages of all programs promise
'use strict';
const fs = require('fs');
const {say} = require('./browser.js');

const background = () => getComputedStyle(document.body).backgroundColor;
const isDark = color => color.match(/[\d.]+/g).slice(0, 3)
  .every(v => Number(v) < (color.startsWith('color(') ? 0.4 : 100));

// No part of the page is wider than the window.
const fits = t => t.run(() => {
  const page = document.documentElement;
  return page.scrollWidth <= page.clientWidth ? '' : page.scrollWidth + ' of ' +
    page.clientWidth + ': ' + [...document.querySelectorAll('main *')]
    .filter(e => e.getBoundingClientRect().right > page.clientWidth + 1)
    .slice(0, 3).map(e => e.tagName + '.' + e.className).join(', ');
});

// Light and dark, a phone, a wall; at the end the window is as it was.
const looks = async t => {
  const violations = [];
  const look = async what => {
    const found = await t.axe();
    if (found) violations.push(what + ': ' + found);
  };

  await t.setDark(true);
  say('dark where the system is', isDark(await t.run(background)));
  await look('dark');
  await t.click('#bar button[aria-label="Light or dark"]');
  say('a button makes it light', !isDark(await t.run(background)));
  await t.resize(390, 800);
  let wide = await fits(t);
  say('a phone shows all of it', !wide, wide);
  await look('light, on a phone');
  await t.resize(3840, 2160);
  wide = await fits(t);
  say('so does a wall', !wide, wide);
  await t.resize(1200, 900);
  say('accessible by all rules of axe', !violations.length,
    violations.join('\n'));
};

const print = async t => {
  const pdf = await t.page.pdf({format: 'a4'});
  say('it can be printed', Buffer.from(pdf).subarray(0, 5).toString() ===
    '%PDF-' && pdf.length > 4000, pdf.length);
};

const quiet = t => {
  const others = t.requests.filter(r => r.split('#')[0] !== t.url);
  say('nothing but the page is fetched', !others.length, others.join(' '));
  say('no error', !t.problems.length, t.problems.join('\n'));
};

// The page stands, and nothing that came from a dump runs or is markup.
const stands = async (t, file) => {
  const ready = await t.load(file);
  const fine = ready > 0 && await t.run(() =>
    !document.getElementById('app').hidden &&
    !document.getElementById('fallback') && document.title.length > 0);
  say('the page stands', fine, fs.statSync(file).size + ' bytes');
  if (!fine) throw new Error('there is nothing to look at');
  say('text of a dump is text', await t.run(() =>
    document.scripts.length === 3 && ![...document.querySelectorAll('*')]
      .some(e => /^(img|iframe|object|embed|link|base|form)$/i.test(e.tagName) ||
        e.getAttributeNames().some(a => /^on/i.test(a)))));
};

// What is there without scripts; Firefox cannot turn them off.
const withoutScripts = async (t, file) => {
  if (t.kind !== 'chromium') return;
  await t.page.setJavaScriptEnabled(false);
  await t.load(file);
  say('without scripts there are tables', await t.run(() =>
    document.querySelector('#fallback table').offsetHeight > 0 &&
    document.getElementById('app').offsetHeight === 0));
  await t.page.setJavaScriptEnabled(true);
};

module.exports = {looks, print, quiet, stands, withoutScripts};
