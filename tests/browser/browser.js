// browser.js - a real browser with one page in it, driven by mouse and keys
//
// The npm package puppeteer-core (tests/npm) drives both browsers: Chromium
// with its own protocol, Firefox with WebDriver BiDi. Every request of a page,
// every message on its console and every violation of its content security
// policy is recorded.
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
    // pages are dark, whatever the settings of the machine
    'layout.css.prefers-color-scheme.content-override': 0,
    'ui.prefersReducedMotion': 1,
  }},
};

const findProgram = kind => process.env.PATH.split(':')
  .flatMap(dir => PROGRAMS[kind].map(name => path.join(dir, name)))
  .find(file => fs.existsSync(file));

// Print the result of a check. A line with NOT makes the test fail.
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

  // Requests for data: addresses are not recorded, because Firefox requests a
  // font of its own in this way for every page. A data: address of the page
  // itself violates its policy, and violations are recorded.
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

  // Make the system dark or light. Firefox cannot change this while it runs.
  t.setDark = async dark => kind === 'chromium' &&
    page.emulateMediaFeatures([
      {name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'},
      {name: 'prefers-reduced-motion', value: 'reduce'}]);
  t.run = (code, ...args) => page.evaluate(code, ...args);
  // Wait until a condition is true. Returns false if it is not true after a
  // minute: a busy machine needs several seconds for what usually takes 20 ms.
  t.until = (code, ...args) => page.waitForFunction(code, {timeout: 60000},
    ...args).then(() => true, () => false);
  t.resize = (width, height, touch) => page.setViewport({width, height,
    ...kind === 'chromium' ? {hasTouch: Boolean(touch)} : {}});
  // Load a page. Returns how many milliseconds passed until its script had run.
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
  // Returns the middle of the element that a selector or a function finds. The
  // page may be about to draw its table again, with a timer of 0 ms; wait for
  // that, because the element would be another one, or at another place.
  t.middle = async (which, ...args) => {
    await t.run(() => new Promise(done => setTimeout(done, 0)));
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
  // Tap with a finger. t.resize() tells the browser whether it has a touch
  // screen.
  t.tap = async (which, ...args) => {
    const {x, y} = await t.middle(which, ...args);
    await page.touchscreen.tap(x, y);
  };
  // Press Tab from the top of the page until @test is true, for example because
  // the right element has the focus.
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
  // Returns the violations of the accessibility rules of axe, as a text.
  t.axe = async () => {
    await t.run(axe);
    return t.run(async () => (await window.axe.run(document,
      {resultTypes: ['violations']})).violations.map(v => v.id + ' ' +
      v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(', ')).join('; '));
  };
  return t;
};

module.exports = {findProgram, openBrowser, say};
