import { leadingNumber, parseStyle } from './css.ts';
import type { Image } from './document.ts';
import type { Attributes } from './look.ts';

const REMOTE = /^\s*(?:https?:)?\/\//i;

/** At most one pixel either way; one that is told stands for both. */
const isTiny = (attributes: Attributes): boolean => {
  const style = parseStyle(attributes.get('style') ?? '');
  const size = (name: string) =>
    leadingNumber(style.get(name)) ?? leadingNumber(attributes.get(name));
  const [width, height] = [size('width'), size('height')];
  return (width ?? height ?? 2) <= 1 && (height ?? width ?? 2) <= 1;
};

/** An `img`, and whether it is there to be fetched rather than seen. */
export const toImage = (attributes: Attributes, hidden: boolean): Image => {
  const src = attributes.get('src') ?? '';
  return {
    src,
    hasAlt: attributes.has('alt'),
    trackingPixel: REMOTE.test(src) && (hidden || isTiny(attributes)),
  };
};
