/**
 * Facts about the route of an email according to its Received fields, and the mail program that it falsely
 * claims to come from.
 */

import type { Route } from '../../domain/report/route.ts';

/** A parsed Received field. It contains public host names, but no addresses and no envelope data. */
export interface Hop extends Omit<Route['hops'][number], 'whose' | 'delay_seconds'> {
  /** True if the email came over the public Internet by SMTP, so that encryption matters. */
  readonly crossesInternet: boolean;
  /** True if the client had logged in (RFC 3848). */
  readonly authenticated: boolean;
  /**
   * The fault in a value that no server writes: `address` if it cannot exist, or `date` if it is missing or
   * unreadable. Null if there is no fault.
   */
  readonly impossible: 'address' | 'date' | null;
}

/**
 * The route of an email according to its Received fields. Any host that handled the email may have written
 * any of these fields.
 */
export interface RouteFacts {
  /** Hops in the order of the route, the first server first. */
  readonly hops: readonly Hop[];
  /** Number of Received fields in the email, before any limit. */
  readonly total: number;
  /**
   * True if a Received field claims that a server of this service already received the email, although this
   * service knows that it did not.
   */
  readonly namesUs: boolean;
  /**
   * The mail program that the email names falsely, because that program writes neither such a Message-ID nor
   * such a boundary. Null if there is none.
   */
  readonly falseMailer: string | null;
}
