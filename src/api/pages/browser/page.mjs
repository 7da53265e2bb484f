import { t } from './context.mjs';

/** Milliseconds that "Copied" is shown. */
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

/** Says something to who does not see the page change. @param {string} text */
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

/** What a printer could not open. @type {Set<HTMLDetailsElement>} */
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
