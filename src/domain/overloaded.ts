/** The service is short of something of its own: the sender is to try again, and nothing follows. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
