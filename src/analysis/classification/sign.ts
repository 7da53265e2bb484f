/**
 * Declares the form of the signs by which an email is classified: the suggested class, the weight, and the
 * evidence to show.
 */

import type { Classification } from '../../domain/report/message.ts';

/** The classes that a sign can suggest. */
export type SignedClass = Exclude<Classification['class'], 'unknown'>;

/** A sign that an email belongs to a class, and its weight. */
export interface ClassSign {
  readonly of: SignedClass;
  /** The weight of the sign. With a weight of 0, the class becomes possible but no more likely. */
  readonly weight: number;
  /** The evidence that the report shows: names of header fields and kinds of words, never their values. */
  readonly evidence: string;
  /**
   * True if the sign is based on words. Such a sign can only strengthen a class that a header field, the
   * layout or the sender shows.
   */
  readonly isWord?: true;
  /**
   * True if letters have this sign too, for example because of links and icons in a signature. Like a word,
   * such a sign can only strengthen a class that another sign shows.
   */
  readonly isOfLetters?: true;
  /**
   * True if receivers or checks ask for this sign. A sign that senders add on request does not show that the
   * email belongs to the class for which it is requested.
   */
  readonly isAskedFor?: true;
  /** True if the sign shows that the email passes on what others write, as mailing lists do. */
  readonly passesOn?: true;
  /**
   * True if a check may ask the sender to change the feature on which this sign is based. No sender should be
   * judged as bulk for making that change.
   */
  readonly isToChange?: true;
}
