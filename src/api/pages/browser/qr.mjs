import { assetUrl } from './context.mjs';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws what a `[data-qr]` holds once it is opened. In the browser: drawn by the server, the address
 * would stand in a request.
 *
 * @param {HTMLDetailsElement} details
 */
async function draw(details) {
  const into = details.querySelector('.qr');
  if (!into || into.childElementCount > 0) return;
  /** @type {typeof import('uqr')} */
  const { encode } = await import(assetUrl('uqr.mjs'));
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

// `toggle` does not bubble.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && target.dataset.qr !== undefined)
      void draw(target);
  },
  true,
);
