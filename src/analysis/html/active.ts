/**
 * Finds active content in the HTML of an email: scripts, forms, `javascript:` URLs, event handlers and fields
 * that ask for secrets.
 */

import { activeScheme } from '../links/href.ts';
import { wordSet } from '../syntax/words.ts';
import type { Attributes } from './appearance.ts';
import { ACTIVE, KNOWN } from './open-elements.ts';

/**
 * Active content by severity. Content in `hard` gets an email blocked or discarded. Content in `soft` is only
 * removed.
 */
interface Active {
  readonly hard: readonly string[];
  readonly soft: readonly string[];
}

const NOT_ACTIVE: Active = { hard: [], soft: [] };

export const PASSWORD_FIELD = 'input type=password';

const SECRET_NAME = /passw|passphrase|kennwort|\bpin\b|\btan\b|cvv|cvc|card-?number/i;

/** Returns whether a form field asks for a secret, such as a password or a PIN. Honest emails never do. */
const isSecret = (attributes: Attributes): boolean => {
  const type = plain(attributes.get('type')) ?? 'text';
  if (type === 'password') return true;
  return (
    ['text', 'tel', 'number'].includes(type) &&
    ['name', 'id', 'autocomplete', 'placeholder'].some((name) =>
      SECRET_NAME.test((attributes.get(name) ?? '').replaceAll('_', ' ')),
    )
  );
};

const URL_ATTRIBUTES = wordSet('href src action formaction background data xlink:href');

const plain = (value: string | undefined) => value?.trim().toLowerCase();

/**
 * Returns whether a tag is active content. JSON-LD is not: browsers do not run it, and Gmail reads email
 * actions from it.
 */
export const isRunnable = (tag: string, attributes: Attributes): boolean =>
  ACTIVE.has(tag) && !(tag === 'script' && plain(attributes.get('type')) === 'application/ld+json');

/** Returns the active content in one start tag, judged by its name and attributes. */
export const activeIn = (tag: string, attributes: Attributes): Active => {
  const hard: string[] = [];
  const soft: string[] = [];
  if (isRunnable(tag, attributes)) hard.push(tag);
  if (tag === 'input' && isSecret(attributes)) hard.push(PASSWORD_FIELD);
  // Without `href`, a `base` element only determines where links open.
  if (tag === 'base' && attributes.has('href')) soft.push('base');
  if (tag === 'meta' && plain(attributes.get('http-equiv')) === 'refresh')
    hard.push('meta http-equiv=refresh');
  for (const [name, value] of attributes) {
    if (/^on[a-z]/.test(name) && KNOWN.has(tag)) soft.push('on*');
    const scheme = URL_ATTRIBUTES.has(name) ? activeScheme(value) : null;
    if (scheme) hard.push(`a href=${scheme}:`);
  }
  return hard.length + soft.length === 0 ? NOT_ACTIVE : { hard, soft };
};
