import { spf } from 'mailauth/lib/spf/index.js';
import { SPF_RESULTS, type SpfResult } from '../../domain/report/authentication.ts';
import type { EvaluateSpf } from '../../ports/reading.ts';
import { toMailauthResolver } from './dns-bridge.ts';
import { createNameAlias } from './name-alias.ts';

/** RFC 7208 §4.6.4 asks for at least 20 s; a sender waits, and half is plenty for ten lookups. */
const MAX_ELAPSED_MS = 10_000;

/** RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10;
const TOO_MANY = 'more than 10 lookups';
const TOO_MANY_HOSTS = 'more than 10 mail servers of one mx term';

/** Endings of the library's texts that are its own words. All others quote the sender. */
const KNOWN_ERRORS: Readonly<Record<string, string>> = {
  'Too many DNS requests': TOO_MANY,
  'Too many void DNS results': 'more than 2 void lookups',
  'SPF evaluation time limit exceeded': 'the evaluation took too long',
};

const results: readonly string[] = SPF_RESULTS;
const isResult = (word: string | undefined): word is SpfResult => results.includes(word ?? '');

/** SPF by RFC 7208, strictly. The local part goes in for macros and never comes out. */
export const evaluateSpf: EvaluateSpf = async ({ ip, helo, localPart, domain }, resolver) => {
  const alias = createNameAlias([domain, helo], [localPart]);
  const sender = domain === '' ? '' : `${localPart || 'postmaster'}@${alias.hide(domain)}`;
  try {
    const { status, lookups } = await spf({
      sender,
      ip,
      helo: alias.hide(helo),
      // For the macro r= of exp= texts, which are never shown.
      mta: 'unknown',
      strict: true,
      maxElapsedTime: MAX_ELAPSED_MS,
      resolver: toMailauthResolver(resolver.ask, alias),
    });
    const comment = typeof status.comment === 'string' ? status.comment : '';
    const known = Object.keys(KNOWN_ERRORS).find((text) => comment.endsWith(`: ${text}`));
    const error = known ? (KNOWN_ERRORS[known] ?? null) : null;
    return {
      result: isResult(status.result) ? status.result : 'temperror',
      // The library has one text for its two limits of ten.
      error: error === TOO_MANY && (lookups?.count ?? 0) <= MAX_LOOKUPS ? TOO_MANY_HOSTS : error,
    };
  } catch {
    // The library promises a result; what it throws is its own defect, and quotes the sender.
    return { result: 'temperror', error: 'the evaluation broke' };
  }
};
