/**
 * Ends this process, as SIGTERM would, when the one that started it over an IPC channel is gone,
 * even by `kill -9`. Without a channel nothing is watched.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Watching alone keeps nothing alive.
  process.channel?.unref();
}
