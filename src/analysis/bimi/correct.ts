import { parseTagList } from '../syntax/tag-list.ts';

const toHttps = (url: string): string => url.trim().replace(/^http:/i, 'https:');

/** The sender's own BIMI record as it should be; a place in capitals where it names no logo. */
export function correctBimi(record: string): string {
  const tags = parseTagList(record);
  const isUrl = (url: string) => /^https:\/\/[^/]/i.test(url);
  const [logo = '', certificate = ''] = ['l', 'a'].map((name) => toHttps(tags.get(name) ?? ''));
  return [
    'v=BIMI1',
    `l=${isUrl(logo) ? logo : 'https://HOST/LOGO.svg'}`,
    `a=${isUrl(certificate) ? certificate : ''}`,
  ].join('; ');
}
