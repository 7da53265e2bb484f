const MAX_STYLE_LENGTH = 20_000;
const MAX_DECLARATIONS = 200;

/** The declarations of a `style` attribute, in lower case, a later one over an earlier one. */
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

/** The number a length begins with; null: it begins with none. */
export const leadingNumber = (value: string | undefined): number | null => {
  const number = Number.parseFloat(value ?? '');
  return Number.isNaN(number) ? null : number;
};

/** The targets of `url(…)` in a piece of CSS, as written. */
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

export type Rgb = readonly [red: number, green: number, blue: number];

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

/** A colour of CSS or of an old attribute; null: unknown, or partly transparent. */
export const parseColour = (value: string | undefined): Rgb | null => {
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
  // A colour may be written with more than 255.
  const linear = (channel: number) => LINEAR[channel] ?? toLinear(channel);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** WCAG 2.2, "contrast ratio": from 1 (the same) to 21. */
export const contrastRatio = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
