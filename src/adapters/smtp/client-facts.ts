import type { SMTPServerSession } from 'smtp-server';
import type { ClientFacts } from '../../ports/mail.ts';
import { clientAddress } from './addresses.ts';

/** A HELO name is shown in the report; an address or unprintable text becomes ''. */
const HELO = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

/**
 * The client as its session shows it. One stated by XCLIENT is another than the one connected:
 * of its own connection nothing is known.
 *
 * @param tlsVersion as negotiated; null: plaintext
 */
export function toClientFacts(session: SMTPServerSession, tlsVersion: string | null): ClientFacts {
  const stated = session.xClient.get('ADDR');
  const helo = session.xClient.get('HELO') || session.hostNameAppearsAs;
  const shown = typeof helo === 'string' && HELO.test(helo) ? helo.toLowerCase() : '';
  const name = helo ? shown : null;
  if (stated !== undefined)
    return {
      ip: typeof stated === 'string' ? clientAddress(stated) : null,
      helo: name,
      source: 'xclient',
      tls: { status: 'not_observable', version: null, cipher: null },
    };
  return {
    ip: clientAddress(session.remoteAddress),
    helo: name,
    source: 'smtp',
    tls: session.tlsOptions
      ? { status: 'tls', version: tlsVersion, cipher: session.tlsOptions.name }
      : { status: 'plaintext', version: null, cipher: null },
  };
}
