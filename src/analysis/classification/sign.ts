/** The signs by which an email is classified. */

import type { Classification } from '../../domain/report/message.ts';

/** The classes that a sign can suggest. */
export type SignedClass = Exclude<Classification['class'], 'unknown'>;

/** A sign of a class of email, and its weight. */
export interface ClassSign {
  readonly of: SignedClass;
  /** A weight of 0 makes the class possible without suggesting it. */
  readonly weight: number;
  /** Shown to readers: names of header fields and kinds of words, never their values. */
  readonly evidence: string;
  /** Words strengthen a class that a header field, the layout or the sender shows. They do not name one. */
  readonly isWord?: true;
  /**
   * Receivers or checks ask for this sign, so it does not show that the email is of a class that needs it.
   */
  readonly isAskedFor?: true;
  /** A check may ask the sender to change it, and no sender should be judged as bulk for doing so. */
  readonly isToChange?: true;
}
