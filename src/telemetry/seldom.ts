/** Between two lines about the same, in milliseconds. */
const QUIET_MS = 60_000;

/** The same, but at most once a minute: what lasts is one line, not thousands. */
export function seldom<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  let due = 0;
  return (...given) => {
    const now = performance.now();
    if (now < due) return;
    due = now + QUIET_MS;
    act(...given);
  };
}
