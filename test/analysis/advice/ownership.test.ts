/** Tests which domains count as the reader's own, so that fixes publish records only there. */

import { expect, test } from 'vitest';
import { isOwnName } from '../../../src/analysis/advice/ownership.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { facts, type Part } from '../../support/mail/facts.ts';

/** An email from this domain, which has neither name servers nor mail hosts of its own. */
const from = (domain: string, names: Part<Facts>['names'] = {}): Facts =>
  facts({
    names: {
      ...{ fromDomain: domain, fromOrganizationalDomain: domain, envelopeDomain: domain },
      ...{ nameServers: [], fromMx: { value: { mx: [] } } },
      ...names,
    },
  });

test.each([
  'ec2-192-0-2-25.compute-1.amazonaws.com',
  'static.25.2.0.192.clients.your-server.de',
  'li123-25.members.linode.com',
  'static-192-0-2-25.provider.example',
  'shop.azurewebsites.net',
  'shop.myshopify.com',
  'app.herokuapp.com',
  'shop.github.io',
  'gmail.com',
])('%s is no domain of the sender', (domain) => {
  expect(isOwnName(domain, from(domain))).toBe(false);
});

test.each([
  'example.com',
  'compute.example.com',
  'pool.example.com',
  'vps12345.example.com',
  'shop.co.uk',
])('%s is the own domain of the sender', (domain) => {
  expect(isOwnName(domain, from(domain))).toBe(true);
});

test.each<[string, Part<Facts>['names']]>([
  ['name servers', { nameServers: ['ns1.provider.example'] }],
  ['a mail host', { fromMx: { value: { mx: ['mail.shop.uk.com'] } } }],
])('a name under a private suffix that has %s belongs to its customer', (_, names) => {
  expect(isOwnName('shop.uk.com', from('shop.uk.com'))).toBe(false);
  expect(isOwnName('shop.uk.com', from('shop.uk.com', names))).toBe(true);
});

test('an example that is not registered belongs to nobody', () => {
  const absent = { fromDomainExists: known(false) };
  expect(isOwnName('example.com', from('example.com', absent))).toBe(false);
});

test('no fix publishes anything at a domain of a platform', () => {
  const report = makeReport(from('shop.github.io'), '2026-11-20T12:00:02.000Z');
  const published = report.findings
    .flatMap(({ actions = [] }) => actions)
    .filter(({ kind, name }) => kind === 'dns' && name?.endsWith('github.io'));
  expect(published).toEqual([]);
});
