import { isPublicName, sameOrganization, toDomain } from '../names/domain-names.ts';

/** Suffixes that are more often the end of a file's name than of a domain. */
const FILE_ENDINGS = /\.(?:md|py|rs|sh|pl|ps|zip|mov|cc|so|app|ai)$/i;

const MAX_SHOWN = 300;

/** The domain that a link's text shows, when the text is a domain or a URL; null: it is words. */
const shownDomain = (text: string): string | null => {
  const shown = text.replace(/[\u200b\u00ad\ufeff]/g, '').trim();
  if (shown === '' || shown.length > MAX_SHOWN || /\s/.test(shown)) return null;
  const url = /^https?:\/\//i.test(shown);
  const authority = shown.replace(/^https?:\/\//i, '').split(/[/?#]/, 1)[0] ?? '';
  if (!url && authority.includes('@')) return null;
  const host = authority.slice(authority.lastIndexOf('@') + 1).split(':', 1)[0] ?? '';
  const domain = toDomain(host.replace(/[.,;!]$/, ''));
  if (domain === null || !domain.includes('.') || !isPublicName(domain)) return null;
  return !url && authority === shown && FILE_ENDINGS.test(shown) ? null : domain;
};

/** The domain shown, if it belongs to somebody else than the target. */
export const mismatchOf = (text: string, host: string): string | null => {
  const shown = shownDomain(text);
  return shown !== null && !sameOrganization(shown, host) ? shown : null;
};
