/**
 * Parses inline CSS and finds the URLs in it, and determines how an HTML element looks: whether its text is
 * hidden, the colours of text and background, and whether their contrast is too low.
 */

const MAX_STYLE_LENGTH = 20_000;
const MAX_DECLARATIONS = 200;

/**
 * Returns the declarations of a `style` attribute in lower case. Later declarations override earlier ones.
 */
export const parseStyle = (style: string): ReadonlyMap<string, string> => {
  const declarations = new Map<string, string>();
  for (const piece of style.slice(0, MAX_STYLE_LENGTH).split(';', MAX_DECLARATIONS)) {
    const colon = piece.indexOf(':');
    if (colon === -1) continue;
    const name = piece.slice(0, colon).trim().toLowerCase();
    const value = piece
      .slice(colon + 1)
      .replace('!important', '')
      .trim()
      .toLowerCase();
    declarations.set(name, value);
  }
  return declarations;
};

/** Returns the number at the beginning of a CSS length such as `12px`, or null if there is none. */
export const leadingNumber = (value: string | undefined): number | null => {
  const number = Number.parseFloat(value ?? '');
  return Number.isNaN(number) ? null : number;
};

/** Returns the URLs from the `url(…)` values in a piece of CSS, as written. */
export const cssUrls = (css: string): string[] => {
  const urls: string[] = [];
  for (let at = css.indexOf('url('); at !== -1; ) {
    const end = css.indexOf(')', at + 4);
    if (end === -1) break;
    urls.push(
      css
        .slice(at + 4, end)
        .trim()
        .replace(/^["']|["']$/g, ''),
    );
    at = css.indexOf('url(', end);
  }
  return urls;
};

type Rgb = readonly [red: number, green: number, blue: number];

const NAMED: ReadonlyMap<string, Rgb> = new Map([
  ['white', [255, 255, 255]],
  ['black', [0, 0, 0]],
  ['red', [255, 0, 0]],
  ['green', [0, 128, 0]],
  ['blue', [0, 0, 255]],
  ['yellow', [255, 255, 0]],
  ['gray', [128, 128, 128]],
  ['grey', [128, 128, 128]],
  ['silver', [192, 192, 192]],
  ['navy', [0, 0, 128]],
  ['whitesmoke', [245, 245, 245]],
  ['snow', [255, 250, 250]],
  ['ivory', [255, 255, 240]],
]);

const hexColour = (digits: string): Rgb => {
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const at = (i: number) => Number.parseInt(full.slice(i, i + 2), 16);
  return [at(0), at(2), at(4)];
};

/**
 * Parses a colour from CSS or from an HTML attribute such as `bgcolor`. Null if the colour is unknown or
 * partly transparent.
 */
const parseColour = (value: string | undefined): Rgb | null => {
  const text = value?.trim().toLowerCase() ?? '';
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(text)?.[1];
  if (hex !== undefined) return hexColour(hex);
  const rgb = /^rgb\( ?(\d{1,3}) ?,? ?(\d{1,3}) ?,? ?(\d{1,3}) ?\)$/.exec(text);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  return NAMED.get(text) ?? null;
};

const toLinear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const LINEAR = Array.from({ length: 256 }, (_, channel) => toLinear(channel));

const luminance = ([red, green, blue]: Rgb): number => {
  // CSS accepts channel values above 255, which the table does not contain.
  const linear = (channel: number) => LINEAR[channel] ?? toLinear(channel);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** Returns the contrast ratio of two colours as defined in WCAG 2.2, from 1 (equal) to 21. */
const contrastRatio = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** The appearance of an element's content, as far as attributes and styles determine it. */
export interface Appearance {
  /** True if text in the element is invisible, for whatever reason. */
  readonly hidden: boolean;
  /** True if images in the element are invisible too, which no child element can undo. */
  readonly gone: boolean;
  /**
   * True if `visibility` hides the text. Child elements can undo this, and also `tiny` and `indented`.
   * Templates, for example, set `font-size:0` on every cell.
   */
  readonly invisible: boolean;
  readonly tiny: boolean;
  readonly indented: boolean;
  readonly colour: Rgb | null;
  /** True if the email sets the text colour, on this element or on one around it. */
  readonly coloured: boolean;
  /** The background colour. Null if it is unknown, for example because of a background image. */
  readonly background: Rgb | null;
}

export const PAGE: Appearance = {
  hidden: false,
  gone: false,
  invisible: false,
  tiny: false,
  indented: false,
  colour: [0, 0, 0],
  coloured: false,
  background: [255, 255, 255],
};

export type Attributes = ReadonlyMap<string, string>;

export type Style = ReadonlyMap<string, string>;

/**
 * A negative offset, in pixels, that moves content off the screen because it exceeds the width of any email.
 */
const OFF_SCREEN = -500;

const isZero = (value: string | undefined) => leadingNumber(value) === 0;

/** Returns whether an opacity is so low that nobody can see the element. */
const isFaint = (value: string | undefined) => (leadingNumber(value) ?? 1) < 0.05;

const isFarOff = (value: string | undefined) => (leadingNumber(value) ?? 0) <= OFF_SCREEN;

/**
 * Returns whether text is too small to see, for example one pixel high. A size in `em` or `%` is relative to
 * the surrounding text.
 */
const isTiny = (size: string | undefined, outer: boolean): boolean => {
  const number = leadingNumber(size);
  if (size === undefined || number === null) return size === undefined ? outer : false;
  if (number === 0) return true;
  return /(?:em|%)$/.test(size) ? outer : number <= 1 && /(?:px|pt)$/.test(size);
};

/** Returns the font size in a shorthand such as `font: 0/0 arial`. */
const shorthandSize = (font: string | undefined): string | undefined =>
  font === undefined ? undefined : /(?:^|\s)(0(?=[\s/])|[\d.]+(?:px|pt|em|%))/.exec(font)?.[1];

const isFolded = (style: Style) =>
  style.get('overflow') === 'hidden' &&
  (isZero(style.get('max-height')) || isZero(style.get('height')) || isZero(style.get('width')));

/**
 * Returns whether an element is clipped or scaled down to nothing: `clip: rect(0,0,0,0)`, `clip-path:
 * inset(50%)`, `transform: scale(0)`.
 */
const isCut = (style: Style) =>
  /^rect\((?:0[a-z]*[ ,]*){4}\)$/.test(style.get('clip') ?? '') ||
  /^(?:inset\((?:[5-9]\d|100)%\)|circle\(0)/.test(style.get('clip-path') ?? '') ||
  /\bscale\(0?(?:\.0+\d?)?\)/.test(style.get('transform') ?? '');

const isGone = (attributes: Attributes, style: Style): boolean =>
  attributes.has('hidden') ||
  style.get('display') === 'none' ||
  isFaint(style.get('opacity')) ||
  isFarOff(style.get('left')) ||
  isFarOff(style.get('top')) ||
  isFarOff(style.get('margin-left')) ||
  isFolded(style) ||
  isCut(style);

const isInvisible = (visibility: string | undefined, outer: boolean) =>
  visibility === undefined ? outer : visibility === 'hidden' || visibility === 'collapse';

const isIndented = (indent: string | undefined, outer: boolean) =>
  indent === undefined ? outer : isFarOff(indent);

const backgroundOf = (attributes: Attributes, style: Style, inherited: Rgb | null) => {
  const shorthand = style.get('background');
  const declared = style.get('background-color') ?? shorthand ?? attributes.get('bgcolor');
  const pictured =
    attributes.has('background') ||
    style.has('background-image') ||
    shorthand?.includes('url(') ||
    shorthand?.includes('gradient(');
  if (pictured) return null;
  if (declared === undefined || declared === 'transparent' || declared === 'none') return inherited;
  return parseColour(declared);
};

const declaredColour = (tag: string, attributes: Attributes, style: Style) => {
  const declared = style.get('color') ?? (tag === 'font' ? attributes.get('color') : undefined);
  return declared === 'inherit' ? undefined : declared;
};

/**
 * The WCAG contrast ratio below which text cannot be distinguished from its background. A ratio of 1 means
 * the same colour.
 */
const UNREADABLE_CONTRAST = 1.1;

/**
 * Colours whose red, green or blue values differ by more than this (of 255) can be told apart, whatever their
 * contrast ratio.
 */
const MAX_APART = 40;

const isSame = (one: Rgb | null, other: Rgb | null) =>
  one !== null &&
  other !== null &&
  one.every((channel, i) => Math.abs(channel - (other[i] ?? 0)) <= MAX_APART) &&
  contrastRatio(one, other) <= UNREADABLE_CONTRAST;

/** Returns the colour of text. Fully transparent text takes on the colour of its background. */
const textColour = (declared: string, background: Rgb | null): Rgb | null =>
  declared === 'transparent' || /^(?:rgba|hsla)\([^)]*[,/ ]0?\.?0+%?\s*\)$/.test(declared)
    ? background
    : parseColour(declared);

/** Returns the appearance of an element whose parent looks like `outer`. */
export const appearanceOf = (
  tag: string,
  attributes: Attributes,
  style: Style,
  outer: Appearance,
): Appearance => {
  if (style.size === 0 && attributes.size === 0 && tag !== 'a') return outer;
  const background = backgroundOf(attributes, style, outer.background);
  const declared = declaredColour(tag, attributes, style);
  // The mail client chooses the colour of a link, unless the link declares its own.
  const inherited = tag === 'a' ? null : outer.colour;
  const colour = declared === undefined ? inherited : textColour(declared, background);
  const coloured = outer.coloured || declared !== undefined;
  const gone = outer.gone || isGone(attributes, style);
  const invisible = isInvisible(style.get('visibility'), outer.invisible);
  const tiny = isTiny(style.get('font-size') ?? shorthandSize(style.get('font')), outer.tiny);
  const indented = isIndented(style.get('text-indent'), outer.indented);
  const merged = coloured && isSame(colour, background);
  const hidden = gone || invisible || tiny || indented || merged;
  return { hidden, gone, invisible, tiny, indented, colour, coloured, background };
};

/** WCAG 1.4.3 requires a contrast ratio of 4.5, or 3 for large text. Text below 3 always fails. */
const MIN_CONTRAST = 3;

export const isLowContrast = ({ colour, background }: Appearance): boolean =>
  colour !== null && background !== null && contrastRatio(colour, background) < MIN_CONTRAST;
