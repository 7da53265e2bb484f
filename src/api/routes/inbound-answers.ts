import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { type MailVerdict, type ReplyName, toReply } from '../../domain/replies.ts';

/** What became of the test; every other verdict is an error to the provider. */
const DONE = { analysed: 'ready', repeated: 'ready', failed: 'analysis_failed' } as const;

type Done = keyof typeof DONE;

/** The provider gives up on a mail only for a reply of 5xx; all others it tries again. */
const CODES: Readonly<Record<Exclude<ReplyName, Done>, ErrorCode>> = {
  bad_envelope: 'invalid_request',
  bad_sender: 'invalid_request',
  empty: 'invalid_request',
  unknown_address: 'test_not_found',
  bad_recipient: 'test_not_found',
  relaying: 'test_not_found',
  write_to_contact: 'test_not_found',
  nobody_to_write_to: 'test_not_found',
  unknown_parameter: 'invalid_request',
  too_many_recipients: 'mail_deferred',
  test_busy: 'mail_deferred',
  used: 'mail_not_awaited',
  closed: 'mail_not_awaited',
  too_large: 'body_too_large',
  unauthenticated: 'mail_refused',
  dmarc: 'mail_refused',
  blocklisted: 'mail_refused',
  malformed: 'mail_refused',
  second_recipient: 'mail_deferred',
  analysing: 'mail_deferred',
  temporary_failure: 'mail_deferred',
  resolver_down: 'mail_deferred',
  overloaded: 'mail_deferred',
  too_much_mail: 'mail_deferred',
  too_many_connections: 'mail_deferred',
  stopping: 'mail_deferred',
  timed_out: 'mail_deferred',
};

/** Seconds after which a mail may be handed over again. */
const RETRY_SECONDS = '30';

const isDone = (reply: ReplyName): reply is Done => reply in DONE;

/**
 * The state of the test that took the mail.
 *
 * @throws ServiceError with `smtp_reply` when the provider has to reject the mail
 */
export function toInboundStatus(answer: MailVerdict): (typeof DONE)[Done] {
  if (isDone(answer.reply)) return DONE[answer.reply];
  const code = CODES[answer.reply];
  const { code: replyCode, text } = toReply(answer);
  throw new ServiceError(
    code,
    code === 'mail_deferred'
      ? { detail: text.slice(text.indexOf(' ') + 1), headers: { 'retry-after': RETRY_SECONDS } }
      : { members: { smtp_reply: `${replyCode} ${text}` } },
  );
}
