/**
 * Passes the emails that an inbound provider forwards over HTTP to the receiver, with the envelope that the
 * provider states and the client that its headers name.
 */

import { toDomain } from '../../analysis/names/domain-names.ts';
import type { ReadBlock } from '../../analysis/provider/provider.ts';
import { providers } from '../../analysis/provider/providers.ts';
import type { ProviderName } from '../../domain/events.ts';
import { verdict } from '../../domain/replies.ts';
import type {
  ClientFacts,
  EnvelopeFrom,
  Inbound,
  MailEnvelope,
  Receiver,
} from '../../ports/mail.ts';
import { readHead } from '../read-head.ts';

/**
 * How many bytes are searched for the provider's headers. Actual provider headers take up a tenth of that.
 */
const MAX_HEAD = 64 * 1024;

/** Returns whether the bytes contain the blank line that ends the header. */
function holdsHeaders(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.includes('\n\r\n') || text.includes('\n\n');
}

/** Longest mailbox that is read, in characters. RFC 5321 §4.5.3.1 allows 320 octets. */
const MAX_MAILBOX = 1000;

/**
 * Accepts emails that an inbound provider received. The provider's headers say who sent an email, so they are
 * read before the recipient is accepted or refused.
 */
export function createInbound(receiver: Receiver, source: ProviderName): Inbound {
  return {
    async receive({ from, to, declaredBytes, content }) {
      const sender = bare(from);
      const recipient = bare(to);
      const envelopeFrom = toSender(sender);
      const envelopeTo = toRecipient(recipient);
      if (!envelopeFrom || !envelopeTo) return verdict('bad_envelope');

      const read = await readHead(content, holdsHeaders, MAX_HEAD).catch(() => null);
      if (!read) return null;
      const block = providers[source](read.head, { from: sender, to: recipient });
      const accepted = await receiver.accept({
        to: envelopeTo,
        from: envelopeFrom,
        client: toClient(block),
        declaredBytes,
        source,
      });
      if ('reply' in accepted) {
        await read.close();
        return accepted;
      }
      return accepted.receive(read.from(0), block ?? undefined);
    },
  };
}

/** The provider does not pass on what it knows about TLS. */
const toClient = (block: ReadBlock | null): ClientFacts => ({
  ...(block?.client ?? { ip: null, helo: null, source: 'unknown' }),
  tls: { status: 'not_observable', version: null, cipher: null },
});

const bare = (mailbox: string): string => mailbox.replace(/^<(.*)>$/s, '$1');

function toSender(mailbox: string): EnvelopeFrom | null {
  if (mailbox === '') return { localPart: '', domain: '', smtputf8: false };
  const parts = split(mailbox);
  if (!parts || parts.localPart === '' || parts.domain === '') return null;
  return { ...parts, smtputf8: /[^\x20-\x7e]/.test(parts.localPart) };
}

const toRecipient = (mailbox: string): MailEnvelope['to'] | null =>
  mailbox === '' ? null : split(mailbox);

/** An address in brackets instead of a domain name (RFC 5321 §4.1.3). */
const LITERAL = /^\[[0-9a-z.:]{1,60}\]$/i;

/** Returns null for a string that cannot be a mailbox. The domain is empty only for `postmaster`. */
function split(mailbox: string): { readonly localPart: string; readonly domain: string } | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: mailboxes with control characters are refused here
  if (mailbox.length > MAX_MAILBOX || /[\x00-\x1f\x7f]/.test(mailbox)) return null;
  const at = mailbox.lastIndexOf('@');
  if (at === -1) return { localPart: mailbox, domain: '' };
  const name = mailbox.slice(at + 1);
  const domain = LITERAL.test(name) ? name.toLowerCase() : toDomain(name);
  return domain ? { localPart: mailbox.slice(0, at), domain } : null;
}
