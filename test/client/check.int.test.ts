/**
 * Tests `deliverability check`, which runs a whole test from the command line, and its steps as the
 * commands `new`, `wait` and `report`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isReport } from '../../src/domain/report/report.ts';
import { PROGRAM_ENV, programOf } from '../environment/compile-cache.ts';
import { playCommand } from '../support/command/played-console.ts';
import { type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

let stack: Stack;
let folder: string;
let keyFile: string;
beforeAll(async () => {
  stack = await startStack();
  folder = mkdtempSync(join(tmpdir(), 'command-'));
  keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${stack.environment.chain.payer.privateKey}\n`, { mode: 0o600 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack?.stop();
});

const play = (args: readonly string[], env = {}) =>
  playCommand(args, { ...PROGRAM_ENV, DELIVERABILITY_URL: stack.http(), ...env });

const bySmtp = (from = 'shop@sender.example') => {
  const { host, port } = stack.smtp();
  return ['--smtp', `smtp://${host}:${port}`, '--from', from];
};

/** Private keys of wallets that cannot pay. */
const KEYS: Readonly<Record<string, string>> = {
  'an empty wallet': '1'.repeat(64),
  'a key that is none': 'f'.repeat(64),
};

const paying = () => ['--key-file', keyFile];

describe('check', () => {
  test('an email that meets the requirements ends with 0, at the price of one report', async () => {
    const before = await stack.income();
    const args = ['check', ...bySmtp(), ...paying(), '--min-score', '1', '--format', 'json'];
    const { exitCode, stdout, stderr } = await play(args);
    expect(exitCode, stderr).toBe(0);
    expect(isReport(JSON.parse(stdout))).toBe(true);
    expect(await stack.income()).toBe(before + 50_000n);
    expect(stderr).toContain('Paying USD 0.05');
    expect(stdout + stderr).not.toContain(stack.environment.chain.payer.privateKey.slice(2));
  });

  test.each([
    ['a score', ['--min-score', '100'], 'you require at least 100'],
    ['a severity', ['--fail-on', 'warn'], 'dmarc_policy'],
    ['a finding', ['--require', 'dkim_present'], 'dkim_present must pass'],
    ['nothing, with a fail', [], 'dkim_present'],
  ])('an email below %s ends with 1 and says what is below', async (_, wanted, reason) => {
    const { exitCode, stdout } = await play(['check', ...bySmtp(), ...paying(), ...wanted]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Below what you require');
    expect(stdout).toContain(reason);
  });

  test('the command of --send gets the address, but none of the secrets', async () => {
    const script = join(folder, 'send.mjs');
    writeFileSync(
      script,
      `console.log('for', process.argv[2], Object.keys(process.env).filter((name) => /KEY|TOKEN/.test(name)).length);
       process.exit(3);`,
    );
    const send = `${process.execPath} ${script} {address}`;
    const { privateKey } = stack.environment.chain.payer;
    const secret = { DELIVERABILITY_KEY: privateKey, DELIVERABILITY_READ_TOKEN: 'secret' };
    const { exitCode, stdout, stderr } = await play(['check', '--send', send], secret);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/for [a-z2-7]{12}@in\.example\.net 0/);
    expect(stdout).toContain('The --send command failed: it exited with 3');
  });

  test('a refused email ends with 3 and shows the reasons of the service', async () => {
    const args = ['check', ...bySmtp('shop@elsewhere.example'), ...paying(), '--format', 'junit'];
    const { exitCode, stdout } = await play(args);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('<error ');
    expect(stdout).toContain('spf_and_dkim_failed');
  });

  test.each([
    ['no key', [], 'To pay, provide the private key of a wallet'],
    ['a price above the limit', ['--max-price', '0.049999'], 'you allow only USD 0.049999'],
    ['another payee', ['--pay-to', `0x${'1'.repeat(40)}`], 'you allow only 0x1111'],
    ['another network', ['--network', 'eip155:84532'], 'this command pays USDC on eip155:84532'],
    ['an empty wallet', [], 'has USD 0.00. Send USDC on eip155:8453 to it'],
    ['a key that is none', [], 'The private key is not a valid secp256k1 key.'],
  ])('%s ends with 4 before an email is sent', async (name, limits, reason) => {
    const purse = name in KEYS || name === 'no key' ? [] : paying();
    const env = { DELIVERABILITY_KEY: KEYS[name] ?? '' };
    const sent = join(folder, 'sent');
    const send = ['--send', `touch ${sent}`];
    const { exitCode, stdout } = await play(['check', ...send, ...purse, ...limits], env);
    expect(exitCode).toBe(4);
    expect(stdout.replace(/\s+/g, ' ')).toContain(reason);
    expect(stdout).not.toContain('invalid_exact_evm');
    expect(existsSync(sent)).toBe(false);
  });

  /** Runs `check` with a wallet that is emptied before it pays. */
  async function playEmptied() {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    const { chain } = stack.environment;
    await chain.fundToken(address, 50_000n);
    const send = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const pays = new Headers(init?.headers).has('payment-signature');
      if (pays) await chain.fundToken(address, -(await chain.usdcBalance(address)));
      return send(url, init);
    });
    const format = ['--format', 'json'];
    const played = await play(['check', ...bySmtp(), ...format], { DELIVERABILITY_KEY: key });
    return { ...played, error: JSON.parse(played.stdout).error };
  }

  test('a wallet that is emptied in the meantime ends with 4, and the email need not be sent again', async () => {
    const { exitCode, error } = await playEmptied();
    const { kept_test: kept } = error;
    onTestFinished(() => rmSync(kept));
    expect(exitCode).toBe(4);
    expect(error.message).toContain('the wallet has less USDC than the report costs');
    expect(error.message).toContain(`deliverability report ${kept}`);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const read = await play(['report', kept, ...paying(), '--fail-on', 'never']);
    expect(read.exitCode, read.stderr).toBe(0);
  });

  test('without a folder for temporary files, the test is kept in the user’s own folder', async () => {
    vi.stubEnv('TMPDIR', '/nonexistent');
    vi.stubEnv('HOME', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { error } = await playEmptied();
    expect(error.kept_test).toBe(join(folder, `deliverability-${error.test_id}.json`));
  });

  test('where nothing can be saved, the error stays the same, and the token secret', async () => {
    vi.stubEnv('TMPDIR', '/nonexistent');
    vi.stubEnv('HOME', '/nonexistent');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { exitCode, error, stdout, stderr } = await playEmptied();
    expect([exitCode, error.code]).toEqual([4, 'payment_invalid']);
    expect(error.message).toContain('the wallet has less USDC than the report costs');
    expect(error.message).toContain(
      `The test ${error.test_id} cannot be saved in /nonexistent (ENOENT)`,
    );
    expect(stderr).toContain(`The test ${error.test_id} cannot be saved`);
    expect(stdout + stderr).not.toMatch(/[\w-]{43}(?!\w)/);
  });

  test('an email that never arrives ends with 3', async () => {
    const { exitCode, stdout, stderr } = await play(['check', '--timeout', '1', ...paying()]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/Send one email to this address[\s\S]*@in\.example\.net/);
    expect(stdout).toContain('No email arrived within 1 s');
  });
});

const main = programOf('src/client/main.ts');

/** Starts the command as a process of its own, whose temporary files are in a folder of their own. */
function start(args: readonly string[], stdout: 'pipe' | number = 'pipe', more = {}) {
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const env = { ...PROGRAM_ENV, DELIVERABILITY_URL: stack.http(), TMPDIR: temporary, ...more };
  const child = spawn(process.execPath, [main, ...args], {
    env,
    stdio: ['ignore', stdout, 'pipe'],
  });
  const written = { stderr: '' };
  child.stderr?.on('data', (chunk: Buffer) => {
    written.stderr += chunk;
  });
  const ended = once(child, 'close');
  return {
    child,
    ended,
    written,
    says: (text: string) => until(async () => written.stderr.includes(text), text),
    kept: () => readdirSync(temporary).map((name) => join(temporary, name)),
  };
}

describe('interrupted', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s while it pays, check says in which file the test is, and nothing is paid twice',
    async (signal) => {
      const before = await stack.income();
      const check = start(['check', ...bySmtp(), ...paying()]);
      await check.says('Paying USD 0.05');
      check.child.kill(signal);
      expect(await check.ended).toEqual([null, signal]);
      const [kept = ''] = check.kept();
      expect(check.written.stderr).toContain(`deliverability report ${kept}`);
      const read = await play(['report', kept, ...paying(), '--fail-on', 'never']);
      expect(read.exitCode, read.stderr).toBe(0);
      expect(await stack.income()).toBe(before + 50_000n);
    },
  );

  test('killed while it pays, check leaves the test in the folder for temporary files', async () => {
    const check = start(['check', ...bySmtp(), ...paying()]);
    await check.says('Paying USD 0.05');
    check.child.kill('SIGKILL');
    await check.ended;
    expect(check.kept()).toEqual([expect.stringMatching(/\/deliverability-[a-z2-7]{12}\.json$/)]);
  });

  test('check takes the command of --send with it, and keeps the test', async () => {
    const sent = join(folder, 'sent-later');
    const send = `sh -c "echo waiting; sleep 2; touch ${sent}"; touch ${sent}`;
    const check = start(['check', ...paying(), '--send', send]);
    await check.says('waiting');
    check.child.kill('SIGTERM');
    await check.ended;
    expect(check.kept()).toHaveLength(1);
    await sleep(3000);
    expect(existsSync(sent)).toBe(false);
  });
});

describe('a stdout that cannot be written', () => {
  /** Starts a command whose stdout is a device without space. */
  function startFull(args: readonly string[], env = {}) {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    return start(args, full, env);
  }

  /** Starts a command whose reader has closed stdout. */
  function startClosed(args: readonly string[]) {
    const command = start(args);
    command.child.stdout?.destroy();
    return command;
  }

  const mail = () => {
    const path = join(folder, 'mail.eml');
    writeFileSync(path, 'From: a@example.com\nTo: b@example.net\nSubject: Hello\n\nHello.\n');
    return path;
  };

  test.each([
    ['new', () => ['new']],
    ['findings', () => ['findings']],
    ['lint', () => ['lint', mail(), '--format', 'json']],
    ['--help', () => ['--help']],
  ])('ends %s with 2, and is named', async (_, args) => {
    const command = startFull(args());
    expect(await command.ended).toEqual([2, null]);
    expect(command.written.stderr).toContain('stdout cannot be written (ENOSPC).');
  });

  test.each([
    ['wait', 5],
    ['report', 2],
  ])('does not hide why %s failed', async (name, exitCode) => {
    const env = { DELIVERABILITY_READ_TOKEN: 'token' };
    const away = ['--service', 'http://127.0.0.1:1', '--retry-for', '0'];
    const command = startFull([name, 'abcdefgh2345', ...away], env);
    expect(await command.ended).toEqual([exitCode, null]);
    expect(command.written.stderr).toContain('The service is unavailable');
    expect(command.written.stderr).toContain('stdout cannot be written (ENOSPC).');
  });

  test('leaves the report of check in reach, without another payment', async () => {
    const before = await stack.income();
    const check = startFull(['check', ...bySmtp(), ...paying()]);
    expect(await check.ended).toEqual([2, null]);
    const [kept = ''] = check.kept();
    expect(check.written.stderr).toContain(`deliverability report ${kept}`);
    expect((await play(['report', kept, '--fail-on', 'never'])).exitCode).toBe(0);
    expect(await stack.income()).toBe(before + 50_000n);
  });

  test('because its reader is gone, does not change the exit code', async () => {
    const lint = startClosed(['lint', mail()]);
    expect([await lint.ended, lint.written.stderr]).toEqual([[1, null], '']);
    const check = startClosed(['check', ...bySmtp(), ...paying(), '--min-score', '1']);
    expect(await check.ended).toEqual([0, null]);
    expect(check.written.stderr).toContain(`deliverability report ${check.kept()[0]}`);
  });

  test('a stderr without a reader does not change the exit code either', async () => {
    const lint = start(['lint', mail(), '--spamd', '127.0.0.1:1', '--fail-on', 'never']);
    lint.child.stdout?.resume();
    lint.child.stderr?.destroy();
    expect(await lint.ended).toEqual([0, null]);
  });
});

test('a report that was printed leaves no file', async () => {
  const check = start(['check', ...bySmtp(), ...paying(), '--fail-on', 'never']);
  check.child.stdout?.resume();
  expect([await check.ended, check.kept()]).toEqual([[0, null], []]);
});

test('new, wait and report: one test over three commands, read again without a payment', async () => {
  const saved = join(folder, 'test.json');
  const created = await play(['new', '--save', saved]);
  expect(created.exitCode, created.stderr).toBe(0);
  const { read_token, address } = JSON.parse(readFileSync(saved, 'utf8'));
  expect(created.stdout).toBe(`${address}\n`);
  expect(statSync(saved).mode & 0o777).toBe(0o600);

  const waiting = play(['wait', saved]);
  await stack.send(address);
  const waited = await waiting;
  expect(waited.exitCode, waited.stderr).toBe(0);
  expect(JSON.parse(waited.stdout)).toMatchObject({ status: 'ready' });

  const before = await stack.income();
  const paid = await play(['report', saved, ...paying()]);
  const again = await play(['report', saved, '--format', 'markdown']);
  expect([paid.exitCode, again.exitCode]).toEqual([0, 0]);
  expect(await stack.income()).toBe(before + 50_000n);
  const deleted = await play(['delete', saved]);
  expect(deleted.exitCode, deleted.stderr).toBe(0);
  const gone = await play(['report', saved]);
  expect([gone.exitCode, gone.stdout]).toEqual([6, expect.stringContaining('test_not_found')]);

  const all = [created, waited, paid, again, deleted, gone].map(
    ({ stdout, stderr }) => stdout + stderr,
  );
  expect(all.join('')).not.toContain(read_token);
});

test('the sample needs neither a token nor money', async () => {
  const before = await stack.income();
  const { exitCode, stdout } = await play(['report', 'samplereport', '--format', 'json']);
  expect([exitCode, JSON.parse(stdout).test_id]).toEqual([0, 'samplereport']);
  expect(await stack.income()).toBe(before);
});

test('a key file that others can read is refused, naming only its path', async () => {
  const open = join(folder, 'open-key');
  writeFileSync(open, stack.environment.chain.payer.privateKey);
  chmodSync(open, 0o644);
  const { exitCode, stderr } = await play(['check', ...bySmtp(), '--key-file', open]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`chmod 600 ${open}`);
  expect(stderr).not.toContain(stack.environment.chain.payer.privateKey.slice(2));
});
