import type { SendMailOptions } from 'nodemailer';

const paragraph = 'We packed your order this morning and handed it to the carrier. ';
const page = (body: string) => `<!doctype html><html lang="en"><body>${body}</body></html>`;
const file = (filename: string, content: string | Buffer) => ({
  attachments: [{ filename, content }],
});

/** What a mail has in place of the demo's: each fills other members of the report. */
export const mails: readonly SendMailOptions[] = [
  {},
  { html: '' },
  { text: '' },
  { subject: '' },
  { subject: 'Grüße aus Zürich 🎉' },
  { html: page(`<p>${paragraph.repeat(2500)}</p>`) },
  { html: page('<script>alert(1)</script><form action="https://x.example"></form>') },
  { html: page('<img src="https://t.example/p.gif" width="1" height="1"><p>Hello</p>') },
  { html: page('<p style="display:none">hidden words here</p><p>Hello {{first_name}}</p>') },
  { html: page('<a href="https://evil.example/">https://bank.example/login</a>') },
  { html: page('<a href="http://bit.ly/x">a</a><a href="http://192.0.2.1:8080/">b</a>') },
  { text: `${'a'.repeat(1200)}\n` },
  { text: 'ACT NOW!!! You are a WINNER, click here to claim your FREE prize.' },
  { headers: { 'List-Unsubscribe': '<https://sender.example/u>, <mailto:u@sender.example>' } },
  {
    headers: {
      'List-Unsubscribe': '<https://sender.example/u?id=1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': '<news.sender.example>',
      Precedence: 'bulk',
    },
  },
  { date: new Date('2030-01-01T00:00:00Z') },
  { headers: { 'X-Mailer': 'PHPMailer 6.9', 'Feedback-ID': 'a:b:c:d' } },
  { from: { name: 'billing@bank.example', address: 'orders@sender.example' } },
  { replyTo: 'payments@elsewhere.example', cc: ['a@example.org', 'b@example.org'] },
  { attachments: [{ filename: 'invoice.pdf', content: '%PDF-1.7 …' }] },
  file('setup.exe', Buffer.from('MZ\0\0')),
  file('photo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  { icalEvent: { content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' } },
  { textEncoding: 'base64' },
  { messageId: '<1@localhost>', inReplyTo: '<0@sender.example>', references: '<0@sender.example>' },
  { headers: { 'BIMI-Selector': 'v=BIMI1; s=brand' } },
];

/** One that the gate refuses: neither SPF nor DKIM passes for its domain. */
export const refused: SendMailOptions = {
  from: 'a@unknown.example',
  envelope: { from: 'a@unknown.example' },
};
