/** The checks of the syntax of List-Unsubscribe and of one-click unsubscribing. */

import { check } from '../check.ts';
import { asSeen, whichHold } from '../definition.ts';
import { formatId } from '../format.ts';
import { coverSteps, postStep, uriStep, withBulk } from './list-unsubscribe-checks.ts';

/** The cause that all faults of List-Unsubscribe share, because the field needs only one fix. */
const LIST_UNSUBSCRIBE = 'list_unsubscribe';

const FAULTS: Readonly<Record<string, string>> = {
  encoded: 'encoded words (=?…?=), which are for text',
  no_brackets: 'a URI without angle brackets',
  separator: 'no comma between two URIs',
  folded: 'a line break inside a URI',
  space: 'a space in a URI',
  no_scheme: 'an address without https:// or mailto:',
  http: 'http:// but no https://',
  several: 'more than one header, or more than one URI of a kind',
  placeholder: 'a template field',
};

export const listUnsubscribeSyntax = check({
  id: 'list_unsubscribe_syntax',
  family: 'unsubscribe',
  gate: 'list_unsubscribe',
  title: 'List-Unsubscribe syntax',
  header: 'List-Unsubscribe',
  source: 'RFC 2369 §2',
  about: {
    what: 'List-Unsubscribe contains addresses in angle brackets, separated by commas.',
    why: 'Mail programs ignore this header if they cannot read it.',
    how: ['Write each address in angle brackets, at most one https and one mailto.'],
    bad: 'List-Unsubscribe: https://example.com/u/8f3k2',
    good: 'List-Unsubscribe: <https://example.com/u/8f3k2>',
  },
  subject: withBulk,
  states: ({ warn, suggest, pass }) => ({
    faulty: warn(6).when(
      'bulk: encoded words, no angle brackets, wrong separator, a line break or space in a URI, a URI without a scheme, http:// only, more than one of a kind, template placeholder',
      ({ bulk, faults }) => bulk && faults.length > 0,
    ),
    faulty_not_bulk: suggest.when('the same, not bulk', ({ faults }) => faults.length > 0),
    well_formed: pass('well formed'),
  }),
  detail: ({ faults }) =>
    faults.length > 0
      ? `Found: ${faults.map((fault) => FAULTS[fault] ?? formatId(fault)).join(', ')}.`
      : 'Well formed.',
  evidence: ({ bulk, faults }) => ({ bulk, faults }),
  fix: {
    why: 'Mail programs ignore a List-Unsubscribe header that they cannot read.',
    do: 'Write at most one https and one mailto address, each in angle brackets, with a comma between them.',
  },
  fixes: {
    encoded: {
      why: 'List-Unsubscribe is written as encoded words (=?…?=). Mail programs do not decode this header, so they find no address in it.',
      do: 'Have your mail program write this header without encoding it. If the address contains non-ASCII letters, percent-encode those letters.',
    },
    folded: {
      why: 'Your mail program ended a line in the middle of an address in List-Unsubscribe, which puts a space into it.',
      do: 'Break the line before the angle bracket of an address, never inside the address.',
    },
    no_brackets: {
      why: 'List-Unsubscribe lacks the angle brackets, so mail programs ignore it.',
      do: 'Put each address in angle brackets.',
    },
    separator: {
      why: 'The addresses in List-Unsubscribe are not separated by a comma.',
      do: 'Put a comma between them.',
    },
    space: { why: 'An address in List-Unsubscribe contains a space.', do: 'Percent-encode it.' },
    no_scheme: {
      why: 'An address in List-Unsubscribe has neither https:// nor mailto: before it, so mail programs cannot use it.',
      do: 'Write the complete address, with https:// or mailto:, in angle brackets.',
    },
    http: {
      why: 'List-Unsubscribe uses http://, but mail programs require https://.',
      do: 'Change the address to https://.',
    },
    several: {
      why: 'List-Unsubscribe contains several addresses of the same kind, or the header appears twice.',
      do: 'Send one header with at most one https and one mailto address.',
    },
    placeholder: {
      why: 'List-Unsubscribe contains a template field that was not filled in, so it leads nowhere.',
      do: 'Fill in the field before sending.',
    },
  },
  // The id of a fault is also the name of its case in the fixes.
  cases: ({ faults }) => asSeen(...faults),
  cause: () => LIST_UNSUBSCRIBE,
});

const POST_FAULTS = {
  value: 'present, but not with the value List-Unsubscribe=One-Click',
  repeated: 'more than once',
} as const;

export const oneClick = check({
  id: 'one_click',
  family: 'unsubscribe',
  gate: 'list_unsubscribe',
  title: 'One-click unsubscribe',
  source: 'RFC 8058 §3.1; Gmail and Yahoo bulk rules',
  about: {
    what: 'With one-click unsubscribe (RFC 8058), the mail program sends the request itself, without opening a page.',
    why: 'Gmail and Yahoo have required it in marketing mail since June 2024.',
    how: [
      'Add the header List-Unsubscribe-Post.',
      'Have the https URL in List-Unsubscribe accept a POST request and unsubscribe the recipient immediately, without a login.',
    ],
    bad: 'List-Unsubscribe: <mailto:unsub@example.com>',
    good: 'List-Unsubscribe: <https://example.com/u/8f3k2>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click',
  },
  subject: withBulk,
  states: ({ fail, suggest, info, pass }) => ({
    incomplete: fail(8).when(
      'bulk: no https URL, no List-Unsubscribe-Post: List-Unsubscribe=One-Click, or more than one',
      ({ bulk, https, post }) => bulk && !(https && post),
    ),
    unreachable: fail(8).when(
      'bulk: the https URL leads to a name or an address that exists only in a private network, or to one reserved for examples',
      ({ bulk, reachable }) => bulk && !reachable,
    ),
    perhaps_needed: suggest.when(
      'the same, perhaps bulk',
      ({ mayBe, https, reachable, post }) => mayBe && !(https && reachable && post),
    ),
    not_needed: info.when(
      'not bulk, and no one-click pair that works',
      ({ https, reachable, post }) => !(https && reachable && post),
    ),
    complete: pass('RFC 8058 pair'),
  }),
  detail: ({ https, reachable, post, postFault }) =>
    `https URL: ${https ? (reachable ? 'yes' : 'yes, but its host is not public') : 'no'}; List-Unsubscribe-Post: ${postFault ? POST_FAULTS[postFault] : post ? 'yes' : 'no'}.`,
  evidence: ({ bulk, https, reachable, post, postFault }) => ({
    bulk,
    https,
    reachable,
    post,
    post_fault: postFault,
  }),
  fix: 'Gmail and Yahoo require one-click unsubscribe in bulk mail.',
  fixes: {
    post: 'Gmail and Yahoo require one-click unsubscribe in bulk mail.',
    value: 'List-Unsubscribe-Post has a value that mail programs do not know.',
    repeated: 'List-Unsubscribe-Post appears more than once, so mail programs ignore it.',
    https: 'List-Unsubscribe contains no https URL, which one-click unsubscribe requires.',
    unreachable: {
      why: 'The https URL in List-Unsubscribe leads to {unsubscribe_host}, which nobody outside your network can reach.',
      do: 'Set the header to the public https URL that unsubscribes this recipient. Your mailing software may still have the URL it was tested with.',
    },
  },
  cases: ({ https, reachable, post, postFault }) =>
    whichHold({
      https: !https,
      unreachable: !reachable,
      post: !post && postFault === null,
      value: !post && postFault === 'value',
      repeated: !post && postFault === 'repeated',
    }),
  cause: ({ https }) => (https ? 'one_click' : LIST_UNSUBSCRIBE),
  steps: (_, facts, name) =>
    name === 'unreachable'
      ? undefined
      : [name === 'https' ? uriStep : postStep, ...coverSteps(facts)],
  values: ({ host }) => ({ unsubscribe_host: host ?? 'no public host' }),
});
