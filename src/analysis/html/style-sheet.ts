import { type Attributes, appearanceOf, PAGE, parseStyle, type Style } from './appearance.ts';

/** What the style sheets of an email hide and show, by class and id as selectors write them. */
export interface SheetRules {
  readonly hidden: ReadonlySet<string>;
  /** Shown by a media query, or when the reader does something: a layout for other screens. */
  readonly shown: ReadonlySet<string>;
}

const NONE: SheetRules = { hidden: new Set(), shown: new Set() };

/** How much of a sheet is read, in characters. */
const MAX_SHEET = 200_000;

/** The text of all `style` elements. */
function sheetsIn(html: string): string {
  const pieces: string[] = [];
  for (const { index } of html.matchAll(/<style\b/gi)) {
    const start = html.indexOf('>', index) + 1;
    const end = start === 0 ? -1 : html.indexOf('<', start);
    if (end === -1) break;
    pieces.push(html.slice(start, end));
  }
  return pieces.join('\n').slice(0, MAX_SHEET);
}

/** Leaves out comments, also one that never ends. */
function withoutComments(css: string): string {
  const pieces: string[] = [];
  for (let at = 0; at !== -1 && at < css.length; ) {
    const open = css.indexOf('/*', at);
    pieces.push(css.slice(at, open === -1 ? undefined : open));
    const close = open === -1 ? -1 : css.indexOf('*/', open + 2);
    at = close === -1 ? -1 : close + 2;
  }
  return pieces.join(' ');
}

const NO_ATTRIBUTES: Attributes = new Map();

const hides = (style: Style): boolean => appearanceOf('div', NO_ATTRIBUTES, style, PAGE).hidden;

/** Properties by which something hidden comes back. */
const REVEALING = ['display', 'visibility', 'max-height', 'height', 'font-size', 'opacity'];

const reveals = (style: Style): boolean =>
  REVEALING.some((property) => style.has(property)) && !hides(style);

/** A class or an id alone, perhaps with its element: `.x`, `td.x`, `#x`. */
const PLAIN = /^[a-z0-9*]*[.#][\w-]+$/i;

/** Reads a style sheet as far as it hides and shows classes and ids. Linear in its length. */
export function readSheets(html: string): SheetRules {
  const css = withoutComments(sheetsIn(html));
  if (css.trim() === '') return NONE;
  const [hidden, shown] = [new Set<string>(), new Set<string>()];
  const open: string[] = [];
  let from = 0;
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    const text = css.slice(from, index);
    from = index + 1;
    if (brace === '{') {
      open.push(text.trim());
      continue;
    }
    const selectors = open.pop();
    if (selectors === undefined || selectors.startsWith('@')) continue;
    const style = parseStyle(text);
    const isConditional = open.length > 0;
    if (!isConditional && hides(style)) {
      for (const one of selectors.split(',')) if (PLAIN.test(one.trim())) hidden.add(nameOf(one));
    } else if (reveals(style) && (isConditional || selectors.includes(':'))) {
      for (const [name] of selectors.matchAll(/[.#][\w-]+/g)) shown.add(name);
    }
  }
  return { hidden, shown };
}

const nameOf = (selector: string): string => selector.slice(selector.search(/[.#]/)).trim();

/** The class and the id of an element, as selectors write them. */
export function selectorsOf(attributes: Attributes): readonly string[] {
  const classes = attributes.get('class')?.trim() ?? '';
  const id = attributes.get('id')?.trim() ?? '';
  return [
    ...(classes === '' ? [] : classes.split(/\s+/, 20).map((one) => `.${one}`)),
    ...(id === '' ? [] : [`#${id}`]),
  ];
}
