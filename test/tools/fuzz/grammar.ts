import type { Prng } from '../../support/prng/prng.ts';
import { CANARY, WORDS } from './words.ts';

const DOMAINS = [
  'example.com',
  'mail.example.com',
  'example.net',
  'b\xc3\xbccher.example',
  'a..b',
  '[192.0.2.1]',
] as const;
const CHARSETS = [
  'utf-8',
  'us-ascii',
  'iso-8859-1',
  'utf-16',
  'utf-7',
  'iso-2022-jp',
  'gb18030',
  '"x"',
] as const;
const ENCODINGS = ['7bit', '8bit', 'base64', 'quoted-printable', 'binary', 'x-uuencode'] as const;
const TAGS = [
  'p',
  'div',
  'a',
  'img',
  'table',
  'tr',
  'td',
  'b',
  'i',
  'style',
  'script',
  'form',
  'select',
  'template',
  'svg',
  'title',
] as const;
const ATTRIBUTES = [
  'href',
  'src',
  'style',
  'width',
  'height',
  'alt',
  'class',
  'action',
  'hidden',
  'title',
] as const;

const many = (random: Prng, most: number, of: () => string, between = '') =>
  Array.from({ length: random.below(most + 1) }, of).join(between);

const address = (random: Prng): string =>
  random.pick<() => string>([
    () => `${CANARY}@${random.pick(DOMAINS)}`,
    () => `"${CANARY}" <a@${random.pick(DOMAINS)}>`,
    () => `=?utf-8?q?${CANARY}?= <a@${random.pick(DOMAINS)}>`,
    () => `${CANARY}: a@${random.pick(DOMAINS)}, b@${random.pick(DOMAINS)};`,
    () => `(${CANARY}) a@${random.pick(DOMAINS)} (${CANARY})`,
    () => `<@a,@b:a@${random.pick(DOMAINS)}>`,
    () => random.pick(WORDS),
  ])();

const addresses = (random: Prng) => many(random, 4, () => address(random), ', ');

const tagList = (random: Prng, required: string) =>
  `${required}; ${many(random, 6, () => `${random.pick(['a', 'b', 'bh', 'c', 'd', 'h', 'i', 'l', 's', 't', 'x', 'z', 'cv'])}=${random.pick([...WORDS, 'rsa-sha256', 'relaxed/simple', 'from:to'])}`, '; ')}`;

const target = (random: Prng): string =>
  random.pick<() => string>([
    () => `https://${random.pick(DOMAINS)}/${CANARY}?${CANARY}#${CANARY}`,
    () => `${random.pick(['http', 'mailto', 'javascript', 'data', 'cid', 'HTTPS'])}:${CANARY}`,
    () => `//${random.pick(WORDS)}.${random.pick(DOMAINS)}`,
    () => random.pick(WORDS),
  ])();

const FIELDS: readonly [(random: Prng) => string, ...((random: Prng) => string)[]] = [
  (random) => `From: ${addresses(random)}`,
  (random) =>
    `${random.pick(['To', 'Cc', 'Bcc', 'Sender', 'Reply-To', 'Return-Path'])}: ${addresses(random)}`,
  (random) => `Subject: ${many(random, 5, () => random.pick(WORDS), ' ')} ${CANARY}`,
  (random) =>
    `Date: ${random.pick(['Fri, 20 Nov 2026 11:00:00 +0000', '32 Foo 99', '', random.pick(WORDS)])}`,
  (random) => `Message-ID: <${CANARY}@${random.pick(DOMAINS)}>`,
  (random) => `Received: from ${CANARY} (10.0.0.1) by ${random.pick(WORDS)}; ${random.pick(WORDS)}`,
  (random) =>
    `DKIM-Signature: ${tagList(random, 'v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=x; b=x')}`,
  (random) =>
    `ARC-Seal: ${tagList(random, `i=${random.below(4)}; a=rsa-sha256; d=example.net; s=s; b=x`)}`,
  (random) =>
    `ARC-Message-Signature: ${tagList(random, `i=${random.below(4)}; a=rsa-sha256; d=example.net; s=s; h=from; bh=x; b=x`)}`,
  (random) => `ARC-Authentication-Results: i=${random.below(4)}; mx; spf=${random.pick(WORDS)}`,
  (random) => `List-Unsubscribe: ${many(random, 3, () => `<${target(random)}>`, ', ')}`,
  (random) => `List-Id: ${CANARY} <${random.pick(DOMAINS)}>`,
  (random) =>
    `${random.pick(['Precedence', 'Auto-Submitted', 'Feedback-ID', 'X-Mailer', 'X-Spam-Status', 'MIME-Version'])}: ${random.pick(WORDS)}`,
  (random) => `${random.pick(WORDS)}: ${random.pick(WORDS)}`,
];

function html(random: Prng, depth: number): string {
  const tag = random.pick(TAGS);
  const attributes = many(random, 3, () => {
    const value = random.pick<() => string>([
      () => target(random),
      () => random.pick(WORDS),
      () => `color:#fff;display:none;${random.pick(WORDS)}`,
    ]);
    return ` ${random.pick(ATTRIBUTES)}=${random.pick(['"', "'", ''])}${value()}${random.pick(['"', "'", ' '])}`;
  });
  const inside =
    depth > 0
      ? many(random, 4, () => html(random, depth - 1))
      : `${CANARY} {{${CANARY}}} &#${random.below(2 ** 21)};`;
  return `<${tag}${attributes}>${inside}${random.chance(0.8) ? `</${tag}>` : ''}`;
}

function entity(random: Prng, depth: number): string {
  if (depth > 0 && random.chance(0.5)) {
    const boundary = random.pick(['b', 'bb', '', CANARY, 'b b']);
    const parts = many(random, 4, () => `--${boundary}\r\n${entity(random, depth - 1)}\r\n`);
    return `Content-Type: multipart/${random.pick(['mixed', 'alternative', 'related', 'x'])}; boundary="${boundary}"\r\n\r\n${parts}--${boundary}--`;
  }
  const type = random.pick([
    'text/plain',
    'text/html',
    'message/rfc822',
    'application/zip',
    'image/png',
    random.pick(WORDS),
  ]);
  const encoding = random.pick(ENCODINGS);
  const text =
    type === 'text/html' ? html(random, 4) : many(random, 20, () => random.pick(WORDS), ' ');
  const body =
    encoding === 'base64' && random.chance(0.8)
      ? Buffer.from(text, 'latin1').toString('base64')
      : text;
  return [
    `Content-Type: ${type}; charset=${random.pick(CHARSETS)}; name="${CANARY}.${random.pick(['pdf', 'exe', 'zip', CANARY])}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    `Content-Disposition: attachment; filename*0*=utf-8''${CANARY}%2E; filename*1=exe`,
    '',
    body,
  ].join('\r\n');
}

/** A mail by the grammar of mails, with what does not belong into each of its places. */
export const grow = (random: Prng): string =>
  `From: ${address(random)}\r\n${many(random, 12, () => `${random.pick(FIELDS)(random)}\r\n`)}${entity(random, 3)}\r\n`;
