import { parseTagList } from '../syntax/tag-list.ts';

const toHttps = (url: string): string => url.trim().replace(/^http:/i, 'https:');

/** The sender's own BIMI record as it should be; null: it names no logo. */
export function correctBimi(record: string): string | null {
  const tags = parseTagList(record);
  const isUrl = (url: string) => /^https:\/\/[^/]/i.test(url);
  const [logo = '', certificate = ''] = ['l', 'a'].map((name) => toHttps(tags.get(name) ?? ''));
  return isUrl(logo) ? `v=BIMI1; l=${logo}; a=${isUrl(certificate) ? certificate : ''}` : null;
}
