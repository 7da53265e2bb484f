import type { FastifyRequest } from 'fastify';
import strings from './strings.json' with { type: 'json' };

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export type StringKey = keyof typeof strings;

/** A text of the pages in the reader's language, with its values filled in. */
export type Translate = (
  key: StringKey,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** The texts of one language. */
export const stringsIn = (language: Language): Readonly<Record<StringKey, string>> =>
  Object.fromEntries(
    Object.entries(strings).map(([key, texts]) => [key, texts[language]]),
  ) as Record<StringKey, string>;

const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

/** The language that `?lang=` names; `undefined`: none that there is. */
export function chosenLanguage({ query }: FastifyRequest): Language | undefined {
  const { lang } = query as { readonly lang?: unknown };
  return typeof lang === 'string' && isLanguage(lang) ? lang : undefined;
}

/** The language that the browser likes most of those there are (RFC 9110 §12.5.4). */
export function acceptedLanguage({ headers }: FastifyRequest): Language {
  const wanted = String(headers['accept-language'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => {
      const [range = '', ...parameters] = one.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2) ?? '1';
      return { language: range.split('-', 1)[0], weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
  return wanted.find(isLanguage) ?? 'en';
}
