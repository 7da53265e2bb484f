/**
 * Tests that no host which is named only in an email is looked up or contacted, and that only the
 * web-risk service learns it.
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Names } from './case.ts';
import { startWholeEnvironment, type WholeEnvironment } from './environment.ts';
import { newsletter, newsletterBody, page } from './mails.ts';
import { LOGO, MARK, POLICY } from './zone.ts';

/** A server that accepts every connection and says nothing. */
let trap: Server;
let caught: number;
let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
  trap = createServer((socket) => {
    caught += 1;
    socket.destroy();
  });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
});
afterAll(async () => {
  trap.close();
  await environment.stop();
});
beforeEach(() => {
  caught = 0;
});

const host = (name: string) => `${name}.trap.example`;

/** Returns an email in which every place that can name a host names a different one. */
function baited(port: number) {
  const at = (name: string) => `http://${host(name)}:${port}/${name}`;
  const html = page(
    [
      newsletterBody(),
      `<p><a href="${at('link')}">${host('text')}</a> <a href="https://${host('https')}/">Look</a></p>`,
      `<p><a href="http://127.0.0.1:${port}/">here</a></p>`,
      `<img src="${at('image')}" alt="x"><img src="https://${host('srcset')}/" srcset="${at('set')} 2x" alt="x">`,
      `<table background="${at('background')}"><tr><td style="background:url(${at('css')})">x</td></tr></table>`,
      `<form action="${at('form')}"><p>x</p></form>`,
      `<iframe src="${at('frame')}"></iframe><object data="${at('object')}"></object>`,
      `<video src="${at('video')}" poster="${at('poster')}"></video>`,
      `<script src="${at('script')}"></script>`,
    ].join('\n'),
    `<title>Books</title><base href="${at('base')}"><link rel="stylesheet" href="${at('style')}">` +
      `<meta http-equiv="refresh" content="0;url=${at('refresh')}"><style>@import "${at('import')}";</style>`,
  );
  return newsletter(
    {
      'List-Unsubscribe': `<https://${host('unsubscribe')}/u>,\r\n <mailto:u@${host('mailto')}>`,
      'List-Help': `<${at('help')}>`,
      'List-Archive': `<${at('archive')}>`,
      'X-Image-URL': at('x-image'),
      Face: at('face'),
      'Reply-To': `office@${host('reply')}`,
      'Message-ID': `<1@${host('message-id')}>`,
      'Disposition-Notification-To': `a@${host('receipt')}`,
      Autocrypt: `addr=a@${host('autocrypt')}; keydata=AAAA`,
    },
    {
      html,
      text: `Read more: ${at('plain')}\nUnsubscribe: https://${host('plain-unsubscribe')}/`,
      more: [
        `Content-Type: message/external-body; access-type=URL;\r\n URL="${at('external')}"\r\n\r\nContent-Type: text/html\r\n\r\n`,
        `Content-Type: image/svg+xml\r\nContent-Location: ${at('location')}\r\n\r\n<svg><image href="${at('svg')}"/></svg>`,
      ],
    },
  );
}

const EXPECTED =
  /^_dmarc\.com$|(?:^|\.)(?:example\.com|in-addr\.arpa|bl\.spamcop\.net|psbl\.surriel\.com|(?:zen|dbl)\.spamhaus\.org|multi\.surbl\.org|bl\.mailspike\.net|ns[12]\.provider\.example)$/;

/** The sender's zone, in which every bait resolves to the trap. */
const baits: Names = Object.fromEntries(
  ['link', 'text', 'https', 'image', 'srcset', 'set', 'unsubscribe', 'mailto', 'plain', 'svg'].map(
    (name) => [host(name), { A: ['127.0.0.1'], MX: [`10 ${host(name)}`] }],
  ),
);

test('no host that is named only in the email is looked up or contacted', async () => {
  const { port } = trap.address() as AddressInfo;
  const { report } = await environment.analyze({ mail: baited(port), zone: baits });

  const names = environment.asked.map(({ name }) => name);
  // Domain blocklists are asked about the registered domain, which does not look up the domain itself.
  const told = names.filter((name) => name.includes('trap'));
  expect(told.sort()).toEqual(['trap.example.dbl.spamhaus.org', 'trap.example.multi.surbl.org']);
  // Only the sender's own names, its name servers and the names of blocklists are looked up.
  expect(names.filter((name) => !EXPECTED.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['example.com', 'brand.example.com']));
  expect(caught).toBe(0);
  // The links were nevertheless seen, and what the sender publishes in the DNS was fetched.
  const hosts = report.links.domains.map((domain) => domain.host);
  expect(hosts).toEqual(expect.arrayContaining([host('link'), host('image')]));
  expect([...environment.requests].sort()).toEqual([LOGO, MARK, POLICY].sort());
});

test('only the web-risk service learns the hosts, and nothing more', async () => {
  const { port } = trap.address() as AddressInfo;
  const before = environment.judgedHosts.length;
  await environment.analyze({ mail: baited(port), webRisk: false });
  expect(environment.judgedHosts.slice(before)).toEqual([]);
});

test('the trap catches', async () => {
  const { port } = trap.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  expect(caught).toBe(1);
});
