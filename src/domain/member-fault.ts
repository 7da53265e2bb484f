/** Describes which member of a payment's JSON is wrong, without showing secrets. */

/** A sentence that says which member of a payment is wrong. */
export interface MemberFault {
  readonly fault: string;
}

/**
 * Maximum length of a text that is shown, in characters: that of an Ethereum address. Tokens, nonces and
 * signatures are longer.
 */
const MAX_SHOWN = 42;

/**
 * Returns whether a value may be logged and repeated to whoever sent it, because it is too short to be a
 * secret.
 */
export const isShowable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_SHOWN && /^[\w:.+-]*$/.test(value)
    : value === null || typeof value === 'number' || typeof value === 'boolean';

/**
 * Names a member, its value, and the expected value, as in `accepted.amount is "50001"; expected "50000".`
 *
 * @param isShown whether the value itself may be repeated
 */
export const showMember = (
  member: string,
  value: unknown,
  expected: string,
  isShown = isShowable(value),
): string =>
  `${member} is ${isShown ? JSON.stringify(value) : describe(value)}; expected ${expected}.`;

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
