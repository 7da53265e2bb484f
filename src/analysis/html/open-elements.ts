/**
 * Tracks which HTML elements are open while a document is read, and defines groups of elements such as void
 * and block elements.
 */

import { type Tokenizer, TokenizerMode } from 'parse5';
import { MAX_HTML_DEPTH } from '../limits.ts';
import { wordSet as words } from '../syntax/words.ts';
import { type Appearance, PAGE } from './appearance.ts';

/** Void elements, which have no end tag. */
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Elements whose end tag may be omitted (HTML §13.1.2.4). */
const OPTIONAL_END = words(
  'html head body p li dt dd option optgroup rt rp tr td th thead tbody tfoot colgroup caption',
);

/** Formatting elements. Clients repair incorrect nesting of them, such as `<b><i></b></i>`. */
const FORMATTING = words(
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

/** For each element, the open elements that its start tag closes. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
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

/** Table cells. An end tag has no effect outside its own cell, unless it closes an element of a table. */
const CELL = words('td th caption');
const TABLE_PART = words('table tbody thead tfoot tr td th caption');

/** Elements that get an email blocked or discarded. No mail client runs them. */
export const ACTIVE = words('script form iframe object embed applet');

/** Elements whose content is not markup, with the tokenizer state that reads it (HTML §13.2.6.2). */
export const RAW: ReadonlyMap<string, typeof Tokenizer.prototype.state> = new Map([
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/** Elements whose raw content is displayed to readers. */
export const SHOWN_RAW = new Set(['xmp', 'textarea', 'plaintext']);

interface OpenElement {
  readonly tag: string;
  readonly look: Appearance;
  /** The run of hidden text to which the element belongs. Null if the element is visible. */
  readonly run: HiddenRun | null;
}

/** A run of adjacent text that one element hides. */
export interface HiddenRun {
  counted: boolean;
  /** True if a media query or an action of the reader makes the run visible. */
  readonly isShownElsewhere: boolean;
  text: string;
}

/** Number of open elements by tag name. */
type Counts = Map<string, number>;

const add = (counts: Counts | undefined, tag: string, n: 1 | -1) =>
  counts?.set(tag, (counts.get(tag) ?? 0) + n);

/**
 * The stack of open elements in an HTML part. Each step is a lookup or a pop. The tree builder of parse5 is
 * slower, because its scope searches grow with a depth that the sender chooses.
 */
export class ElementStack {
  private readonly open: OpenElement[] = [];
  private readonly all: Counts = new Map();
  /**
   * Number of open elements in each open table cell, innermost cell last. The first entry counts the elements
   * outside all cells.
   */
  private readonly cells: Counts[] = [new Map()];
  private readonly onClose: (tag: string) => void;
  /** Number of elements that were still open when an enclosing element or the document ended. */
  unclosed = 0;

  constructor(onClose: (tag: string) => void) {
    this.onClose = onClose;
  }

  get look(): Appearance {
    return this.open.at(-1)?.look ?? PAGE;
  }

  get run(): HiddenRun | null {
    return this.open.at(-1)?.run ?? null;
  }

  /**
   * Closes the open elements that end implicitly when `tag` starts. A new paragraph, for example, closes the
   * previous one.
   */
  makeRoom(tag: string) {
    const ended = ENDED_BY.get(tag);
    for (let top = this.open.at(-1); top && ended?.has(top.tag); top = this.open.at(-1)) this.pop();
  }

  /** Opens an element, unless the depth limit is reached. Returns whether the element is now open. */
  push(tag: string, look: Appearance, isShownElsewhere: boolean): boolean {
    if (this.open.length >= MAX_HTML_DEPTH) return false;
    const run = look.hidden ? (this.run ?? { counted: false, isShownElsewhere, text: '' }) : null;
    this.open.push({ tag, look, run });
    add(this.all, tag, 1);
    if (CELL.has(tag)) this.cells.push(new Map());
    else add(this.cells.at(-1), tag, 1);
    return true;
  }

  /**
   * Returns whether an end tag closes an open element. Only the end tag of a table element has an effect
   * outside its own cell.
   */
  private reaches(tag: string) {
    const counts = TABLE_PART.has(tag) ? this.all : this.cells.at(-1);
    return (counts?.get(tag) ?? 0) > 0;
  }

  /** Processes an end tag. As in mail clients, an end tag that closes nothing is ignored. */
  end(tag: string) {
    if (!this.reaches(tag)) return;
    for (let closed = this.pop(); closed !== undefined && closed !== tag; closed = this.pop())
      if (!OPTIONAL_END.has(closed) && !FORMATTING.has(closed)) this.unclosed++;
  }

  finish() {
    for (let closed = this.pop(); closed !== undefined; closed = this.pop())
      if (!OPTIONAL_END.has(closed)) this.unclosed++;
  }

  private pop(): string | undefined {
    const tag = this.open.pop()?.tag;
    if (tag === undefined) return undefined;
    add(this.all, tag, -1);
    if (CELL.has(tag)) this.cells.pop();
    else add(this.cells.at(-1), tag, -1);
    this.onClose(tag);
    return tag;
  }
}
