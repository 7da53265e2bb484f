import type { Case, State } from '../case.ts';
import { withHtml } from '../mails.ts';

const html = (more: string, state: State, head?: string, others: Case['states'] = {}): Case => ({
  about: head ?? more,
  mail: withHtml(more, head),
  states: { active_content: state, ...others },
});

const TITLE = '<title>Books</title>';

export const activeCases: readonly Case[] = [
  html('<script>1</script>', 'fail 0'),
  html('<form><p>Name</p></form>', 'warn 1'),
  html('<form><input type="password"></form>', 'fail 0'),
  html('<p><a href="data:text/html,Hello">Look</a></p>', 'fail 0'),
  html('<iframe></iframe>', 'fail 0'),
  html('<object></object>', 'fail 0'),
  html('<embed>', 'fail 0'),
  html('<applet></applet>', 'fail 0'),
  html('', 'fail 0', `${TITLE}<meta http-equiv="refresh" content="0">`),
  html('<p><a href="javascript:void(0)">Look</a></p>', 'fail 0'),
  html('<p onclick="x()">Look</p>', 'warn 1'),
  html('', 'warn 1', `${TITLE}<base href="https://www.example.com/">`),
  html('', 'info 2', `${TITLE}<style>@import "https://www.example.com/a.css";</style>`, {
    html_quality: 'info 1',
  }),
];
