/**
 * Reads a BIMI logo, lists the ways in which it breaks the SVG Tiny PS profile, and determines whether it is
 * square.
 */

/** Maximum size of a logo that receivers accept, in kilobytes (draft-svg-tiny-ps-abrotman). */
export const MAX_LOGO_KB = 32;

/** The attributes of a logo's root element, and everything in the file that SVG Tiny PS forbids. */
export interface LogoReading {
  readonly baseProfile: string | null;
  readonly version: string | null;
  /**
   * True if the logo is square according to its `viewBox`, or according to its width and height if there is
   * no `viewBox`. Null if neither is present.
   */
  readonly square: boolean | null;
  readonly titlePresent: boolean;
  /** Faults of the logo, as phrases. Empty if the logo is valid. */
  readonly errors: readonly string[];
  /** The first element or attribute that must be removed from the logo. Null if there is none. */
  readonly badElement: string | null;
}

/**
 * Elements that SVG Tiny PS forbids: scripts, animation, raster images, and anything loaded from elsewhere.
 */
const FORBIDDEN = new Set(
  'script handler listener animate animatecolor animatemotion animatetransform set discard image video audio animation foreignobject iframe a'.split(
    ' ',
  ),
);

/** Maximum number of faults that a report lists. */
const MAX_ERRORS = 20;

// The lookarounds make a match contain a whole name. Otherwise a long name would be scanned again from each of
// its letters.
const TAG = /<(\/?)([A-Za-z][\w:.-]*)(?![\w:.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Judges a BIMI logo without rendering it. A scanner is enough, and no XML parser is used. Entities are
 * forbidden, together with the DOCTYPE that declares them, so nothing can expand.
 */
export function readLogo(text: string): LogoReading {
  const source = without(without(text, '<!--', '-->'), '<![CDATA[', ']]>');
  const errors = new Set<string>();
  let badElement: string | null = null;
  const forbid = (what: string) => {
    badElement ??= what;
    errors.add(`${what} is not allowed`);
  };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(source)) forbid('<!DOCTYPE>');

  let root: ReadonlyMap<string, string> | null = null;
  let title = '';
  for (const match of source.matchAll(TAG)) {
    const [, closing, name = '', rest = ''] = match;
    const element = name.replace(/^svg:/, '');
    if (closing) continue;
    const attributes = readAttributes(rest);
    if (!root) {
      if (element !== 'svg') break;
      root = attributes;
    } else if (element === 'title' && title === '') {
      title =
        source
          .slice(match.index + match[0].length)
          .split('<', 1)[0]
          ?.trim() ?? '';
    }
    if (FORBIDDEN.has(element.toLowerCase())) forbid(`<${element}>`);
    for (const [key, value] of attributes) {
      if (/^on/i.test(key)) forbid(`${key}=`);
      if (/^(?:xlink:)?href$/i.test(key) && !value.startsWith('#'))
        forbid(`an external reference in ${key}=`);
      if (/url\((?!\s*(?:['"]\s*)?#)/i.test(value)) forbid(`an external reference in ${key}=`);
    }
  }
  if (!root) return notSvg(errors);

  const baseProfile = root.get('baseProfile') ?? null;
  const version = root.get('version') ?? null;
  if (version !== '1.2') errors.add('version= is not 1.2');
  if (baseProfile !== 'tiny-ps') errors.add('baseProfile= is not tiny-ps');
  if (title === '') errors.add('<title> is missing');
  for (const key of ['x', 'y']) if (root.has(key)) forbid(`${key}= on the root`);
  return {
    baseProfile,
    version,
    square: isSquare(root),
    titlePresent: title !== '',
    errors: [...errors].slice(0, MAX_ERRORS),
    badElement,
  };
}

/**
 * Removes everything between each pair of delimiters, in linear time. If the closing delimiter is missing,
 * the rest of the text is removed.
 */
function without(text: string, open: string, close: string): string {
  const kept: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at);
    if (start < 0) return kept.concat(text.slice(at)).join('');
    kept.push(text.slice(at, start));
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return kept.join('');
    at = end + close.length;
  }
}

const notSvg = (errors: ReadonlySet<string>): LogoReading => ({
  baseProfile: null,
  version: null,
  square: null,
  titlePresent: false,
  errors: ['the file is not an SVG', ...errors],
  badElement: null,
});

/**
 * Returns the attributes of an element in a Map, because an attribute's name comes from the sender and may be
 * `__proto__`.
 */
const readAttributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      name,
      double ?? single ?? '',
    ]),
  );

function isSquare(root: ReadonlyMap<string, string>): boolean | null {
  const box = root
    .get('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] =
    box?.length === 4
      ? [box[2], box[3]]
      : [Number.parseFloat(root.get('width') ?? ''), Number.parseFloat(root.get('height') ?? '')];
  return Number.isFinite(width) && Number.isFinite(height) ? width === height : null;
}
