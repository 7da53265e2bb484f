/** Connects to the nats-server that the settings name, and says what to do if it cannot be used. */

import { ServiceError } from '../../domain/errors.ts';
import { connectNats, type LogConnection, type NatsSettings } from './connection.ts';
import { reach, START_MS } from './outage.ts';

/** Advice on errors at the start, by the text of the error. */
const HINTS: readonly (readonly [kind: RegExp, hint: string])[] = [
  // Nothing listens at that address, and only the log on nats-server's own machine shows why.
  [
    /refused/i,
    'Check that nats-server is running there; if it keeps ending, see "A server that does not start" in docs/operations.md.',
  ],
  [
    /^timeout$/i,
    'No nats-server greets there: name its port for clients (4222 by default), not the one for monitoring.',
  ],
  [/authorization/i, 'Check NATS_USER and NATS_PASSWORD_FILE, NATS_TOKEN or NATS_CREDS_FILE.'],
  [
    /certificate/i,
    'NATS_TLS_CA_FILE must name the certificate of the authority that issued the one of that server.',
  ],
  [/support 'tls'/, 'Configure TLS on that server, or write nats:// instead of tls://.'],
];

/**
 * Does the same as `connectNats`, with a server that NATS_URL names. The server may be starting at the same
 * time, so this waits for it.
 *
 * @throws an error that names the setting at fault
 */
export async function connectNamedNats(settings: NatsSettings): Promise<LogConnection> {
  try {
    return await reach(() => connectNats(settings), START_MS);
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    const why = cause instanceof Error ? cause.message.replace(/\.$/, '') : 'no answer';
    const [, hint] = HINTS.find(([kind]) => kind.test(why)) ?? [];
    const text = [`The server of NATS_URL cannot be used: ${why}.`, hint].filter(Boolean).join(' ');
    throw new Error(text, { cause });
  }
}
