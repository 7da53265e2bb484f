/**
 * Defines what is extracted from an HTML part (text, links, images, faults), and judges the purpose of its
 * images.
 */

import { type Attributes, leadingNumber, parseStyle } from './appearance.ts';

/** A link in the HTML. `start` and `end` are its positions in the visible text. */
export interface Anchor {
  readonly href: string;
  readonly start: number;
  end: number;
  /** The alternative texts of the images in the link, which say where it leads if it has no text. */
  alt: string;
}

export interface Image {
  readonly src: string;
  readonly hasAlt: boolean;
  /** True if the image is loaded from a remote host, and is hidden or at most one pixel in size. */
  readonly trackingPixel: boolean;
  /** True if the declared size of the image is that of a logo or an icon. */
  readonly small: boolean;
  /**
   * True if the image has no declared size, but its URL or alternative text says that it is a logo or an
   * icon, or it comes before any text, like a letterhead.
   */
  readonly maybeLogo: boolean;
}

/**
 * Creates an empty document, to be filled in one pass over the tokens of an HTML part. The document never
 * leaves the code that reads the email.
 */
export const emptyDocument = () => ({
  /** Visible text, with line breaks between blocks. */
  text: '',
  /** The part of that text that is in `pre` elements, such as code and the output of programs. */
  preformatted: '',
  /** Position in the text at which the first table begins. Null if there is no table. */
  firstTable: null as number | null,
  /**
   * Where the document begins to quote another email, as mail programs mark it: the position in the text, and
   * the number of images before it. Null if no quotation is marked.
   */
  quotation: null as { readonly text: number; readonly images: number } | null,
  anchors: [] as Anchor[],
  images: [] as Image[],
  /** URLs of images in `background` attributes and `url(…)` values. */
  backgrounds: [] as string[],
  /** Total number of links and images, before the limit on how many are examined. */
  linksTotal: 0,
  /** Number of runs of hidden text, not counting the preheader. */
  hiddenRuns: 0,
  /**
   * Texts of the hidden runs, including the preheader's, in the order of the email. A text that a media query
   * shows is left out.
   */
  hiddenTexts: [] as { readonly isPreheader: boolean; readonly run: { readonly text: string } }[],
  preheader: false,
  /**
   * True if the preview text is hidden in the email itself, so that only the client's message list shows it.
   */
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
  /** Number of start tags. `unknownTags` counts those that are not HTML. */
  tags: 0,
  unknownTags: 0,
  endTags: 0,
  /** True if the HTML exceeds a limit, so that only its beginning was read. */
  truncated: false,
});
export type HtmlDocument = Readonly<ReturnType<typeof emptyDocument>>;

/** Returns what comes before a position in the text of a document, and before one of its images. */
export const cutDocument = (
  document: HtmlDocument,
  { text, images }: { readonly text: number; readonly images: number },
): HtmlDocument => ({
  ...document,
  text: document.text.slice(0, text),
  anchors: document.anchors.filter(({ start }) => start < text),
  images: document.images.slice(0, images),
  backgrounds: [],
});

const REMOTE = /^\s*(?:https?:)?\/\//i;

/**
 * Largest area of a logo or an icon, in square pixels. If only one side is declared, the limit for that side
 * applies instead.
 */
const SMALL_AREA = 20_000;
const SMALL_WIDTH = 200;
const SMALL_HEIGHT = 60;

interface Size {
  /** Width in pixels. Null if it is not declared, or is declared as a percentage. */
  readonly width: number | null;
  readonly height: number | null;
}

const pixels = (value: string | undefined): number | null =>
  value?.includes('%') ? null : leadingNumber(value);

/** Returns the size that an element's attributes or inline style declare. */
const sizeOf = (attributes: Attributes): Size => {
  const style = parseStyle(attributes.get('style') ?? '');
  const side = (name: string) => pixels(style.get(name)) ?? pixels(attributes.get(name));
  return { width: side('width'), height: side('height') };
};

/**
 * Returns whether both sides of an image have at most one pixel. If only one side is declared, it counts for
 * both.
 */
const isTiny = ({ width, height }: Size): boolean =>
  (width ?? height ?? 2) <= 1 && (height ?? width ?? 2) <= 1;

const isSmall = ({ width, height }: Size): boolean => {
  if (width !== null && height !== null) return width * height <= SMALL_AREA;
  return (width ?? SMALL_WIDTH + 1) <= SMALL_WIDTH || (height ?? SMALL_HEIGHT + 1) <= SMALL_HEIGHT;
};

/** Words that identify a logo or an icon in an image's URL or alternative text. */
const LOGO_NAME = /\b(?:logo|icon|avatar|letterhead|signature)\b/i;

/**
 * Number of characters at the start of an image's URL that are searched. A `data:` URL that contains the
 * image itself is longer.
 */
const MAX_SRC = 500;

const isNamedLogo = (attributes: Attributes): boolean =>
  LOGO_NAME.test((attributes.get('src') ?? '').slice(0, MAX_SRC).replace(/[_\d]/g, ' ')) ||
  LOGO_NAME.test(attributes.get('alt') ?? '');

/** Reads an `img` element, and judges whether it is a tracking pixel, a logo or a part of the content. */
export const toImage = (attributes: Attributes, hidden: boolean, afterText: boolean): Image => {
  const src = attributes.get('src') ?? '';
  const size = sizeOf(attributes);
  // A hidden image with a declared size is intended for a different screen width.
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
