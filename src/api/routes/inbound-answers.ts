import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { type MailVerdict, type ReplyName, type replies, toReply } from '../../domain/replies.ts';

/** What became of the test; every other verdict is an error to the provider. */
const DONE = { analysed: 'ready', repeated: 'ready', failed: 'analysis_failed' } as const;

type Done = keyof typeof DONE;

/** Replies of 5xx: only for these the provider gives up on a mail. */
type Refused = {
  [N in ReplyName]: (typeof replies)[N] extends `5${string}` ? N : never;
}[ReplyName];

/** All others, of 4xx, are `mail_deferred`: the provider tries again. */
const REFUSALS: Readonly<Record<Refused, ErrorCode>> = {
  bad_envelope: 'invalid_request',
  bad_sender: 'invalid_request',
  empty: 'invalid_request',
  unknown_parameter: 'invalid_request',
  unknown_address: 'test_not_found',
  bad_recipient: 'test_not_found',
  relaying: 'test_not_found',
  write_to_contact: 'test_not_found',
  nobody_to_write_to: 'test_not_found',
  used: 'mail_not_awaited',
  closed: 'mail_not_awaited',
  too_large: 'body_too_large',
  unauthenticated: 'mail_refused',
  dmarc: 'mail_refused',
  blocklisted: 'mail_refused',
  malformed: 'mail_refused',
};

/** Seconds after which a mail may be handed over again. */
const RETRY_SECONDS = '30';

const isDone = (reply: ReplyName): reply is Done => reply in DONE;
const isRefused = (reply: ReplyName): reply is Refused => reply in REFUSALS;

/**
 * The state of the test that took the mail.
 *
 * @throws ServiceError with `smtp_reply` when the provider has to reject the mail
 */
export function toInboundStatus(answer: MailVerdict): (typeof DONE)[Done] {
  if (isDone(answer.reply)) return DONE[answer.reply];
  const { code, text } = toReply(answer);
  if (isRefused(answer.reply))
    throw new ServiceError(REFUSALS[answer.reply], { members: { smtp_reply: `${code} ${text}` } });
  throw new ServiceError('mail_deferred', {
    detail: text.slice(text.indexOf(' ') + 1),
    headers: { 'retry-after': RETRY_SECONDS },
  });
}
