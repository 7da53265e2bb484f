import { expect, test } from 'vitest';
import { allChecks } from '../../../src/analysis/all-checks.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import type { Dmarc } from '../../../src/domain/report/authentication.ts';
import { facts, type Part, signed } from '../../support/facts.ts';

const rua = (uri: string, part: Partial<NonNullable<Dmarc['rua']>[number]> = {}): Part<Facts> => ({
  dmarc: {
    value: { report: { rua: [{ uri, external: false, authorized: null, has_mx: true, ...part }] } },
  },
});
const signature = (part: Parameters<typeof signed>[0]): Part<Facts> => ({
  dkim: { value: { signatures: [signed(part)] } },
});
const expires = '2026-11-27T12:00:00.000Z';

/** What a finding says of the value that was measured. */
const details: [id: string, said: string, Part<Facts>][] = [
  ['dmarc_rua', 'example.com: takes reports.', rua('mailto:a@example.com')],
  ['dmarc_rua', 'far.example: takes reports.', rua('mailto:a@far.example?subject=b@c.example')],
  ['dmarc_rua', 'an address without a domain: takes no mail', rua('mailto:a', { has_mx: false })],
  ['dmarc_rua', 'https://a.example/: not mailto:', rua('https://a.example/')],
  ['dkim_expired', 'The signature does not expire.', {}],
  ['dkim_expired', `The signature expires at ${expires}.`, signature({ report: { expires } })],
];

test.each(details)('%s: %s', (id, said, part) => {
  const verdict = allChecks.find((check) => check.id === id)?.run(facts(part));
  expect(verdict?.finding.detail).toContain(said);
});

test('the owner of a report address elsewhere is told where to agree', () => {
  const elsewhere = { external: true, authorized: false };
  const part = rua('mailto:a@far.example?subject=b@c.example', elsewhere);
  const verdict = allChecks.find(({ id }) => id === 'dmarc_rua')?.run(facts(part));
  expect(verdict?.finding.fix).toContain('TXT example.com._report._dmarc.far.example "v=DMARC1"');
});
