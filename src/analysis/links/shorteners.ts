import shorteners from './shorteners.json' with { type: 'json' };

/** Hosts that hide where a link goes, and that others use for the same. */
const SHORTENERS: ReadonlySet<string> = new Set(shorteners);

export const isShortener = (host: string): boolean => {
  const name = host.startsWith('www.') ? host.slice(4) : host;
  return SHORTENERS.has(name);
};
