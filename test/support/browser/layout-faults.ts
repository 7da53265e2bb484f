/** Finds faults in the layout of a page in Chromium. */

import type { Page } from 'playwright-core';

/** Runs in the page, and finds what is wider than its box, partly hidden, or drawn over its frame. */
const FIND = `(() => {
  const faults = [];
  const name = (one) => one.tagName.toLowerCase() + (one.className?.baseVal ?? one.className ? '.' + String(one.className.baseVal ?? one.className).replaceAll(' ', '.') : '')
    + ' "' + one.textContent.trim().slice(0, 40) + '"';
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 0) faults.push(wider + ' px wider than the window');
  for (const one of document.querySelectorAll('main *, header *, footer *')) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden')) continue;
    const box = one.getBoundingClientRect();
    if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !one.closest('pre'))
      faults.push('outside the window: ' + name(one));
    if (one instanceof HTMLElement && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && one.tagName !== 'PRE' && getComputedStyle(one).display !== 'inline')
      faults.push('wider than its box: ' + name(one));
  }
  for (const group of document.querySelectorAll('.chain g:has(> rect)')) {
    const frame = group.querySelector('rect').getBoundingClientRect();
    if (frame.width === 0) continue;
    for (const text of group.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left || box.right > frame.right) faults.push('over its frame: ' + name(text));
    }
  }
  for (const ring of document.querySelectorAll('.ring')) {
    const track = ring.querySelector('.ring-track').getBoundingClientRect();
    for (const text of ring.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < track.left || box.right > track.right) faults.push('over its ring: ' + name(text));
    }
  }
  return faults;
})()`;

/** Returns what cannot be read properly on a page. */
export const layoutFaults = async (page: Page) => (await page.evaluate(FIND)) as string[];
