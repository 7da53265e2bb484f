import { plainText } from './plain-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

const escapeBy = (text: string, pattern: RegExp) =>
  plainText(text).replace(pattern, (char) => ENTITIES[char] ?? char);

/** An element; `children` are elements already, or text that was escaped. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const all = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeBy(String(value), /[&<>"\n]/g)}"`,
  );
  const head = `<${name}${all.join('')}`;
  return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}>`;
}

export const xmlText = (text: string): string => escapeBy(text, /[&<>]/g);
