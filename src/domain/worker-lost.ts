/** The thread that read the email ended, perhaps because of another email: the sender should try again. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}
