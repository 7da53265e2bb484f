/**
 * The tasks of every page with a script: it provides texts, copies and prints.
 *
 * @import { Translate } from '../texts.ts'
 * @import { Context } from '../view/html.mjs'
 */
import { texts } from '../strings.mjs';
import { translator } from '../view/html.mjs';

const { root = '', assets = '' } = document.documentElement.dataset;

/** @type {Context} What the views are written with, in this browser. */
export const context = { t: translator(texts), href: (path) => root + path };

/** @type {Translate} */
export const t = context.t;

/**
 * Loads a module that is only needed now, together with its imports, which the page lists.
 *
 * @param {string} name
 */
export function load(name) {
  const list = document.querySelector(`template[data-imports="${name}"]`);
  if (list instanceof HTMLTemplateElement) document.head.append(list.content);
  return import(new URL(assets + name, location.origin).href);
}

/** Milliseconds for which "Copied" is shown. */
const COPIED_MS = 2000;

/** @param {HTMLElement} button */
async function copy(button) {
  const label = button.dataset.label ?? button.textContent ?? '';
  button.dataset.label = label;
  const done = await navigator.clipboard.writeText(button.dataset.copy ?? '').then(
    () => true,
    () => false,
  );
  button.textContent = done ? t('copied') : t('copy_failed');
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}

/** Announces something to people who do not see the page change. @param {string} text */
export function announce(text) {
  const status = document.querySelector('[data-status]');
  if (status) status.textContent = text;
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copy], [data-print]') : null;
  if (!(button instanceof HTMLElement)) return;
  if (button.dataset.copy !== undefined) void copy(button);
  else print();
});

/** True once a form has been sent: a second click must not create a second test. */
let isSent = false;
addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post') return;
  if (isSent) event.preventDefault();
  isSent = true;
});
// Also runs when the page is restored as it was left.
addEventListener('pageshow', () => {
  isSent = false;
});

/** Sections that a printer could not open. @type {Set<HTMLDetailsElement>} */
const opened = new Set();
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details'))
    if (!details.open) {
      opened.add(details);
      details.open = true;
    }
});
addEventListener('afterprint', () => {
  for (const details of opened) details.open = false;
  opened.clear();
});
