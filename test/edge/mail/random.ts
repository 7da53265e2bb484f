/**
 * Generates random emails for fuzzing: emails by a grammar, with a canary in private places that must not
 * leak, or seeds, each mutated in some places.
 */

import fc from 'fast-check';
import { mutation } from './mutate.ts';
import { CANARY, WORDS } from './words.ts';

type Text = fc.Arbitrary<string>;

const one = (words: string, separator = ' '): Text => fc.constantFrom(...words.split(separator));

/** Builds a text of fixed and random pieces. */
const text = (strings: TemplateStringsArray, ...pieces: Text[]): Text =>
  fc.tuple(...pieces).map((values) => String.raw({ raw: strings }, ...values));

const many = (most: number, of: Text, between = ''): Text =>
  fc.array(of, { maxLength: most }).map((all) => all.join(between));

const word = fc.constantFrom(...WORDS);
const canary = fc.constant(CANARY);
const domain = one(
  'example.com mail.example.com example.net b\xc3\xbccher.example a..b [192.0.2.1]',
);
const count = fc.nat(3).map(String);

const address = fc.oneof(
  text`${canary}@${domain}`,
  text`"${canary}" <a@${domain}>`,
  text`=?utf-8?q?${canary}?= <a@${domain}>`,
  text`${canary}: a@${domain}, b@${domain};`,
  text`(${canary}) a@${domain} (${canary})`,
  text`<@a,@b:a@${domain}>`,
  word,
);
const addresses = many(4, address, ', ');

const tag = text`${one('a b bh c d h i l s t x z cv')}=${fc.oneof(word, one('rsa-sha256 relaxed/simple from:to'))}`;
const tags = many(6, tag, '; ');

const target = fc.oneof(
  text`https://${domain}/${canary}?${canary}#${canary}`,
  text`${one('http mailto javascript data cid HTTPS')}:${canary}`,
  text`//${word}.${domain}`,
  word,
);

const field = fc.oneof(
  text`From: ${addresses}`,
  text`${one('To Cc Bcc Sender Reply-To Return-Path')}: ${addresses}`,
  text`Subject: ${many(5, word, ' ')} ${canary}`,
  text`Date: ${fc.oneof(one('Fri, 20 Nov 2026 11:00:00 +0000¦32 Foo 99¦', '¦'), word)}`,
  text`Message-ID: <${canary}@${domain}>`,
  text`Received: from ${canary} (10.0.0.1) by ${word}; ${word}`,
  text`DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=x; b=x; ${tags}`,
  text`ARC-Seal: i=${count}; a=rsa-sha256; d=example.net; s=s; b=x; ${tags}`,
  text`ARC-Message-Signature: i=${count}; a=rsa-sha256; d=example.net; s=s; h=from; bh=x; b=x; ${tags}`,
  text`ARC-Authentication-Results: i=${count}; mx; spf=${word}`,
  text`List-Unsubscribe: ${many(3, text`<${target}>`, ', ')}`,
  text`List-Id: ${canary} <${domain}>`,
  text`${one('Precedence Auto-Submitted Feedback-ID X-Mailer X-Spam-Status MIME-Version')}: ${word}`,
  text`${word}: ${word}`,
);

const attribute = text` ${one('href src style width height alt class action hidden title')}=${one(`" ' `)}${fc.oneof(target, word, text`color:#fff;display:none;${word}`)}${one(`"¦'¦ `, '¦')}`;

const { html } = fc.letrec<{ html: string }>((tie) => ({
  html: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text`${canary} {{${canary}}} &#${fc.nat(2 ** 21).map(String)};`,
    fc
      .tuple(
        one('p div a img table tr td b i style script form select template svg title'),
        many(3, attribute),
        many(4, tie('html')),
        fc.nat(4),
      )
      .map(([name, has, inside, end]) => `<${name}${has}>${inside}${end > 0 ? `</${name}>` : ''}`),
  ),
}));

const part = fc
  .tuple(
    fc.oneof(one('text/plain text/html message/rfc822 application/zip image/png'), word),
    fc.oneof(html, many(20, word, ' ')),
    one('7bit 8bit base64 quoted-printable binary x-uuencode'),
    one('utf-8 us-ascii iso-8859-1 utf-16 utf-7 iso-2022-jp gb18030 "x"'),
    one(`pdf exe zip ${CANARY}`),
  )
  .map(([type, body, encoding, charset, extension]) =>
    [
      `Content-Type: ${type}; charset=${charset}; name="${CANARY}.${extension}"`,
      `Content-Transfer-Encoding: ${encoding}`,
      `Content-Disposition: attachment; filename*0*=utf-8''${CANARY}%2E; filename*1=exe`,
      '',
      encoding === 'base64' ? Buffer.from(body, 'latin1').toString('base64') : body,
    ].join('\r\n'),
  );

const { entity } = fc.letrec<{ entity: string }>((tie) => ({
  entity: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    part,
    fc
      .tuple(
        one('mixed alternative related x'),
        one(`b¦bb¦¦${CANARY}¦b b`, '¦'),
        fc.array(tie('entity'), { maxLength: 4 }),
      )
      .map(
        ([type, boundary, parts]) =>
          `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${parts.map((inner) => `--${boundary}\r\n${inner}\r\n`).join('')}--${boundary}--`,
      ),
  ),
}));

/** An email by the grammar of emails, with something that does not belong in each place. */
const grown = text`From: ${address}\r\n${many(12, text`${field}\r\n`)}${entity}\r\n`;

/**
 * Returns text that is hardly an email any more: a generated email or one of the seeds, changed in some
 * places.
 */
export function randomMail(seeds: readonly [string, ...string[]]): Text {
  const base = fc.oneof(
    { weight: 2, arbitrary: grown },
    { weight: 1, arbitrary: fc.constantFrom(...seeds) },
  );
  return fc
    .tuple(base, base, fc.array(mutation, { maxLength: 8 }))
    .map(([mail, other, steps]) => steps.reduce((mutant, step) => step(mutant, other), mail));
}
