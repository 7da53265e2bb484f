import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import mailers from './mailers.json' with { type: 'json' };

/** As the report may show it: `[A-Za-z0-9 ._-]{1,40}`. */
const shown = (product: string) => product.replaceAll(/[^A-Za-z0-9 ._-]+/g, '-');

const BOUNDARY = /[^a-z0-9]/;

/** The name stands at the beginning, and is a word of its own. */
const names = (value: string, product: string): boolean => {
  const name = product.toLowerCase();
  return value.startsWith(name) && BOUNDARY.test(`${value.charAt(name.length)} `.charAt(0));
};

/**
 * What sent the mail by its own account, without its version; `other`: a word of the sender's own;
 * null: it does not say.
 */
export const mailerOf = (block: HeaderBlock): string | null => {
  const value = firstNamed(block, 'x-mailer') ?? firstNamed(block, 'user-agent');
  if (value === null) return null;
  const plain = value.toLowerCase();
  // Of two that fit the first counts.
  const product = mailers.find((one) => names(plain, one));
  return product === undefined ? 'other' : shown(product);
};
