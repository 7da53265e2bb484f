/** The thread that read the mail ended, maybe by another mail's doing: the sender is to try again. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}
