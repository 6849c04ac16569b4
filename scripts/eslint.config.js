// eslint.config.js - the rules for the scripts of the HTML reports
'use strict';
const on = 'error';
module.exports = [{
  languageOptions: {ecmaVersion: 2022, sourceType: 'script', globals:
    Object.fromEntries(['addEventListener', 'clearTimeout', 'document',
      'DOMParser', 'getComputedStyle', 'history', 'innerHeight', 'innerWidth',
      'IntersectionObserver', 'location', 'matchMedia', 'navigator',
      'performance', 'requestAnimationFrame', 'ResizeObserver', 'scrollTo',
      'setTimeout', 'URLSearchParams', 'window'].map(g => [g, 'readonly']))},
  rules: {
    'array-callback-return': on, 'consistent-return': on, 'curly': 'off',
    'eqeqeq': on, 'no-const-assign': on, 'no-dupe-args': on,
    'no-dupe-keys': on, 'no-duplicate-case': on, 'no-empty': on,
    'no-eval': on, 'no-fallthrough': on, 'no-implicit-globals': on,
    'no-implied-eval': on, 'no-new-func': on, 'no-param-reassign': 'off',
    'no-redeclare': on, 'no-self-compare': on, 'no-shadow': on,
    'no-undef': on, 'no-unreachable': on, 'no-unused-expressions': on,
    'no-unused-vars': on, 'no-use-before-define': [on, {functions: false,
      variables: false}], 'no-var': on, 'prefer-const': on, 'strict': [on,
      'function'],
    // properties that turn text into markup or code
    'no-restricted-properties': [on, ...['innerHTML', 'outerHTML',
      'insertAdjacentHTML', 'write', 'srcdoc'].map(property => ({property}))],
  },
}];
