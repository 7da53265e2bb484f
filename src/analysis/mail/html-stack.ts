import { CELL, ENDED_BY, FORMATTING, OPTIONAL_END, TABLE_PART } from './html-elements.ts';
import { type Look, PAGE } from './html-look.ts';
import { MAX_HTML_DEPTH } from './limits.ts';

export interface OpenElement {
  readonly tag: string;
  readonly look: Look;
}

/**
 * The open elements of an HTML part: a plain stack in place of the tree builder, whose scope
 * searches grow with the depth of the sender's making.
 */
export class ElementStack {
  private readonly open: OpenElement[] = [];
  private readonly counts = new Map<string, number>();
  private readonly onClose: (element: OpenElement) => void;
  /** Elements that another one's end, or the end of the document, had to close. */
  unclosed = 0;

  constructor(onClose: (element: OpenElement) => void) {
    this.onClose = onClose;
  }

  get look(): Look {
    return this.open.at(-1)?.look ?? PAGE;
  }

  /** Closes what the start of `tag` ends: a paragraph ends the one before it. */
  makeRoom(tag: string) {
    const ended = ENDED_BY.get(tag);
    for (let top = this.open.at(-1); top && ended?.has(top.tag); top = this.open.at(-1)) this.pop();
  }

  /** Whether the element is open now: beyond the depth limit it is not. */
  push(tag: string, look: Look): boolean {
    if (this.open.length >= MAX_HTML_DEPTH) return false;
    this.open.push({ tag, look });
    this.counts.set(tag, (this.counts.get(tag) ?? 0) + 1);
    return true;
  }

  /** An end tag; one that ends nothing is ignored, as clients do. */
  end(tag: string) {
    if ((this.counts.get(tag) ?? 0) === 0) return;
    let at = this.open.length - 1;
    while (at >= 0 && this.open[at]?.tag !== tag) {
      if (CELL.has(this.open[at]?.tag ?? '') && !TABLE_PART.has(tag)) return;
      at--;
    }
    while (this.open.length > at) {
      const last = this.open.length - 1 === at;
      const { tag: closed } = this.pop() ?? { tag };
      if (!last && !OPTIONAL_END.has(closed) && !FORMATTING.has(closed)) this.unclosed++;
    }
  }

  finish() {
    while (this.open.length > 0) {
      const { tag } = this.pop() ?? { tag: 'html' };
      if (!OPTIONAL_END.has(tag)) this.unclosed++;
    }
  }

  private pop(): OpenElement | undefined {
    const element = this.open.pop();
    if (!element) return undefined;
    this.counts.set(element.tag, (this.counts.get(element.tag) ?? 1) - 1);
    this.onClose(element);
    return element;
  }
}
