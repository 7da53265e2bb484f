import { ADDRESS, MAIL_DOMAIN, refused } from '../../support/mail/mail-environment.ts';
import type { SmtpEnvironment, smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import type { Row } from '../row.ts';
import { data, type Session, type Step, say } from './steps.ts';

interface Input extends Partial<Session> {
  readonly steps: readonly Step[];
  readonly settings?: Parameters<typeof smtpEnvironment>[0];
  /** What was before the session. */
  readonly before?: (environment: SmtpEnvironment) => unknown;
}

interface Expected {
  /**
   * How each begins, after the greeting; a regular expression stands between slashes. The goodbye of our
   * own QUIT is left out.
   */
  readonly replies: readonly string[];
  /** The mails that were read, as they were sent. */
  readonly texts?: readonly string[];
  readonly events: readonly string[];
  /** As the receiver was given it last. */
  readonly envelope?: object;
}

/** Every session leaves no byte of mail in memory. */
const BUDGET = { mailBytes: 0 };

/** One session of one client; the next sender is served. */
export type SmtpRow = Row<Input, typeof BUDGET, Expected>;

/** @param replies with ` | ` between them; `250*3` stands for three */
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

/** A mail to the test, and what is said in the same breath. */
export const mail = (content: string, ...next: string[]): readonly Step[] => [
  ...say(EHLO, FROM, TO),
  data(content, ...next),
];

/** What is answered before a mail's own reply. */
export const TAKEN = '250*3 | 354';

/** The test stays open, so that mails of any kind can be sent. */
export const refusing = ({ inspection }: SmtpEnvironment) => {
  inspection.gate = async () => refused;
};
