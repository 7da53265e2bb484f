/**
 * Does what several pages with a script need: provides the texts, loads modules, announces changes to screen
 * readers, handles the buttons that copy and print, opens all sections for printing, and keeps a form from
 * being sent twice.
 *
 * @import { Translate } from '../texts.ts'
 * @import { Context } from '../view/html.mjs'
 */
import { texts } from '../strings.mjs';
import { translator } from '../view/html.mjs';

const { root = '', assets = '' } = document.documentElement.dataset;

/** @type {Context} The functions that views need, for this browser. */
export const context = { t: translator(texts), href: (path) => root + path };

/** @type {Translate} */
export const t = context.t;

/**
 * Loads a module only when it is needed. Its imports, which the page lists, are fetched at the same time.
 *
 * @param {string} name
 */
export function load(name) {
  const list = document.querySelector(`template[data-imports="${name}"]`);
  if (list instanceof HTMLTemplateElement) document.head.append(list.content);
  return import(new URL(assets + name, location.origin).href);
}

/** Time in milliseconds for which a button shows "Copied". */
const COPIED_MS = 2000;

/**
 * Copies a text, and returns whether this worked. Browsers offer the clipboard API only to pages that come
 * over HTTPS or from this machine; other pages use the older `execCommand`.
 *
 * @param {string} text
 * @param {HTMLElement} button gets the focus back
 */
async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    button.after(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    button.focus();
    return done;
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  const label = button.dataset.label ?? button.textContent ?? '';
  button.dataset.label = label;
  const done = await copyText(button.dataset.copy ?? '', button);
  button.textContent = done ? t('copied') : t('copy_failed');
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}

/** Announces a change of the page to people who cannot see it. @param {string} text */
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

/**
 * Time in milliseconds after which a form may be sent again, because the reader may have stopped the request.
 */
const AGAIN_MS = 10_000;

/** True once a form has been sent, because a second click must not create a second test. */
let isSent = false;
addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post') return;
  if (isSent) event.preventDefault();
  else
    setTimeout(() => {
      isSent = false;
    }, AGAIN_MS);
  isSent = true;
});
// This event also fires when the browser restores the page as it was left.
addEventListener('pageshow', () => {
  isSent = false;
});

/**
 * Sections that were opened for printing, because nobody can open them on paper. @type
 * {Set<HTMLDetailsElement>}
 */
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
