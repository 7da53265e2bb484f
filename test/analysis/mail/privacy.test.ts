/** Tests that the facts about an email contain nothing private. */

import { expect, test } from 'vitest';
import { base64, mail, part, read, utf8 } from './mails.ts';

/** A word that is put in every place of an email that may contain something private. */
const CANARY = 'kanarienvogel';

const encoded = (text: string) => `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`;

const html = `<html lang="${CANARY}"><head><title>${CANARY}</title><style>.${CANARY}{}</style></head>
<body class="${CANARY}"><!-- ${CANARY} --><p>${CANARY} {{${CANARY}}}</p><p style="display:none">${CANARY}</p>
<a href="https://${CANARY}:${CANARY}@www.example.com/${CANARY}?q=${CANARY}#${CANARY}" title="${CANARY}">${CANARY}</a>
<a href="https://example.com:7777/${CANARY}">https://www.example.org/${CANARY}</a>
<a href="mailto:${CANARY}@example.com?subject=${CANARY}">${CANARY}@example.com</a>
<a href="file:///${CANARY}">x</a><a href="/${CANARY}">x</a><a href="${CANARY}:x">x</a><a href="javascript:${CANARY}">x</a>
<img src="cid:${CANARY}" alt="${CANARY}"><img src="data:image/png,${CANARY}"><img src="http://example.com/${CANARY}.gif" width=1>
<form action="https://example.com/${CANARY}"><input name="${CANARY}"></form><x-${CANARY}>x</x-${CANARY}></body></html>`;

const file = part(
  `application/octet-stream; name="${CANARY}.pdf"; x-${CANARY}="${CANARY}"`,
  base64(Buffer.from(`%PDF-1.4 ${CANARY}`)),
  'Content-Transfer-Encoding: base64',
  `Content-Disposition: attachment; filename="${CANARY}.${CANARY}.pdf"`,
  `Content-Description: ${CANARY}`,
  `Content-ID: <${CANARY}2@example.com>`,
);

const whole = mail(
  {
    From: `"${CANARY}" <${CANARY}@example.com> (${CANARY})`,
    Sender: `${CANARY}@example.com`,
    'Reply-To': `${encoded(CANARY)} <${CANARY}@example.com>`,
    To: `${CANARY} <${CANARY}@example.net>, abcdefghijkl@in.example.net`,
    Cc: `${CANARY}@example.net`,
    Subject: `${CANARY} ${encoded(CANARY)} {{${CANARY}}}`,
    'Message-ID': `<${CANARY}@example.com>`,
    References: `<${CANARY}@example.com>`,
    Comments: CANARY,
    'List-Id': `${CANARY} <news.example.com>`,
    'List-Unsubscribe': `<https://example.com/${CANARY}?${CANARY}>, <mailto:${CANARY}@example.com?subject=${CANARY}>`,
    'Feedback-ID': CANARY,
    Precedence: CANARY,
    'Auto-Submitted': CANARY,
    'X-Mailer': `(${CANARY})`,
    'X-PHP-Originating-Script': `1000:${CANARY}.php`,
    Received: `from ${CANARY} (10.0.0.1) for <${CANARY}@example.com>`,
    'DKIM-Signature': `d=example.com; s=a; i=${CANARY}@example.com; b=${CANARY}; z=From:${CANARY}`,
    [`X-${CANARY}`]: CANARY,
    'Content-Type': `multipart/mixed; boundary="${CANARY}"; comment="${CANARY}"`,
  },
  [
    CANARY,
    `--${CANARY}`,
    part(`text/plain; charset=${CANARY}`, `${CANARY} https://example.com/${CANARY} {{${CANARY}}}`),
    `--${CANARY}`,
    part('text/html; charset=utf-8', utf8(html), `Content-Transfer-Encoding: ${CANARY}`),
    `--${CANARY}`,
    file,
    `--${CANARY}--`,
    CANARY,
  ].join('\r\n'),
);

test('nothing private is in the facts', () => {
  const reading = read(whole);
  expect(JSON.stringify(reading).toLowerCase()).not.toContain(CANARY);
});

test('and the email was nevertheless read', () => {
  const { headerFrom, headers, content, links } = read(whole);
  expect(headerFrom.domain).toBe('example.com');
  expect(headers).toMatchObject({
    replyTo: { domain: 'example.com' },
    messageId: { domain: 'example.com' },
    bulk: { listId: 'news.example.com', precedence: 'other', autoSubmitted: 'other' },
  });
  expect(content.content).toMatchObject({ placeholders: 1, images: 3, forms: 1 });
  expect(content.attachments).toMatchObject([
    { extension: 'pdf', detected_type: 'application/pdf' },
  ]);
  expect(links.report.domains.map(({ host }) => host)).toEqual(['www.example.com', 'example.com']);
});
