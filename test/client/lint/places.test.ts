/** Tests that `deliverability lint` names the line of each finding. */

import { expect, test } from 'vitest';
import { lint } from '../../../src/client/library.ts';

const html = [
  '<html><body>',
  '<p>Hello {{first_name}}</p>',
  '<img src="https://www.example.com/logo.png">',
  '<a href="http://bit.ly/x">Read more</a>',
  '</body></html>',
];

const HEAD = [
  'Received: from a.example by mail.example.com;',
  ' Fri, 27 Nov 2026 10:00:00 +0000',
  'From: Shop <shop@example.com>',
  'To: ada@example.net',
  'Subject: Hello',
  'Subject: Hello again',
  'Message-ID: <x@localhost>',
  'Date: 27/11/2026',
  'Reply-To: shop@@example',
  'MIME-Version: 1.0',
];

const placesIn = async (lines: readonly string[]) =>
  (await lint(`${lines.join('\r\n')}\r\n`)).places;

test('each finding is at the line of its header, even after folded ones', async () => {
  const places = await placesIn([...HEAD, 'Content-Type: text/html; charset=utf-8', '', ...html]);
  const lines = Object.entries(places).map(([id, { line }]) => [id, line]);
  expect(Object.fromEntries(lines)).toMatchObject({
    duplicate_headers: 6,
    message_id: 7,
    date_header: 8,
    reply_to: 9,
    mime_structure: 11,
    dkim_present: 3,
  });
});

test.each(['7bit', 'quoted-printable', 'base64'])(
  'each finding in a body of %s is at the line that contains it',
  async (encoding) => {
    const coded = html.map((line) =>
      encoding === 'base64'
        ? Buffer.from(`${line.padEnd(3 * Math.ceil(line.length / 3) + 1)}\r\n`).toString('base64')
        : encoding === 'quoted-printable'
          ? line.replaceAll('=', '=3D')
          : line,
    );
    const places = await placesIn([
      ...HEAD,
      'Content-Type: text/html; charset=utf-8',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      ...coded,
    ]);
    const first = HEAD.length + 4;
    const lineOf = (id: string) => places[id]?.line;
    expect(['template_placeholders', 'images_alt', 'link_shortener'].map(lineOf)).toEqual([
      first + 1,
      first + 2,
      first + 3,
    ]);
  },
);
