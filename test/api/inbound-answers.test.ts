/** Tests the HTTP response to an inbound provider, for each SMTP reply that the email would get. */

import { describe, expect, test } from 'vitest';
import { toInboundStatus } from '../../src/api/routes/inbound.ts';
import { errors, ServiceError } from '../../src/domain/errors.ts';
import { type ReplyName, replies } from '../../src/domain/replies.ts';

const names = Object.keys(replies) as ReplyName[];

/** Returns the HTTP status, and the reply for the sender. */
function answerTo(reply: ReplyName) {
  try {
    toInboundStatus({ reply, facts: {} });
    return { status: 200, smtpReply: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { members, headers } = error.options;
    return { status: errors[error.code].status, smtpReply: members?.smtp_reply, headers };
  }
}

test.each([
  ['analysed', 200],
  ['repeated', 200],
  ['failed', 200],
  ['bad_envelope', 400],
  ['empty', 400],
  ['unknown_address', 404],
  ['relaying', 404],
  ['write_to_contact', 404],
  ['used', 409],
  ['closed', 409],
  ['too_large', 413],
  ['unauthenticated', 422],
  ['dmarc', 422],
  ['blocklisted', 422],
  ['malformed', 422],
  ['analysing', 503],
  ['temporary_failure', 503],
  ['resolver_down', 503],
  ['too_much_mail', 503],
] as [ReplyName, number][])('%s is %i', (reply, status) => {
  expect(answerTo(reply).status).toBe(status);
});

describe('whatever the verdict', () => {
  test.each(names)(
    '%s has a reply for the sender exactly if SMTP would refuse permanently',
    (reply) => {
      const { smtpReply } = answerTo(reply);
      const isFinal = replies[reply].startsWith('5');
      expect(typeof smtpReply).toBe(isFinal ? 'string' : 'undefined');
      if (isFinal) expect(smtpReply).toMatch(/^5\d\d 5\.\d+\.\d+ /);
    },
  );

  test.each(names)('%s is tried again exactly if SMTP would', (reply) => {
    const isTemporary = replies[reply].startsWith('4');
    expect(answerTo(reply).status === 503).toBe(isTemporary);
    expect(answerTo(reply).headers?.['retry-after'] !== undefined).toBe(isTemporary);
  });
});
