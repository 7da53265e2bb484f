import { serverStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { bestOf, causeIf, dkimFixes } from './checks.ts';
import type { DkimFact } from './facts.ts';
import { lastStep } from './fixes.ts';

const signsFrom = ({ report }: DkimFact): boolean =>
  report.signed_headers?.some((name) => name.toLowerCase() === 'from') ?? false;

/** Left out when the signature is too broken to have a list of headers. */
export const dkimHeadersSigned = check({
  id: 'dkim_headers_signed',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'Headers covered by DKIM',
  source: 'RFC 6376 §5.4, §5.4.1',
  about: {
    what: 'A signature lists the headers that it covers (h=). From must be among them, and subject, date, to and reply-to should be.',
    why: 'A header that is not covered can be changed on the way, for example the subject that your readers see.',
    how: [
      'Add the missing names to the list of signed headers of your mail system.',
      'Name From twice: then nobody can add a second one.',
    ],
    bad: 'h=from:date',
    good: 'h=from:from:to:subject:date:message-id:reply-to:mime-version:content-type',
  },
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.signed_headers ? undefined : best;
  },
  states: ({ fail, warn, suggest, pass }) => ({
    from_unsigned: fail(8).when('From not in h= (invalid)', (best) => !signsFrom(best)),
    incomplete: warn(2).when(
      'one of Subject, Date, To, Message-ID, MIME-Version, Content-Type, Reply-To is in the message but not in h=',
      ({ unsignedHeaders }) => unsignedHeaders.length > 0,
    ),
    not_oversigned: suggest.when(
      'From not oversigned in h=',
      ({ report }) => report.from_oversigned === false,
    ),
    complete: pass('all covered'),
  }),
  detail: (best) => {
    const missing = missingFrom(best);
    return missing === '' ? 'All covered.' : `Not in h=: ${missing}.`;
  },
  evidence: (best) => ({ missing: [...new Set(headersToSign(best))] }),
  fixes: {
    fix: {
      why: 'The signature of {d} leaves out headers that readers see, so they can be changed or added.',
    },
  },
  ...dkimFixes,
  cause: (best) => causeIf(best, 'malformed', 'dkim_headers_signed'),
  steps: (best) => [
    ...(best.unsignedHeaders.length > 0 ? [lastStep] : []),
    { ...serverStep('dkim.h', headersToSign(best).join(', ')), operation: 'add' },
  ],
});

/** RFC 6376 §8.15: From once more than there are, so that none can be added. */
const headersToSign = (best: DkimFact): readonly string[] => {
  const missing = [...(signsFrom(best) ? [] : ['From', 'From']), ...best.unsignedHeaders];
  return missing.length > 0 || best.report.from_oversigned !== false ? missing : ['From'];
};

const missingFrom = (best: DkimFact): string => {
  const headers = headersToSign(best);
  const isSecond = headers.length === 1 && signsFrom(best) && headers[0] === 'From';
  return isSecond ? 'From (a second time)' : [...new Set(headers)].join(', ');
};

export const dkimCanonicalization = check({
  id: 'dkim_canonicalization',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM canonicalization',
  source: 'RFC 6376 §3.4',
  about: {
    what: 'How much a mail may change on the way before its signature breaks. “simple” allows nothing, “relaxed” allows other white space.',
    why: 'Many servers rewrap lines or change spaces. With “simple” that breaks the signature.',
    how: ['Set the canonicalization of your mail system to relaxed/relaxed.'],
    bad: 'c=simple/simple',
    good: 'c=relaxed/relaxed',
  },
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.canonicalization ? undefined : best;
  },
  states: ({ suggest, pass }) => ({
    simple: suggest.when(
      'simple/ header canonicalization (breaks on refolding)',
      ({ report }) => !!report.canonicalization?.startsWith('simple'),
    ),
    relaxed: pass('relaxed/*'),
  }),
  detail: ({ report }) => `c=${report.canonicalization}.`,
  evidence: ({ report }) => ({ canonicalization: report.canonicalization ?? null }),
  fixes: {
    fix: { why: 'The signature of {d} breaks when a server on the way changes white space.' },
  },
  ...dkimFixes,
  steps: () => [serverStep('dkim.c', 'relaxed/relaxed')],
});
