/**
 * Tests the help, the options and the errors of the `deliverability` command, and what `diff` calls
 * better or worse.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { sampleReport } from '../../src/analysis/sample.ts';
import { COMMAND_VERSION } from '../../src/client/identity.ts';
import { tooOld } from '../../src/client/node-version.ts';
import { playCommand } from '../support/command/played-console.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** Returns a URL at which nobody listens any more. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test('the version is that of the package', async () => {
  expect(COMMAND_VERSION).toBe(manifest.version);
  expect(await playCommand(['--version'])).toMatchObject({
    exitCode: 0,
    stdout: `${manifest.version}\n`,
  });
});

const COMMANDS = [
  ...['check', 'new', 'wait', 'report', 'delete', 'diff', 'lint', 'domain', 'findings', 'mcp'],
];

test.each(COMMANDS)('%s explains itself, with examples', async (name) => {
  const all = await playCommand(['--help']);
  const one = await playCommand([name, '--help']);
  expect([all.exitCode, one.exitCode]).toEqual([0, 0]);
  expect(all.stdout).toContain(`  ${name}`);
  expect(one.stdout).toMatch(new RegExp(`^deliverability ${name} `));
  expect(one.stdout).toMatch(new RegExp(`\\nExamples:\\n  deliverability ${name}`));
  for (const line of (all.stdout + one.stdout).split('\n')) {
    expect(line.length).toBeLessThan(105);
    expect(line).not.toMatch(/^ {2}--\S+ \S+\][A-Z]/);
  }
});

test('a version of Node.js is too old before 20', () => {
  expect(tooOld('18.20.8')).toBe(
    'deliverability needs Node.js 20 or newer, and this is 18.20.8.\n',
  );
  expect([tooOld('20.0.0'), tooOld('100.1.0')]).toEqual([null, null]);
});

test.each([[['help']], [['help', 'lint']], [['--help', 'lint']]])('%j helps', async (args) => {
  const asked = args.slice(1).map((name) => [name, '--help'])[0] ?? ['--help'];
  expect(await playCommand(args)).toEqual(await playCommand(asked));
});

test.each([
  ['0', false],
  ['false', false],
  ['1', true],
])('FORCE_COLOR=%s', (value, isColored) => {
  const main = fileURLToPath(new URL('../../src/client/main.ts', import.meta.url));
  const env = { FORCE_COLOR: value };
  const args = [main, 'findings', 'dkim_valid'];
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(stdout).toContain('dkim_valid');
  expect(stdout.includes('\u001b')).toBe(isColored);
});

test('- is stdout', async () => {
  expect(
    await playCommand(['report', 'samplereport', '--format', 'json=-', '--format', 'view']),
  ).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Only one --format can go to stdout'),
  });
});

test.each([
  [[], 'No command was given'],
  [['chek'], 'There is no command chek'],
  [['check'], 'No service was given'],
  [['check', '--service', 'mailtest.example'], '--service must be a URL'],
  [['check', '--min-score', '101'], '--min-score must be a number from 0 to 100'],
  [['check', '--fail-on', 'error'], '--fail-on must be fail, warn or never'],
  [['check', '--require', 'spf_resalt'], 'there is no finding spf_resalt'],
  [['check', '--format', 'xml'], '--format must be view, json, junit, sarif, github or markdown'],
  [['lint', '--format', 'jsno', '-'], 'Did you mean json?'],
  [['chekc'], 'Did you mean check?'],
  [['lint', '--fial-on', 'warn', '-'], 'Did you mean --fail-on?'],
  [['lint', '--require', 'dkim_vald', '-'], 'Did you mean dkim_valid? `deliverability findings`'],
  [['lint', '--require', 'bimi', '-'], 'These contain the word: bimi_record, bimi_dmarc_ready'],
  [['findings', 'dkim_vald'], 'Did you mean dkim_valid?'],
  [['findings', '--format', 'yaml'], '--format must be view or json, not yaml'],
  [['check', '--format', 'json', '--format', 'junit'], 'Only one --format can go to stdout'],
  [['check', '--max-price', 'free'], '--max-price must be an amount in USD'],
  [['check', '--network', 'eip155:1'], '--network must be eip155:8453 or eip155:84532'],
  [['check', '--smtp', 'mail.example.com'], '--smtp must be a URL'],
  [['check', '--smtp', 'smtp://', '--from', 'a@b.example'], '--smtp must be a URL'],
  [
    ['check', '--smtp', 'smtp://me:100%@mail.example.com', '--from', 'a@b.example'],
    'write %25 for %',
  ],
  [['check', '--smtp', 'smtp://me:1#a@mail.example.com', '--from', 'a@b.example'], '%23 for #'],
  [['check', '--smtp', 'smtp://me:1/a@mail.example.com', '--from', 'a@b.example'], '%2F for /'],
  [['check', '--smtp', 'smtp://mail.example.com'], '--smtp needs --from'],
  [
    ['check', '--smtp', 'smtp://mail.example.com', '--from', 'A <a@b.example>'],
    '--from must be an',
  ],
  [
    ['check', '--service', 'https://mailtest.example', '--key-file', tmpdir()],
    'cannot be read (EISDIR)',
  ],
  [['check', '--colour'], "Unknown option '--colour'"],
  [['check', '--send', ' ', '--service', 'https://mailtest.example'], '--send is empty'],
  [['report'], 'TEST is missing'],
  [['lint', ''], 'FILE is missing'],
  [['domain', '192.0.2.25'], 'is not a public domain name'],
  [['domain', '_dmarc.example.com'], 'Name the domain, such as example.com.'],
  [['domain', 's1._domainkey.example.com'], 'Name the domain, such as example.com.'],
  [
    ['report', 'abcdefgh2345', '--service', 'https://mailtest.example'],
    'The read token is missing',
  ],
  [['delete', 'abcdefgh2345'], 'The read token is missing'],
  [['wait', 'nowhere.json'], 'nowhere.json cannot be read (ENOENT)'],
  [['lint', 'nowhere.eml'], 'nowhere.eml cannot be read'],
  [['lint', '-', '--ip', '300.1.1.1'], '--ip must be an IP address'],
  [['diff', 'a.json'], 'AFTER is missing'],
  [['diff', 'package.json', 'a.json'], 'is not a report on one email'],
  [['lint', 'docs/images/'], "use a pattern such as 'docs/images/*'"],
])('%j is a mistake in the command line', async (args, reason) => {
  const { exitCode, stdout, stderr } = await playCommand(args);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
});

test.each([
  'https://user:hunter2@mailtest.example',
  'https://mailtest.example/t/abcdefgh2345#hunter2',
  'https://mailtest.example/?key=hunter2',
])('%s is not the URL of a service, and is not printed', async (url) => {
  const { exitCode, stderr } = await playCommand(['new', '--service', url]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--service must be the URL of the service alone');
  expect(stderr).not.toContain('hunter2');
});

test.each([
  ['HTTP://mailtest.example', true],
  ['http://localhost.example', true],
  ['http://localhost:1', false],
  ['http://127.0.0.1:1', false],
])('a service at %s is said to be without TLS: %s', async (url, isSaid) => {
  const { stderr } = await playCommand(['new', '--service', url, '--retry-for', '0']);
  expect(stderr.includes('is called without TLS')).toBe(isSaid);
});

test('an invalid key is refused without being printed', async () => {
  const env = {
    DELIVERABILITY_URL: 'https://mailtest.example',
    DELIVERABILITY_KEY: 'hunter2hunter2',
  };
  const { exitCode, stderr } = await playCommand(['check'], env);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('64 hex digits');
  expect(stderr).not.toContain('hunter2');
});

test.each([
  ['check', []],
  ['report', ['abcdefgh2345']],
  ['wait', ['abcdefgh2345']],
])(
  '%s ends with 5 if the service is unavailable, and with 0 if that is allowed',
  async (name, test_) => {
    const args = [name, ...test_, '--service', await closedUrl(), '--retry-for', '0'];
    const env = { DELIVERABILITY_READ_TOKEN: 'token' };
    const hard = await playCommand(args, env);
    const soft = await playCommand([...args, '--soft'], env);
    expect([hard.exitCode, soft.exitCode]).toEqual([5, 0]);
    for (const { stdout, stderr } of [hard, soft])
      expect(stdout + stderr).toContain('The service is unavailable');
    expect(soft.stderr).toContain('The build continues');
  },
);

test('a server that is not the service is reported as such', async () => {
  const server = createServer((_, response) => response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { exitCode, stderr } = await playCommand(['new', '--service', `http://127.0.0.1:${port}`]);
  expect(exitCode).toBe(5);
  expect(stderr).toContain('This is not a deliverability test service');
});

test('a redirect is not followed, because it would take the token elsewhere', async () => {
  const seen: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    seen.push(url);
    response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const args = ['report', 'abcdefgh2345', '--service', `http://127.0.0.1:${port}`];
  const { exitCode, stdout, stderr } = await playCommand(args, {
    DELIVERABILITY_READ_TOKEN: 'token',
  });
  expect([exitCode, seen.length]).toEqual([2, 1]);
  expect(stdout + stderr).toContain('The service has moved');
});

test('diff names what became worse, and ends with 1 for it', async () => {
  const worse = {
    ...sampleReport,
    score: sampleReport.score - 10,
    findings: sampleReport.findings.map((one) =>
      one.id === 'spf_result' ? { ...one, severity: 'fail' as const } : one,
    ),
  };
  const before = file('before.json', JSON.stringify(sampleReport));
  const after = file('after.json', JSON.stringify(worse));
  const diff = await playCommand(['diff', before, after]);
  expect(diff.exitCode).toBe(1);
  expect(diff.stdout).toMatch(/-10/);
  expect(diff.stdout).toMatch(/worse +pass -> fail +SPF result/);
  expect((await playCommand(['diff', after, before])).exitCode).toBe(0);
  expect((await playCommand(['diff', before, before])).stdout).toContain('No finding changed');
  const json = await playCommand(['diff', before, after, '--format', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ worse: true, changes: [{ id: 'spf_result' }] });
});

test('diff calls nothing better or worse whose result is unknown', async () => {
  const withState = (change: object) => ({
    ...sampleReport,
    findings: sampleReport.findings.map((one) =>
      one.id === 'dmarc_policy' ? { ...one, ...change } : one,
    ),
  });
  const known = file('known.json', JSON.stringify(withState({ severity: 'warn' })));
  const open = file('open.json', JSON.stringify(withState({ severity: 'info', checked: false })));
  const lost = await playCommand(['diff', known, open]);
  expect(lost.stdout).toMatch(/other +warn -> unknown +DMARC policy/);
  const learnt = await playCommand(['diff', open, known]);
  expect([lost.exitCode, learnt.exitCode]).toEqual([0, 0]);
});

test('lint accepts raw letters in headers if the email is sent with SMTPUTF8', async () => {
  const mail = file(
    'raw.eml',
    'From: a@example.com\nTo: b@example.net\nSubject: Größe\n\nHello.\n',
  );
  const severity = async (...more: readonly string[]) => {
    const { stdout } = await playCommand(['lint', mail, '--format', 'json', ...more]);
    const { findings } = JSON.parse(stdout) as typeof sampleReport;
    return findings.find(({ id }) => id === 'eight_bit_headers')?.severity;
  };
  expect([await severity(), await severity('--smtputf8')]).toEqual(['warn', 'pass']);
});
