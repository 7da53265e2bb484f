/** Runs a command line of `deliverability`, from its arguments to its exit code. */

import type { CommandConsole } from './console.ts';
import { EXIT, type ExitCode, toCommandError, usageError } from './exit.ts';
import { COMMAND_VERSION } from './identity.ts';
import { meant } from './unknown-word.ts';
import { commandUsage } from './usage.ts';

type Run = (args: readonly string[], console: CommandConsole) => Promise<ExitCode>;

const ofService = (name: keyof typeof import('./parts/service.ts').serviceCommands) => async () =>
  (await import('./parts/service.ts')).serviceCommands[name];

/** The commands by name. Each part of the bundle is loaded only when one of its commands runs. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  check: ofService('check'),
  new: ofService('new'),
  wait: ofService('wait'),
  report: ofService('report'),
  delete: ofService('delete'),
  diff: ofService('diff'),
  lint: async () => (await import('./parts/lint.ts')).runLint,
  domain: async () => (await import('./parts/domain.ts')).runDomain,
  findings: async () => (await import('./parts/findings.ts')).runFindings,
  mcp: async () => (await import('./parts/mcp.ts')).runMcp,
};

const isHelp = (arg: string) => arg === '--help' || arg === '-h';
const isCommand = (name: string | undefined) => name !== undefined && Object.hasOwn(commands, name);

/** Runs a command line and returns its exit code. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const [name = '', ...rest] = args;
  try {
    if (name === '--version') await console.print(`${COMMAND_VERSION}\n`);
    else if (isHelp(name) || name === 'help')
      await console.print(commandUsage(rest.find(isCommand)));
    else if (isCommand(name) && rest.some(isHelp)) await console.print(commandUsage(name));
    else return await load(name)(rest, console);
    return EXIT.good;
  } catch (error) {
    const { message, exitCode } = toCommandError(error);
    console.note(message);
    return exitCode;
  }
}

function load(name: string): Run {
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!own) {
    const names = Object.keys(commands);
    const what = name === '' ? 'No command was given' : `There is no command ${name}`;
    throw usageError(`${what}: ${names.join(', ')}.${meant(name, names)} See --help.`);
  }
  return async (args, console) => (await own())(args, console);
}
