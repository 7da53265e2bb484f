/**
 * Collects the text, links, images, hidden text, active content and faults of an HTML part, tag by tag, in an
 * `HtmlDocument`.
 */

import { MAX_LINKS } from '../limits.ts';
import { activeIn, isRunnable } from './active.ts';
import {
  type Appearance,
  type Attributes,
  appearanceOf,
  cssUrls,
  isLowContrast,
  parseStyle,
  type Style,
} from './appearance.ts';
import { type Anchor, emptyDocument, type HtmlDocument, toImage } from './document.ts';
import {
  BLOCK,
  ElementStack,
  type HiddenRun,
  KNOWN,
  RAW,
  SHOWN_RAW,
  VOID,
} from './open-elements.ts';
import { Sheets } from './style-sheet.ts';

const PREHEADER = /pre-?header|preview-?text/i;

/** Matches the class or id of an element in which a mail program quotes another email. */
const QUOTATION =
  /(?:^| )(?:gmail_quote|moz-cite-prefix|moz-forward-container|divRplyFwdMsg|appendonsend|yahoo_quoted|protonmail_quote|zmail_extra)(?: |$)/;

const MAX_STYLES = 1000;

const READABLE = /[\p{L}\p{N}]/u;

const isQuotation = (tag: string, attributes: Attributes): boolean =>
  (tag === 'blockquote' && attributes.get('type')?.toLowerCase() === 'cite') ||
  ['class', 'id'].some((name) => QUOTATION.test(attributes.get(name) ?? ''));

/** Builds an `HtmlDocument` from the tokens of parse5, in time linear in the input. */
export class HtmlWalk {
  readonly found = emptyDocument();
  private readonly styles = new Map<string, Style>();
  private readonly stack = new ElementStack((tag) => this.closed(tag));
  private anchor: Anchor | null = null;
  private raw: string | null = null;
  private inPreheader = 0;
  private inPreformatted = 0;
  private readonly sheets: Sheets;
  seenText = false;

  constructor(html: string) {
    this.sheets = new Sheets(html);
  }

  /** Processes a start tag: records the facts that it shows, and opens its element. */
  start(tag: string, attributes: Attributes, selfClosing: boolean) {
    this.found.tags++;
    if (!KNOWN.has(tag) && !tag.includes(':') && !tag.includes('-')) this.found.unknownTags++;
    this.stack.makeRoom(tag);
    const hiding = this.sheets.hidingOf(attributes);
    const own = this.styleOf(attributes);
    const style = hiding ? new Map([...hiding, ...own]) : own;
    const outer = this.stack.look;
    const look = appearanceOf(tag, attributes, style, outer);
    if (BLOCK.has(tag)) this.newLine();
    this.note(tag, attributes, look);
    if (VOID.has(tag) || selfClosing) return;
    if (RAW.has(tag)) this.raw = tag;
    const isFirstHidden = look.hidden && !outer.hidden;
    if (!this.stack.push(tag, look, isFirstHidden && this.sheets.showsElsewhere(attributes)))
      return;
    if (tag === 'pre') this.inPreformatted++;
    const named = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
    if (this.inPreheader > 0 || PREHEADER.test(named)) this.inPreheader++;
  }

  /**
   * Returns the parsed `style` attribute of an element. The result is cached, because an email repeats the
   * same few styles.
   */
  private styleOf(attributes: Attributes): Style {
    const text = attributes.get('style') ?? '';
    const style = this.styles.get(text) ?? parseStyle(text);
    if (this.styles.size < MAX_STYLES) this.styles.set(text, style);
    return style;
  }

  private get silent() {
    return this.raw !== null && !SHOWN_RAW.has(this.raw);
  }

  end(tag: string) {
    this.found.endTags++;
    if (tag === this.raw) this.raw = null;
    if (BLOCK.has(tag)) this.newLine();
    this.stack.end(tag);
  }

  private closed(tag: string) {
    if (this.inPreheader > 0) this.inPreheader--;
    if (tag === 'a') this.endAnchor();
    if (tag === 'pre') this.inPreformatted--;
  }

  /** Records hidden text. The first hidden run is the preheader if no visible text comes before it. */
  private hide(run: HiddenRun, chars: string) {
    run.text += chars;
    if (run.counted) return;
    run.counted = true;
    const isPreheader = !this.seenText && !this.found.preheader;
    if (!run.isShownElsewhere) this.found.hiddenTexts.push({ isPreheader, run });
    if (isPreheader) this.found.preheader = this.found.hiddenPreheader = true;
    else this.found.hiddenRuns++;
  }

  private endAnchor() {
    if (this.anchor) this.anchor.end = this.found.text.length;
    this.anchor = null;
  }

  private note(tag: string, attributes: Attributes, look: Appearance) {
    this.notePage(tag, attributes);
    this.noteActive(tag, attributes);
    this.noteBackgrounds(attributes);
    if (tag === 'table') this.found.firstTable ??= this.found.text.length;
    if (isQuotation(tag, attributes))
      this.found.quotation ??= {
        text: this.found.text.length,
        images: this.found.images.length,
      };
    if (tag === 'a' || tag === 'area') this.noteLink(tag, attributes.get('href'));
    if (tag === 'img' && this.anchor) this.anchor.alt += ` ${attributes.get('alt') ?? ''}`;
    if ((tag === 'img' || tag === 'image') && this.counted())
      this.found.images.push(toImage(attributes, look.gone || look.invisible, this.seenText));
  }

  private notePage(tag: string, attributes: Attributes) {
    if (tag === 'html') {
      this.found.hasHtml = true;
      this.found.hasLang =
        (attributes.get('lang') ?? attributes.get('xml:lang') ?? '').trim() !== '';
    }
    if (tag === 'body') this.found.hasBody = true;
    const rel = attributes.get('rel')?.toLowerCase().split(/\s+/, 5) ?? [];
    if (tag === 'link' && rel.includes('stylesheet')) this.found.externalCss++;
  }

  private noteActive(tag: string, attributes: Attributes) {
    const active = activeIn(tag, attributes);
    for (const id of active.hard) this.found.activeHard.add(id);
    for (const id of active.soft) this.found.activeSoft.add(id);
    if (tag === 'form') this.found.forms++;
    if (tag === 'script' && isRunnable(tag, attributes)) this.found.scripts++;
  }

  private noteBackgrounds(attributes: Attributes) {
    const style = attributes.get('style') ?? '';
    const found = [
      attributes.get('background') ?? '',
      ...(style.includes('url(') ? cssUrls(style) : []),
    ];
    for (const url of found) if (url !== '' && this.counted()) this.found.backgrounds.push(url);
  }

  private noteLink(tag: string, href: string | undefined) {
    if (tag === 'a') this.endAnchor();
    if (href === undefined || !this.counted()) return;
    const anchor = { href, start: this.found.text.length, end: this.found.text.length, alt: '' };
    this.found.anchors.push(anchor);
    if (tag === 'a') this.anchor = anchor;
  }

  private counted() {
    return ++this.found.linksTotal <= MAX_LINKS;
  }

  private newLine() {
    if (this.silent) return;
    const { look, run } = this.stack;
    if (!look.hidden) this.found.text += '\n';
    else if (run) run.text += '\n';
  }

  characters(chars: string) {
    if (this.raw === 'title' && READABLE.test(chars)) this.found.hasTitle = true;
    if (this.raw === 'style' && chars.toLowerCase().includes('@import')) {
      this.found.activeSoft.add('@import');
      this.found.externalCss++;
    }
    if (this.silent) return;
    const { look, run } = this.stack;
    const readable = READABLE.test(chars);
    if (look.hidden) {
      if (run && readable) this.hide(run, chars);
      return;
    }
    this.found.text += chars;
    if (this.inPreformatted > 0) this.found.preformatted += chars;
    if (!readable) return;
    this.seenText = true;
    if (this.inPreheader > 0) this.found.preheader = true;
    if (!this.found.lowContrast) this.found.lowContrast = isLowContrast(look);
  }

  /** Closes the document. What is open where the reading was cut off may be closed in the rest. */
  finish(): HtmlDocument {
    const before = this.stack.unclosed;
    this.stack.finish();
    this.found.unclosed ||= (this.found.truncated ? before : this.stack.unclosed) > 0;
    return this.found;
  }
}
