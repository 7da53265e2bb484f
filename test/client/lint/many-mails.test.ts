/**
 * Tests `deliverability lint` on folders, patterns and many files, on faulty emails, and the lines
 * of findings in all formats.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { playCommand } from '../../support/command/played-console.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mails-'));
  mkdirSync(join(folder, 'deep'));
  mkdirSync(join(folder, 'node_modules/package'), { recursive: true });
  for (const [name, text] of Object.entries(mails))
    writeFileSync(join(folder, name), text, 'latin1');
  // Neither a folder with this name nor a link that leads back is an email.
  mkdirSync(join(folder, 'deep/folder.eml'));
  symlinkSync('..', join(folder, 'deep/back'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const body = Buffer.from(
  '<p>Hello</p>\n<p>More words to read here.</p>\n<a href="http://plain.example/a">a</a>\n',
).toString('base64');

const mails: Record<string, string> = {
  'letter.eml': [
    'From: Shop <shop@example.com>',
    'To: ada@example.net',
    'Subject: Hello {{ first_name }}',
    'Received: from inside',
    ' by outside',
    'Date: yesterday',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello {{ first_name }},',
    'see https://bit.ly/x',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Hello =7B=7B first_name =7D=7D,</p> <p>a long line which goes on an=',
    'd on</p> <a href=3D"https://bit=',
    '.ly/x">here</a>',
    '<a href=3D"http://plain.example/">plain</a><img src=3D"https://x.example/p.png">',
    '--b--',
    '',
  ].join('\n'),
  'deep/encoded.eml': [
    'From a@example.com Fri Nov 20 10:00:00 2026',
    'From: a@example.com',
    'To: b@example.net',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(body.match(/.{1,24}/g) ?? []),
    '',
  ].join('\n'),
  'no-from.eml': 'To: b@example.net\nSubject: x\n\nHi.\n',
  'cr.eml': 'From: a@example.com\rTo: b@example.net\r\rHi.\r',
  'folded.eml': 'From: Shop\n<a@example.com>\nTo: b@example.net\n\nHi.\n',
  'plain.eml': 'Subject: x\n\n',
  'node_modules/package/theirs.eml': 'Subject: x\n\n',
  'notes.txt': 'not an email',
};

const lint = async (...args: readonly string[]) => {
  const { exitCode, stdout, stderr } = await playCommand(['lint', ...args, '--format=json']);
  return { exitCode, stderr, ...JSON.parse(stdout) };
};

describe('a word names', () => {
  const names = async (...words: readonly string[]) => {
    const { mails: found } = await lint(
      ...words.map((word) => join(folder, word)),
      '--fail-on=never',
    );
    return found.map(({ file }: { file: string }) => relative(folder, file));
  };

  test('a folder: all files in it that end in .eml', async () => {
    expect(await names('')).toEqual(
      Object.keys(mails)
        .filter((name) => name !== 'notes.txt' && !name.startsWith('node_modules'))
        .sort(),
    );
  });

  test('a pattern, and each email counts once', async () => {
    expect(await names('*r.eml', 'letter.eml')).toEqual(['cr.eml', 'letter.eml']);
    expect(await names('**/e*.eml')).toEqual(['deep/encoded.eml']);
    expect(await names('*/e*.eml')).toEqual(['deep/encoded.eml']);
    expect(await names('**/t*.eml', '**/p*.eml')).not.toContain('node_modules/package/theirs.eml');
    expect(await names('node_modules')).toEqual(['node_modules/package/theirs.eml']);
    expect(await names('{plain,letter}.eml')).toEqual(['letter.eml', 'plain.eml']);
  });

  test.each([
    ['no email', '*.mail'],
    ['no file', 'gone.eml'],
    ['a link to itself', 'self'],
    ['a name that is too long', 'x'.repeat(300)],
  ])('%s: a mistake in the command line', async (_, word) => {
    symlinkSync('self', join(folder, 'self'));
    onTestFinished(() => rmSync(join(folder, 'self')));
    const { exitCode, error, mails: found } = await lint(join(folder, word));
    expect(exitCode).toBe(2);
    expect((error ?? found[0].error).code).toBe('invalid_command');
  });
});

describe('any fault in an email is a finding', () => {
  const findingsOf = async (name: string) => {
    const { exitCode, findings, judgement } = await lint(join(folder, name));
    expect(exitCode).toBe(1);
    const failed = findings.filter(({ severity }: { severity: string }) => severity === 'fail');
    return { failed: failed.map(({ id }: { id: string }) => id), places: judgement.places };
  };

  test.each([
    ['no-from.eml', 'from_header', 1],
    ['cr.eml', 'bare_newlines', 1],
    ['folded.eml', 'mime_structure', 2],
    ['plain.eml', 'from_header', 1],
  ])('%s: %s', async (name, id, line) => {
    const { failed, places } = await findingsOf(name);
    expect(failed).toContain(id);
    expect(places[id].line).toBe(line);
  });
});

test('an email with a hundred thousand fields is read in time', async () => {
  const mail = join(folder, 'fields');
  writeFileSync(mail, `${'Received: x\n'.repeat(100_000)}From: a@example.com\n\nHi.\n`);
  onTestFinished(() => rmSync(mail));
  expect((await lint(mail)).judgement.places.received_chain.line).toBe(1);
});

describe('the line of a finding', () => {
  const placeIn = async (name: string, id: string) => {
    const { judgement } = await lint(join(folder, name));
    return judgement.places[id];
  };

  test.each([
    ['letter.eml', 'date_header', 6, 'header date'],
    ['letter.eml', 'from_display_name', 1, 'header from'],
    ['letter.eml', 'template_placeholders', 13, 'part 1, text/plain'],
    ['letter.eml', 'link_shortener', 14, 'part 1, text/plain'],
    ['letter.eml', 'link_https', 22, 'part 2, text/html'],
    ['letter.eml', 'images_alt', 22, 'part 2, text/html'],
    ['letter.eml', 'html_quality', 19, 'part 2, text/html'],
    ['deep/encoded.eml', 'from_header', 2, 'header from'],
    ['deep/encoded.eml', 'link_https', 10, 'text/html'],
  ])('%s: %s', async (name, id, line, what) => {
    expect(await placeIn(name, id)).toEqual({ line, what });
  });

  test('is named in all formats', async () => {
    const mail = join(folder, 'letter.eml');
    const of = async (format: string) =>
      (await playCommand(['lint', mail, '--format', format])).stdout;
    expect(await of('github')).toContain(`file=${mail},line=6,title=Date header::`);
    expect(await of('junit')).toContain(`${mail}:6: header date`);
    const { runs } = JSON.parse(await of('sarif'));
    const found = runs[0].results.find(
      ({ ruleId }: { ruleId: string }) => ruleId === 'date_header',
    );
    expect(found.locations[0]).toMatchObject({
      physicalLocation: { region: { startLine: 6 } },
      logicalLocations: [{ name: 'header date' }],
    });
  });
});

test('the view of many emails has a few lines for each, and the total', async () => {
  const { stdout } = await playCommand(['lint', folder, '--min-score=1']);
  expect(stdout).toMatch(/^ {2}0 to \d F {2}.*plain\.eml$/m);
  expect(stdout).toMatch(/ {2}6 emails: \d passed, \d below what you require\./);
});

test('an email that cannot be read hides no other', async () => {
  const { exitCode, stdout } = await playCommand(['lint', folder, join(folder, 'notes.txt')]);
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(
    / {2}7 emails: \d passed, \d below what you require, 1 without a report\./,
  );
  expect(stdout).toMatch(/^ {2}0 to \d F {2}.*plain\.eml$/m);
  expect(stdout).toContain('has no email header.');
});

test('a pipe in a folder is not read', async () => {
  const pipe = join(folder, 'pipe.eml');
  execFileSync('mkfifo', [pipe]);
  onTestFinished(() => rmSync(pipe));
  expect((await playCommand(['lint', folder])).stdout).not.toContain('pipe.eml');
});

test('the summary of a step in GitHub Actions keeps what others wrote, and another file does not', async () => {
  const [summary, other] = ['summary.md', 'other.md'].map((name) => join(folder, name));
  for (const file of [summary, other]) writeFileSync(file ?? '', 'Before.\n');
  const env = { GITHUB_STEP_SUMMARY: summary };
  const formats = [summary, other].map((file) => `--format=markdown=${file}`);
  for (const name of ['plain.eml', 'letter.eml'])
    await playCommand(['lint', join(folder, name), ...formats], env);
  const [kept = '', replaced = ''] = [summary, other].map((file) =>
    readFileSync(file ?? '', 'utf8'),
  );
  expect(kept).toMatch(/^Before\.\n## Deliverability/);
  expect(kept.match(/^## Deliverability/gm)).toHaveLength(2);
  expect(kept.endsWith(replaced)).toBe(true);
  expect(replaced).toMatch(/^## Deliverability/);
});
