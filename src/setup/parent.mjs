/**
 * Ends this process, as SIGTERM would, when the process that started it over an IPC channel is gone, even if
 * that was killed with `kill -9`. Without a channel, nothing is watched.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Watching alone must not keep this process running.
  process.channel?.unref();
}
