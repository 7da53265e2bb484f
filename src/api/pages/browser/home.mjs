/** Prevents a second test by a double click on the home page, and offers the tab's last test again. */

import { lastTest } from './session.mjs';

/** Milliseconds for which a test of this tab is offered again. After that it is deleted. */
const DAY_MS = 86_400_000;

const form = document.querySelector('[data-create]');
const resume = document.querySelector('[data-resume]');

// A second click must not create a second test. `disabled` would lose the focus.
form?.addEventListener('submit', (event) => {
  const button = form.querySelector('button');
  if (button?.ariaDisabled === 'true') event.preventDefault();
  if (button) button.ariaDisabled = 'true';
});

// Also runs when the page is restored as it was left.
addEventListener('pageshow', () => {
  form?.querySelector('button')?.removeAttribute('aria-disabled');
  const last = lastTest();
  const link = resume?.querySelector('a');
  if (!last || !link || !(resume instanceof HTMLElement) || Date.now() - last.at > DAY_MS) return;
  link.href = `${resume.dataset.resume}${last.id}`;
  const address = resume.querySelector('strong');
  if (address) address.textContent = last.address;
  resume.hidden = false;
});
