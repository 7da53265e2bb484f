import type { Attributes } from './appearance.ts';
import { leadingNumber, parseStyle } from './css.ts';
import type { Image } from './document.ts';

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

/** An `img`, and whether it is there to be fetched rather than seen. */
export const toImage = (attributes: Attributes, hidden: boolean): Image => {
  const src = attributes.get('src') ?? '';
  const size = sizeOf(attributes);
  // A hidden picture of some size is one for another width of the screen.
  const unseen = hidden && size.width === null && size.height === null;
  return {
    src,
    hasAlt: attributes.has('alt'),
    trackingPixel: REMOTE.test(src) && (unseen || isTiny(size)),
    small: isSmall(size),
  };
};
