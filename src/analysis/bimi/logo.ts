/** Judges the logo of a BIMI record: its size, and what SVG Tiny PS requires. */

/** Receivers accept no larger logo (draft-svg-tiny-ps-abrotman). */
export const MAX_LOGO_KB = 32;

/** The root element of a logo, and what the rest contains that SVG Tiny PS forbids. */
export interface LogoReading {
  readonly baseProfile: string | null;
  readonly version: string | null;
  /**
   * True if the logo is square, by its `viewBox`, or otherwise by its width and height. Null if neither is
   * present.
   */
  readonly square: boolean | null;
  readonly titlePresent: boolean;
  /** Faults as phrases. Empty if the logo is valid. */
  readonly errors: readonly string[];
  /** The first element or attribute that must be removed. */
  readonly badElement: string | null;
}

/**
 * Scripts, animation, raster images and anything loaded from elsewhere. SVG Tiny PS excludes all of them.
 */
const FORBIDDEN = new Set(
  'script handler listener animate animatecolor animatemotion animatetransform set discard image video audio animation foreignobject iframe a'.split(
    ' ',
  ),
);

/** Most elements listed in a report. */
const MAX_ERRORS = 20;

const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
// Matches only at the beginning of a name. Otherwise a long name would be read again from each of its
// letters.
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Judges a BIMI logo without drawing it. It is a scanner, not an XML parser. Entities are forbidden, together
 * with the DOCTYPE that declares them, so nothing can expand.
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
      if (/^(?:xlink:)?href$/i.test(key) && !value.startsWith('#')) forbid(`${key}= to elsewhere`);
      if (/url\((?!\s*['"]?\s*#)/i.test(value)) forbid(`${key}= to elsewhere`);
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
 * Removes everything between two marks. If the second mark is missing, everything after the first is removed.
 * Takes linear time.
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

/** Returns a Map, because the names come from the sender. */
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
