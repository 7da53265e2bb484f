/** Defines the check on whether SPF or DKIM is aligned with the From domain. */

import { serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { handedOn } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import { keyOthers, signatureCause, unsignedCause } from '../dkim/fixes.ts';
import { formatSignature, passes } from '../dkim/results.ts';
import { rsaCause, rsaSteps } from '../dkim/rsa-signature.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import { recordDomain } from './corrected-record.ts';
import type { DmarcFacts } from './facts.ts';
import { firstRecordSteps, listedOrganization } from './first-record.ts';
import {
  alignmentSteps,
  dmarcCause,
  ownFailure,
  recordSteps,
  relaxSteps,
  waitsForFrom,
} from './fixes.ts';
import {
  dkimCounts,
  isCutOff,
  isRefused,
  lacksRoot,
  NEEDS_RETURN_PATH,
  spfCase,
  strictMisses,
  whyUndecidedAlignment,
} from './unaligned.ts';

/**
 * Judges alignment whether or not there is a DMARC record, because publishing a record with p=none must not
 * cost points.
 */
export const dmarcAlignment = check({
  id: 'dmarc_alignment',
  family: 'alignment',
  title: 'DMARC alignment',
  source: 'RFC 9989; Gmail and Yahoo bulk rules; Microsoft high-volume rule',
  about: {
    what: 'DMARC requires SPF or DKIM to pass for the domain in From, the one your readers see. That is called alignment.',
    why: "An email can pass SPF and DKIM for your platform's domain without showing that it is yours. DMARC then fails, and many receivers refuse the email.",
    how: [
      'Turn on DKIM for your own domain at your sending platform, so that it signs with your domain in d=.',
      'Or have the platform use a return path under your domain, so that SPF is aligned with your domain.',
    ],
    bad: 'From: shop@example.com\nDKIM d=sendgrid.net   SPF for em123.sendgrid.net',
    good: 'From: shop@example.com\nDKIM d=example.com   SPF for bounce.example.com',
    platforms: 'dkim',
  },
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (value) =>
      value.decided || value.spfAligned || value.dkimAligned
        ? known(value)
        : unknown(whyUndecidedAlignment(facts)),
    ),
  states: ({ fail, warn, suggest, pass }) => ({
    refused: fail(45, 45).when(
      'no aligned pass, and receivers therefore refuse or junk the email: the policy is quarantine or reject, From is at a free email provider, or neither SPF nor DKIM passes for any domain',
      (dmarc, facts) => !dmarc.spfAligned && !dmarc.dkimAligned && isRefused(dmarc, facts),
    ),
    unaligned: fail(30, 59).when(
      'no aligned SPF pass and no aligned DKIM pass that most receivers verify (judged with or without a DMARC record), or, with any policy, a verified ARC seal that says that the signature of the From domain passed before: receivers that trust the sealer accept the email',
      (dmarc, facts) => !dmarc.spfAligned && !dkimCounts(dmarc, facts),
    ),
    // One aligned pass is enough. If the other result is unknown, it does not count as a fault.
    spf_only: warn(5).when(
      'only SPF is aligned (breaks when forwarded), or DKIM is aligned too, but with a key that many receivers ignore',
      (dmarc, facts) => !dkimCounts(dmarc, facts) && dmarc.decided,
    ),
    dkim_only: suggest.when(
      "only DKIM is aligned (fine; Microsoft's high-volume rule requires SPF to pass too)",
      ({ spfAligned, decided }) => !spfAligned && decided,
    ),
    aligned: pass('both are aligned, or one is aligned and the other could not be checked'),
  }),
  detail: ({ spfAligned, dkimAligned, decided, pslNote }, { spf, dkim, names: { fromDomain } }) => {
    const { result, domain } = ifKnown(spf)?.report ?? {};
    const all = ifKnown(dkim)?.signatures ?? [];
    const word = (aligned: boolean, isPass: boolean) => {
      // The domains are compared only if the result is a pass. A result that does not pass may be for the
      // From domain itself.
      if (!aligned && decided && !isPass) return 'does not pass';
      return `is ${aligned ? 'aligned' : decided ? 'not aligned' : 'not known to be aligned'} with ${fromDomain ?? 'From'}`;
    };
    const said = [
      `SPF ${word(spfAligned, result === 'pass')}${result ? ` (${result} for ${domain})` : ''}`,
      `DKIM ${word(dkimAligned, all.some(passes))} (${all.map(formatSignature).join('; ') || 'no signature'})`,
      ...(pslNote ? [pslNote] : []),
    ];
    return `${said.join('. ')}.`;
  },
  evidence: ({ spfAligned, dkimAligned, decided }, { spf, names: { fromDomain } }) => ({
    from_domain: fromDomain,
    spf_aligned: spfAligned,
    dkim_aligned: dkimAligned,
    decided,
    spf_result: ifKnown(spf)?.report.result ?? null,
    spf_domain: ifKnown(spf)?.report.domain ?? null,
  }),
  fix: {
    why: 'Neither SPF nor DKIM passes for {from_domain}, the domain your readers see, so DMARC cannot pass.',
    do: 'In your mail system, turn on DKIM signing for {from_domain}.',
  },
  fixes: {
    either:
      'Neither SPF nor DKIM passes for {from_domain}, the domain your readers see, so DMARC cannot pass. One of them is enough, but both are better. SPF will count once you have fixed the findings about the SPF record of {envelope_domain}; DKIM will count after the following steps.',
    young:
      'Only an Ed25519 signature passes for {from_domain}, and many receivers do not verify Ed25519.',
    strict:
      '{strict_domain} passes, but your DMARC record requires an exact match with {from_domain}, the domain in From ({strict_tag}=s).',
    cut_off:
      'SPF or DKIM passes for a domain of {organization}, but psd=y in the DMARC record of {record_domain} says that its names have different owners, so that does not count for {from_domain}.',
    strict_return_path: {
      why: 'DKIM passes for {from_domain}; SPF passes for {envelope_domain}, but your DMARC record requires an exact match with the domain in From (aspf=s).',
      do: 'If your sending service allows it, use a return path (MAIL FROM) {return_path}.',
    },
    sign: 'Only SPF passes for {from_domain}, and SPF breaks when mail is forwarded. Sign with your own domain too.',
    fix_dkim: {
      why: 'The DKIM signature of {d} (selector {selector}) would be aligned with {from_domain}, but it does not verify ({result}).',
      do: 'Fix the signature of {d} first.',
    },
    return_path: {
      why: 'DKIM passes for {from_domain}; SPF passes for another domain.',
      do: 'If your sending service allows it, use a return path (MAIL FROM) {return_path}.',
    },
    no_spf: {
      why: 'DKIM passes for {from_domain}. SPF is checked for {envelope_domain} and does not pass ({spf_result}).',
      do: 'If your sending service allows it, use a return path (MAIL FROM) {return_path}.',
    },
    fix_spf: {
      why: 'DKIM passes for {from_domain}; SPF does not ({spf_result}).',
      do: 'Fix the findings about the SPF record of {envelope_domain} first.',
    },
    no_from: {
      why: 'The From header has no usable domain, so there is nothing to align with.',
      do: 'Fix the From header first.',
    },
    one_organization:
      'SPF or DKIM passes for a domain of {organization}, but no DMARC record ties {from_domain} to {organization}.',
    helo: {
      why: 'DKIM passes for {from_domain}. This email has no envelope sender, so SPF is checked for its HELO name.',
      do: 'Set the HELO name of your server to a host name {return_path} that resolves to its address.',
    },
  },
  cases: (dmarc, facts) => {
    const { spfAligned, dkimAligned } = dmarc;
    if (publicFrom(facts) === null) return ['no_from'];
    if (lacksRoot(facts)) return ['one_organization'];
    if (isCutOff(dmarc)) return ['cut_off'];
    if (dkimAligned) return dkimCounts({ dkimAligned }, facts) ? [spfCase(facts)] : ['young'];
    if (ownFailure(facts)) return ['fix_dkim'];
    if (!spfAligned && strictMisses(facts).length > 0) return ['strict'];
    if (spfAligned) return ['sign'];
    return spfCase(facts) === 'fix_spf' ? ['either'] : [];
  },
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => {
    const { domain, selector, result, reason } = ownFailure(facts)?.report ?? {};
    const [strict] = strictMisses(facts);
    return {
      strict_domain: strict?.domain ?? '',
      strict_tag: strict?.tag ?? '',
      d: domain ?? '',
      selector: selector ?? '',
      result: (reason ?? result ?? '').replaceAll('_', ' '),
      spf_result: ifKnown(facts.spf)?.report.result ?? '',
      organization: listedOrganization(dmarc, facts),
      record_domain: recordDomain(dmarc, facts),
    };
  },
  steps: (dmarc, facts) => {
    if (publicFrom(facts) === null) return undefined;
    if (lacksRoot(facts))
      return dmarc.anyRecord ? recordSteps(dmarc, facts) : firstRecordSteps(dmarc, facts);
    if (isCutOff(dmarc)) return recordSteps(dmarc, facts);
    if (dmarc.dkimAligned) {
      if (!dkimCounts(dmarc, facts)) return rsaSteps(facts);
      if (!NEEDS_RETURN_PATH.includes(spfCase(facts))) return undefined;
      const { fromDomain, fromOrganizationalDomain } = facts.names;
      // Under strict alignment, a subdomain is not aligned.
      if (dmarc.report.aspf === 's')
        return fromDomain ? [serverStep('envelope_domain', fromDomain)] : undefined;
      return fromOrganizationalDomain
        ? [serverStep('return_path', fromOrganizationalDomain)]
        : undefined;
    }
    const isStrict = !dmarc.spfAligned && ownFailure(facts) === undefined;
    return [...alignmentSteps(facts), ...(isStrict ? relaxSteps(dmarc, facts) : [])];
  },
  others: ({ spfAligned, dkimAligned }, facts) => {
    const isYoung = dkimAligned && !dkimCounts({ dkimAligned }, facts);
    const failure = dkimAligned ? undefined : ownFailure(facts);
    return (
      (spfAligned || isYoung ? undefined : handedOn(facts, 'sent it on under its own name')) ??
      (failure && keyOthers(failure, facts))
    );
  },
  cause: (dmarc, facts) => {
    if (publicFrom(facts) === null) return 'from_header';
    if (lacksRoot(facts))
      return dmarc.anyRecord
        ? dmarcCause(dmarc, facts)
        : `dmarc:${listedOrganization(dmarc, facts)}`;
    if (isCutOff(dmarc)) return dmarcCause(dmarc, facts);
    if (dmarc.dkimAligned && !dkimCounts(dmarc, facts)) return rsaCause(facts);
    if (dmarc.dkimAligned) return spfCase(facts) === 'fix_spf' ? spfCauseOf(facts) : 'return_path';
    const failure = ownFailure(facts);
    return failure ? signatureCause(failure) : unsignedCause(facts);
  },
});

const spfCauseOf = ({ spf }: Facts): string => `spf:${ifKnown(spf)?.report.domain ?? ''}`;
