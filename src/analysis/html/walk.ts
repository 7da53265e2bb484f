import { ErrorCodes, type Token } from 'parse5';
import { MAX_LINKS } from '../limits.ts';
import { activeIn, isRunnable } from './active.ts';
import {
  type Appearance,
  type Attributes,
  appearanceOf,
  isLowContrast,
  type Style,
} from './appearance.ts';
import { cssUrls, parseStyle } from './css.ts';
import type { Anchor, HtmlDocument, Image } from './document.ts';
import { BLOCK, KNOWN, VOID } from './elements.ts';
import { toImage } from './image.ts';
import { ElementStack, type HiddenRun } from './open-elements.ts';
import { RAW, SHOWN_RAW } from './raw-elements.ts';
import { TextTokenizer } from './text-tokenizer.ts';

const CUT_OFF: ReadonlySet<string> = new Set([
  ErrorCodes.eofInTag,
  ErrorCodes.eofInComment,
  ErrorCodes.eofBeforeTagName,
  ErrorCodes.eofInScriptHtmlCommentLikeText,
]);

const PREHEADER = /pre-?header|preview-?text/i;

const MAX_STYLES = 1000;

const READABLE = /[\p{L}\p{N}]/u;

/** Gathers an `HtmlDocument` from the tokens of parse5, which are linear in the input. */
class HtmlWalk {
  text = '';
  private readonly styles = new Map<string, Style>();
  readonly anchors: Anchor[] = [];
  readonly images: Image[] = [];
  readonly backgrounds: string[] = [];
  readonly hard = new Set<string>();
  readonly soft = new Set<string>();
  private readonly stack = new ElementStack((tag) => this.closed(tag));
  private anchor: Anchor | null = null;
  private raw: string | null = null;
  private inPreheader = 0;
  seenText = false;
  linksTotal = 0;
  hiddenRuns = 0;
  preheader = false;
  hiddenPreheader = false;
  lowContrast = false;
  forms = 0;
  scripts = 0;
  externalCss = 0;
  hasHtml = false;
  hasBody = false;
  hasLang = false;
  hasTitle = false;
  cutOff = false;
  tags = 0;
  unknownTags = 0;

  /** Returns how the tokenizer goes on, where that is not as markup. */
  start(tag: string, attributes: Attributes, selfClosing: boolean) {
    this.tags++;
    if (!KNOWN.has(tag) && !tag.includes(':') && !tag.includes('-')) this.unknownTags++;
    this.stack.makeRoom(tag);
    const look = appearanceOf(tag, attributes, this.styleOf(attributes), this.stack.look);
    if (BLOCK.has(tag)) this.newLine();
    this.note(tag, attributes, look);
    if (VOID.has(tag) || selfClosing) return;
    if (RAW.has(tag)) this.raw = tag;
    if (!this.stack.push(tag, look)) return;
    const named = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
    if (this.inPreheader > 0 || PREHEADER.test(named)) this.inPreheader++;
  }

  /** A mail repeats the few that it has. */
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
    if (tag === this.raw) this.raw = null;
    if (BLOCK.has(tag)) this.newLine();
    this.stack.end(tag);
  }

  private closed(tag: string) {
    if (this.inPreheader > 0) this.inPreheader--;
    if (tag === 'a') this.endAnchor();
  }

  /** Text that is hidden: the first run before anything seen is a preheader. */
  private hide(run: HiddenRun) {
    if (run.counted) return;
    run.counted = true;
    if (this.seenText || this.preheader) this.hiddenRuns++;
    else this.preheader = this.hiddenPreheader = true;
  }

  private endAnchor() {
    if (this.anchor) this.anchor.end = this.text.length;
    this.anchor = null;
  }

  private note(tag: string, attributes: Attributes, look: Appearance) {
    this.notePage(tag, attributes);
    this.noteActive(tag, attributes);
    this.noteBackgrounds(attributes);
    if (tag === 'a' || tag === 'area') this.noteLink(tag, attributes.get('href'));
    if ((tag === 'img' || tag === 'image') && this.counted())
      this.images.push(toImage(attributes, look.gone || look.invisible));
  }

  private notePage(tag: string, attributes: Attributes) {
    if (tag === 'html') {
      this.hasHtml = true;
      this.hasLang = (attributes.get('lang') ?? attributes.get('xml:lang') ?? '').trim() !== '';
    }
    if (tag === 'body') this.hasBody = true;
    const rel = attributes.get('rel')?.toLowerCase().split(/\s+/, 5) ?? [];
    if (tag === 'link' && rel.includes('stylesheet')) this.externalCss++;
  }

  private noteActive(tag: string, attributes: Attributes) {
    const active = activeIn(tag, attributes);
    for (const id of active.hard) this.hard.add(id);
    for (const id of active.soft) this.soft.add(id);
    if (tag === 'form') this.forms++;
    if (tag === 'script' && isRunnable(tag, attributes)) this.scripts++;
  }

  private noteBackgrounds(attributes: Attributes) {
    const style = attributes.get('style') ?? '';
    const found = [
      attributes.get('background') ?? '',
      ...(style.includes('url(') ? cssUrls(style) : []),
    ];
    for (const url of found) if (url !== '' && this.counted()) this.backgrounds.push(url);
  }

  private noteLink(tag: string, href: string | undefined) {
    if (tag === 'a') this.endAnchor();
    if (href === undefined || !this.counted()) return;
    const anchor = { href, start: this.text.length, end: this.text.length };
    this.anchors.push(anchor);
    if (tag === 'a') this.anchor = anchor;
  }

  private counted() {
    return ++this.linksTotal <= MAX_LINKS;
  }

  private newLine() {
    if (this.silent || this.stack.look.hidden) return;
    this.append('\n');
  }

  private append(chars: string) {
    this.text += chars;
  }

  characters(chars: string) {
    if (this.raw === 'title' && READABLE.test(chars)) this.hasTitle = true;
    if (this.raw === 'style' && chars.toLowerCase().includes('@import')) {
      this.soft.add('@import');
      this.externalCss++;
    }
    if (this.silent) return;
    const { look, run } = this.stack;
    const readable = READABLE.test(chars);
    if (look.hidden) {
      if (run && readable) this.hide(run);
      return;
    }
    this.append(chars);
    if (!readable) return;
    this.seenText = true;
    if (this.inPreheader > 0) this.preheader = true;
    if (!this.lowContrast) this.lowContrast = isLowContrast(look);
  }

  finish(): HtmlDocument {
    this.stack.finish();
    return {
      text: this.text,
      anchors: this.anchors,
      images: this.images,
      backgrounds: this.backgrounds,
      linksTotal: this.linksTotal,
      linksTruncated: this.linksTotal > MAX_LINKS,
      hiddenRuns: this.hiddenRuns,
      preheader: this.preheader,
      hiddenPreheader: this.hiddenPreheader,
      lowContrast: this.lowContrast,
      forms: this.forms,
      scripts: this.scripts,
      externalCss: this.externalCss,
      activeHard: [...this.hard],
      activeSoft: [...this.soft],
      hasHtml: this.hasHtml,
      hasBody: this.hasBody,
      hasLang: this.hasLang,
      hasTitle: this.hasTitle,
      unclosed: this.cutOff || this.stack.unclosed > 0,
      tags: this.tags,
      unknownTags: this.unknownTags,
    };
  }
}

const attributesOf = ({ attrs }: Token.TagToken): Attributes =>
  new Map(attrs.map(({ name, value }) => [name, value]));

/** Reads one HTML part. Never throws, whatever the text is. */
export const readHtml = (html: string): HtmlDocument => {
  const walk = new HtmlWalk();
  const tokenizer = new TextTokenizer(
    {},
    {
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
      onStartTag: (token) => {
        walk.start(token.tagName, attributesOf(token), token.selfClosing);
        const mode = token.selfClosing ? undefined : RAW.get(token.tagName);
        if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag: ({ tagName }) => walk.end(tagName),
      onCharacter: ({ chars }) => walk.characters(chars),
      onNullCharacter: () => {},
      onWhitespaceCharacter: ({ chars }) => walk.characters(chars),
      onParseError: ({ code }) => {
        if (CUT_OFF.has(code)) walk.cutOff = true;
      },
    },
  );
  // As the tokenizer reads them, and in one run with the text around.
  tokenizer.write(html.replace(/\r\n?/g, '\n'), true);
  return walk.finish();
};
