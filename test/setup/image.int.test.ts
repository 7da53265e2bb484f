/** Tests the entry command of the container image. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { PROGRAM_ENV } from '../environment/compile-cache.ts';
import { freePorts } from '../environment/free-ports.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '');
const [, settings = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];

/** Returns the program and the arguments of an instruction in its JSON form. */
const commandOf = (instruction: string): readonly [string, ...string[]] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.+\\])$`, 'm').exec(dockerfile)?.[1] ?? '[""]');

test('the image’s entry command starts as it is, says that reports are free, and is healthy', async () => {
  const [http = 0] = await freePorts(1);
  const data = mkdtempSync(join(tmpdir(), 'image-'));
  const { DATA_DIR, ...set } = Object.fromEntries(
    [...settings.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  expect([DATA_DIR, dockerfile]).toEqual(['/data', expect.stringContaining('VOLUME /data')]);
  expect(dockerfile).toContain(
    'COPY --from=nats /usr/local/bin/nats-server /usr/local/bin/nats-server\n',
  );
  const env = {
    ...set,
    DATA_DIR: data,
    PATH: `${dirname(process.execPath)}:${PROGRAM_ENV.PATH}`,
    MAIL_DOMAIN: 'test.example.com',
    ...{ HTTP_PORT: String(http), METRICS_PORT: '0', SMTP_PORT: '0' },
  };
  const [program, ...args] = commandOf('CMD');
  const image = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const errors: string[] = [];
  image.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const exited = once(image, 'exit');
  try {
    const listening = new Promise<boolean>((resolve) => {
      createInterface({ input: image.stdout })
        .on('line', (line) => {
          said.push(line);
          if (line.includes('"msg":"listening"')) resolve(true);
        })
        .once('close', () => resolve(false));
    });
    expect(await listening, [...errors, ...said].join('\n')).toBe(true);
    expect(said.join('\n')).toContain('every report is free');
    const [check, ...rest] = commandOf('HEALTHCHECK .*CMD');
    expect(spawnSync(check, rest, { env }).status).toBe(0);
    image.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    // V8 would say here that it does not know an option.
    expect(errors).toEqual([]);
  } finally {
    image.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
});
