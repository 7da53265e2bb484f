/**
 * Describes the results of spam filters in words. The file is plain JavaScript without imports, so that the
 * page, the terminal, Markdown and the MCP summary use the same words.
 *
 * @import { FilterAction, FilterName, FilterReason, Filters } from './filters.ts'
 */

/** @typedef {Filters[number]} Filter */
/** @typedef {NonNullable<Filter['rules']>[number]} Rule */

/** @type {Readonly<Record<FilterName, string>>} */
const NAMES = { spamassassin: 'SpamAssassin', rspamd: 'rspamd' };

/** @type {Readonly<Record<FilterAction, string>>} */
const ACTIONS = {
  no_action: 'it would do nothing with the email',
  greylist: 'it would ask the sender to try again later',
  add_header: 'it would mark the email in a header',
  rewrite_subject: 'it would mark the email in its subject',
  soft_reject: 'it would defer the email',
  reject: 'it would reject the email',
  mark_as_spam: 'it would mark the email as spam',
};

/** @type {Readonly<Record<FilterReason, string>>} */
const REASONS = {
  unreachable: 'it could not be reached',
  no_answer_in_time: 'it did not respond in time',
  broke_off: 'it cut off its response',
  answer_too_large: 'its response was too long',
  unreadable_answer: 'its response could not be read',
  busy: 'it was busy with other emails',
  email_too_large: 'the email is over 512 KiB',
};

/** A sentence about what a filter's score cannot tell, however high or low it is. */
export const FILTER_LIMITS =
  'No filter can tell where Gmail, Outlook or Yahoo would put this email, because it does not know your reputation there. A high score is a warning; a low one promises nothing. None of this counts towards the score of this report.';

/**
 * Returns the words for a key. A key from a later release is shown as it is.
 *
 * @param {Readonly<Record<string, string>>} words
 * @param {string} key
 */
const wordOf = (words, key) => (Object.hasOwn(words, key) && words[key]) || key;

/** @param {number} number */
const unsigned = (number) => `${number < 0 ? '−' : ''}${Math.abs(number)}`;

/** @param {number} points */
export const signed = (points) => `${points > 0 ? '+' : ''}${unsigned(points)}`;

/**
 * Returns a title such as `This operator's SpamAssassin 4.0.1`.
 *
 * @param {Filter} filter
 */
export function filterTitle({ name, run_by, version }) {
  const named = version ? `${NAMES[name]} ${version}` : NAMES[name];
  return run_by === 'operator' ? `This operator's ${named}` : `The ${named} that you named`;
}

/**
 * Returns a filter's score, threshold and action, or says why there is no score.
 *
 * @param {Filter} filter
 */
export function filterVerdict({ reason, score = 0, threshold, action }) {
  if (reason !== undefined) return `Not checked: ${wordOf(REASONS, reason)}.`;
  const limit = threshold === undefined ? '' : ` (threshold ${threshold})`;
  const does = action === undefined ? '' : `; ${wordOf(ACTIONS, action)}`;
  return `Score ${unsigned(score)}${limit}${does}.`;
}

/**
 * Says how a filter rule compares with our own finding. Empty if there is no such finding.
 *
 * @param {Rule} rule
 */
const comparison = ({ finding, compared }) =>
  finding === undefined ? '' : compared ? `${finding} ${compared}` : `see ${finding}`;

/** @param {Rule} rule */
const toLine = (rule) => {
  const { name, points, about } = rule;
  const ours = comparison(rule);
  return `${signed(points)} ${name}${about ? `: ${about}` : ''}${ours && ` (${ours})`}`;
};

/**
 * Returns a line for each filter rule that adds or subtracts points (or for every rule if `all` is true), and
 * lines that say how many are not shown.
 *
 * @param {Filter} filter
 * @param {boolean} [all]
 * @returns {readonly string[]}
 */
export function ruleLines({ rules = [], left_out }, all = false) {
  const shown = rules.filter(({ points }) => all || points !== 0);
  const rest = rules.length - shown.length;
  return [
    ...shown.map(toLine),
    ...(rest > 0 ? [`${rest} more with 0 points`] : []),
    ...(left_out && left_out.rules > 0 ? [leftOutLine(left_out)] : []),
  ];
}

/** @param {NonNullable<Filter['left_out']>} leftOut */
export const leftOutLine = ({ rules, points }) =>
  `Left out: ${rules} ${rules === 1 ? 'rule' : 'rules'} about the recipient's side (${signed(points)})`;
