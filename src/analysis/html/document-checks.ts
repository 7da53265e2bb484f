import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatId, formatList } from '../format.ts';
import { keepIf } from '../lookup-result.ts';
import { MAX_UNKNOWN_TAGS } from './faults.ts';

const KB = 1024;

/** Gmail cuts the HTML part off near here, in bytes. */
const CLIPPED_KB = 102;
const CLIPPED_BYTES = CLIPPED_KB * KB;

const NEARLY_CLIPPED_BYTES = 80 * KB;

/** Hidden runs besides a preheader from which hiding looks deliberate. */
const MANY_HIDDEN_RUNS = 3;

/** The content of a mail that has HTML; the checks of HTML do not apply to others. */
export const withHtml = ({ content }: Facts) => keepIf(content, (value) => value.content.has_html);

export const htmlSize = check({
  id: 'html_size',
  family: 'body',
  title: 'HTML size (Gmail clipping)',
  source: `Gmail clips HTML near ${CLIPPED_KB} KB`,
  about: {
    what: `Gmail shows the first ${CLIPPED_KB} KB of HTML and hides the rest behind a link.`,
    why: 'The end of your mail, with the unsubscribe link, is then not seen, and opens are not counted.',
    how: ['Remove unused CSS, comments and empty cells.', 'Shorten the mail: link to the rest.'],
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
  detail: ({ content }) => `${content.html_bytes} bytes; the limit is ${CLIPPED_BYTES}.`,
  evidence: ({ content }) => ({ bytes: content.html_bytes, limit: CLIPPED_BYTES }),
  fixes: {
    fix: {
      why: `Gmail cuts HTML off at ${CLIPPED_KB} KB, and with it the unsubscribe link and the tracking. Yours has {kb} KB.`,
      do: 'Remove unused CSS and comments.',
    },
  },
  values: ({ content }) => ({ kb: Math.ceil(content.html_bytes / KB) }),
});

export const hiddenText = check({
  id: 'hidden_text',
  family: 'body',
  title: 'Hidden text',
  source: 'rspamd ZERO_FONT, R_WHITE_ON_WHITE, MANY_INVISIBLE_PARTS',
  about: {
    what: 'Text that readers do not see: white on white, of size 0, or moved off the page.',
    why: 'Spam hides words this way, so filters count it against you. One preview line at the top is normal.',
    how: ['Remove it. If it is a preview text, keep one short block.'],
    bad: '<span style="color:#fff;font-size:0">cheap watches</span>',
    good: '<div style="display:none">Your order is on its way</div>   (one preview text)',
  },
  subject: withHtml,
  states: ({ warn, info, pass }) => ({
    hidden: warn(6).when(
      `${MANY_HIDDEN_RUNS} or more hidden runs besides a preheader: zero font size, display:none, text in the background colour, off-screen`,
      ({ content }) => content.hidden_runs >= MANY_HIDDEN_RUNS,
    ),
    preheader_only: info.when(
      'preheader only',
      ({ content, hiddenPreheader }) => content.hidden_runs > 0 || hiddenPreheader,
    ),
    none: pass('none'),
  }),
  detail: ({ content, hiddenPreheader }) =>
    `${formatCount(content.hidden_runs, 'hidden run')}${hiddenPreheader ? ' besides the preview text' : ''}; ${MANY_HIDDEN_RUNS} or more look deliberate.`,
  evidence: ({ content, hiddenPreheader }) => ({
    hidden_runs: content.hidden_runs,
    limit: MANY_HIDDEN_RUNS,
    hidden_preheader: hiddenPreheader,
  }),
  fixes: {
    fix: {
      why: 'Filters take hidden text for a trick.',
      do: 'Remove it, and keep one block of preview text.',
    },
  },
});

/** What to do about each fault, as a fix puts it. */
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
    what: 'HTML that browsers have to repair: tags that are not closed, tables in the wrong place.',
    why: 'Each mail program repairs it in another way, so your mail looks broken in some.',
    how: ['Check the template with an HTML validator.'],
    bad: '<table><p>Hello</table>',
    good: '<table><tr><td><p>Hello</p></td></tr></table>',
  },
  subject: withHtml,
  states: ({ warn, info, pass }) => ({
    broken: warn(3).when(
      `unclosed/broken document, > ${100 * MAX_UNKNOWN_TAGS} % unknown tags, missing <html>/<body> in HTML without text`,
      ({ htmlFaults }) => htmlFaults.fail.length > 0,
    ),
    improvable: info.when(
      'no lang, no title, external stylesheet, low contrast; missing <html>/<body> beside text',
      ({ htmlFaults }) => htmlFaults.lint.length > 0,
    ),
    sound: pass('ok'),
  }),
  detail: ({ htmlFaults }) => {
    const all = [...htmlFaults.fail, ...htmlFaults.lint];
    return all.length > 0 ? `Found: ${all.map(formatId).join(', ')}.` : 'No faults.';
  },
  evidence: ({ htmlFaults }) => ({ faults: [...htmlFaults.fail, ...htmlFaults.lint] }),
  fixes: {
    fix: {
      why: 'Mail programs may show faulty HTML wrongly, and filters count faults.',
      do: 'Correct the HTML: {repairs}.',
    },
  },
  values: ({ htmlFaults }) => ({
    repairs: formatList(
      [...htmlFaults.fail, ...htmlFaults.lint].map(
        (id) => REPAIRS[id] ?? `correct ${formatId(id)}`,
      ),
    ),
  }),
});
