/** Declares the schema of the route that an email took, according to its Received fields. */

import type { Static } from '@sinclair/typebox';
import {
  dateTime,
  domain,
  flag,
  list,
  nullable,
  object,
  text,
  wholeNumber,
  words,
} from './shapes.ts';

/**
 * Schema of a server that accepted the email, according to its Received field. It never contains an address,
 * an id or a recipient.
 */
const Hop = object('One Received field: a server accepted the email from another.', {
  from: nullable(
    domain('The public host name of whoever handed the email over.', 'app.sender.example'),
  ),
  from_kind: words(
    ['server', 'private', 'unnamed', 'program'],
    '`private`: a machine inside a network. `unnamed`: one without its own host name. `program`: on the same server.',
    'private',
  ),
  by: nullable(
    domain('The public host name of the server that accepted it.', 'mail.sender.example'),
  ),
  whose: words(
    ['sender', 'service', 'other', 'unknown'],
    'Who runs that server. `service`: whoever handed the email to this service.',
    'sender',
  ),
  protocol: nullable(text('The protocol (RFC 3848), if it is a known one.', 'ESMTPSA')),
  encrypted: nullable(flag('Whether the field says that it came over TLS.')),
  tls_version: nullable(text('The version of TLS.', 'TLSv1.3')),
  at: nullable(dateTime('The time by the clock of that server.', '2026-11-20T10:00:58.000Z')),
  delay_seconds: nullable(
    wholeNumber('Seconds since the step before; below 0, the clocks disagree.', 1),
  ),
});

export const Route = object('The route of the email until this service accepted it.', {
  hops: list(
    Hop,
    'Its Received fields in the order of the route; anyone along the way can write them.',
  ),
  last_delay_seconds: nullable(
    wholeNumber('Seconds from the last of them to the arrival at this service.', 1),
  ),
});
export type Route = Static<typeof Route>;
