/** Finds the classes and ids that the style sheets of an email hide or show. */

import { type Attributes, appearanceOf, PAGE, parseStyle, type Style } from './appearance.ts';

/** A CSS rule whose selectors name classes or ids. Selectors and declarations are as written. */
interface Rule {
  readonly selectors: string;
  readonly declarations: string;
  /** True if the rule is inside an at-rule such as `@media`. */
  readonly isConditional: boolean;
}

/** Number of characters of the style sheets that are read. */
const MAX_SHEET = 200_000;

const STYLE = /<style\b/i;

/** Returns the text of all `style` elements in an HTML part. */
function sheetsIn(html: string): string {
  const pieces: string[] = [];
  for (let at = html.search(STYLE); at !== -1; ) {
    const start = html.indexOf('>', at) + 1;
    const end = start === 0 ? -1 : html.indexOf('<', start);
    if (end === -1) break;
    pieces.push(html.slice(start, end));
    // From the second tag on, the search is case-sensitive. That is enough for most emails, which have only
    // one or two `style` elements.
    at = html.indexOf(html.slice(at, at + '<style'.length), end);
  }
  return pieces.join('\n').slice(0, MAX_SHEET);
}

/** Removes comments from CSS, including a comment that never ends. */
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

/** Returns the rules of a style sheet in one pass over its braces. */
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

/**
 * Declarations that contain none of these hide nothing. Declarations that contain none of those in `MAY_SHOW`
 * show nothing.
 */
const MAY_HIDE =
  /none|hidden|collapse|(?:size|opacity|height|width)\s*:\s*0|font\s*:|opacity\s*:\s*\.|-\d{3}/i;
const MAY_SHOW = /display|visibility|height|font-size|opacity/i;

const NO_ATTRIBUTES: Attributes = new Map();

/**
 * Returns whether declarations hide an element. A text colour alone does not count, because only the element
 * itself shows which background is behind it.
 */
function hides(style: Style): boolean {
  const { gone, invisible, tiny, indented } = appearanceOf('div', NO_ATTRIBUTES, style, PAGE);
  return gone || invisible || tiny || indented;
}

/** Matches a selector that is a single class or id, with or without an element name: `.x`, `td.x`, `#x`. */
const PLAIN = /^\s*[a-z0-9*]*([.#][\w-]+)\s*$/i;

const withoutColors = (style: Style): Style =>
  new Map([...style].filter(([name]) => !/color|background/.test(name)));

/** Returns the declarations that hide a class or an id, by its selector, such as `.x`. */
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

/** Returns the classes and ids that a media query or an action of the reader makes visible. */
function shownIn(rules: readonly Rule[]): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const { selectors, declarations, isConditional } of rules) {
    if (!(isConditional || selectors.includes(':')) || !MAY_SHOW.test(declarations)) continue;
    if (hides(parseStyle(declarations))) continue;
    for (const [name] of selectors.matchAll(/[.#][\w-]+/g)) shown.add(name);
  }
  return shown;
}

/** Number of classes that are examined per element. */
const MAX_CLASSES = 20;

const namesOf = (attributes: Attributes): readonly string[] => {
  const classes = attributes.get('class')?.trim();
  const id = attributes.get('id')?.trim();
  return [
    ...(classes ? classes.split(/\s+/, MAX_CLASSES).map((one) => `.${one}`) : []),
    ...(id ? [`#${id}`] : []),
  ];
};

/**
 * The rules in an email's style sheets that hide or show classes and ids. Reading them takes time linear in
 * their length.
 */
export class Sheets {
  private readonly rules: readonly Rule[];
  private readonly hiding: ReadonlyMap<string, Style>;
  private shown: ReadonlySet<string> | undefined;

  constructor(html: string) {
    this.rules = rulesIn(withoutComments(sheetsIn(html)));
    this.hiding = hidingIn(this.rules);
  }

  /** Returns whether an element that is hidden on this screen belongs to a layout for other screens. */
  showsElsewhere(attributes: Attributes): boolean {
    this.shown ??= shownIn(this.rules);
    const { shown } = this;
    return shown.size > 0 && namesOf(attributes).some((name) => shown.has(name));
  }

  /**
   * Returns the declarations that hide an element by one of its classes or its id, or `undefined` if none do.
   */
  hidingOf(attributes: Attributes): Style | undefined {
    if (this.hiding.size === 0) return undefined;
    const style = namesOf(attributes)
      .map((name) => this.hiding.get(name))
      .find((one) => one !== undefined);
    return style && !this.showsElsewhere(attributes) ? style : undefined;
  }
}
