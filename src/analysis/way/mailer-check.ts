import { headerStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { ifKnown, keepIf, mapLookup } from '../lookup-result.ts';

export const mailerClaim = check({
  id: 'mailer_claim',
  family: 'headers',
  title: 'Claimed mail program',
  header: 'X-Mailer',
  source: 'SpamAssassin FORGED_MUA_*; rspamd FORGED_MUA_*',
  about: {
    what: 'X-Mailer and User-Agent name the program that wrote a mail. Many programs have a form of their own for Message-IDs and for the boundaries of parts.',
    why: 'Spam programs name a well-known one. Filters know the forms, and count a mail that fits none.',
    how: ['Remove the field, or let it name the program that you send with.'],
    bad: 'X-Mailer: Microsoft Outlook 16.0, in a mail that a script made',
    good: 'X-Mailer: the program itself, or no such field',
  },
  subject: ({ way, headers }) =>
    keepIf(
      mapLookup(way, ({ falseMailer }) => ({
        falseMailer,
        named: ifKnown(headers)?.mailer ?? null,
      })),
      ({ named }) => named !== null,
    ),
  states: ({ suggest, pass }) => ({
    contradicted: suggest.when(
      'neither the Message-ID nor the boundary is one of the program that the mail names',
      ({ falseMailer }) => falseMailer !== null,
    ),
    plausible: pass('nothing speaks against it'),
  }),
  detail: ({ falseMailer, named }) =>
    falseMailer === null
      ? `${named === 'other' ? 'One that is not known here' : named}.`
      : `The mail names ${falseMailer}, which writes neither such a Message-ID nor such a boundary.`,
  evidence: ({ falseMailer, named }) => ({ named, contradicted: falseMailer !== null }),
  fixes: {
    fix: {
      why: 'The mail says that {mailer} wrote it, and its Message-ID and boundary are of another program. Filters count that as a forgery.',
    },
  },
  values: ({ falseMailer }) => ({ mailer: falseMailer ?? '' }),
  steps: () => [headerStep('X-Mailer', null), headerStep('User-Agent', null)],
});
