let endPause = () => {};

/** Ends the wait for a change, which a network that was gone has forgotten. */
let poll = new AbortController();

/** The next poll, which `pollNow` ends. */
export function newPoll() {
  poll = new AbortController();
  return poll;
}

/** @param {number} ms @returns {Promise<void>} Ends early when the page comes back to the front. */
export const pause = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Ends the pause or the poll under way: what changed meanwhile is not waited for. */
export function pollNow() {
  endPause();
  poll.abort();
}

addEventListener('online', pollNow);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') pollNow();
});
