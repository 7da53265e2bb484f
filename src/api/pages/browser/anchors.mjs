/**
 * Leads to a place of this page without touching its address: what stands after the # sign there is
 * the key of the report.
 *
 * @param {MouseEvent} event
 */
function follow(event) {
  const { target } = event;
  const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const place = document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
  if (!place) return;
  for (let outer = place.closest('details'); outer; outer = above(outer)) outer.open = true;
  const inner = place.querySelector(':scope > details');
  if (inner instanceof HTMLDetailsElement) inner.open = true;
  place.setAttribute('tabindex', '-1');
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}

/** @param {HTMLDetailsElement} details */
const above = (details) => details.parentElement?.closest('details') ?? null;

document.addEventListener('click', follow);
