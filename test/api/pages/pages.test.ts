/**
 * Tests the HTML of every page (headings, links, files and escaping), also behind a path prefix, how static
 * files are cached, and what the privacy and method pages say.
 */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/analysis/checks.ts';
import { texts } from '../../../src/api/pages/texts.ts';
import { escapeHtml, translator } from '../../../src/api/pages/view/html.mjs';
import { MAIL_CLASSES } from '../../../src/domain/report/message.ts';
import { requirements } from '../../../src/domain/requirements.ts';
import { anApi, BASE_URL, created, given, TOKEN } from '../harness.ts';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

const FIXED = ['/', '/sample', '/findings', '/method', '/errors', '/privacy'];
const PAGES = [...FIXED, '/findings/spf_record', '/t/abcdefgh2345'];

type App = Awaited<ReturnType<typeof anApi>>['app'];

/** Requests a page as a browser does. */
async function pageOf(app: App, url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers: { accept, ...headers } });
  expect(answer.statusCode, url).toBe(200);
  return answer;
}

/** Returns the paths that a page refers to. */
const linksIn = (body: string) => [
  ...new Set(
    [...body.matchAll(/\s(?:href|src)="([^"#]*)/g)]
      .map(([, url = '']) => url)
      .filter((url) => url.startsWith('/')),
  ),
];

test('every page loads only files of this service, and has no inline style or script', async () => {
  const { app } = await anApi();
  for (const url of PAGES) {
    const { body, headers } = await pageOf(app, url);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
    expect(headers['set-cookie']).toBeUndefined();
    expect(body, url).not.toMatch(/\sstyle=|\son\w+=|javascript:/);
    const scripts = body.match(/<script[^>]*>/g) ?? [];
    for (const script of scripts)
      expect(script).toMatch(/ type="(module" src="\/assets\/|application\/ld\+json")/);
    for (const [, loaded] of body.matchAll(
      /<(?:img|script|link rel="(?:stylesheet|icon|modulepreload)")[^>]* (?:src|href)="([^"]*)"/g,
    ))
      expect(loaded, url).toMatch(/^\//);
  }
});

test('a browser that translates a page leaves records, addresses and commands as they are', () => {
  const files = globSync('src/api/pages/**/*.{ts,mjs}');
  const sources = files.map((file) => readFileSync(file, 'utf8')).join('');
  expect(sources).toContain('<code translate="no">');
  expect(sources).not.toMatch(/<code(?! translate="no")/);
});

test('every link and file that a page names responds', async () => {
  const { app } = await anApi();
  const bodies = await Promise.all(PAGES.map(async (url) => (await pageOf(app, url)).body));
  for (const url of new Set(bodies.flatMap(linksIn)))
    expect((await app.inject({ url, headers: { accept } })).statusCode, url).toBe(200);
});

test('every page has one heading, a title and a description of its own', async () => {
  const { app } = await anApi();
  const seen = new Set<string>();
  for (const url of [...FIXED, ...checks.map(({ id }) => `/findings/${id}`)]) {
    const { body } = await pageOf(app, url);
    expect(body.match(/<h1/g), url).toHaveLength(1);
    expect(body).toContain(`<link rel="canonical" href="${BASE_URL}${url}">`);
    seen.add(/<title>(.*?)<\/title>/.exec(body)?.[1] ?? '');
    seen.add(/<meta name="description" content="(.{50,}?)">/.exec(body)?.[1] ?? '');
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1];
    if (data) expect(JSON.parse(data)['@context']).toBe('https://schema.org');
  }
  expect(seen).not.toContain('');
  expect(seen.size).toBe(2 * (FIXED.length + checks.length));
});

test('the page of a finding explains it without placeholders', async () => {
  const { app } = await anApi();
  for (const { id } of checks) {
    const { body } = await pageOf(app, `/findings/${id}`);
    const text = body.slice(body.indexOf('<main')).replace(/<(script|pre)[\s\S]*?<\/\1>/g, '');
    for (const part of ['what', 'why', 'how', 'examples', 'cost'])
      expect(text, id).toContain(`<h2 id="${part}">`);
    // The check `template_placeholders` is about the look of placeholders, so its text contains some.
    if (id !== 'template_placeholders') expect(text, id).not.toMatch(/[{}]|undefined|\[object/);
  }
});

test.each([
  ['/?lang=de', 'en'],
  ['/?lang=xx', 'en'],
  ['/findings/spf_record?lang=de', 'de-AT,de;q=0.9'],
  ['/', 'de'],
])(
  'every reader gets the only language there is, and it is declared: %s, %s',
  async (url, wanted) => {
    const { app } = await anApi();
    const { body, headers } = await pageOf(app, url, { 'accept-language': wanted });
    expect(body).toBe((await pageOf(app, url.replace(/\?.*/, ''))).body);
    expect(body).toContain('<html lang="en"');
    expect(body).not.toMatch(/hreflang|lang=(?!"en" data-root)/);
    expect(headers.vary).toBe('Accept, Accept-Encoding');
  },
);

describe('behind a path prefix', () => {
  const prefixed = () => anApi({ settings: { baseUrl: () => 'https://mail.example/tools/mail' } });

  test.each(PAGES)('%s refers to nothing outside it', async (url) => {
    const { app } = await prefixed();
    const { body } = await pageOf(app, url);
    const own = linksIn(body);
    expect(own.length).toBeGreaterThan(5);
    for (const link of own) expect(link).toMatch(/^\/tools\/mail\//);
    expect(body).toContain('data-root="/tools/mail"');
  });

  test('a proxy may remove the prefix or keep it', async () => {
    const { app } = await prefixed();
    for (const url of ['/findings', '/tools/mail/findings', '/tools/mail', '/tools/mail?lang=de'])
      await pageOf(app, url);
    for (const url of ['/tools/mailbox', '/tools', '/tools/mail/nothing'])
      expect((await app.inject(url)).statusCode, url).toBe(404);
  });
});

describe('static files', () => {
  test('are cached for a year under the version of the page, and briefly under another', async () => {
    const { app } = await anApi();
    const { body } = await pageOf(app, '/');
    const url = /href="(\/assets\/[^"]*style\.css)"/.exec(body)?.[1] ?? '';
    expect((await app.inject(url)).headers['cache-control']).toContain('immutable');
    const old = await app.inject(url.replace(/assets\/[^/]*/, 'assets/old'));
    expect([old.statusCode, old.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
  });

  test('texts that the browser modules name are sent to them', async () => {
    const { app } = await anApi();
    const sent = (await app.inject('/assets/x/browser/page.mjs')).body;
    const code = globSync('src/api/pages/{browser,view}/*.mjs').map((path) =>
      readFileSync(path, 'utf8'),
    );
    const named = Object.keys(texts).filter((key) => code.join('').includes(`'${key}'`));
    expect(named.length).toBeGreaterThan(150);
    for (const key of named) expect(sent).toContain(`"${key}":`);
  });

  test.each(['../package.json', '..%2fpage.mjs', 'constructor', 'browser/tsconfig.json', ''])(
    'nothing else is served: %s',
    async (name) => {
      const { app } = await anApi();
      expect((await app.inject(`/assets/x/${name}`)).statusCode).toBe(404);
    },
  );
});

test('a page that does not exist says so to a browser, and keeps the policy of pages', async () => {
  const { app } = await anApi();
  const policy = (await pageOf(app, '/')).headers['content-security-policy'];
  for (const url of [
    '/nothing',
    '/findings/nothing',
    '/t/a/b',
    '/t/',
    '/t/short',
    '/t/ABCDEFGH2345',
  ]) {
    const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
    expect([statusCode, headers['content-security-policy']], url).toEqual([404, policy]);
    expect(body).toContain('<h1>There is nothing here</h1>');
    expect(body).toContain('content="noindex"');
    expect((await app.inject(url)).json(), url).toMatchObject({ code: 'not_found' });
  }
});

test('one is singular, and two are plural', () => {
  const t = translator(texts);
  expect([t('gain', { points: 1 }), t('gain', { points: 2 })]).toEqual(['+1 point', '+2 points']);
  expect(t('more_results', { n: 1 })).toBe('1 more result, nothing to do');
});

test('characters that change the direction of text are shown', () => {
  expect(escapeHtml('a\u202egnp.exe<')).toBe('a[U+202E]gnp.exe&lt;');
});

test('the page of a test is the same for every test, and is not indexed by search engines', async () => {
  const { app } = await anApi();
  const [one, other] = await Promise.all([
    pageOf(app, '/t/abcdefgh2345'),
    pageOf(app, '/t/zzzzzzzz7777'),
  ]);
  expect(one.body).toBe(other.body);
  expect(one.body).toContain('<meta name="robots" content="noindex">');
  expect((await app.inject('/robots.txt')).body).toContain('Disallow: /t/');
});

test.each([TOKEN, ` ${TOKEN}\n`, `#${TOKEN}`, `${BASE_URL}/t/abcdefgh2345#${TOKEN}`])(
  'without JavaScript, a reader may paste the key or the link: %j',
  async (pasted) => {
    const api = await anApi();
    await given(api, created());
    const { body, statusCode } = await api.app.inject({
      method: 'POST',
      url: '/t/abcdefgh2345',
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams({ read_token: pasted })),
    });
    expect(statusCode).toBe(200);
    expect(body).toContain('Send one email to this address');
    expect(body).not.toContain(TOKEN);
  },
);

test('the tests that the privacy page names exist', async () => {
  const { app } = await anApi();
  const { body } = await pageOf(app, '/privacy');
  const named = [...body.matchAll(/<code translate="no" class="path">(.*?)<\/code>/g)].map(
    ([, path = '']) => path.replaceAll('<wbr>', ''),
  );
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) expect(readFileSync(path, 'utf8').length, path).toBeGreaterThan(0);
});

test('the privacy page says when a filter of the operator reads emails', async () => {
  const without = await pageOf((await anApi()).app, '/privacy');
  expect(without.body).not.toContain('spam filter');
  const { app } = await anApi({ settings: { asksFilters: true } });
  const { body } = await pageOf(app, '/privacy');
  expect(body).toContain('checked by its own spam filter, in its own network');
});

test('the method page shows every check that costs points, every kind, sign and requirement', async () => {
  const { app } = await anApi();
  const { body } = await pageOf(app, '/method');
  const { findings } = (await app.inject({ url: '/findings' })).json<{
    findings: { id: string; states: { points: number; severity: string }[] }[];
  }>();
  const costly = findings.filter(({ states }) => states.some(({ points }) => points > 0));
  for (const { id } of costly) expect(body).toContain(`/findings/${id}"`);
  for (const name of Object.keys(MAIL_CLASSES)) expect(body).toContain(`>${name}</code>`);
  for (const { source, since } of requirements) {
    expect(body).toContain(source.replaceAll('&', '&amp;'));
    expect(body).toContain(since);
  }
});
