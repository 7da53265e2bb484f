import { escapeHtml } from '../pages/view/html.mjs';

/** `/sitemap.xml`: the pages that do not depend on a test. */
export function sitemap(baseUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** `/robots.txt`: the pages are for everyone, tests for nobody. */
export const robots = (baseUrl: string) =>
  `User-agent: *\nDisallow: /v1/tests\nDisallow: /t/\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
