/** The opinions of two spam filters, for the tests of reports and pages. */

import type { Filters } from '../../../src/domain/report/filters.ts';

/** The results of two filters: one with a rule of each kind, and one that did not respond. */
export const opinions: Filters = [
  {
    ...{ name: 'spamassassin', run_by: 'operator', status: 'checked', version: '4.0.1' },
    ...{ score: -1.2, threshold: 5, action: 'no_action' },
    rules: [
      {
        ...{ name: 'RDNS_NONE', points: 2.4, finding: 'rdns_ptr', compared: 'contradicts' },
        about: 'The sending server has no confirmed reverse name.',
      },
      { name: 'A_RULE_OF_THE_OPERATORS_OWN_WITH_A_NAME_OF_SIXTY_FOUR_CHARACTERS', points: -3.7 },
      {
        ...{ name: 'DKIM_VALID', points: -0.1, finding: 'dkim_valid', compared: 'agrees' },
        about: 'A DKIM signature is valid.',
      },
      { name: 'HTML_MESSAGE', points: 0, about: 'The email has an HTML part.' },
    ],
    left_out: { rules: 2, points: -0.1 },
  },
  {
    ...{ name: 'rspamd', run_by: 'operator', status: 'not_checked', reason: 'no_answer_in_time' },
  },
];
