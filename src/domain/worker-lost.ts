/**
 * The error for when the thread that was reading the email ended, perhaps because of another email: the
 * sender should try again.
 */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}
