/** Tests that the steps of fixes are moved to DNS names at which they can be carried out. */

import { describe, expect, test } from 'vitest';
import { deleteStep, dnsStep, type Step } from '../../../src/analysis/advice/actions.ts';
import { placeSteps } from '../../../src/analysis/advice/place.ts';
import { renderStep } from '../../../src/analysis/advice/render.ts';
import type { DnsName } from '../../../src/analysis/names/facts.ts';
import { mxSteps, NO_FAULT } from '../../../src/analysis/reputation/mx-hosts.ts';
import { facts } from '../../support/mail/facts.ts';

const NAME = 'shop.example.com';

const placed = (name: string, at: DnsName, ...steps: readonly Step[]): readonly string[] =>
  placeSteps(steps, facts({ dnsNames: { [name]: at } })).map(renderStep);

const SPF = 'v=spf1 ip4:192.0.2.25 -all';
const MX = '0 mx.example.com';

describe('at a name that only a wildcard answers for (RFC 4592 §2.2.1)', () => {
  const web = [
    { type: 'A', value: '192.0.2.80' },
    { type: 'MX', value: MX },
    { type: 'TXT', value: 'v=spf1 -all' },
    { type: 'TXT', value: 'verification=1' },
  ];

  test('a record is published, beside what the name inherited', () => {
    const step = dnsStep(NAME, 'TXT', SPF, ['v=spf1 -all']);
    expect(placed(NAME, { wildcard: web }, step)).toEqual([
      `Publish this A record at ${NAME}: 192.0.2.80`,
      `Publish this MX record at ${NAME}: ${MX}`,
      `Publish this TXT record at ${NAME}: verification=1`,
      `Publish this TXT record at ${NAME}: ${SPF}`,
    ]);
  });

  test('an MX record takes the place of the inherited one', () => {
    const step = dnsStep(NAME, 'MX', '10 new.example.com', [MX]);
    expect(placed(NAME, { wildcard: web }, step)).toContain(
      `Publish this MX record at ${NAME}: 10 new.example.com`,
    );
    expect(placed(NAME, { wildcard: web }, step)).not.toContain(
      `Publish this MX record at ${NAME}: ${MX}`,
    );
  });

  test('a mail host gets its address and nothing else', () => {
    expect(placed(NAME, { wildcard: web }, dnsStep(NAME, 'A', '192.0.2.25'))).toEqual([
      `Publish this A record at ${NAME}: 192.0.2.25`,
    ]);
  });

  test('the addresses of a web proxy are not copied', () => {
    const wildcard = [{ type: 'A', value: '104.21.5.5' }];
    const steps = placed(NAME, { wildcard }, dnsStep(NAME, 'TXT', SPF));
    expect(steps).toEqual([
      expect.stringContaining(`Does a website use ${NAME}?`),
      `Publish this TXT record at ${NAME}: ${SPF}`,
    ]);
  });

  test('only the first step at the name keeps the rest', () => {
    const steps = [
      dnsStep(NAME, 'TXT', SPF, ['v=spf1 -all']),
      dnsStep(NAME, 'TXT', 'v=spf1 mx -all', [SPF]),
      deleteStep(NAME, 'TXT', ['verification=1']),
    ];
    expect(placed(NAME, { wildcard: web }, ...steps).slice(-2)).toEqual([
      `Replace the TXT record at ${NAME} with: v=spf1 mx -all`,
      `Delete the TXT record at ${NAME}: verification=1`,
    ]);
  });
});

describe('at an alias of someone else’s name (RFC 1034 §3.6.2)', () => {
  const alias = { target: 'sites.esp.example', end: 'sites.esp.example' };

  test.each([dnsStep(NAME, 'TXT', SPF), dnsStep(NAME, 'MX', MX)])(
    'a host gets no record, but the reader is told whom to ask',
    (step) => {
      expect(placed(NAME, { alias }, step)).toEqual([
        `${NAME} is an alias (CNAME) of ${alias.end}, so only the owner of that name can publish a record for it. Ask them, or use another name under your domain that is not an alias.`,
      ]);
    },
  );

  test('a domain itself gets its addresses instead of the alias', () => {
    const [told] = placed('example.com', { alias }, dnsStep('example.com', 'MX', MX));
    expect(told).toMatch(
      /replace the CNAME with the addresses of sites\.esp\.example.* publish this MX record at example\.com: 0 mx\.example\.com$/,
    );
  });

  test.each([
    ['sites.esp.example', `${NAME} is an alias (CNAME) of sites.esp.example`],
    ['web.example.com', 'Publish an MX record at web.example.com that names it.'],
  ])('a missing MX record is asked for where it can be published: behind %s', (end, told) => {
    const mx = { mx: [], nullMx: false, hasAddress: false, hosts: NO_FAULT };
    const at = facts({ dnsNames: { [NAME]: { alias: { target: end, end } } } });
    const steps = mxSteps(NAME, mx, 'bounces', at).map(renderStep).join(' ');
    expect(steps).toContain(told);
  });
});
