/** Tests the names that fixes give to the sending server. */

import { expect, test } from 'vitest';
import { renderStep } from '../../../src/analysis/advice/render.ts';
import { heloNameSteps, ptrSteps } from '../../../src/analysis/connection/fixes.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { facts, type Part } from '../../support/mail/facts.ts';

const IP = '192.0.2.25';

/** A server whose HELO and reverse name resolve to these addresses, and `mail.example.com` to others. */
const server = (
  name: string,
  addresses: readonly string[],
  mail: readonly string[],
): Part<Facts> => ({
  connection: {
    helo: name,
    heloAddresses: known([...addresses]),
    ptr: known([name]),
    forward: known({ addresses: { [name]: [...addresses] }, confirmed: false, confirmedNames: [] }),
  },
  names: { helo: name, mxHosts: {} },
  dnsNames: { 'mail.example.com': { addresses: [...mail] } },
});

const words = (part: Part<Facts>, name: string): string =>
  ptrSteps(facts(part), [name]).map(renderStep).join(' ');

test('a new reverse name is also the new HELO name', () => {
  const told = words(server('www.example.com', ['192.0.2.80'], []), 'www.example.com');
  expect(told).toContain('(PTR) to: mail.example.com');
  expect(told).toContain('Set the HELO name to mail.example.com');
});

test.each([[[IP]], [[]]])('the web proxy of a domain stays on: mail host at %j', (mail) => {
  const told = words(server('example.com', ['104.21.5.5'], mail), 'example.com');
  expect(told).not.toContain('Turn off the web proxy');
  expect(told).toContain('(PTR) to: mail.example.com');
});

test('the provider of a server is asked to correct its HELO name', () => {
  const name = 'out3.provider.example';
  const hosted = server('relay.provider.example', [], []);
  const forward = known({ addresses: { [name]: [IP] }, confirmed: true, confirmedNames: [name] });
  const steps = heloNameSteps(facts(hosted, { connection: { ptr: known([name]), forward } }));
  expect(steps.map(renderStep).join(' ')).toContain('ask them to correct its HELO name');
});
