/** The service lacks a resource of its own: the sender should try again, and nothing may be concluded. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
