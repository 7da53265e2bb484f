import { check } from '../check.ts';
import { mapLookup, thenLookup } from '../lookup-result.ts';
import { withHtml } from './document-checks.ts';

/** Only for bulk mail: others have no preview to write. */
export const preheader = check({
  id: 'preheader',
  family: 'body',
  title: 'Preview text',
  source: 'practice',
  about: {
    what: 'The first words of a mail stand beside the subject in the inbox.',
    why: 'If they are “View in browser”, you lose the line that decides whether the mail is opened.',
    how: ['Put a short preview text at the very top of the HTML.'],
    bad: 'View this mail in your browser | Unsubscribe',
    good: 'Your parcel arrives on Tuesday between nine and twelve.',
  },
  subject: (facts) =>
    thenLookup(facts.headers, ({ bulk }) => {
      const html = bulk.isBulk ? withHtml(facts) : undefined;
      return html && mapLookup(html, (value) => value.preheader);
    }),
  states: ({ suggest, pass }) => ({
    absent: suggest.when('bulk HTML without preview text', (present) => !present),
    present: pass('present'),
  }),
  detail: (present) => (present ? 'Present.' : 'None found.'),
  evidence: (present) => ({ present }),
  fixes: {
    fix: {
      why: 'Inboxes show the first words beside the subject.',
      do: 'Add a short preview text at the top.',
    },
  },
});
