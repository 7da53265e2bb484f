#!/usr/bin/env node
/** Entry point of the command `deliverability`: runs the command line and connects it to the terminal. */

import { buffer } from 'node:stream/consumers';
import './polyfills.ts';
import { EXIT } from './exit.ts';
import { stdoutError } from './files.ts';
import { plainText } from './formats/plain-text.ts';
import { tooOld } from './node-version.ts';
import { runCommandLine } from './run.ts';

/** Width in columns if stdout is not a terminal. */
const COLUMNS = 80;

const { env, stdin, stdout, stderr } = process;

// `print` handles the errors of stdout. Without stderr, the exit code still says how it went.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

const print = (text: string) =>
  new Promise<boolean>((resolve, reject) => {
    stdout.write(text, (error) => {
      const failure = error ? stdoutError(error) : null;
      if (failure) reject(failure);
      else resolve(!error);
    });
  });

/**
 * Colours follow NO_COLOR (https://no-color.org), and FORCE_COLOR for a CI pipeline whose log shows colours.
 * As for Node.js, FORCE_COLOR=0 turns them off.
 */
const colors = env.NO_COLOR
  ? false
  : env.FORCE_COLOR
    ? !/^(?:0|false)$/.test(env.FORCE_COLOR)
    : stdout.isTTY === true && env.TERM !== 'dumb';

const console = {
  env,
  columns: stdout.columns ?? (Number(env.COLUMNS) || COLUMNS),
  colors,
  print,
  // The text may contain replies from servers, which must not be able to control the terminal.
  note: (text: string) => void stderr.write(`${plainText(text)}\n`),
  readStdin: async () => new Uint8Array(await buffer(stdin)),
};

const fault = tooOld(process.versions.node);
if (fault === null) process.exitCode = await runCommandLine(process.argv.slice(2), console);
else {
  // Not `note`, because it needs a newer Node.js.
  stderr.write(fault);
  process.exitCode = EXIT.usage;
}
