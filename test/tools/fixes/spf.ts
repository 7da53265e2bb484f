import { known } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { lookUpSpf } from '../../../src/inspection/spf.ts';
import { evaluateSpf } from '../../support/mail/evaluate-spf.ts';
import { facts } from '../../support/mail/facts.ts';
import { askZone, resolverOf } from '../conformance/zone-resolver.ts';
import { actionsOf, applyTexts, type Texts, wordsOf } from './apply.ts';
import { around, DOMAIN, endOf, type SpfSetup } from './spf-setups.ts';

const AT = '2026-11-20T12:00:02.000Z';

const resolverFor = (texts: Texts) => {
  const own = Object.fromEntries([...texts].map(([name, TXT]) => [name, { TXT: [...TXT] }]));
  const mx = { ...own[DOMAIN], MX: ['10 mail.example.com'] };
  return resolverOf(askZone({ ...around, ...own, [DOMAIN]: mx }));
};

const resultFor = async (texts: Texts, ip: string) => {
  const identity = { ip, helo: 'mail.example.com', localPart: 'news', domain: DOMAIN };
  return (await evaluateSpf(identity, resolverFor(texts))).result;
};

/** What is wrong with the fix of one set-up, after its actions were applied; empty: nothing. */
export async function judgeSpf({ records, terms, ip }: SpfSetup): Promise<readonly string[]> {
  const before: Texts = new Map([[DOMAIN, records]]);
  const subject = { ip, helo: 'mail.example.com', localPart: 'news', domain: DOMAIN };
  const spf = await lookUpSpf(resolverFor(before), subject);
  if (spf.status === 'unknown') return [spf.error];
  const own = facts({ names: { ip }, connection: { ip } });
  const { findings } = makeReport({ ...own, spf: known(spf.value) }, AT);
  const cause = `spf:${DOMAIN}`;
  const after = applyTexts(before, actionsOf(findings, cause));
  const words = wordsOf(findings, cause);
  const faults: string[] = [];
  const now = after.get(DOMAIN) ?? [];
  if (now.length !== 1) faults.push(`${now.length} records are left`);
  if ((await resultFor(after, ip)) !== 'pass') faults.push('the sender does not pass');
  for (const [term, probe] of terms)
    if ((await resultFor(after, probe)) !== 'pass' && !words.includes(term))
      faults.push(`${term} is lost and not named`);
  const added = `ip4:${ip}`;
  const without = new Map([...after, [DOMAIN, now.map((text) => text.replace(` ${added}`, ''))]]);
  const wasThere = records.some((text) => text.includes(added));
  if (!wasThere && now[0]?.includes(added) && (await resultFor(without, ip)) === 'pass')
    faults.push(`${added} is not needed`);
  const wasSoft = records.length === 1 && endOf(records[0] ?? '') === '~';
  if (wasSoft && now[0]?.endsWith(' -all')) faults.push('~all became -all');
  if ((await resultFor(after, '100.64.1.1')) === 'pass') faults.push('anyone passes');
  return faults;
}
