/** Cases of complete emails with scripts, forms and other active content. */

import type { Case, State } from '../case.ts';
import { withHtml } from '../mails.ts';

const html = (more: string, state: State, head?: string, others: Case['states'] = {}): Case => ({
  about: head ?? more,
  mail: withHtml(more, head),
  states: { active_content: state, ...others },
});

const TITLE = '<title>Books</title>';

export const activeCases: readonly Case[] = [
  html('<script>1</script>', 'script'),
  html('<form><p>Name</p></form>', 'form'),
  html('<form><input type="password"></form>', 'script'),
  html('<p><a href="data:text/html,Hello">Look</a></p>', 'script'),
  html('<iframe></iframe>', 'script'),
  html('<object></object>', 'script'),
  html('<embed>', 'script'),
  html('<applet></applet>', 'script'),
  html('', 'script', `${TITLE}<meta http-equiv="refresh" content="0">`),
  html('<p><a href="javascript:void(0)">Look</a></p>', 'script'),
  html('<p onclick="x()">Look</p>', 'form'),
  html('', 'form', `${TITLE}<base href="https://www.example.com/">`),
  html('', 'import_only', `${TITLE}<style>@import "https://www.example.com/a.css";</style>`, {
    html_quality: 'improvable',
  }),
];
