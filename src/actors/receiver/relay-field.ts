/**
 * Removes the Received field that a trusted relay in front of us added to an email, and reads from it which
 * TLS version the relay's client used.
 */

import { isSameAddress } from '../../analysis/addresses.ts';
import { leadingFields } from '../../analysis/provider/stamped-results.ts';
import { readOwnHop } from '../../analysis/route/received.ts';
import type { ClientFacts } from '../../ports/mail.ts';
import { readHead } from '../read-head.ts';

/** Maximum length of the Received field, in bytes. */
const MAX_FIELD = 4096;

interface RelayedMail {
  readonly content: AsyncIterable<Uint8Array>;
  readonly client: ClientFacts;
}

const firstField = (bytes: Uint8Array) => leadingFields(bytes).next().value;

/**
 * Removes the Received field that a mail server in front of us wrote on top of an email, so that the route of
 * the email ends where that server accepted it. The field is recognized by the client that it names, which
 * the server also names by XFORWARD, and may say which TLS version that client used. If the server names no
 * client, the first field is removed, because such a server writes one above every email. Emails of other
 * clients are passed on unchanged.
 *
 * @throws what the source throws if it breaks off
 */
export async function takeRelayField(
  content: AsyncIterable<Uint8Array>,
  client: ClientFacts,
): Promise<RelayedMail> {
  if (client.namedBy !== 'xforward') return { content, client };
  const read = await readHead(content, (bytes) => firstField(bytes) !== undefined, MAX_FIELD);
  const field = firstField(read.head);
  const own = field?.name === 'received' ? readOwnHop(field.value) : null;
  const isKnown = own?.address != null && isSameAddress(own.address, client.ip ?? '');
  if (!field || !own || !(isKnown || client.ip === null)) return { content: read.from(0), client };
  const version = isKnown ? own.tlsVersion : null;
  return {
    content: read.from(field.end),
    client: version ? { ...client, tls: { status: 'tls', version, cipher: null } } : client,
  };
}
