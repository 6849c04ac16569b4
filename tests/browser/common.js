// common.js - checks for the pages of all programs
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

// Colours as people see them who lack one kind of cone cells, for linear RGB.
// Source: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", 2009.
const BLINDNESS = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501,
    0.047413], [-0.011820, 0.042940, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809,
    0.147602], [0.004733, 0.691367, 0.303900]],
};
const times = (matrix, v) => matrix.map(row =>
  row.reduce((sum, m, i) => sum + m * v[i], 0));
const linear = color => color.match(/\d+/g).slice(0, 3).map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
// CIELAB of linear sRGB, under D65.
const lab = rgb => {
  const [x, y, z] = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505]], rgb).map((v, i) => v / [0.9505, 1, 1.089][i])
    .map(v => v > 0.008856 ? Math.cbrt(v) : 7.787 * v + 16 / 116);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};
// The colours of growth and of shrinking by the same amount must be easy to
// distinguish: their distance in CIELAB is at least 10.
const ramp = async (t, what) => {
  const colors = await t.run(() => [...(document.querySelector('.ramp') ||
    {children: []}).children].map(e => getComputedStyle(e).backgroundColor));
  const poor = Object.entries(BLINDNESS).flatMap(([name, matrix]) => {
    const seen = colors.map(c => lab(times(matrix, linear(c))));
    return seen.slice(0, 4).map((c, i) => [name, i - 4,
      Math.hypot(...c.map((v, k) => v - seen[8 - i][k]))]);
  }).filter(([, , apart]) => !(apart >= 10));
  if (colors.length)
    say('growth and shrinking differ for colour-blind people, ' + what,
      colors.length === 9 && !poor.length, poor.join('; '));
};

// On a phone, a tap does the same as a click, and the drawer fits the screen.
const touch = async t => {
  const row = await t.run(() => Boolean(document.querySelector(
    '#body [data-row]')));
  if (!row) return;
  await t.tap('#body [data-row]');
  const [open, wide, tall] = await t.run(() => {
    const d = document.getElementById('drawer');
    return [!d.hidden, d.scrollWidth - d.clientWidth,
      Math.max(...[...d.querySelectorAll('.figures tr')]
        .map(tr => tr.offsetHeight))];
  });
  say('a tap opens a row, and the drawer fits the screen',
    open && wide <= 0 && tall < 80, [open, wide, tall].join(' '));
  await t.tap('#drawer [aria-label="Close"]');
  say('a tap closes the drawer', await t.run(() =>
    document.getElementById('drawer').hidden));
};

// Check the page in dark and light mode, on a phone and on a huge screen. At
// the end the window has its usual size again.
const looks = async t => {
  const violations = [];
  const look = async what => {
    const found = await t.axe();
    if (found) violations.push(what + ': ' + found);
  };

  await t.setDark(true);
  say('the page is dark if the system is dark',
    isDark(await t.run(background)));
  await look('dark');
  await ramp(t, 'dark');
  await t.click('#bar button[aria-label="Light or dark"]');
  say('a button changes the page to light', !isDark(await t.run(background)));
  await look('light');
  await ramp(t, 'light');
  await t.resize(320, 800, true); // the size in WCAG 1.4.10
  let wide = await fits(t);
  say('the page fits a window of 320 pixels', !wide, wide);
  await t.resize(390, 800, true);
  wide = await fits(t);
  say('the page fits the screen of a phone', !wide, wide);
  const menu = await t.run(() => {
    const list = document.querySelector('.menu');
    if (!list) return null;
    list.open = true;
    const {left, right} = list.lastElementChild.getBoundingClientRect();
    list.open = false;
    return left < 0 || right > document.documentElement.clientWidth ?
      left + ' to ' + right : '';
  });
  if (menu !== null) // only pages of hprof-diff have such a list
    say('the list of columns fits the screen of a phone', !menu, menu);
  await look('light, on a phone');
  await touch(t);
  await t.resize(3840, 2160);
  wide = await fits(t);
  say('the page fits a huge screen', !wide, wide);
  await t.resize(1200, 900);
  say('axe finds no violation of accessibility on the page', !violations.length,
    violations.join('\n'));
};

const print = async t => {
  if (t.kind === 'chromium') {
    await t.resize(760, 1100);
    await t.page.emulateMediaType('print');
    await t.run(() => {
      document.documentElement.dataset.theme = 'dark';
      dispatchEvent(new Event('beforeprint'));
    });
    say('the printed page is white, and has no buttons and no search',
      await t.run(() =>
        getComputedStyle(document.body).backgroundColor ===
          'rgb(255, 255, 255)' &&
        !document.getElementById('bar').offsetHeight &&
        ![...document.querySelectorAll('.btn, .choice, .screen, .objects, ' +
          'input')].some(e => e.offsetHeight)));
    // Chromium leaves out buttons where it repeats the heading of a table
    const repeats = await t.run(() => [...document.querySelectorAll(
      'thead button')].every(e => getComputedStyle(e).display ===
      'contents' || !e.offsetHeight) && [...document.querySelectorAll(
      '#suspect-list > details, #why details')].every(e => e.open ||
      document.querySelector('#suspects-h').textContent === 'Largest owners'));
    say('the printed page has all suspects and all headings of tables',
      repeats);
    await t.run(() => {
      document.documentElement.dataset.theme = 'light';
      dispatchEvent(new Event('afterprint'));
    });
    const cut = await t.run(() => [...document.querySelectorAll('.scroll')]
      .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent
        .slice(0, 40)));
    say('the printed page cuts off no table', !cut.length, cut.join('; '));
    await t.page.emulateMediaType(null);
    await t.resize(1200, 900);
  }
  const pdf = await t.page.pdf({format: 'a4'});
  say('the browser can print the page to a PDF file',
    Buffer.from(pdf).subarray(0, 5).toString() ===
      '%PDF-' && pdf.length > 4000, pdf.length);
};

const quiet = t => {
  const others = t.requests.filter(r => r.split('#')[0] !== t.url);
  say('the page requests no other file', !others.length, others.join(' '));
  say('the browser reports no error',
    !t.problems.length, t.problems.join('\n'));
};

// The page has loaded, and no text from a dump became a script or markup.
const stands = async (t, file) => {
  const ready = await t.load(file);
  const fine = ready > 0 && await t.run(() =>
    !document.getElementById('app').hidden &&
    !document.getElementById('fallback') && document.title.length > 0);
  say('the page has loaded, and its script has run',
    fine, fs.statSync(file).size + ' bytes');
  if (!fine) throw new Error('the page has not loaded');
  say('no text of the dump became markup or a script', await t.run(() =>
    document.scripts.length === 3 && !document.getElementById('app')
    .textContent.includes('[object ') && ![...document.querySelectorAll('*')]
      .some(e => /^(img|iframe|object|embed|link|base|form)$/i.test(e.tagName) ||
        e.getAttributeNames().some(a => /^on/i.test(a)))));
};

// Without scripts the page shows tables. Firefox cannot turn off scripts.
const withoutScripts = async (t, file) => {
  if (t.kind !== 'chromium') return;
  await t.page.setJavaScriptEnabled(false);
  await t.load(file);
  say('the page shows tables if scripts are turned off', await t.run(() =>
    document.querySelector('#fallback table').offsetHeight > 0 &&
    document.getElementById('app').offsetHeight === 0));
  await t.page.setJavaScriptEnabled(true);
};

module.exports = {looks, print, quiet, stands, withoutScripts};
