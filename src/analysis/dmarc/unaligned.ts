/**
 * Explains why an email is not aligned for DMARC or why that is unknown, and decides whether receivers act on
 * the failure.
 */

import { passedBefore } from '../advice/whose-server.ts';
import type { DkimFact } from '../dkim/facts.ts';
import { isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isFreemail, isUnder } from '../names/domain-names.ts';
import { isFalseSuffix } from './evaluate.ts';
import type { DmarcFacts } from './facts.ts';

/**
 * A domain for which SPF or DKIM passes and which is under the organizational domain, but which is not
 * aligned because the record requires an exact match.
 */
interface StrictMiss {
  readonly tag: 'adkim' | 'aspf';
  readonly domain: string;
}

/**
 * Returns the domains that only strict alignment rejects. With `adkim=s` or `aspf=s`, only the From domain
 * itself is aligned (RFC 9989 §4.4).
 */
export function strictMisses({
  spf,
  dkim,
  dmarc,
}: Pick<Facts, 'spf' | 'dkim' | 'dmarc'>): readonly StrictMiss[] {
  const { spfAligned, dkimAligned, report } = ifKnown(dmarc) ?? {};
  const { adkim, aspf, organizational_domain: own } = report ?? {};
  if (!own) return [];
  const { result, domain = '' } = ifKnown(spf)?.report ?? {};
  const signed = ifKnown(dkim)?.signatures.find(
    (one) => one.report.result === 'pass' && isUnder(one.report.domain, own),
  );
  return [
    ...(adkim === 's' && !dkimAligned && signed
      ? [{ tag: 'adkim' as const, domain: signed.report.domain }]
      : []),
    ...(aspf === 's' && !spfAligned && result === 'pass' && isUnder(domain, own)
      ? [{ tag: 'aspf' as const, domain }]
      : []),
  ];
}

/**
 * Returns whether SPF or DKIM passes for the organization according to the Public Suffix List, although no
 * record on the tree walk shows that the domains belong together (RFC 9989 §4.10.2).
 */
export const lacksRoot = ({ dmarc }: Facts): boolean => {
  const { anyRecord, ignoredBecause, pslNote, dkimAligned } = ifKnown(dmarc) ?? {};
  const isAbsent = anyRecord === false || Boolean(ignoredBecause);
  return isAbsent && Boolean(pslNote) && !dkimAligned;
};

/**
 * Returns whether SPF or DKIM passes for the organization according to the Public Suffix List, but is not
 * aligned because an ordinary domain declares itself a public suffix (`psd=y`).
 */
export const isCutOff = (dmarc: DmarcFacts): boolean =>
  Boolean(dmarc.pslNote) && isFalseSuffix(dmarc.report.record_domain ?? '', dmarc.report.psd);

/**
 * Cases in which the envelope sender must be moved to the From domain, because SPF is evaluated for another
 * domain.
 */
export const NEEDS_RETURN_PATH = ['return_path', 'strict_return_path', 'no_spf'];

/** Returns the name of the case that explains why SPF is not aligned although DKIM is. */
export function spfCase(facts: Facts) {
  const { names, spf, dmarc } = facts;
  const isStrict = strictMisses(facts).some(({ tag }) => tag === 'aspf');
  if (isStrict && !names.nullSender) return 'strict_return_path';
  const { result, domain } = ifKnown(spf)?.report ?? {};
  const from = names.fromDomain ?? '';
  const isOwn =
    ifKnown(dmarc)?.report.aspf === 's'
      ? domain === from
      : isUnder(domain ?? '', names.fromOrganizationalDomain ?? from);
  // With a null sender, SPF is evaluated for the HELO name. If that name is in the right domain, its SPF
  // record must be wrong.
  if (names.nullSender) return isOwn && result !== 'pass' ? 'fix_spf' : 'helo';
  if (result === 'pass') return 'return_path';
  return isOwn ? 'fix_spf' : 'no_spf';
}

/** Returns the reason why the alignment is unknown, as a line for `partial_errors`. */
export function whyUndecidedAlignment({ spf, dkim, names }: Facts): string {
  const spfIsOpen = spf.status === 'unknown' || spf.value.report.result === 'temperror';
  if (!spfIsOpen && dkim.status === 'unknown') return dkim.error;
  const unread = ifKnown(dkim)?.signatures.find(isUndecided);
  return !spfIsOpen && unread
    ? whyUndecided(unread)
    : `dns: alignment with ${names.fromDomain ?? 'the From domain'}: not all answered`;
}

/**
 * Returns whether DKIM is aligned by a signature that most receivers can verify. Many do not verify Ed25519
 * yet (RFC 8463).
 */
export function dkimCounts(
  { dkimAligned }: Pick<DmarcFacts, 'dkimAligned'>,
  { dkim }: Facts,
): boolean {
  const aligned = ifKnown(dkim)?.signatures.filter((one) => passes(one) && one.ofFromDomain) ?? [];
  const isYoung = ({ report }: DkimFact) => report.algorithm === 'ed25519-sha256';
  return dkimAligned && !(aligned.length > 0 && aligned.every(isYoung));
}

/**
 * Returns whether receivers act on a DMARC failure: because of the policy, because the From domain belongs to
 * a freemail provider, or because neither SPF nor DKIM passes at all.
 */
export function isRefused({ report }: DmarcFacts, facts: Facts): boolean {
  const { names, spf, dkim } = facts;
  // A receiver that trusts the sealer accepts the email anyway (RFC 8617 §7.2.1).
  if (ifKnown(dkim)?.signatures.some((one) => one.ofFromDomain && passedBefore(one, facts)))
    return false;
  // There is no policy if there is no record, or if receivers ignore it.
  const policy = report.policy === null ? null : (report.effective_policy ?? report.policy);
  const [spfFacts, dkimFacts] = [ifKnown(spf), ifKnown(dkim)];
  const nothingPasses =
    spfFacts !== undefined &&
    spfFacts.report.result !== 'pass' &&
    dkimFacts !== undefined &&
    !dkimFacts.signatures.some(passes);
  return (
    policy === 'quarantine' || policy === 'reject' || isFreemail(names.fromDomain) || nothingPasses
  );
}
