import type { FastifyRequest } from 'fastify';
import type { ApiSettings } from '../options.ts';
import { assetVersion } from './assets.ts';
import { acceptedLanguage, chosenLanguage, type Language, stringsIn } from './language.ts';
import { type Context, linker, translator } from './view/context.mjs';

/** What a page is written for: this service under its address, and a reader with a language. */
export interface Site extends Context {
  readonly lang: Language;
  /** The language that the address names. */
  readonly chosen: Language | undefined;
  readonly baseUrl: string;
  /** The prefix of all paths; empty without one. */
  readonly root: string;
  /** The path of a static file, in this version. */
  readonly asset: (name: string) => string;
}

let known = { baseUrl: '', prefix: '' };

/** The prefix that the paths of a service have for its clients. Asked for at each request. */
export function pathPrefix(baseUrl: string): string {
  if (known.baseUrl !== baseUrl)
    known = { baseUrl, prefix: new URL(baseUrl).pathname.replace(/\/$/, '') };
  return known.prefix;
}

/** The path as the routes know it. */
export const withoutPrefix = (url: string, prefix: string): string =>
  prefix !== '' && url.startsWith(prefix) && /^[/?]|^$/.test(url.slice(prefix.length))
    ? url.slice(prefix.length).replace(/^(?!\/)/, '/')
    : url;

export function siteOf(request: FastifyRequest, settings: Pick<ApiSettings, 'baseUrl'>): Site {
  const baseUrl = settings.baseUrl();
  const root = pathPrefix(baseUrl);
  const chosen = chosenLanguage(request);
  const lang = chosen ?? acceptedLanguage(request);
  return {
    lang,
    chosen,
    baseUrl,
    root,
    timeZone: 'UTC',
    t: translator(stringsIn(lang)),
    ...linker(root, chosen),
    asset: (name) => `${root}/assets/${assetVersion}/${name}`,
  };
}

/** Names a page in a language, for what was made once. */
export const siteKey = ({ baseUrl, lang, chosen }: Site) => `${baseUrl} ${lang} ${chosen ?? ''}`;
