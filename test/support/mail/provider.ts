/** Builds the header fields that an inbound provider puts on top of an email. */

/** The header fields that an inbound provider puts on top of an email, in its order and its words. */
export interface ProviderHeaders {
  readonly received: string;
  readonly 'arc-seal': string;
  readonly 'arc-message-signature': string;
  readonly 'arc-authentication-results': string;
  readonly 'received-spf': string;
  readonly 'authentication-results': string;
  readonly 'x-cf-spamh-score': string;
}

export const RESULTS = [
  'dkim=pass header.d=example.com header.s=s1 header.b=abcd1234;',
  '        dmarc=pass header.from=example.com policy.dmarc=reject;',
  '        spf=none (mx.cloudflare.net: no SPF records) smtp.helo=mail.example.com;',
  '        spf=pass (mx.cloudflare.net: domain of bounce@example.com designates 192.0.2.25)',
  '        smtp.mailfrom=bounce@example.com; arc=none smtp.remote-ip=192.0.2.25',
].join('\r\n');

/**
 * Returns the headers that the provider writes above an email for `to` from the client `ip`, named `helo`. No
 * signature is real: each is only words.
 */
export const providerHeaders = ({
  ip = '192.0.2.25',
  helo = 'mail.example.com',
  to = 'abcdefghij23@in.example.net',
  from = 'bounce@example.com',
} = {}): ProviderHeaders => ({
  received: `from ${helo} (${ip})\r\n        by cloudflare-email.net (cloudflare) id AbCdEf012345\r\n        for <${to}>; Thu, 01 Oct 2026 10:00:00 +0000`,
  'arc-seal': 'i=1; a=rsa-sha256; s=cf2024-1; d=cloudflare-email.net; cv=none; b=AAAA',
  'arc-message-signature':
    'i=1; a=rsa-sha256; s=cf2024-1; d=cloudflare-email.net; c=relaxed/relaxed; h=from; bh=AAAA; b=AAAA',
  'arc-authentication-results': `i=1; mx.cloudflare.net; ${RESULTS}`,
  'received-spf': `pass (mx.cloudflare.net: domain of ${from} designates ${ip} as permitted sender)\r\n        receiver=mx.cloudflare.net; client-ip=${ip}; envelope-from="${from}"; helo=${helo};`,
  'authentication-results': `mx.cloudflare.net; ${RESULTS}`,
  'x-cf-spamh-score': '1',
});

const SPELLINGS: Readonly<Record<string, string>> = {
  'arc-seal': 'ARC-Seal',
  'arc-message-signature': 'ARC-Message-Signature',
  'arc-authentication-results': 'ARC-Authentication-Results',
  'received-spf': 'Received-SPF',
  'x-cf-spamh-score': 'X-CF-SpamH-Score',
};

/** Returns header lines in the order of the keys. A null value leaves one out. */
export const headerLines = (fields: Readonly<Record<string, string | null>>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${SPELLINGS[name] ?? name}: ${value}\r\n`)
    .join('');
