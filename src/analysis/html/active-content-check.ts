import { check } from '../check.ts';
import { formatFound, formatList } from '../format.ts';
import { PASSWORD_FIELD } from './active.ts';
import { withHtml } from './document-checks.ts';

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

export const activeContent = check({
  id: 'active_content',
  family: 'active',
  title: 'Forms and scripts in HTML',
  source: 'SpamAssassin HTML_TAG_*; mail clients strip them',
  about: {
    what: 'Forms, scripts and embedded pages in the HTML.',
    why: 'Mail programs remove them, and many filters refuse the mail.',
    how: ['Link to a page that holds the form.'],
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
      'form elements, which most clients turn off and some warn of; on* handlers; <base>',
      ({ active }) => [...active.hard, ...active.soft].some((tag) => tag !== IMPORT),
    ),
    import_only: suggest.when(
      'external CSS by @import alone, which clients that do not know it leave out',
      ({ active }) => active.soft.length > 0,
    ),
    none: pass('none'),
  }),
  detail: ({ active }) => formatFound([...active.hard, ...active.soft]),
  evidence: ({ active }) => ({ elements: [...active.hard, ...active.soft] }),
  fixes: {
    fix: {
      why: 'Mail programs block active content, and filters take it for an attack.',
      do: 'Remove {tags}, and link to a page instead.',
    },
    stripped: { why: 'Mail programs strip {tags}.', do: 'Remove {tags}.' },
  },
  cases: ({ active }) => (active.hard.some((tag) => !isTurnedOff(tag)) ? [] : ['stripped']),
  values: ({ active }) => ({
    tags: formatList(
      [...new Set([...active.hard, ...active.soft])].map((tag) => ACTIVE[tag] ?? `<${tag}>`),
    ),
  }),
});
