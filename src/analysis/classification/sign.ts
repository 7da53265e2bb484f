import type { Classification } from '../../domain/report/message.ts';

/** The classes that a sign can speak for. */
export type SignedClass = Exclude<Classification['class'], 'unknown'>;

/** One sign of a class of mail, and how much it says. */
export interface ClassSign {
  readonly of: SignedClass;
  /** 0: it makes the class possible, and does not speak for it. */
  readonly weight: number;
  /** For readers: names of headers and kinds of words, never their values. */
  readonly evidence: string;
  /** Words strengthen a class that a header, the layout or the sender shows, and name none. */
  readonly isWord?: true;
  /** Receivers or checks ask for it, so it is no evidence that it is required. */
  readonly isAskedFor?: true;
  /** A check may ask for it to be changed, and nobody is to be judged as bulk mail for doing so. */
  readonly isToChange?: true;
}
