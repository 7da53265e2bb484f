/** Renders the steps of a fix as instructions in plain text, with a note on splitting long TXT records. */

import { formatCount } from '../format.ts';
import type { Step } from './actions.ts';

/**
 * Instructions that change a setting of the sending server, keyed by setting. Where Postfix has an option for
 * the setting, the instruction quotes it.
 */
const SETTINGS: Readonly<Record<string, (value: string) => string>> = {
  helo: (value) => `Set the HELO name to ${value} (Postfix: smtp_helo_name = ${value}).`,
  envelope_domain: (value) =>
    `Set the envelope sender (MAIL FROM) to an address at ${value} (Postfix: myorigin = ${value}).`,
  return_path: (value) =>
    `Use a return path (MAIL FROM) at ${value} or a name under it, with an SPF record that lists your sending service.`,
  'tls.outbound': (value) =>
    `Turn on TLS for outbound mail wherever it is offered (Postfix: smtp_tls_security_level = ${value}).`,
  'tls.protocols': (value) =>
    `Turn off TLS 1.0 and 1.1 for outbound mail (Postfix: smtp_tls_protocols = ${value}).`,
  'dkim.s': (value) => `Set the selector of your signer to ${value} (s=).`,
  'dkim.d': (value) =>
    `In your mail system, or at the service that sends your mail, turn on DKIM signing for ${value} (d=${value}).`,
  'dkim.a': (value) => `Set the signing algorithm to ${value} (a=).`,
  'dkim.c': (value) => `Set the canonicalization to ${value} (c=).`,
  'dkim.i': (value) => `Set the signing identity (i=) to an address at ${value}, or leave it out.`,
  'dkim.h': (value) =>
    `${/\bFrom\b/.test(value) ? 'List From once more than it appears in the email, so that nobody can add another From. ' : ''}Add these headers to the ones that your DKIM signer signs (h=): ${value}.`,
};

const ADDITIONS: Readonly<Record<string, (value: string) => string>> = {
  'dkim.a': (value) =>
    `Keep the existing signature. Have your signer add a second one that uses ${value} and a 2048-bit RSA key.`,
};

const REMOVALS: Readonly<Record<string, string>> = {
  'dkim.l': 'Turn off the body length limit (l=) in your signer (OpenDKIM: remove BodyLengthDB).',
  'dkim.x': 'Have signatures expire after 7 days or more, or leave out x=.',
  'dkim.t': 'Correct the clock of your signer (set it by NTP).',
};

/** Maximum length of one string in a TXT record, in octets (RFC 1035 §3.3). */
const MAX_STRING = 255;

/**
 * Returns a note about splitting a TXT record into strings if a step contains a record longer than
 * `MAX_STRING`.
 */
export const splitNote = (steps: readonly Step[]): string =>
  steps.some(
    ({ type, operation, value }) =>
      type === 'TXT' && operation !== 'do' && (value?.length ?? 0) > MAX_STRING,
  )
    ? `The record is longer than ${MAX_STRING} characters: if your DNS panel does not split it automatically, enter it as several strings of one record.`
    : '';

function renderDns({ owner, operation, name, type, value, replaces }: Step): string {
  if (type === 'PTR')
    return `Ask the owner of the address, usually your hosting provider, to set its reverse name (PTR) to: ${value}`;
  const who = owner === 'address_owner' ? 'Ask the owner of the address: ' : '';
  if (operation === 'delete')
    return `${who}Delete the ${type} record at ${name}: ${replaces.join(' and ')}`;
  if (operation === 'publish') return `${who}Publish this ${type} record at ${name}: ${value}`;
  const old =
    replaces.length > 1 ? formatCount(replaces.length, `${type} record`) : `${type} record`;
  return `${who}Replace the ${old} at ${name} with: ${value}`;
}

function renderServer({ operation, name, type, value }: Step): string {
  const setting = name ?? '';
  if (operation === 'publish')
    return `Serve this file at ${name} as ${type}, with a valid certificate and without a redirect:\n${value?.trim()}`;
  if (operation === 'remove') return REMOVALS[setting] ?? `Turn off ${name}.`;
  const form = (operation === 'add' && ADDITIONS[setting]) || SETTINGS[setting];
  return form?.(value ?? '') ?? `Set ${name} to ${value}.`;
}

/**
 * Renders one step as an instruction for the reader. A DNS record comes last in the text, so that it is easy
 * to copy.
 */
export function renderStep(step: Step): string {
  const { kind, operation, name, value, replaces } = step;
  if (operation === 'do') return value ?? '';
  if (kind === 'dns') return renderDns(step);
  if (kind === 'content')
    return `In links and images, change ${replaces.join(' and ')} to ${value}`;
  if (kind === 'header')
    return operation === 'remove'
      ? `Remove the header ${name}.`
      : `Set this header: ${name}: ${value}`;
  return renderServer(step);
}
