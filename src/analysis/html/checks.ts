import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatFound, formatId, formatList } from '../format.ts';
import { keepIf, mapLookup, thenLookup } from '../lookup-result.ts';
import { PASSWORD_FIELD } from './active.ts';

const KB = 1024;

/** Gmail cuts the HTML part off near here, in bytes. */
const CLIPPED_BYTES = 102 * KB;
const NEARLY_CLIPPED_BYTES = 80 * KB;

/** Hidden runs besides a preheader from which hiding looks deliberate. */
const MANY_HIDDEN_RUNS = 3;

/** The content of a mail that has HTML; the checks of HTML do not apply to others. */
export const withHtml = ({ content }: Facts) => keepIf(content, (value) => value.content.has_html);

export const htmlSize = defineCheck({
  id: 'html_size',
  subject: withHtml,
  ladder: [
    ['warn', ({ content }) => content.html_bytes > CLIPPED_BYTES],
    ['info', ({ content }) => content.html_bytes >= NEARLY_CLIPPED_BYTES],
  ],
  detail: ({ content }) => `${content.html_bytes} bytes; the limit is ${CLIPPED_BYTES}.`,
  values: ({ content }) => ({ kb: Math.ceil(content.html_bytes / KB) }),
});

export const hiddenText = defineCheck({
  id: 'hidden_text',
  subject: withHtml,
  ladder: [
    ['warn', ({ content }) => content.hidden_runs >= MANY_HIDDEN_RUNS],
    ['info', ({ content, hiddenPreheader }) => content.hidden_runs > 0 || hiddenPreheader],
  ],
  detail: ({ content, hiddenPreheader }) =>
    `${formatCount(content.hidden_runs, 'hidden run')}${hiddenPreheader ? ' besides the preview text' : ''}; ${MANY_HIDDEN_RUNS} or more look deliberate.`,
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

export const htmlQuality = defineCheck({
  id: 'html_quality',
  subject: withHtml,
  ladder: [
    ['warn', ({ htmlFaults }) => htmlFaults.fail.length > 0],
    ['info', ({ htmlFaults }) => htmlFaults.lint.length > 0],
  ],
  detail: ({ htmlFaults }) => {
    const all = [...htmlFaults.fail, ...htmlFaults.lint];
    return all.length > 0 ? `Found: ${all.map(formatId).join(', ')}.` : 'No faults.';
  },
  values: ({ htmlFaults }) => ({
    repairs: formatList(
      [...htmlFaults.fail, ...htmlFaults.lint].map(
        (id) => REPAIRS[id] ?? `correct ${formatId(id)}`,
      ),
    ),
  }),
});

/** Only for bulk mail: others have no preview to write. */
export const preheader = defineCheck({
  id: 'preheader',
  subject: (facts) =>
    thenLookup(facts.headers, ({ bulk }) => {
      const html = bulk.isBulk ? withHtml(facts) : undefined;
      return html && mapLookup(html, (value) => value.preheader);
    }),
  ladder: [['info', (present) => !present]],
  detail: (present) => (present ? 'Present.' : 'None found.'),
});

/** Names for what is not an element, as a fix puts them. */
const ACTIVE: Readonly<Record<string, string>> = {
  'meta http-equiv=refresh': '<meta http-equiv=refresh>',
  'a href=javascript:': 'javascript: URLs',
  'a href=data:': 'data: URLs',
  [PASSWORD_FIELD]: 'fields for passwords and PINs',
  'on*': 'on* event handlers',
  '@import': '@import in style sheets',
};

const IMPORT = '@import';

/** Clients turn forms off, and deliver the mail. */
const isTurnedOff = (tag: string): boolean => tag === 'form';

export const activeContent = defineCheck({
  id: 'active_content',
  subject: withHtml,
  ladder: [
    ['fail', ({ active }) => active.hard.some((tag) => !isTurnedOff(tag))],
    ['warn', ({ active }) => [...active.hard, ...active.soft].some((tag) => tag !== IMPORT)],
    ['info', ({ active }) => active.soft.length > 0],
  ],
  detail: ({ active }) => formatFound([...active.hard, ...active.soft]),
  fixes: ({ active }) => (active.hard.some((tag) => !isTurnedOff(tag)) ? [] : ['stripped']),
  values: ({ active }) => ({
    tags: formatList(
      [...new Set([...active.hard, ...active.soft])].map((tag) => ACTIVE[tag] ?? `<${tag}>`),
    ),
  }),
});
