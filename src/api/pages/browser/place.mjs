/**
 * Where the reader was in a report: back from another page, it is drawn anew, and longer than what the
 * browser had measured.
 */
import { keepPlace, placeOf } from './session.mjs';

const isReturn = performance
  .getEntriesByType('navigation')
  .some((one) =>
    /^(back_forward|reload)$/.test(/** @type {PerformanceNavigationTiming} */ (one).type),
  );

/** @param {HTMLElement} stage */
const foldsOf = (stage) => [...stage.querySelectorAll('details')];

/** Goes to where the reader left, and remembers it from then on. @param {HTMLElement} stage @param {string} id */
export function keepReaderAt(stage, id) {
  const place = isReturn ? placeOf(id) : undefined;
  if (place) {
    foldsOf(stage).forEach((one, i) => {
      one.open = place.open[i] === '1';
    });
    scrollTo({ top: place.top, behavior: 'instant' });
  } else document.getElementById(location.hash.slice(1))?.scrollIntoView();
  addEventListener('pagehide', () => {
    const open = foldsOf(stage).map((one) => (one.open ? '1' : '0'));
    keepPlace(id, { top: scrollY, open: open.join('') });
  });
}

// The target of a link is unfolded with what is around it.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  for (const one of [target, target?.querySelector(':scope > details')])
    if (one instanceof HTMLDetailsElement) one.open = true;
});
