import { type Attributes, appearanceOf, PAGE, parseStyle, type Style } from './appearance.ts';

/** A rule whose selectors name classes or ids, as written. */
interface Rule {
  readonly selectors: string;
  readonly declarations: string;
  /** Within `@media` and its like. */
  readonly isConditional: boolean;
}

/** How much of the sheets is read, in characters. */
const MAX_SHEET = 200_000;

const STYLE = /<style\b/i;

/** The text of all `style` elements. */
function sheetsIn(html: string): string {
  const pieces: string[] = [];
  for (let at = html.search(STYLE); at !== -1; ) {
    const start = html.indexOf('>', at) + 1;
    const end = start === 0 ? -1 : html.indexOf('<', start);
    if (end === -1) break;
    pieces.push(html.slice(start, end));
    // Behind the first one, those of the same case: most emails have one or two.
    at = html.indexOf(html.slice(at, at + '<style'.length), end);
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

/** The rules of a sheet, in one pass over its braces. */
function rulesIn(css: string): readonly Rule[] {
  const rules: Rule[] = [];
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
    if (selectors !== undefined && !selectors.startsWith('@') && /[.#]/.test(selectors))
      rules.push({ selectors, declarations: text, isConditional: open.length > 0 });
  }
  return rules;
}

/** Declarations without which nothing is hidden, and without which nothing is shown. */
const MAY_HIDE =
  /none|hidden|collapse|(?:size|opacity|height|width)\s*:\s*0|font\s*:|opacity\s*:\s*\.|-\d{3}/i;
const MAY_SHOW = /display|visibility|height|font-size|opacity/i;

const NO_ATTRIBUTES: Attributes = new Map();

/** A color hides nothing by itself: what is behind it only the element knows. */
function hides(style: Style): boolean {
  const { gone, invisible, tiny, indented } = appearanceOf('div', NO_ATTRIBUTES, style, PAGE);
  return gone || invisible || tiny || indented;
}

/** A class or an id alone, perhaps with its element: `.x`, `td.x`, `#x`. */
const PLAIN = /^\s*[a-z0-9*]*([.#][\w-]+)\s*$/i;

const withoutColors = (style: Style): Style =>
  new Map([...style].filter(([name]) => !/color|background/.test(name)));

/** What hides a class or an id, by its selector. */
function hidingIn(rules: readonly Rule[]): ReadonlyMap<string, Style> {
  const hiding = new Map<string, Style>();
  for (const { selectors, declarations, isConditional } of rules) {
    if (isConditional || !MAY_HIDE.test(declarations)) continue;
    const style = parseStyle(declarations);
    if (!hides(style)) continue;
    for (const one of selectors.split(',')) {
      const name = PLAIN.exec(one)?.[1];
      if (name !== undefined) hiding.set(name, withoutColors(style));
    }
  }
  return hiding;
}

/** Classes and ids that a media query shows, or something that the reader does. */
function shownIn(rules: readonly Rule[]): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const { selectors, declarations, isConditional } of rules) {
    if (!(isConditional || selectors.includes(':')) || !MAY_SHOW.test(declarations)) continue;
    if (hides(parseStyle(declarations))) continue;
    for (const [name] of selectors.matchAll(/[.#][\w-]+/g)) shown.add(name);
  }
  return shown;
}

/** Classes of an element that are looked at. */
const MAX_CLASSES = 20;

const namesOf = (attributes: Attributes): readonly string[] => {
  const classes = attributes.get('class')?.trim();
  const id = attributes.get('id')?.trim();
  return [
    ...(classes ? classes.split(/\s+/, MAX_CLASSES).map((one) => `.${one}`) : []),
    ...(id ? [`#${id}`] : []),
  ];
};

/** The style sheets of an email, as far as they hide and show classes and ids. Linear in their length. */
export class Sheets {
  private readonly rules: readonly Rule[];
  private readonly hiding: ReadonlyMap<string, Style>;
  private shown: ReadonlySet<string> | undefined;

  constructor(html: string) {
    this.rules = rulesIn(withoutComments(sheetsIn(html)));
    this.hiding = hidingIn(this.rules);
  }

  /** Whether an element that is hidden here is one of a layout for other screens. */
  showsElsewhere(attributes: Attributes): boolean {
    this.shown ??= shownIn(this.rules);
    const { shown } = this;
    return shown.size > 0 && namesOf(attributes).some((name) => shown.has(name));
  }

  /** What a class or the id of an element hides it by. */
  hidingOf(attributes: Attributes): Style | undefined {
    if (this.hiding.size === 0) return undefined;
    const style = namesOf(attributes)
      .map((name) => this.hiding.get(name))
      .find((one) => one !== undefined);
    return style && !this.showsElsewhere(attributes) ? style : undefined;
  }
}
