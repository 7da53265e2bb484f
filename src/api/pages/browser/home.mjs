import { html } from '../view/html.mjs';
import { fetchNewTest, now, ProblemError } from './api.mjs';
import { context, t } from './context.mjs';
import { problemText } from './problem-text.mjs';
import { keepTest, keepToken, lastTest } from './session.mjs';
import './page.mjs';

/** Milliseconds that a test of this tab is offered again: after that it is deleted. */
const DAY_MS = 86_400_000;

const form = document.querySelector('[data-create]');
const error = document.querySelector('[data-error]');
const resume = document.querySelector('[data-resume]');

/** @param {HTMLButtonElement} button */
async function create(button) {
  // Not `disabled`: the focus would be lost.
  if (button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  const label = button.textContent;
  button.textContent = t('creating');
  if (error instanceof HTMLElement) error.hidden = true;
  try {
    const { test_id, read_token, address } = await fetchNewTest();
    keepToken(test_id, read_token);
    keepTest(test_id, address, now());
    location.assign(`${context.href(`/t/${test_id}`)}#${read_token}`);
  } catch (cause) {
    if (!(cause instanceof ProblemError) || !(error instanceof HTMLElement)) throw cause;
    error.textContent = problemText(cause.problem);
    error.hidden = false;
  } finally {
    button.textContent = label;
    button.ariaDisabled = null;
  }
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button) void create(button);
});

function offerLast() {
  const last = lastTest();
  if (!last || !(resume instanceof HTMLElement) || now() - last.at > DAY_MS) return;
  resume.innerHTML =
    html`${t('resume', { address: last.address })} <a href="${context.href(`/t/${last.id}`)}">${t('resume_link')}</a>`.markup;
  resume.hidden = false;
}

offerLast();
// Back from a test, the page may come as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) offerLast();
});
