/**
 * Keeps a double click on the home page from creating a second test, and links to the last test of this
 * browser tab.
 */

import { lastTest } from './session.mjs';

/**
 * Time in milliseconds for which the home page links to a test that this tab created. The service deletes tests after
 * about a day.
 */
const DAY_MS = 86_400_000;

const form = document.querySelector('[data-create]');
const resume = document.querySelector('[data-resume]');

/**
 * Time in milliseconds after which the button works again, because the reader may have stopped the request.
 */
const AGAIN_MS = 10_000;

const allowAgain = () => form?.querySelector('button')?.removeAttribute('aria-disabled');

// A second click must not create a second test. The button is not set to `disabled`, because it would lose
// the focus.
form?.addEventListener('submit', (event) => {
  const button = form.querySelector('button');
  if (button?.ariaDisabled === 'true') event.preventDefault();
  else setTimeout(allowAgain, AGAIN_MS);
  if (button) button.ariaDisabled = 'true';
});

// This event also fires when the browser restores the page as it was left.
addEventListener('pageshow', () => {
  allowAgain();
  const last = lastTest();
  const link = resume?.querySelector('a');
  if (!last || !link || !(resume instanceof HTMLElement) || Date.now() - last.at > DAY_MS) return;
  link.href = `${resume.dataset.resume}${last.id}`;
  const address = resume.querySelector('strong');
  if (address) address.textContent = last.address;
  resume.hidden = false;
});
