import { MAX_HTML_DEPTH } from '../limits.ts';
import { type Appearance, PAGE } from './appearance.ts';
import { CELL, ENDED_BY, FORMATTING, OPTIONAL_END, TABLE_PART } from './elements.ts';

export interface OpenElement {
  readonly tag: string;
  readonly look: Appearance;
  /** The run of hidden text that it belongs to; null: it is seen. */
  readonly run: HiddenRun | null;
}

/** Neighbouring text hidden by one element. */
export interface HiddenRun {
  counted: boolean;
}

/** How many elements of each name are open. */
type Counts = Map<string, number>;

const add = (counts: Counts | undefined, tag: string, n: 1 | -1) =>
  counts?.set(tag, (counts.get(tag) ?? 0) + n);

/**
 * The open elements of an HTML part: a plain stack in place of the tree builder, whose scope
 * searches grow with the depth of the sender's making. Each step here is a lookup or a pop.
 */
export class ElementStack {
  private readonly open: OpenElement[] = [];
  private readonly all: Counts = new Map();
  /** Counts inside each open cell, the innermost last; outside of all cells first. */
  private readonly cells: Counts[] = [new Map()];
  private readonly onClose: (tag: string) => void;
  /** Elements that another one's end, or the end of the document, had to close. */
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

  /** Closes what the start of `tag` ends: a paragraph ends the one before it. */
  makeRoom(tag: string) {
    const ended = ENDED_BY.get(tag);
    for (let top = this.open.at(-1); top && ended?.has(top.tag); top = this.open.at(-1)) this.pop();
  }

  /** Whether the element is open now: beyond the depth limit it is not. */
  push(tag: string, look: Appearance): boolean {
    if (this.open.length >= MAX_HTML_DEPTH) return false;
    const run = look.hidden ? (this.run ?? { counted: false }) : null;
    this.open.push({ tag, look, run });
    add(this.all, tag, 1);
    if (CELL.has(tag)) this.cells.push(new Map());
    else add(this.cells.at(-1), tag, 1);
    return true;
  }

  /** Whether an end tag has something to end: only a table's reaches beyond the cell it stands in. */
  private reaches(tag: string) {
    const counts = TABLE_PART.has(tag) ? this.all : this.cells.at(-1);
    return (counts?.get(tag) ?? 0) > 0;
  }

  /** An end tag; one that ends nothing is ignored, as clients do. */
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
