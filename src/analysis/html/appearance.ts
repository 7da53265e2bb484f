import { contrastRatio, leadingNumber, parseColour, type Rgb } from './css.ts';

/** How things inside an element look, as far as attributes and inline style show. */
export interface Appearance {
  /** Nobody sees text here. */
  readonly hidden: boolean;
  /** Nor pictures: no child can undo it. */
  readonly gone: boolean;
  /** These three hide text, and a child may undo them: templates set `font-size:0` on every cell. */
  readonly invisible: boolean;
  readonly tiny: boolean;
  readonly indented: boolean;
  readonly colour: Rgb | null;
  /** The colour was chosen by somebody. */
  readonly coloured: boolean;
  /** null: not known, as with a background image. */
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

/** Off the screen by more than any mail is wide, in pixels. */
const OFF_SCREEN = -500;

const isZero = (value: string | undefined) => leadingNumber(value) === 0;

const isFarOff = (value: string | undefined) => (leadingNumber(value) ?? 0) <= OFF_SCREEN;

/** Text of one pixel is as good as none; a size in `em` or `%` is of the size around it. */
const isTiny = (size: string | undefined, outer: boolean): boolean => {
  const number = leadingNumber(size);
  if (size === undefined || number === null) return size === undefined ? outer : false;
  if (number === 0) return true;
  return /(?:em|%)$/.test(size) ? outer : number <= 1 && /(?:px|pt)$/.test(size);
};

const isFolded = (style: Style) =>
  style.get('overflow') === 'hidden' &&
  (isZero(style.get('max-height')) || isZero(style.get('height')) || isZero(style.get('width')));

const isGone = (attributes: Attributes, style: Style): boolean =>
  attributes.has('hidden') ||
  style.get('display') === 'none' ||
  isZero(style.get('opacity')) ||
  isFarOff(style.get('left')) ||
  isFarOff(style.get('margin-left')) ||
  isFolded(style);

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

const isSame = (one: Rgb | null, other: Rgb | null) =>
  one !== null && other !== null && one.every((channel, i) => channel === other[i]);

/** The look of an element inside one that looks like `outer`. */
export const appearanceOf = (
  tag: string,
  attributes: Attributes,
  style: Style,
  outer: Appearance,
): Appearance => {
  if (style.size === 0 && attributes.size === 0 && tag !== 'a') return outer;
  const background = backgroundOf(attributes, style, outer.background);
  const declared = declaredColour(tag, attributes, style);
  // A link has the client's colour unless it declares one.
  const inherited = tag === 'a' ? null : outer.colour;
  const colour = declared === undefined ? inherited : parseColour(declared);
  const coloured = outer.coloured || declared !== undefined;
  const gone = outer.gone || isGone(attributes, style);
  const invisible = isInvisible(style.get('visibility'), outer.invisible);
  const tiny = isTiny(style.get('font-size'), outer.tiny);
  const indented = isIndented(style.get('text-indent'), outer.indented);
  const merged = coloured && isSame(colour, background);
  const hidden = gone || invisible || tiny || indented || merged;
  return { hidden, gone, invisible, tiny, indented, colour, coloured, background };
};

/** WCAG 1.4.3 asks for 4.5, and 3 of large text: below 3 nothing passes. */
const MIN_CONTRAST = 3;

export const isLowContrast = ({ colour, background }: Appearance): boolean =>
  colour !== null && background !== null && contrastRatio(colour, background) < MIN_CONTRAST;
