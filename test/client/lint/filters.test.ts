/** Tests `deliverability lint` with the user's own spam filters. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playCommand } from '../../support/command/played-console.ts';
import {
  answerAsRspamd,
  answerAsSpamd,
  type FakeFilter,
  rspamdAnswer,
  spamdReport,
  startFilter,
} from '../../support/filters/fake-filter.ts';

const MAIL = 'From: a@sender.example\r\nTo: b@other.example\r\nSubject: hello\r\n\r\nhello\r\n';

let folder: string;
let file: string;
let spamd: FakeFilter;
let rspamd: FakeFilter;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lint-filters-'));
  file = join(folder, 'mail.eml');
  writeFileSync(file, MAIL);
  spamd = await startFilter(
    answerAsSpamd(
      spamdReport([' 0.1 MISSING_MID  x', '-1.0 ALL_TRUSTED  x'], 'False ; -0.9 / 5.0'),
    ),
  );
  rspamd = await startFilter(answerAsRspamd(rspamdAnswer({ MISSING_MID: 2.5, MIME_TRACE: 0 })));
});
afterAll(async () => {
  await spamd?.stop();
  await rspamd?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const lint = (...args: string[]) => playCommand(['lint', file, '--at', '2026-11-20', ...args]);
const named = () => [
  ...['--spamd', `127.0.0.1:${spamd.port}`, '--rspamd', `http://127.0.0.1:${rspamd.port}`],
];

test('the command asks the named filters, and says that the email is sent there', async () => {
  const { stdout, stderr } = await lint(...named(), '--fail-on', 'never');
  const where = `The whole email is sent to SpamAssassin at 127.0.0.1:${spamd.port} and to rspamd at http://127.0.0.1:${rspamd.port}, as you asked.`;
  expect(stderr).toContain(where);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain(where);
  expect(text).toContain('The SpamAssassin 4.0.1 that you named: Score −0.9 (threshold 5);');
  expect(text).toContain('+0.1 MISSING_MID: The email has no Message-ID. (message_id agrees)');
  expect(text).toContain("Left out: 1 rule about the recipient's side (−1)");
  expect(text).toContain(
    '+2.5 MISSING_MID: The email has no Message-ID. (message_id agrees) 1 more with 0 points',
  );
  expect(text).toContain('a low one promises nothing');
  expect(rspamd.requests[0]).toContain('\r\nRcpt: recipient@other.example\r\n');
});

test('neither the exit code nor the rest of the report depends on it', async () => {
  const strict = ['--min-score', '1', '--format', 'json'];
  const [alone, asked, away] = await Promise.all([
    lint(...strict),
    lint(...strict, ...named()),
    lint(...strict, '--spamd', '127.0.0.1:1', '--rspamd', 'unix:/nowhere'),
  ]);
  const { filters: none, ...report } = JSON.parse(alone.stdout);
  const { filters, ...others } = JSON.parse(asked.stdout);
  expect(none).toBeUndefined();
  expect(filters).toHaveLength(2);
  expect({ ...others, judgement: null }).toEqual({ ...report, judgement: null });
  expect(asked.exitCode).toBe(alone.exitCode);
  expect(JSON.parse(away.stdout).filters).toMatchObject([
    { status: 'not_checked', reason: 'unreachable' },
    { status: 'not_checked', reason: 'unreachable' },
  ]);
  expect(away.exitCode).toBe(alone.exitCode);
});

test('Markdown contains it, too', async () => {
  const { stdout } = await lint(...named(), '--format', 'markdown', '--fail-on', 'never');
  expect(stdout).toContain('### Second opinion');
  expect(stdout).toContain(
    '- +0.1 MISSING\\_MID: The email has no Message-ID. (message\\_id agrees)',
  );
});

test.each([
  [['--spamd', 'localhost'], '--spamd must be HOST:PORT'],
  [['--rspamd', 'localhost:11333'], '--rspamd must be a URL without a path'],
  [['--rspamd', 'https://x.example'], '--rspamd must be a URL without a path'],
])('%j is a mistake of the command line', async (args, message) => {
  const { exitCode, stderr } = await lint(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
