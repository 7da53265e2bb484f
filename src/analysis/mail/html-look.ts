import { contrastRatio, leadingNumber, parseColour, parseStyle, type Rgb } from './css.ts';

/** How text inside an element looks, as far as attributes and inline style tell. */
export interface Look {
  readonly hidden: boolean;
  readonly colour: Rgb | null;
  /** null: not known, as with a background image. */
  readonly background: Rgb | null;
}

export const PAGE: Look = { hidden: false, colour: [0, 0, 0], background: [255, 255, 255] };

export type Attributes = ReadonlyMap<string, string>;

type Style = ReadonlyMap<string, string>;

/** Off the screen by more than any mail is wide, in pixels. */
const OFF_SCREEN = -500;

const isZero = (value: string | undefined) => leadingNumber(value) === 0;

const isFarOff = (value: string | undefined) => (leadingNumber(value) ?? 0) <= OFF_SCREEN;

/** Text of one pixel is as good as none. */
const isTiny = (size: string | undefined) => {
  const number = leadingNumber(size);
  return number !== null && number <= 1 && (number === 0 || /px|pt/.test(size ?? ''));
};

const isFolded = (style: Style) =>
  style.get('overflow') === 'hidden' &&
  (isZero(style.get('max-height')) || isZero(style.get('height')) || isZero(style.get('width')));

const hides = (attributes: Attributes, style: Style): boolean =>
  attributes.has('hidden') ||
  style.get('display') === 'none' ||
  style.get('visibility') === 'hidden' ||
  isZero(style.get('opacity')) ||
  isTiny(style.get('font-size')) ||
  isFarOff(style.get('text-indent')) ||
  isFarOff(style.get('left')) ||
  isFarOff(style.get('margin-left')) ||
  isFolded(style);

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

const colourOf = (tag: string, attributes: Attributes, style: Style, inherited: Rgb | null) => {
  const declared = style.get('color') ?? (tag === 'font' ? attributes.get('color') : undefined);
  if (declared === undefined || declared === 'inherit') return tag === 'a' ? null : inherited;
  return parseColour(declared);
};

const isSame = (one: Rgb | null, other: Rgb | null) =>
  one !== null && other !== null && one.every((channel, i) => channel === other[i]);

/** The look of an element inside one that looks like `outer`. */
export const lookOf = (tag: string, attributes: Attributes, outer: Look): Look => {
  const style = parseStyle(attributes.get('style') ?? '');
  if (style.size === 0 && attributes.size === 0 && tag !== 'a') return outer;
  const background = backgroundOf(attributes, style, outer.background);
  const colour = colourOf(tag, attributes, style, outer.colour);
  const ownColours = style.has('color') || attributes.has('color');
  return {
    hidden: outer.hidden || hides(attributes, style) || (ownColours && isSame(colour, background)),
    colour,
    background,
  };
};

/** WCAG 1.4.3 asks for 4.5, and 3 of large text: below 3 nothing passes. */
const MIN_CONTRAST = 3;

export const isLowContrast = ({ colour, background }: Look): boolean =>
  colour !== null && background !== null && contrastRatio(colour, background) < MIN_CONTRAST;
