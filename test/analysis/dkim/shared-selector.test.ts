/** Tests the fixes for an email with several DKIM signatures whose keys are published at one selector. */

import { expect, test } from 'vitest';
import { placeSteps } from '../../../src/analysis/advice/place.ts';
import type { DkimFact } from '../../../src/analysis/dkim/facts.ts';
import { signatureSteps } from '../../../src/analysis/dkim/fixes.ts';
import { keySteps } from '../../../src/analysis/dkim/key-steps.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import type { Part } from '../../support/mail/facts.ts';
import { facts, signed } from '../../support/mail/facts.ts';
import { keyRecord, keys, recordOf } from '../whole/keys.ts';

const NAME = 's1._domainkey.example.com';
const ED25519 = recordOf(keys.ed25519.key);
const OTHER_RSA = recordOf(keys.rsa1024.key);

const passing = (...keyTexts: readonly string[]): DkimFact => signed({ keyTexts });

/** Returns a failed signature at the same selector, with what the trial verification found. */
const failing = (
  keyTexts: readonly string[],
  tried: Part<NonNullable<DkimFact['tried']>>,
  report: Part<DkimFact['report']> = {},
): DkimFact =>
  signed({
    keyTexts,
    tried: { key: null, addedHeader: null, ...tried },
    report: { result: 'fail', reason: 'bad_signature', ...report },
  } as Part<DkimFact>);

const madeBy = (record: string) => ({ key: { name: NAME, record } });

const mail = (...signatures: readonly DkimFact[]): Facts =>
  facts({ dkim: { value: { signatures, total: signatures.length } } } as Part<Facts>);

const recordChanges = (steps: ReturnType<typeof keySteps>) =>
  steps.filter(({ kind }) => kind === 'dns').map(({ operation, name }) => [operation, name]);

test.each([
  ['another key made it', failing([keyRecord], { maker: null })],
  ['it is an Ed25519 signature', failing([keyRecord], {}, { reason: 'key_invalid' })],
  ['it is unknown why it fails', failing([keyRecord], {})],
  [
    'its key is at the parent domain',
    {
      ...failing([keyRecord], madeBy(OTHER_RSA)),
      tried: { key: { name: 's1._domainkey.example', record: OTHER_RSA }, addedHeader: null },
      elsewhere: { name: 's1._domainkey.example', record: OTHER_RSA },
    },
  ],
])('a record that verifies another signature stays: %s', (_, broken) => {
  const good = passing(keyRecord);
  for (const all of [mail(good, broken), mail(broken, good), mail(good, broken, broken)]) {
    const steps = signatureSteps(broken, all);
    expect(recordChanges(steps)).toEqual([]);
    expect(steps[0]?.value).toContain(`Leave the record at ${NAME} as it is`);
  }
});

test('a header that changed between two signings is not a fault of the key', () => {
  const broken = failing([keyRecord], { maker: keyRecord });
  const steps = signatureSteps(broken, mail(passing(keyRecord), broken));
  expect(recordChanges(steps)).toEqual([]);
  expect(steps[0]?.value).toContain('changed between the two signings');
  const [alone] = signatureSteps(broken, mail(broken));
  expect(alone?.value).toContain('change a header after signing');
});

test.each([
  ['RSA', keyRecord, ED25519, 's1-ed25519._domainkey.example.com'],
  ['Ed25519', ED25519, keyRecord, 's1-ed25519._domainkey.example.com'],
  ['one of two RSA keys', keyRecord, OTHER_RSA, 's1-2._domainkey.example.com'],
])('if %s passes, both findings move the same key', (_, first, second, free) => {
  const good = passing(first, second);
  const broken = failing([first, second], madeBy(second));
  const all = mail(good, broken);
  const steps = keySteps(good, all);
  expect(signatureSteps(broken, all)).toEqual(steps);
  const moved = second === keyRecord ? first : second;
  expect(
    steps.map(({ operation, name, value, replaces }) => [operation, name, value, replaces]),
  ).toEqual([
    ['publish', free, moved, []],
    ['do', 'dkim.s', expect.stringContaining(free.split('.')[0] ?? ''), []],
    ['delete', NAME, null, [moved]],
  ]);
});

test('an RSA key beside the Ed25519 key of the only signature stays', () => {
  const good = passing(ED25519, keyRecord);
  expect(keySteps(good, mail(good)).at(-1)).toMatchObject({
    operation: 'delete',
    replaces: [ED25519],
  });
});

test('a second record with the same key is deleted without a question', () => {
  const again = keyRecord.replace('v=DKIM1; ', '');
  const good = passing(keyRecord, again);
  expect(keySteps(good, mail(good, good))).toMatchObject([
    { operation: 'delete', replaces: [again] },
  ]);
});

test('a failed RSA signature is not called spare beside an Ed25519 signature', () => {
  const good = signed({ keyTexts: [ED25519], report: { algorithm: 'ed25519-sha256' } });
  const broken = failing([ED25519], {}, { reason: 'key_invalid' });
  expect(signatureSteps(broken, mail(good, broken))).toHaveLength(1);
});

test('the new name of a key is asked for where another party hosts the zone of all keys', () => {
  const good = passing(keyRecord, ED25519);
  const broken = failing([keyRecord, ED25519], madeBy(ED25519));
  const delegation = { zone: '_domainkey.example.com', servers: ['ns1.example.net'] };
  const all = { ...mail(good, broken), dnsNames: { [NAME]: { delegation } } };
  const steps = placeSteps(keySteps(good, all), all);
  expect(steps.map(({ kind }) => kind)).toEqual(['ask', 'server', 'ask']);
});

const unpublished = failing([], {}, { reason: 'key_revoked' });

test.each([
  ['a wildcard', { wildcard: [] }, ['v=DKIM1; p='], ['do']],
  ['a wildcard with another key', { wildcard: [] }, [OTHER_RSA], ['do']],
  ['an address', { alias: { target: '192.0.2.1', end: '192.0.2.1' } }, [], ['do', 'delete', 'do']],
])('the key is published at its name instead of %s', (_, at, keyTexts, operations) => {
  const broken = { ...unpublished, keyTexts };
  const all = { ...mail(broken), dnsNames: { [NAME]: at } };
  const steps = placeSteps(signatureSteps(broken, all), all);
  expect(steps.map(({ operation }) => operation)).toEqual(operations);
  expect(steps.at(-1)).toMatchObject({ kind: 'dns', name: NAME });
});

test('an Ed25519 signature beside a failed RSA signature leads to the fix of that one', () => {
  const ed25519 = { algorithm: 'ed25519-sha256', key: { type: 'ed25519' } } as const;
  const good = signed({ keyTexts: [ED25519, keyRecord], report: ed25519 });
  const broken = failing([ED25519, keyRecord], madeBy(keyRecord), { reason: 'key_invalid' });
  const all = mail(good, broken);
  const { findings } = makeReport(all, '2026-11-20T12:00:02.000Z');
  const of = (id: string) => findings.find((one) => one.id === id);
  const [valid, algorithm] = [of('dkim_valid'), of('dkim_algorithm')];
  expect(algorithm).toMatchObject({ state: 'ed25519_only', cause: valid?.cause });
  expect(algorithm?.actions).toEqual(valid?.actions);
  expect(algorithm?.fix).toContain('Its RSA signature');
});
