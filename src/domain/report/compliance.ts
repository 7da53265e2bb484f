import type { Static } from '@sinclair/typebox';
import { list, object, optional, text, texts, words } from './shapes.ts';

const requirement = (who: string) =>
  object(`For ${who}.`, {
    status: words(['met', 'not_met', 'partly_observable'], 'As far as one mail shows.'),
    missing: texts('Findings in the way.', []),
  });

/** One published rule of a receiver, and how this mail stands to it. */
const RequirementRow = object('One published requirement.', {
  id: text('The requirement; the same id at several receivers is the same thing.', 'one_click'),
  receiver: words(['gmail', 'yahoo', 'microsoft'], 'Who asks for it.'),
  applies_to: words(['all_senders', 'bulk', 'high_volume'], 'Of whom it is asked.'),
  requirement: text('What is asked.', 'SPF or DKIM passes.'),
  status: words(
    ['met', 'not_met', 'not_observable'],
    '`not_observable`: one mail cannot show it, a lookup failed, or the kind of mail is not known.',
  ),
  missing: texts('The ids of the findings that stand in the way; never empty with `not_met`.', []),
  source: text('Where the receiver publishes it.', 'https://support.google.com/mail/answer/81126'),
  since: text('The day from which it holds.', '2024-02-01'),
});
export type RequirementRow = Static<typeof RequirementRow>;

/** What the large mailbox providers ask of senders, derived from the findings. */
export const Compliance = object(
  'What the large mailbox providers ask of senders, judged by the findings.',
  {
    gmail: object("Gmail's sender requirements.", {
      all_senders: requirement('all senders'),
      bulk: requirement('bulk senders'),
    }),
    yahoo: object("Yahoo's sender requirements.", {
      all_senders: requirement('all senders'),
      bulk: requirement('bulk senders'),
    }),
    microsoft: object("Microsoft's sender requirements.", {
      high_volume: requirement('high-volume senders'),
    }),
    requirements: optional(list(RequirementRow, 'Every published requirement, one by one.')),
    as_of: optional(text('The day of the newest published requirement here.', '2025-05-05')),
    not_measured: texts('What one mail cannot show.', ['spam_complaint_rate', 'volume']),
  },
);
export type Compliance = Static<typeof Compliance>;
