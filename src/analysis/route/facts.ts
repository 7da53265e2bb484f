import type { Route } from '../../domain/report/route.ts';

/** A Received field, read. Names are public host names; no address and nothing of an envelope is kept. */
export interface Hop extends Omit<Route['hops'][number], 'whose' | 'delay_seconds'> {
  /** It came over the public Internet by SMTP: whether it was encrypted matters. */
  readonly crossesInternet: boolean;
  /** Who handed it over had logged in (RFC 3848). */
  readonly authenticated: boolean;
  /** What no server writes: `address` (none that exists), `date` (missing, or not readable). */
  readonly impossible: 'address' | 'date' | null;
}

/** The route of a mail, as its Received fields tell it: anyone who handed it over can have written them. */
export interface RouteFacts {
  /** In the order of the route: the first server first. */
  readonly hops: readonly Hop[];
  /** Received fields in the mail, before any limit. */
  readonly total: number;
  /** One says that a server of this service took the mail before, which this service knows better. */
  readonly namesUs: boolean;
  /** A program that the mail names and that writes neither such a Message-ID nor such a boundary. */
  readonly falseMailer: string | null;
}
