#!/usr/bin/env node
/** Starts the command `deliverability`, and connects it to the terminal. */

import { buffer } from 'node:stream/consumers';
import './older-node.ts';
import { plainText } from './formats/plain-text.ts';
import { runCommandLine } from './run.ts';

/** Number of columns if stdout is not a terminal. */
const COLUMNS = 80;

const { env, stdin, stdout, stderr } = process;

// If a reader such as `head` has seen enough, that is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

/** https://no-color.org, and FORCE_COLOR for a pipeline whose log shows colours. */
const colors = env.NO_COLOR
  ? false
  : env.FORCE_COLOR
    ? true
    : stdout.isTTY === true && env.TERM !== 'dumb';

const console = {
  env,
  columns: stdout.columns ?? (Number(env.COLUMNS) || COLUMNS),
  colors,
  print: (text: string) => void stdout.write(text),
  // The text contains replies from servers, which must not control the terminal.
  note: (text: string) => void stderr.write(`${plainText(text)}\n`),
  readStdin: async () => new Uint8Array(await buffer(stdin)),
};

process.exitCode = await runCommandLine(process.argv.slice(2), console);
