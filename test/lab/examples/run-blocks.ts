/** Runs the marked blocks of the documentation in a shell. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Block, fillIn } from './blocks.ts';

/** Time limit for one page, and for a service to listen, in milliseconds. */
const PAGE_MS = 600_000;

/** A line that shows an exit code continues after a failure. */
const mayFail = (code: string) => code.replaceAll(/^.*\$\?.*$/gm, 'set +e\n$&\nset -e');

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables of the shell only. Readers of the page have set them, and no program sees them. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Runs the blocks of a page one after another, in one shell, as its reader does. Returns what is wrong, with
 * all output, or nothing.
 */
export async function runBlocks(
  blocks: readonly Block[],
  place: Place,
): Promise<string | undefined> {
  const output = join(place.folder, 'output');
  const script = blocks.flatMap(({ language, code, page, line }, index) => {
    const shown = [`echo 'block at ${page}:${line}' >&2`];
    if (language === 'sh') return [...shown, mayFail(fillIn(code))];
    // The names that the text around the block uses.
    const names = `const [report_url, read_token] = [process.env.REPORT_URL, process.env.READ_TOKEN];`;
    writeFileSync(
      join(place.folder, `block-${index}.mts`),
      `${names}\n${code}\nif (!report.ok) throw new Error(\`\${report.status}\`);\n`,
    );
    return [
      ...shown,
      `PAYER_KEY=$PAYER_KEY REPORT_URL=$REPORT_URL READ_TOKEN=$READ_TOKEN node block-${index}.mts`,
    ];
  });
  const variables = Object.entries(place.variables ?? {}).map(
    ([name, value]) => `${name}='${value}'`,
  );
  const child = start(['set -eu', ...variables, ...script].join('\n'), place, output);
  const timer = setTimeout(() => end(child, 'SIGKILL'), PAGE_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code === 0 ? undefined : `exit code ${code}\n${readFileSync(output, 'utf8')}`;
}

/** Runs a block that never ends until it says that it listens, and ends it like Ctrl-C. */
export async function runServing(block: Block, place: Place): Promise<string | undefined> {
  const output = join(place.folder, 'output');
  const child = start(block.code, place, output);
  const deadline = performance.now() + PAGE_MS;
  const says = (what: string) => readFileSync(output, 'utf8').includes(`"msg":"${what}"`);
  while (child.exitCode === null && !says('listening') && performance.now() < deadline)
    await sleep(100);
  const listened = says('listening');
  end(child, 'SIGTERM');
  // npm may end before what it has started.
  while (listened && !says('stopped') && performance.now() < deadline) await sleep(100);
  return listened && says('stopped') ? undefined : readFileSync(output, 'utf8');
}

/** Starts a script in a process group of its own, so that every process that it starts can be ended. */
function start(script: string, { folder, env }: Place, output: string): ChildProcess {
  const file = openSync(output, 'w');
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: folder,
    env: { ...env, GIVEN_OUTPUT: output },
    stdio: ['ignore', file, file],
    detached: true,
  });
  closeSync(file);
  return child;
}

function end({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid && exitCode === null) process.kill(-pid, signal);
}
