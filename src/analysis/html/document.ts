import { type Attributes, leadingNumber, parseStyle } from './appearance.ts';

/** A link as it stands in the HTML. Positions are in the visible text. */
export interface Anchor {
  readonly href: string;
  readonly start: number;
  end: number;
}

export interface Image {
  readonly src: string;
  readonly hasAlt: boolean;
  /** Remote, and one pixel or hidden. */
  readonly trackingPixel: boolean;
  /** By its declared size: a logo or an icon. */
  readonly small: boolean;
  /** Of no declared size, but called a logo or an icon, or before any text, as a letterhead is. */
  readonly maybeLogo: boolean;
}

/** What one HTML part holds, gathered in one pass over its tokens. Stays inside. */
export const emptyDocument = () => ({
  /** Text that is seen; blocks are separated by line ends. */
  text: '',
  anchors: [] as Anchor[],
  images: [] as Image[],
  /** Pictures by `background` and `url(…)`. */
  backgrounds: [] as string[],
  /** Anchors and pictures in all, before the limit on those examined. */
  linksTotal: 0,
  /** Hidden runs with text in them, a preheader aside. */
  hiddenRuns: 0,
  /** Their texts, the preheader's among them, in the order of the email. */
  hiddenTexts: [] as { readonly isPreheader: boolean; readonly run: { readonly text: string } }[],
  preheader: false,
  /** The preview text is hidden in the mail, and shown by the client alone. */
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
  /** Start tags in all, and those that are no HTML. */
  tags: 0,
  unknownTags: 0,
});
export type HtmlDocument = Readonly<ReturnType<typeof emptyDocument>>;

const REMOTE = /^\s*(?:https?:)?\/\//i;

/** The size of a logo or an icon, in pixels; where only one side is declared, that side alone. */
const SMALL_AREA = 20_000;
const SMALL_WIDTH = 200;
const SMALL_HEIGHT = 60;

interface Size {
  /** In pixels; null: not declared, or declared as a share of the room there is. */
  readonly width: number | null;
  readonly height: number | null;
}

const pixels = (value: string | undefined): number | null =>
  value?.includes('%') ? null : leadingNumber(value);

/** The size that the attributes or the inline style declare. */
const sizeOf = (attributes: Attributes): Size => {
  const style = parseStyle(attributes.get('style') ?? '');
  const side = (name: string) => pixels(style.get(name)) ?? pixels(attributes.get(name));
  return { width: side('width'), height: side('height') };
};

/** At most one pixel either way; one that is declared stands for both. */
const isTiny = ({ width, height }: Size): boolean =>
  (width ?? height ?? 2) <= 1 && (height ?? width ?? 2) <= 1;

const isSmall = ({ width, height }: Size): boolean => {
  if (width !== null && height !== null) return width * height <= SMALL_AREA;
  return (width ?? SMALL_WIDTH + 1) <= SMALL_WIDTH || (height ?? SMALL_HEIGHT + 1) <= SMALL_HEIGHT;
};

/** What people call a logo or an icon, in its address or its alternative text. */
const LOGO_NAME = /\b(?:logo|icon|avatar|letterhead|signature)\b/i;

/** Read of an address, in characters: a picture within it is longer. */
const MAX_SRC = 500;

const isNamedLogo = (attributes: Attributes): boolean =>
  LOGO_NAME.test((attributes.get('src') ?? '').slice(0, MAX_SRC).replace(/[_\d]/g, ' ')) ||
  LOGO_NAME.test(attributes.get('alt') ?? '');

/** An `img`, and whether it is there to be fetched rather than seen. */
export const toImage = (attributes: Attributes, hidden: boolean, afterText: boolean): Image => {
  const src = attributes.get('src') ?? '';
  const size = sizeOf(attributes);
  // A hidden picture of some size is one for another width of the screen.
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
