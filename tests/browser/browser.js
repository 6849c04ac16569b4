// browser.js - a real browser with one page in it, driven by mouse and keys
//
// Chromium is driven by its own protocol, Firefox by WebDriver BiDi, both by the
// npm package puppeteer-core (tests/npm). Whatever a page asks for, complains
// about or may not do by its policy is noted from the beginning.
'use strict';
const fs = require('fs'), path = require('path');

const PROGRAMS = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  firefox: ['firefox-esr', 'firefox'],
};
const OPTIONS = {
  chromium: {browser: 'chrome', args: ['--no-sandbox', '--disable-gpu',
    '--disable-dev-shm-usage', '--disable-background-networking',
    '--disable-component-update', '--hide-scrollbars']},
  firefox: {browser: 'firefox', extraPrefsFirefox: {
    // dark for pages, whatever the machine has
    'layout.css.prefers-color-scheme.content-override': 0,
    'ui.prefersReducedMotion': 1,
  }},
};

const findProgram = kind => process.env.PATH.split(':')
  .flatMap(dir => PROGRAMS[kind].map(name => path.join(dir, name)))
  .find(file => fs.existsSync(file));

// Prints as it goes; one line that is NOT so is a failure of the whole.
const say = (what, fine, why) =>
  console.log((fine ? 'ok ' : 'NOT ') + what + (fine || !why ? '' : ': ' + why));

const openBrowser = async (kind, packages) => {
  const from = name => require(require.resolve(name, {paths: [packages]}));
  const browser = await from('puppeteer-core').launch({...OPTIONS[kind],
    executablePath: findProgram(kind), headless: true});
  const page = await browser.newPage();
  const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js',
    {paths: [packages]}), 'utf8');
  const t = {kind, browser, page, requests: [], problems: []};

  // Firefox has a font of its own in a data: address, for any page; those that
  // a page has are a problem by its policy.
  page.on('request', r => {
    if (!r.url().startsWith('data:')) t.requests.push(r.url());
  });
  page.on('pageerror', e => t.problems.push('error: ' + e.message));
  page.on('console', m => {
    if (/^(error|warn|assert)/.test(m.type()))
      t.problems.push(m.type() + ': ' + m.text());
  });
  page.on('dialog', d => {
    t.problems.push('dialog: ' + d.message());
    d.dismiss();
  });
  await page.evaluateOnNewDocument(() => addEventListener(
    'securitypolicyviolation', e => console.error(
      'policy: ' + e.violatedDirective + ' ' + e.blockedURI)));

  // A dark system, or a light one. Firefox cannot be told while it runs.
  t.setDark = async dark => kind === 'chromium' &&
    page.emulateMediaFeatures([
      {name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'},
      {name: 'prefers-reduced-motion', value: 'reduce'}]);
  t.run = (code, ...args) => page.evaluate(code, ...args);
  // Is it so, now or a little later?
  t.until = (code, ...args) => page.waitForFunction(code, {timeout: 5000},
    ...args).then(() => true, () => false);
  t.resize = (width, height, touch) => page.setViewport({width, height,
    ...kind === 'chromium' ? {hasTouch: Boolean(touch)} : {}});
  // Milliseconds from the beginning until the page's script was through.
  t.load = async (file, hash) => {
    t.requests.length = t.problems.length = 0;
    t.url = 'file://' + path.resolve(file);
    await page.goto('about:blank');
    t.requests.length = 0;
    await page.goto(t.url + (hash || ''), {waitUntil: 'load'});
    return Number(await t.run(() => document.documentElement.dataset.ready));
  };
  t.key = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
  };
  t.type = text => page.keyboard.type(text);
  // The middle of the element that a selector or a function names.
  t.middle = async (which, ...args) => {
    const handle = typeof which === 'string' ? await page.$(which) :
      (await page.evaluateHandle(which, ...args)).asElement();
    if (!handle) throw new Error('no element: ' + which);
    return handle.evaluate(e => {
      e.scrollIntoView({block: 'center', inline: 'center'});
      const r = e.getBoundingClientRect();
      return {x: r.x + r.width / 2, y: r.y + r.height / 2};
    });
  };
  t.click = async (which, ...args) => {
    const {x, y} = await t.middle(which, ...args);
    await page.mouse.click(x, y);
  };
  // A finger; the browser is told that there is a touch screen.
  t.tap = async (which, ...args) => {
    const {x, y} = await t.middle(which, ...args);
    await page.touchscreen.tap(x, y);
  };
  // Press Tab from the top of the page until the focus is where @test says.
  t.tabTo = async (test, most = 400) => {
    await t.run(() => { // Tab goes on from what had the focus last
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute('tabindex');
    });
    for (let i = 0; i < most; i++) {
      await t.key('Tab');
      if (await t.run(test)) return true;
    }
    return false;
  };
  // What the rules of accessible pages have to say, as text.
  t.axe = async () => {
    await t.run(axe);
    return t.run(async () => (await window.axe.run(document,
      {resultTypes: ['violations']})).violations.map(v => v.id + ' ' +
      v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(', ')).join('; '));
  };
  return t;
};

module.exports = {findProgram, openBrowser, say};
