/** The checks of an HTML part's size, quality, preview text and active content. */

import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatFound, formatId, formatList } from '../format.ts';
import { keepIf, mapLookup, thenLookup } from '../lookup-result.ts';
import { PASSWORD_FIELD } from './active.ts';
import { MAX_UNKNOWN_TAGS } from './faults.ts';

const KB = 1024;

/** Gmail clips the HTML part at about this size, in KB. */
const CLIPPED_KB = 102;
const CLIPPED_BYTES = CLIPPED_KB * KB;

const NEARLY_CLIPPED_BYTES = 80 * KB;

/**
 * Returns the content facts of an email that has an HTML part. The checks of HTML do not apply to other
 * emails.
 */
export const withHtml = ({ content }: Facts) => keepIf(content, (value) => value.content.has_html);

export const htmlSize = check({
  id: 'html_size',
  family: 'body',
  title: 'HTML size (Gmail clipping)',
  source: `Gmail clips HTML near ${CLIPPED_KB} KB`,
  about: {
    what: `Gmail shows the first ${CLIPPED_KB} KB of HTML and hides the rest behind a link.`,
    why: 'Readers then do not see the end of your email with its unsubscribe link, and opens are not counted.',
    how: [
      'Remove unused CSS, comments and empty cells.',
      'Shorten the email, and link to the rest.',
    ],
    bad: 'HTML: 180 KB',
    good: 'HTML: 40 KB',
  },
  subject: withHtml,
  states: ({ warn, suggest, pass }) => ({
    clipped: warn(4).when(
      `HTML part > ${CLIPPED_KB} KB (Gmail clips)`,
      ({ content }) => content.html_bytes > CLIPPED_BYTES,
    ),
    near_limit: suggest.when(
      `${NEARLY_CLIPPED_BYTES / KB}-${CLIPPED_KB} KB`,
      ({ content }) => content.html_bytes >= NEARLY_CLIPPED_BYTES,
    ),
    small: pass('smaller'),
  }),
  detail: ({ content }) => `${content.html_bytes} bytes; the limit is ${CLIPPED_KB} KB.`,
  evidence: ({ content }) => ({ bytes: content.html_bytes, limit: CLIPPED_BYTES }),
  fix: {
    why: `Gmail cuts off HTML at ${CLIPPED_KB} KB, and with it the unsubscribe link and the tracking at the end. Yours is {kb} KB.`,
    do: 'Remove unused CSS and comments.',
  },
  values: ({ content }) => ({ kb: Math.ceil(content.html_bytes / KB) }),
});

/** The repair for each HTML fault, as worded in a fix. */
const REPAIRS: Readonly<Record<string, string>> = {
  unclosed: 'close the unclosed elements',
  unknown_tags: 'remove the tags that are not HTML',
  no_html: 'add <html>',
  no_body: 'add <body>',
  no_lang: 'add lang= to <html>',
  no_title: 'add a <title>',
  external_stylesheet: 'inline the external stylesheet',
  low_contrast: 'raise the contrast of pale text',
};

export const htmlQuality = check({
  id: 'html_quality',
  family: 'body',
  title: 'HTML quality',
  source: 'SpamAssassin HTML_MIME_NO_HTML_TAG; WCAG 1.4.3',
  about: {
    what: 'Mail programs have to repair faulty HTML, such as unclosed tags or misplaced tables, before they can show it.',
    why: 'Each of them repairs it differently, so your email looks broken in some.',
    how: ['Check the template with an HTML validator.'],
    bad: '<table><p>Hello</table>',
    good: '<table><tr><td><p>Hello</p></td></tr></table>',
  },
  subject: withHtml,
  states: ({ warn, info, pass }) => ({
    broken: warn(3).when(
      `unclosed/broken document, > ${100 * MAX_UNKNOWN_TAGS}% unknown tags, missing <html>/<body> in an email without a text part`,
      ({ htmlFaults }) => htmlFaults.fail.length > 0,
    ),
    improvable: info.when(
      'no lang, no title, external stylesheet, low contrast; missing <html>/<body> in an email with a text part',
      ({ htmlFaults }) => htmlFaults.lint.length > 0,
    ),
    sound: pass('ok'),
  }),
  detail: ({ htmlFaults }) => {
    const all = [...htmlFaults.fail, ...htmlFaults.lint];
    return all.length > 0 ? `Found: ${all.map(formatId).join(', ')}.` : 'No errors.';
  },
  evidence: ({ htmlFaults }) => ({ faults: [...htmlFaults.fail, ...htmlFaults.lint] }),
  fix: {
    why: 'Mail programs may display faulty HTML incorrectly, and filters count its errors.',
    do: 'Correct the HTML: {repairs}.',
  },
  values: ({ htmlFaults }) => ({
    repairs: formatList(
      [...htmlFaults.fail, ...htmlFaults.lint].map(
        (id) => REPAIRS[id] ?? `correct ${formatId(id)}`,
      ),
    ),
  }),
});

/** Applies only to bulk email, because other email needs no preview text. */
export const preheader = check({
  id: 'preheader',
  family: 'body',
  title: 'Preview text',
  source: 'practice',
  about: {
    what: 'Inboxes show the first words of an email beside the subject.',
    why: 'If they are “View in browser”, you waste the line that helps readers decide whether to open the email.',
    how: ['Put a short preview text at the very top of the HTML.'],
    bad: 'View this email in your browser | Unsubscribe',
    good: 'Your parcel arrives on Tuesday between nine and twelve.',
  },
  subject: (facts) =>
    thenLookup(facts.headers, ({ bulk }) => {
      const html = bulk.isBulk ? withHtml(facts) : undefined;
      return html && mapLookup(html, (value) => value.preheader);
    }),
  states: ({ suggest, pass }) => ({
    absent: suggest.when('bulk HTML without preview text', (present) => !present),
    present: pass('present'),
  }),
  detail: (present) => (present ? 'Present.' : 'None found.'),
  evidence: (present) => ({ present }),
  fix: {
    why: 'This email has no preview text, so inboxes show its first words beside the subject.',
    do: 'Add a short preview text at the top of the HTML.',
  },
});

/** The wording in a fix for active content that a tag name alone does not describe. */
const ACTIVE: Readonly<Record<string, string>> = {
  'meta http-equiv=refresh': '<meta http-equiv=refresh>',
  'a href=javascript:': 'javascript: URLs',
  'a href=data:': 'data: URLs',
  [PASSWORD_FIELD]: 'fields for passwords and PINs',
  'on*': 'on* event handlers',
  '@import': '@import in style sheets',
};

const IMPORT = '@import';

/** Returns whether mail clients disable an element but still deliver the email. They do this with forms. */
const isTurnedOff = (tag: string): boolean => tag === 'form';

export const activeContent = check({
  id: 'active_content',
  family: 'active',
  title: 'Forms and scripts in HTML',
  source: 'SpamAssassin HTML_TAG_*; mail clients strip them',
  about: {
    what: 'The HTML of an email can contain forms, scripts and embedded pages.',
    why: 'Mail programs remove them, and many filters refuse the email.',
    how: ['Put the form on a web page and link to it.'],
    bad: '<form action="https://example.com/survey">…</form>',
    good: '<a href="https://example.com/survey">Answer three questions</a>',
  },
  subject: withHtml,
  states: ({ fail, warn, suggest, pass }) => ({
    script: fail(15, 74).when(
      'script, iframe, object, embed or applet element, meta refresh, a javascript: URL, a page in a data: URL, or a field for a password or PIN',
      ({ active }) => active.hard.some((tag) => !isTurnedOff(tag)),
    ),
    form: warn(5).when(
      'form elements, which most clients disable and some warn about; on* handlers; <base>',
      ({ active }) => [...active.hard, ...active.soft].some((tag) => tag !== IMPORT),
    ),
    import_only: suggest.when(
      'only external CSS by @import, which many clients ignore',
      ({ active }) => active.soft.length > 0,
    ),
    none: pass('none'),
  }),
  detail: ({ active }) => formatFound([...active.hard, ...active.soft]),
  evidence: ({ active }) => ({ elements: [...active.hard, ...active.soft] }),
  fix: {
    why: 'Mail programs block active content, and filters treat it as an attack.',
    do: 'Remove {tags}, and link to a page instead.',
  },
  fixes: {
    stripped: { why: 'Mail programs strip {tags}.', do: 'Remove {tags}.' },
  },
  cases: ({ active }) => (active.hard.some((tag) => !isTurnedOff(tag)) ? [] : ['stripped']),
  values: ({ active }) => ({
    tags: formatList(
      [...new Set([...active.hard, ...active.soft])].map((tag) => ACTIVE[tag] ?? `<${tag}>`),
    ),
  }),
});
