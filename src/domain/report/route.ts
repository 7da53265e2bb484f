/** Declares the schema of the route that an email took, by its Received fields. */

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
 * A server that accepted the email, according to its Received field. Never an address, an id or a recipient.
 */
const Hop = object('One Received field: a server took the mail from another.', {
  from: nullable(domain('Who handed it over, by its public host name.', 'app.sender.example')),
  from_kind: words(
    ['server', 'private', 'unnamed', 'program'],
    '`private`: a machine inside a network. `unnamed`: one without a host name of its own. `program`: on the same server.',
    'private',
  ),
  by: nullable(domain('The server that took it, by its public host name.', 'mail.sender.example')),
  whose: words(
    ['sender', 'service', 'other', 'unknown'],
    'Whose that server is. `service`: of who handed the mail to this service.',
    'sender',
  ),
  protocol: nullable(text('The protocol (RFC 3848), if it is a known one.', 'ESMTPSA')),
  encrypted: nullable(flag('Whether the field says that it came over TLS.')),
  tls_version: nullable(text('The version of TLS.', 'TLSv1.3')),
  at: nullable(dateTime('When, by the clock of that server.', '2026-11-20T10:00:58.000Z')),
  delay_seconds: nullable(
    wholeNumber('Seconds since the step before; below 0: the clocks disagree.', 1),
  ),
});

export const Route = object('The way of the mail until this service took it.', {
  hops: list(Hop, 'Its Received fields in the order of the way, which anybody can write.'),
  last_delay_seconds: nullable(
    wholeNumber('Seconds from the last of them to the arrival here.', 1),
  ),
});
export type Route = Static<typeof Route>;
