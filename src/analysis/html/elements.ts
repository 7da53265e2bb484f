import { wordSet as words } from '../syntax/split-words.ts';

/** Elements without an end tag. */
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Elements whose end tag may be left out (HTML §13.1.2.4). */
export const OPTIONAL_END = words(
  'html head body p li dt dd option optgroup rt rp tr td th thead tbody tfoot colgroup caption',
);

/** Formatting that clients correct when it is nested crosswise. */
export const FORMATTING = words(
  'b i u s em strong font small big span center code tt strike sub sup mark',
);

export const KNOWN = words(
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big ' +
    'blink blockquote body br button canvas caption center cite code col colgroup data datalist ' +
    'dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form ' +
    'frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins ' +
    'kbd label legend li link main map mark marquee math menu meta meter nav nobr noembed ' +
    'noframes noscript object ol optgroup option output p param picture plaintext pre progress q ' +
    'rb rp rt rtc ruby s samp script search section select slot small source span strike strong ' +
    'style sub summary sup svg table tbody td template textarea tfoot th thead time title tr ' +
    'track tt u ul var video wbr xml xmp center',
);

/** Elements that begin a new line of text. */
export const BLOCK = words(
  'address article aside blockquote body br caption center dd details div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre ' +
    'section table tbody td tfoot th thead title tr ul',
);

/** Which open elements the start of another one ends. */
export const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['p', words('p')],
  ['li', words('li p')],
  ['dt', words('dt dd p')],
  ['dd', words('dt dd p')],
  ['option', words('option')],
  ['td', words('td th p')],
  ['th', words('td th p')],
  ['tr', words('td th tr p')],
  ['tbody', words('td th tr tbody thead tfoot colgroup')],
  ['tfoot', words('td th tr tbody thead')],
  ['div', words('p')],
  ['table', words('p')],
  ['ul', words('p')],
  ['ol', words('p')],
  ['body', words('head')],
]);

/** An end tag does not reach beyond the cell it stands in, unless it ends a table's element. */
export const CELL = words('td th caption');
export const TABLE_PART = words('table tbody thead tfoot tr td th caption');

/** Elements that block or lose a mail: no client runs them. */
export const ACTIVE = words('script form iframe object embed applet');
