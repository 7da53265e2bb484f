import { judgeDmarc } from '../../../src/analysis/dmarc/evaluate.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { lookUpDmarc, lookUpRua } from '../../../src/inspection/dmarc.ts';
import { withRua } from '../../../src/inspection/verdicts.ts';
import { facts } from '../../support/mail/facts.ts';
import { askZone, resolverOf } from '../conformance/zone-resolver.ts';
import { applyTexts, type Texts } from './apply.ts';

const DOMAIN = 'example.com';
const NAME = `_dmarc.${DOMAIN}`;
const RUA = 'mailto:dmarc@example.com';

const POLICIES = ['p=none', 'p=quarantine', 'p=reject', 'p=reject; sp=none', 'p=quarantine; t=y'];

const MUTATIONS: Readonly<Record<string, (policy: string) => readonly string[]>> = {
  right: (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`],
  'lower case': (policy) => [`v=dmarc1; ${policy}; rua=${RUA}`],
  commas: (policy) => [`v=DMARC1, ${policy.replaceAll(';', ',')}, rua=${RUA}`],
  quoted: (policy) => [`"v=DMARC1; ${policy}; rua=${RUA}"`],
  'version last': (policy) => [`${policy}; v=DMARC1; rua=${RUA}`],
  'two records': (policy) => [
    `v=DMARC1; ${policy}; rua=${RUA}`,
    'v=DMARC1; p=none; rua=mailto:two@example.com',
  ],
  'two addresses': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}; rua=mailto:two@example.com`],
  'no address': (policy) => [`v=DMARC1; ${policy}`],
  'bare address': (policy) => [`v=DMARC1; ${policy}; rua=dmarc@example.com`],
  'unknown tags': (policy) => [`v=DMARC1; ${policy}; foo=bar; rua=${RUA}`],
  pct: (policy) => [`v=DMARC1; ${policy}; pct=50; rua=${RUA}`],
  'policy last': (policy) => [`v=DMARC1; rua=${RUA}; ${policy}`],
  'another text': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`, 'hello'],
  'sp= unusable': (policy) => [`v=DMARC1; ${policy}; sp=oops; rua=${RUA}`],
  'np= unusable': (policy) => [`v=DMARC1; ${policy}; np=monitor; rua=${RUA}`],
  'p= twice': (policy) => [`v=DMARC1; ${policy}; p=none; rua=${RUA}`],
  capitals: (policy) => [`v=DMARC1; ${policy.toUpperCase()}; RUA=${RUA}`],
  'words for letters': (policy) => [`v=DMARC1; ${policy}; adkim=strict; aspf=relaxed; rua=${RUA}`],
  'no space': (policy) => [`v=DMARC1;${policy.replaceAll(' ', '')};rua=${RUA}`],
  'spaces around': (policy) => [` v=DMARC1 ; ${policy} ; rua = ${RUA} `],
  'version twice': (policy) => [`v=DMARC1; v=DMARC1; ${policy}; rua=${RUA}`],
  'no version': (policy) => [`${policy}; rua=${RUA}`],
  'a size': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}!10m`],
  'a semicolon in rua': (policy) => [`v=DMARC1; ${policy}; rua=${RUA};mailto:two@example.com`],
  'rf and ri': (policy) => [`v=DMARC1; ${policy}; rf=afrf; ri=86400; rua=${RUA}`],
  'SPF beside it': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`, 'v=spf1 -all'],
  'the same twice': (policy) => [
    `v=DMARC1; ${policy}; rua=${RUA}`,
    `v=DMARC1; ${policy}; rua=${RUA}`,
  ],
  'not a policy': () => [`v=DMARC1; p=rejct; rua=${RUA}`],
};

export interface DmarcSetup {
  readonly name: string;
  readonly records: readonly string[];
}

export const dmarcSetups: readonly DmarcSetup[] = POLICIES.flatMap((policy) =>
  Object.entries(MUTATIONS).map(([name, mutate]) => ({
    name: `${name}: ${policy}`,
    records: mutate(policy),
  })),
);

const STRENGTH = ['none', 'quarantine', 'reject'];

async function look(texts: Texts) {
  const own = { [NAME]: { TXT: [...(texts.get(NAME) ?? [])] } };
  const zone = { ...own, [DOMAIN]: { MX: ['10 mail.example.com'] } };
  const resolver = resolverOf(askZone(zone));
  const answers = await lookUpDmarc(resolver, [DOMAIN]);
  const dmarc = judgeDmarc({
    fromDomain: DOMAIN,
    exists: known(true),
    answers,
    spf: { domain: DOMAIN, outcome: 'pass' },
    dkim: [{ domain: DOMAIN, outcome: 'pass' }],
  });
  const found = withRua(dmarc, await lookUpRua(resolver, DOMAIN, answers));
  if (found.status === 'unknown') throw new Error(found.error);
  return { facts: found.value, policy: found.value.report.effective_policy ?? 'none' };
}

/** What is wrong with the fixes of one set-up, each applied by itself; empty: nothing. */
export async function judgeDmarcSetup({ records }: DmarcSetup): Promise<readonly string[]> {
  const before: Texts = new Map([[NAME, records]]);
  const { facts: found, policy } = await look(before);
  const addresses = new Set(records.flatMap((text) => text.match(/[a-z]+@example\.com/g) ?? []));
  const report = makeReport({ ...facts(), dmarc: known(found) }, '2026-11-20T12:00:02.000Z');
  const faults: string[] = [];
  for (const { id, fix = '', actions = [] } of report.findings) {
    if (!id.startsWith('dmarc_') || !actions.some(({ kind }) => kind === 'dns')) continue;
    const texts = applyTexts(before, actions);
    const after = await look(texts);
    if (STRENGTH.indexOf(after.policy) > STRENGTH.indexOf(policy))
      faults.push(`${id}: ${policy} became ${after.policy} unannounced`);
    const now = texts.get(NAME)?.join(' ') ?? '';
    for (const address of addresses)
      if (!now.includes(address) && !fix.includes(address))
        faults.push(`${id}: ${address} is lost`);
    const isRaise = actions.some(({ kind }) => kind === 'ask');
    if (!isRaise && (after.facts.ignoredBecause !== null || after.facts.lint.length > 0))
      faults.push(`${id}: ${after.facts.ignoredBecause ?? after.facts.lint.join('; ')}`);
  }
  return faults;
}
