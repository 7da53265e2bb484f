/** Facts about the route of an email, according to its Received fields. */

import type { Route } from '../../domain/report/route.ts';

/** A parsed Received field. Names are public host names; addresses and envelope data are not kept. */
export interface Hop extends Omit<Route['hops'][number], 'whose' | 'delay_seconds'> {
  /** It came over the public Internet by SMTP, so it matters whether it was encrypted. */
  readonly crossesInternet: boolean;
  /** The client had logged in (RFC 3848). */
  readonly authenticated: boolean;
  /** A value that no server writes: `address` (one that cannot exist) or `date` (missing or unreadable). */
  readonly impossible: 'address' | 'date' | null;
}

/**
 * The route of an email according to its Received fields, any of which may have been written by any host that
 * handled it.
 */
export interface RouteFacts {
  /** In the order of the route, the first server first. */
  readonly hops: readonly Hop[];
  /** Number of Received fields in the email, before any limit. */
  readonly total: number;
  /**
   * A Received field claims that a server of this service already received the email, although this service
   * knows that it did not.
   */
  readonly namesUs: boolean;
  /**
   * The mail program that the email names, although that program writes neither such a Message-ID nor such a
   * boundary.
   */
  readonly falseMailer: string | null;
}
