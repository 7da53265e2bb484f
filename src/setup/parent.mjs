/**
 * Ends this process, as SIGTERM would, once the process that started it over an IPC channel is gone, even if
 * that one was killed with `kill -9`. Without a channel, nothing is watched.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Watching alone must not keep this process running.
  process.channel?.unref();
}
