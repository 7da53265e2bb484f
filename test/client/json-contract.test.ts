/**
 * Tests the JSON output of the command against its schemas: reports, failures and mistakes in the
 * command line.
 */

import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { EXIT } from '../../src/client/exit.ts';
import { commandSchema } from '../../src/client/formats/json-schema.ts';
import { playCommand } from '../support/command/played-console.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const reportSchema = JSON.parse(readFileSync('docs/api/report-2.schema.json', 'utf8'));
const isReport = ajv.compile(reportSchema);
ajv.addSchema({ ...reportSchema, $id: undefined }, 'report-2.schema.json');
const isOutput = ajv.compile(commandSchema);

const valid = (text: string) => {
  const value = JSON.parse(text);
  isOutput(value);
  expect(isOutput.errors).toBeNull();
  return value;
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'json-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content, 'latin1');
  return join(folder, name);
};

/** Starts a service that gives these responses by path, and counts the requests. */
async function playService(answers: Record<string, readonly [number, object]>) {
  const asked: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const [status, body] = answers[`${method} ${url}`] ?? [404, problem('not_found')];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

const problem = (code: string, more = {}) => ({ title: 'No.', status: 400, code, ...more });

const ID = 'abcdefgh2345';
const at = '2026-11-20T11:00:00.000Z';
const created = {
  ...{ test_id: ID, address: `${ID}@in.example.net`, read_token: 'token', status: 'waiting' },
  ...{ created_at: at, send_before: at, expires_at: at, status_url: '', report_url: '' },
};
const standing = (status: string, more = {}) => ({
  ...{ test_id: ID, status, created_at: at, send_before: at, expires_at: at },
  ...{ poll_after_seconds: 0, ...more },
});

describe('lint', () => {
  const LETTER =
    'From: a@example.com\nTo: "secret.person" <secret.person@example.net>\nSubject: x\n\nHi.\n';

  test('of one email is the report by its own schema, without the recipient, with the requirements', async () => {
    const mail = file('one.eml', LETTER);
    const args = ['lint', mail, '--format', 'json', '--min-score', '90', '--require', 'dkim_valid'];
    const { exitCode, stdout } = await playCommand(args);
    const output = valid(stdout);
    isReport(output);
    expect(isReport.errors).toBeNull();
    expect(stdout).not.toContain('secret');
    expect(exitCode).toBe(EXIT.below);
    expect(output.judgement).toMatchObject({
      exit_code: EXIT.below,
      failures: [
        { gate: 'min_score', id: 'score', asked: 90, seen: output.judgement.lowest_score },
        { gate: 'require', id: 'dkim_valid', asked: 'pass', seen: null },
      ],
    });
  });

  test('gives the same file the same id, and another file another', async () => {
    const ids = await Promise.all(
      [LETTER, LETTER, `${LETTER}.`].map(async (text, index) => {
        const { stdout } = await playCommand(['lint', file(`${index}.eml`, text), '--format=json']);
        return valid(stdout).test_id;
      }),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  test('of several emails has each with its file, and the total', async () => {
    const good = file('a.eml', LETTER);
    const args = ['lint', good, join(folder, 'gone.eml'), '--format=json', '--fail-on=never'];
    const { exitCode, stdout } = await playCommand(args);
    const { mails, summary } = valid(stdout);
    expect(exitCode).toBe(EXIT.usage);
    expect(mails).toMatchObject([
      { file: good, judgement: { exit_code: 0 } },
      { report: null, error: { code: 'invalid_command', exit_code: 2 } },
    ]);
    expect(summary).toMatchObject({ mails: 2, passed: 1, errors: 1, exit_code: EXIT.usage });
  });
});

describe('a failure', () => {
  const env = { DELIVERABILITY_READ_TOKEN: 'token' };

  test.each([
    ['an unknown test', [404, problem('test_not_found')], EXIT.unknownTest, 'test_not_found'],
    [
      'a test that waits',
      [409, problem('report_not_ready', { test_status: 'waiting' })],
      EXIT.notReady,
      'report_not_ready',
    ],
    [
      'an email that was refused',
      [409, problem('report_not_ready', { test_status: 'rejected_or_not_received' })],
      EXIT.notReceived,
      'report_not_ready',
    ],
    ['a wrong token', [403, problem('wrong_read_token')], EXIT.usage, 'wrong_read_token'],
    ['a service that is none', [200, {}], EXIT.serviceAway, 'not_a_service'],
    ['a service that fails', [500, problem('internal_error')], EXIT.serviceAway, 'internal_error'],
  ] as const)('%s has a code, and an exit code of its own', async (_, answer, exit, code) => {
    const { url } = await playService({ [`GET /v1/report?test_id=${ID}`]: answer });
    const args = ['report', ID, '--service', url, '--retry-for=0', '--format=json'];
    const { exitCode, stdout } = await playCommand(args, env);
    expect(exitCode).toBe(exit);
    expect(valid(stdout)).toMatchObject({ error: { code, exit_code: exit, test_id: ID } });
  });

  test('of a refused email names the test and the reasons', async () => {
    const record = { name: 'sender.example', type: 'TXT', value: 'v=spf1 ip4:192.0.2.25 ~all' };
    const reasons = [
      { code: 'dmarc_failed', detail: 'It fails DMARC.' },
      { code: 'spf_and_dkim_failed', detail: 'SPF is none.', remedy: 'Publish it', record },
    ];
    const status = standing('waiting', { refusal: { reasons } });
    const { url } = await playService({
      'POST /v1/tests': [201, created],
      [`GET /v1/tests/${ID}/status`]: [200, status],
      [`GET /v1/report?test_id=${ID}`]: [409, problem('report_not_ready')],
    });
    const args = ['check', '--service', url, '--send', 'true', '--format=json'];
    const { exitCode, stdout } = await playCommand(args);
    expect(exitCode).toBe(EXIT.notReceived);
    expect(valid(stdout)).toMatchObject({ error: { code: 'mail_refused', test_id: ID, reasons } });

    const report = ['report', ID, '--service', url, '--retry-for=0', '--format=json'];
    const unread = await playCommand(report, env);
    expect(unread.exitCode).toBe(EXIT.notReady);
    expect(valid(unread.stdout)).toMatchObject({ error: { code: 'report_not_ready', reasons } });
  });

  test.each([40, 80])(
    'of a refused email says in %d columns what to do, and breaks no record',
    async (columns) => {
      const value = 'v=spf1 ip6:2001:db8:1111:2222:3333:4444:5555:6666 ~all';
      const record = { name: 'a-long-name.of-a-sender.example', type: 'TXT', value };
      const reasons = [
        { code: 'spf_and_dkim_failed', detail: 'SPF is none.', remedy: 'Publish it', record },
      ];
      const { url } = await playService({
        'POST /v1/tests': [201, created],
        [`GET /v1/tests/${ID}/status`]: [200, standing('waiting', { refusal: { reasons } })],
        [`GET /v1/report?test_id=${ID}`]: [409, problem('report_not_ready')],
      });
      const service = ['--service', url];
      const played = [
        await playCommand(['check', ...service, '--send', 'true'], {}, { columns }),
        await playCommand(['report', ID, ...service], env, { columns }),
      ];
      for (const { stdout } of played) {
        const lines = stdout.split('\n').map((line) => line.trim());
        expect(lines).toContain(value);
        expect(lines.join(' ')).toContain('SPF is none. Publish it. Publish this TXT record at');
      }
    },
  );

  test('of a payment says where the test was kept, with its service', async () => {
    const challenge = { x402Version: 2, accepts: [], error: 'x' };
    const { url } = await playService({
      'POST /v1/tests': [201, created],
      [`GET /v1/tests/${ID}/status`]: [200, standing('ready')],
      [`GET /v1/report?test_id=${ID}`]: [402, challenge],
    });
    const args = ['check', '--service', url, '--send', 'true', '--format=json'];
    const { exitCode, stdout } = await playCommand(args);
    const { error } = valid(stdout);
    onTestFinished(() => rmSync(error.kept_test));
    expect(exitCode).toBe(EXIT.payment);
    expect(error).toMatchObject({ code: 'payment_not_allowed', test_id: ID });
    const waited = await playCommand(['wait', error.kept_test]);
    expect([waited.exitCode, JSON.parse(waited.stdout).status]).toEqual([0, 'ready']);
  });

  test.each([
    ['new', {}],
    ['wait', { test_id: ID }],
  ])('%s prints it as JSON too', async (name, about) => {
    const { url } = await playService({});
    const args = [name, ...Object.values(about), '--service', url];
    const { exitCode, stdout } = await playCommand(args);
    expect(exitCode).toBe(EXIT.serviceAway);
    const error = { code: 'not_a_service', exit_code: exitCode, ...about };
    expect(valid(stdout).error).toMatchObject(error);
  });
});

describe('a mistake in the command line', () => {
  test.each(['nofile', 'empty.eml'])(
    'of --mail %s creates no test, and leaves no older result',
    async (name) => {
      const { url, asked } = await playService({ 'POST /v1/tests': [201, created] });
      const result = file('result.json', JSON.stringify(sampleReport));
      file('empty.eml', '\n');
      const args = [
        'check',
        '--service',
        url,
        '--smtp',
        'smtp://127.0.0.1:1',
        '--from',
        'a@b.example',
      ];
      const { exitCode, stdout } = await playCommand([
        ...[...args, '--mail', join(folder, name), `--format=json=${result}`],
      ]);
      expect([exitCode, asked, stdout]).toEqual([EXIT.usage, [], '']);
      expect(valid(readFileSync(result, 'utf8'))).toMatchObject({
        error: { code: 'invalid_command', exit_code: EXIT.usage },
      });
    },
  );

  test.each([
    [['--format=json='], '--format json= does not name a file'],
    [['--format=json=x', '--format=sarif=./x'], 'Two formats cannot go to the same file'],
    [['--format=json=/nowhere/at/all'], '/nowhere/at/all cannot be written'],
  ])('%j is named before anything is done', async (formats, reason) => {
    const { url, asked } = await playService({ 'POST /v1/tests': [201, created] });
    const { exitCode, stderr } = await playCommand(['check', '--service', url, ...formats]);
    expect([exitCode, asked]).toEqual([EXIT.usage, []]);
    expect(stderr).toContain(reason);
  });

  test.each<[string, (file: string) => string[], object?]>([
    ['an email', (mail) => ['lint', mail]],
    ['a zone', (zone) => ['lint', '-', '--dns', zone]],
    ['a zone for a domain', (zone) => ['domain', 'example.com', '--dns', zone]],
    ['an email to send', (mail) => ['check', '--smtp', 'smtp://x', '--mail', mail]],
    ['a saved test', (test) => ['report', test]],
    ['a key', (key) => ['report', 'samplereport', '--key-file', key]],
    ['a key of the environment', () => ['check'], { DELIVERABILITY_KEY_FILE: 'kept' }],
  ])('no output ever overwrites %s, not even through a link', async (_, args, named = {}) => {
    const kept = file('kept', 'what must not be lost');
    const link = join(folder, 'link');
    for (const make of [symlinkSync, linkSync]) {
      make(kept, link);
      onTestFinished(() => rmSync(link, { force: true }));
      for (const output of [kept, link]) {
        const env = Object.fromEntries(Object.keys(named).map((name) => [name, kept]));
        const ran = await playCommand([...args(kept), `--format=json=${output}`], env);
        expect(ran.stderr).toContain('would overwrite the input');
        expect(ran.exitCode).toBe(EXIT.usage);
      }
      rmSync(link);
    }
    expect(readFileSync(kept, 'utf8')).toBe('what must not be lost');
  });
});
