/** Declares the schema of how well an email meets the requirements of large mailbox providers. */

import type { Static } from '@sinclair/typebox';
import { list, object, optional, text, texts, words } from './shapes.ts';

const MISSING =
  'With `not_met`, the findings that fail it (at least one); otherwise those that leave it open.';

const Requirement = object(
  'How far the email meets what is required.',
  {
    status: words(
      ['met', 'not_met', 'partly_observable'],
      'The result, as far as one email can show it.',
    ),
    missing: texts(MISSING, []),
  },
  'Requirement',
);

/** The receivers that this version of the report has listed from the beginning. */
const FIRST_RECEIVERS = ['gmail', 'yahoo', 'microsoft'] as const;

/** Members that every published rule has, regardless of the provider. */
const rule = {
  id: text('The id of the requirement; several receivers can share it.', 'one_click'),
  applies_to: words(['all_senders', 'bulk', 'high_volume'], 'Which senders it applies to.'),
  requirement: text('What is required.', 'SPF or DKIM passes.'),
  status: words(
    ['met', 'not_met', 'not_observable'],
    '`not_observable`: one email cannot show it, or a lookup failed.',
  ),
  missing: texts(MISSING, []),
  source: text('Where the receiver publishes it.', 'https://support.google.com/mail/answer/81126'),
  since: text('The day from which it applies.', '2024-02-01'),
};

/** Schema of one published rule of a receiver, and whether this email meets it. */
const RequirementRow = object('One published requirement.', {
  receiver: words(FIRST_RECEIVERS, 'The receiver that requires it.'),
  ...rule,
});
export type RequirementRow = Static<typeof RequirementRow>;

const AppleRow = object('One requirement that Apple publishes.', rule);

/** Schema of the large mailbox providers' requirements for senders, each judged from the findings. */
export const Compliance = object('What the large mailbox providers require of senders.', {
  gmail: object("Gmail's sender requirements.", {
    all_senders: Requirement,
    bulk: Requirement,
  }),
  yahoo: object("Yahoo's sender requirements.", {
    all_senders: Requirement,
    bulk: Requirement,
  }),
  microsoft: object("Microsoft's sender requirements.", {
    high_volume: Requirement,
  }),
  apple: optional(
    object("Apple's requirements for iCloud Mail.", {
      bulk: Requirement,
      requirements: list(AppleRow, 'Every published requirement, one by one.'),
    }),
  ),
  requirements: optional(list(RequirementRow, 'Every published requirement, one by one.')),
  as_of: optional(text('The day of the newest requirement here.', '2025-05-05')),
  not_measured: texts('What one email cannot show.', ['spam_complaint_rate', 'volume']),
});
export type Compliance = Static<typeof Compliance>;
