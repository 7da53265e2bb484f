/**
 * The error for when the service lacks a resource of its own, such as memory: the sender should try again,
 * and nothing may be concluded about the email.
 */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
