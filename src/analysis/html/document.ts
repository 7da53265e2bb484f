/** The content of an HTML part, and the images in it. */

import { type Attributes, leadingNumber, parseStyle } from './appearance.ts';

/** A link in the HTML. Positions refer to the visible text. */
export interface Anchor {
  readonly href: string;
  readonly start: number;
  end: number;
}

export interface Image {
  readonly src: string;
  readonly hasAlt: boolean;
  /** It is loaded from a remote host, and has a size of one pixel or is hidden. */
  readonly trackingPixel: boolean;
  /** Its declared size is that of a logo or an icon. */
  readonly small: boolean;
  /**
   * It has no declared size, but is called a logo or an icon, or comes before any text, like a letterhead.
   */
  readonly maybeLogo: boolean;
}

/**
 * Creates the content of one HTML part, which is gathered in one pass over its tokens. It never leaves the
 * code that reads the email.
 */
export const emptyDocument = () => ({
  /** Visible text. Blocks are separated by line breaks. */
  text: '',
  anchors: [] as Anchor[],
  images: [] as Image[],
  /** Images in `background` and `url(…)`. */
  backgrounds: [] as string[],
  /** Total number of links and images, before the limit on how many are examined. */
  linksTotal: 0,
  /** Runs of hidden text, not counting the preheader. */
  hiddenRuns: 0,
  /** The texts of hidden runs, including the preheader's, in the order of the email. */
  hiddenTexts: [] as { readonly isPreheader: boolean; readonly run: { readonly text: string } }[],
  preheader: false,
  /** The preview text is hidden in the email, and only the client's message list shows it. */
  hiddenPreheader: false,
  lowContrast: false,
  forms: 0,
  scripts: 0,
  externalCss: 0,
  activeHard: new Set<string>(),
  activeSoft: new Set<string>(),
  hasHtml: false,
  hasBody: false,
  hasLang: false,
  hasTitle: false,
  unclosed: false,
  /** Number of start tags, and of those that are not HTML. */
  tags: 0,
  unknownTags: 0,
});
export type HtmlDocument = Readonly<ReturnType<typeof emptyDocument>>;

const REMOTE = /^\s*(?:https?:)?\/\//i;

/**
 * Largest area of a logo or an icon, in square pixels. If only one side is declared, the limit for that side.
 */
const SMALL_AREA = 20_000;
const SMALL_WIDTH = 200;
const SMALL_HEIGHT = 60;

interface Size {
  /** In pixels. Null if it is not declared, or declared as a share of the available space. */
  readonly width: number | null;
  readonly height: number | null;
}

const pixels = (value: string | undefined): number | null =>
  value?.includes('%') ? null : leadingNumber(value);

/** Returns the size that the attributes or the inline style declare. */
const sizeOf = (attributes: Attributes): Size => {
  const style = parseStyle(attributes.get('style') ?? '');
  const side = (name: string) => pixels(style.get(name)) ?? pixels(attributes.get(name));
  return { width: side('width'), height: side('height') };
};

/** Returns whether both sides have at most one pixel. If only one is declared, it counts for both. */
const isTiny = ({ width, height }: Size): boolean =>
  (width ?? height ?? 2) <= 1 && (height ?? width ?? 2) <= 1;

const isSmall = ({ width, height }: Size): boolean => {
  if (width !== null && height !== null) return width * height <= SMALL_AREA;
  return (width ?? SMALL_WIDTH + 1) <= SMALL_WIDTH || (height ?? SMALL_HEIGHT + 1) <= SMALL_HEIGHT;
};

/** Words for a logo or an icon in an image's address or alternative text. */
const LOGO_NAME = /\b(?:logo|icon|avatar|letterhead|signature)\b/i;

/** How much of an address is read, in characters. An image embedded in it is longer. */
const MAX_SRC = 500;

const isNamedLogo = (attributes: Attributes): boolean =>
  LOGO_NAME.test((attributes.get('src') ?? '').slice(0, MAX_SRC).replace(/[_\d]/g, ' ')) ||
  LOGO_NAME.test(attributes.get('alt') ?? '');

/** Reads an `img`, and judges whether it is there to be fetched instead of seen. */
export const toImage = (attributes: Attributes, hidden: boolean, afterText: boolean): Image => {
  const src = attributes.get('src') ?? '';
  const size = sizeOf(attributes);
  // A hidden image that has a size is intended for a different screen width.
  const isUnsized = size.width === null && size.height === null;
  const unseen = hidden && isUnsized;
  return {
    src,
    hasAlt: attributes.has('alt'),
    trackingPixel: REMOTE.test(src) && (unseen || isTiny(size)),
    small: isSmall(size),
    maybeLogo: isUnsized && (!afterText || isNamedLogo(attributes)),
  };
};
