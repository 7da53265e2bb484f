/** Defines a row of the SMTP tables: one session with its expected replies, events and emails. */

import { ADDRESS, MAIL_DOMAIN, refused } from '../../support/mail/mail-environment.ts';
import type { SmtpEnvironment, smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import type { Row } from '../row.ts';
import { data, type Session, type Step, say } from './steps.ts';

interface Input extends Partial<Session> {
  readonly steps: readonly Step[];
  readonly settings?: Parameters<typeof smtpEnvironment>[0];
  /** Prepares the state before the session. */
  readonly before?: (environment: SmtpEnvironment) => unknown;
}

interface Expected {
  /**
   * The beginning of each reply, after the greeting. A regular expression is written between slashes. The
   * goodbye to our own QUIT is left out.
   */
  readonly replies: readonly string[];
  /** The emails that were read, as they were sent. */
  readonly texts?: readonly string[];
  readonly events: readonly string[];
  /** The last envelope that the receiver was given. */
  readonly envelope?: object;
}

/** Every session leaves no byte of email in memory. */
const BUDGET = { mailBytes: 0 };

/** A session of one client, after which the next sender is served. */
export type SmtpRow = Row<Input, typeof BUDGET, Expected>;

/** @param replies separated by ` | `; `250*3` means three */
export const row = (
  name: string,
  input: Input | readonly Step[],
  replies: string,
  more: Partial<Omit<Expected, 'replies'>> = {},
): SmtpRow => ({
  name,
  input: 'steps' in input ? input : { steps: input },
  budget: BUDGET,
  expected: {
    events: [
      'TestCreated',
      ...('before' in input && input.before === refusing ? ['MailRefused'] : []),
    ],
    replies: replies.split(' | ').flatMap((reply) => {
      const [, code, times] = /^(\d{3})\*(\d+)$/.exec(reply) ?? [];
      return code ? Array<string>(Number(times)).fill(code) : reply;
    }),
    ...more,
  },
});

export const EHLO = 'EHLO mail.example.com';
export const FROM = 'MAIL FROM:<sender@example.com>';
export const TO = `RCPT TO:<${ADDRESS}>`;
export const UNKNOWN = `RCPT TO:<zzzzzzzzzzzz@${MAIL_DOMAIN}>`;

/** Returns an email to the test, and what is sent together with it. */
export const mail = (content: string, ...next: string[]): readonly Step[] => [
  ...say(EHLO, FROM, TO),
  data(content, ...next),
];

/** Replies before that to the email itself. */
export const TAKEN = '250*3 | 354';

/** Keeps the test open, so that emails of any kind can be sent. */
export const refusing = ({ inspection }: SmtpEnvironment) => {
  inspection.gate = async () => refused;
};
