/** Declares the schema of the results of spam filters (SpamAssassin and rspamd) for an email. */

import { type Static, Type } from '@sinclair/typebox';
import { count, list, object, openWords, optional, text, words } from './shapes.ts';

export const FILTERS = ['spamassassin', 'rspamd'] as const;
export type FilterName = (typeof FILTERS)[number];

/** Actions that filters take on an email, in our own words. */
export const FILTER_ACTIONS = [
  ...(['no_action', 'greylist', 'add_header', 'rewrite_subject'] as const),
  ...(['soft_reject', 'reject', 'mark_as_spam'] as const),
] as const;
export type FilterAction = (typeof FILTER_ACTIONS)[number];

/** Reasons why a filter gave no usable answer. */
export const FILTER_REASONS = [
  ...(['unreachable', 'no_answer_in_time', 'broke_off', 'answer_too_large'] as const),
  ...(['unreadable_answer', 'busy', 'email_too_large'] as const),
] as const;
export type FilterReason = (typeof FILTER_REASONS)[number];

const points = (description: string, example: number) =>
  Type.Number({ description, examples: [example] });

/**
 * Pattern of a filter rule's name. Nothing else that a filter writes is shown, so that no word from an email
 * gets into a report.
 */
export const RULE_NAME = '^[A-Z][A-Z0-9_]{1,63}$';

export const FILTER_VERSION = '^\\d{1,4}(\\.\\d{1,4}){1,3}$';

const FilterRule = object('One rule of a filter that matched the email.', {
  name: text('Its name.', 'MISSING_MID', { pattern: RULE_NAME }),
  points: points('What it adds to the score.', 0.1),
  about: optional(
    text(
      'What the rule is about, in our words. Left out for unknown rules.',
      'The email has no Message-ID.',
    ),
  ),
  finding: optional(text('The finding about the same subject.', 'message_id')),
  compared: optional(
    words(['agrees', 'contradicts'], 'Whether that finding says the same as the rule.'),
  ),
});

const Filter = object('The opinion of one filter.', {
  name: words(FILTERS, 'The filter.'),
  run_by: words(
    ['operator', 'caller'],
    'Who set it up: the operator of the service, or the caller of `lint`.',
  ),
  status: words(['checked', 'not_checked'], 'Whether it gave a usable answer.'),
  reason: optional(openWords(FILTER_REASONS, 'Why it is `not_checked`.', 'no_answer_in_time')),
  version: optional(text('Its version.', '4.0.1', { pattern: FILTER_VERSION })),
  score: optional(points('A high score means spam; a low score means nothing.', 1.2)),
  threshold: optional(points('The score from which the filter calls an email spam.', 5)),
  action: optional(openWords(FILTER_ACTIONS, 'What it would do with the email.', 'no_action')),
  rules: optional(list(FilterRule, 'The rules that matched, heaviest first.')),
  left_out: optional(
    object("Rules about the recipient's side, or whose names cannot be shown.", {
      rules: count('How many there are.', 2),
      points: points('What they add in total.', -1.2),
    }),
  ),
});

/** Schema of the report's member `filters`. */
export const Filters = list(
  Filter,
  'A second opinion: what spam filters said. It never affects the score. Left out if no filter is set up.',
);
export type Filters = Static<typeof Filters>;
