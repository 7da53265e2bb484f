/** Runs the countdowns on a test's page, and draws its QR codes. */
import { now } from './api.mjs';
import { load, t } from './page.mjs';

/** @param {number} seconds */
function formatLeft(seconds) {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * Writes the remaining time into every `[data-until]` element once a second. The changes are not announced,
 * because a screen reader would read nothing else.
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

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws the QR code of a `[data-qr]` element once it is opened. The browser draws it, because the server
 * could do so only if a request contained the address.
 *
 * @param {HTMLDetailsElement} details
 */
async function draw(details) {
  const into = details.querySelector('.qr');
  if (!into || into.childElementCount > 0) return;
  /** @type {typeof import('uqr')} */
  const { encode } = await load('uqr.mjs');
  const { data, size } = encode(details.dataset.qr ?? '', { ecc: 'M', border: 2 });
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  const path = document.createElementNS(SVG, 'path');
  const dots = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  path.setAttribute('d', dots.join(''));
  svg.append(path);
  into.append(svg);
}

// The listener captures the event, because `toggle` does not bubble.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && target.dataset.qr !== undefined)
      void draw(target);
  },
  true,
);
