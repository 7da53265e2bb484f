/**
 * Cases of complete emails with various sizes, texts and HTML bodies, with spam phrases and unfilled template
 * fields.
 */

import type { Case, State } from '../case.ts';
import { htmlPart, newsletter, newsletterBody, page, parts, withHtml } from '../mails.ts';

const KB = 1024;

const html = (about: string, more: string, states: Case['states']): Case => ({
  about,
  mail: withHtml(more),
  states,
});

const document = (about: string, whole: string, state: State): Case => ({
  about,
  mail: newsletter({}, { html: whole }),
  states: { html_quality: state },
});

/** Returns a newsletter with HTML of exactly this many bytes. */
const sized = (bytes: number) => {
  const base = page(`${newsletterBody()}\n<!---->`).replace(/\n/g, '\r\n').length;
  const lines = 'y'.repeat(bytes - base).replace(/.{100}/g, (line) => `${line.slice(2)}\r\n`);
  return withHtml(`<!--${lines}-->`);
};

const sizeCase = (about: string, bytes: number, state: State): Case => ({
  about,
  mail: sized(bytes),
  states: { html_size: state },
});

const text = (about: string, value: string): Case => ({
  about,
  mail: newsletter({}, { text: value }),
  states: { text_html_mismatch: 'different' },
});

const large = (about: string, bytes: number, state: State): Case => ({
  about,
  mail: {
    ...newsletter(),
    body: parts([
      newsletter().body.slice('--b1\r\n'.length).split('\r\n--b1\r\n')[0] ?? '',
      htmlPart(page(newsletterBody())),
      `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'JVBERi0x'.repeat(9)}\r\n`.repeat(Math.ceil(bytes / 74))}`,
    ]),
  },
  states: { message_size: state, attachment_types: 'harmless' },
});

const hidden = (n: number, style: string) =>
  `<p>seen</p><div style="${style}">${'unseen words\n'.repeat(n)}</div>`;

const words = (about: string, value: string, state: State): Case =>
  html(about, `<p>${value}</p>`, { spam_phrases: state });

const placeholder = (value: string): Case =>
  html(value, `<p>Dear ${value},</p>`, { template_placeholders: 'unfilled' });

const PREVIEW = '<p class="preheader">What we like to read in winter.</p>';
const withPreview = (preview: string) => page(newsletterBody().replace(PREVIEW, preview));

export const contentCases: readonly Case[] = [
  {
    about: 'HTML without text',
    mail: newsletter(
      { 'Content-Type': 'text/html; charset=utf-8' },
      { body: page(newsletterBody()).replace(/\n/g, '\r\n') },
    ),
    states: { text_alternative: 'absent', text_html_mismatch: 'left out' },
  },
  text('an empty text part', ' '),
  text('a text part that says to look elsewhere', 'Please view this email in your browser.'),
  text('a text part of other words', 'Hello. Goodbye.'),
  sizeCase('HTML of 80 KB', 80 * KB, 'near_limit'),
  sizeCase('HTML of 102 KB', 102 * KB, 'near_limit'),
  sizeCase('HTML over 102 KB', 102 * KB + 1, 'clipped'),
  large('over 1 MB', KB * KB, 'large'),
  large('over 10 MB', 10 * KB * KB, 'too_large'),
  ...['font-size:0', 'display:none', 'color:#ffffff', 'position:absolute;left:-9999px'].map(
    (style): Case =>
      html(`a hidden paragraph by ${style}`, hidden(20, style), { hidden_text: 'hidden' }),
  ),
  html('1,002 hidden words', hidden(501, 'display:none'), { hidden_text: 'mostly_hidden' }),
  document('an unclosed element', page(`${newsletterBody()}<div>`), 'broken'),
  ...[/<\/?html[^>]*>/g, /<\/?body>/g].map(
    (element): Case => ({
      about: `no ${element.source} in an email without a text part`,
      mail: newsletter(
        { 'Content-Type': 'text/html; charset=utf-8' },
        { body: page(newsletterBody()).replace(element, '').replace(/\n/g, '\r\n') },
      ),
      states: {
        text_alternative: 'absent',
        text_html_mismatch: 'left out',
        html_quality: 'broken',
      },
    }),
  ),
  document('unknown tags', page(newsletterBody() + '<foo>x</foo>'.repeat(5)), 'broken'),
  words('three phrases', 'Act now: this is risk free, and 100% free.', 'many'),
  words('a lottery', 'You have won the jackpot. Ask our agent.', 'scam_pattern'),
  words('an inheritance', 'The inheritance goes by Western Union.', 'scam_pattern'),
  words('a crypto promise', 'Bitcoin with a guaranteed return.', 'scam_pattern'),
  words('one phrase', 'Act now.', 'few'),
  words('two phrases', 'Act now: this is risk free.', 'few'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax to find, not a mistake
  ...['{{name}}', '%%name%%', '*|NAME|*', '[[name]]', '${name}', '{% if name %}', '%NAME%'].map(
    placeholder,
  ),
  {
    about: 'a field in the subject',
    mail: newsletter({ Subject: 'Hello {{name}}' }),
    states: { template_placeholders: 'unfilled' },
  },
  html('a field in a URL', '<p><a href="https://www.example.com/?u=*|ID|*">Your page</a></p>', {
    template_placeholders: 'unfilled',
  }),
  {
    about: 'no preview text',
    mail: newsletter({}, { html: withPreview('') }),
    states: { preheader: 'absent' },
  },
];
