/** Sends an email to SpamAssassin's daemon, and reads its version, its score and its rules. */

import { connect } from 'node:net';
import type { FilterAddress } from '../../domain/filter-address.ts';
import { FilterFault } from '../../domain/filter-fault.ts';
import { readCapped } from '../../domain/response-body.ts';
import { type FilteredMail, MAX_ANSWER_BYTES, type SpamFilter } from '../../ports/filters.ts';

/** How long the version that spamd reported is assumed to be current, in milliseconds. */
const VERSION_MS = 10 * 60_000;

/**
 * Our own email for finding out the version, because only the response to HEADERS names it, and HEADERS needs
 * an email.
 */
const PROBE = Buffer.from('Subject: version\r\n\r\n');

const VERSION = /^X-Spam-Checker-Version: SpamAssassin (\d+(?:\.\d+)+)/m;

const VERDICT = /^Spam: (True|False) ; (-?\d+(?:\.\d+)?) \/ (-?\d+(?:\.\d+)?)\s*$/m;

/**
 * Creates a client of SpamAssassin's daemon that uses its own protocol (SPAMC 1.5). Only REPORT lists rules
 * with their points: SYMBOLS lists only names, and HEADERS whatever the operator's templates contain.
 */
export function createSpamd(address: FilterAddress): SpamFilter {
  let version = Promise.resolve<string | null>(null);
  let askedAt = Number.NEGATIVE_INFINITY;

  async function call(command: string, mail: readonly Uint8Array[], signal: AbortSignal) {
    const socket = connect({ ...address, signal });
    try {
      const size = mail.reduce((sum, { length }) => sum + length, 0);
      socket.write(`${command} SPAMC/1.5\r\nContent-length: ${size}\r\n\r\n`);
      for (const part of mail) socket.write(part);
      socket.end();
      return split(await readCapped({ body: socket }, MAX_ANSWER_BYTES));
    } finally {
      socket.destroy();
    }
  }

  /**
   * Asks for the version once for all emails that arrive in the meantime, because spamd starts only a few
   * processes.
   */
  function readVersion(signal: AbortSignal): Promise<string | null> {
    if (performance.now() - askedAt < VERSION_MS) return version;
    askedAt = performance.now();
    version = call('HEADERS', [PROBE], signal).then(
      ({ body }) => VERSION.exec(body)?.[1] ?? null,
      () => {
        askedAt = Number.NEGATIVE_INFINITY;
        return null;
      },
    );
    return version;
  }

  return {
    name: 'spamassassin',
    async ask(mail, signal) {
      const asked = readVersion(signal);
      const { head, body } = await call('REPORT', [toTrace(mail), mail.bytes], signal);
      const verdict = VERDICT.exec(head);
      if (!verdict) throw new FilterFault('unreadable_answer');
      const [score, threshold] = verdict.slice(2).map(Number) as [number, number];
      const action = verdict[1] === 'True' ? 'mark_as_spam' : 'no_action';
      return { version: await asked, score, threshold, action, rules: readRules(body) };
    },
  };
}

/**
 * Returns the fields that a recipient's mail server puts on top, because nothing else tells spamd about the
 * transaction. If the client's reverse name is not known, it is omitted: "unknown" would mean that the client
 * has no such name.
 */
function toTrace({ from, ip, helo, hostname, mailDomain, receivedAt }: FilteredMail): Uint8Array {
  const date = new Date(receivedAt).toUTCString().replace('GMT', '+0000');
  const literal = ip?.includes(':') ? `[IPv6:${ip}]` : `[${ip}]`;
  const client = `${helo || literal} (${hostname ?? 'unknown'} ${literal})`;
  const received = `Received: from ${client}\r\n\tby ${mailDomain} with ESMTP; ${date}\r\n`;
  const isKnown = ip !== null && hostname !== undefined;
  return Buffer.from(`Return-Path: <${from}>\r\n${isKnown ? received : ''}`);
}

function split(answer: string): { readonly head: string; readonly body: string } {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const length = Number(/^Content-length: (\d+)\s*$/im.exec(head)?.[1] ?? Number.NaN);
  if (answer === '' || length > Buffer.byteLength(body)) throw new FilterFault('broke_off');
  if (!/^SPAMD\/[\d.]+ 0 /.test(head) || Number.isNaN(length))
    throw new FilterFault('unreadable_answer');
  return { head, body };
}

/**
 * Reads the rules from the last line of dashes to the next empty line, because the text around them can
 * contain the email's own words.
 */
function readRules(report: string) {
  const dashes = [...report.matchAll(/^-{3,} -{8,} -{8,}\s*$/gm)].at(-1);
  if (!dashes) throw new FilterFault('unreadable_answer');
  const [table = ''] = report.slice(dashes.index).split(/\r?\n\s*\n/, 1);
  const rows = table.matchAll(/^ {0,3}(-?\d{1,5}(?:\.\d{1,3})?) (\S{1,64})/gm);
  return [...rows].map(([, points, name = '']) => ({ name, points: Number(points) }));
}
