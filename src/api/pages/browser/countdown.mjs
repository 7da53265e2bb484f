import { now } from './api.mjs';
import { t } from './context.mjs';

/** @param {number} seconds */
function formatLeft(seconds) {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * Writes what is left into every `[data-until]`, once a second. It is not announced: a screen reader
 * would read nothing else.
 *
 * @param {HTMLElement} root
 */
export function runCountdowns(root) {
  const tick = () => {
    for (const element of root.querySelectorAll('[data-until]')) {
      if (!(element instanceof HTMLElement)) continue;
      const left = Math.round((Date.parse(element.dataset.until ?? '') - now()) / 1000);
      element.textContent = t('time_left', { left: formatLeft(Math.max(0, left)) });
    }
  };
  tick();
  setInterval(tick, 1000);
  return tick;
}
