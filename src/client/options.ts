/**
 * Declares the options that several commands share, parses command lines, and determines from them the
 * service, the test and the wallet that a command uses.
 */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isTestId, SAMPLE_ID } from '../domain/ids.ts';
import { parseJson } from '../domain/response-body.ts';
import type { CommandConsole } from './console.ts';
import { usageError } from './exit.ts';
import { readOwnFile } from './files.ts';
import { knownAsset, type PaymentLimits, toAtomic } from './payment/limits.ts';
import { readKey } from './payment/read-key.ts';
import type { Purse } from './payment/read-report.ts';
import { httpCall, LONGEST_WAIT_SECONDS, type ServiceOptions } from './service/service-client.ts';
import { meant } from './unknown-word.ts';

export const serviceOptions = {
  service: { type: 'string' },
  'retry-for': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export const paymentOptions = {
  'key-file': { type: 'string' },
  'max-price': { type: 'string' },
  network: { type: 'string' },
  'pay-to': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

/**
 * Returns the options and positional arguments of a command line.
 * @throws CommandError for an unknown option or argument
 */
export function readArgs<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  positionals: readonly string[] = [],
) {
  const parsed = parse(args, options);
  const takesMany = positionals.at(-1)?.endsWith('...') === true;
  if (parsed.positionals.length > positionals.length && !takesMany)
    throw usageError(`Unexpected word: ${parsed.positionals[positionals.length]}. See --help.`);
  // A word is empty if it comes from a variable that is not set.
  const missing = positionals.find((name, at) => !name.startsWith('[') && !parsed.positionals[at]);
  if (missing !== undefined)
    throw usageError(`${missing.replace('...', '')} is missing. See --help.`);
  return parsed;
}

function parse<const O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : '').split('. ');
    const [, word] = /^Unknown option '(--[^'=]+)/.exec(sentence) ?? [];
    const near = word
      ? meant(
          word,
          Object.keys(options).map((name) => `--${name}`),
        )
      : '';
    throw usageError(`${sentence.replace(/\.$/, '')}.${near} See --help.`);
  }
}

/**
 * Returns the value of an option that accepts only certain words.
 * @throws CommandError that names the words
 */
export function readWord<W extends string>(name: string, text: string, words: readonly W[]): W {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  const all = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  throw usageError(`--${name} must be ${all}, not ${text}.${meant(text, words)}`);
}

/** The values that the command line gives to a set of options. */
export type ValuesOf<O extends ParseArgsOptionsConfig> = ReturnType<typeof readArgs<O>>['values'];

/**
 * Returns the value of an option that is a number.
 * @throws CommandError that names the range
 */
export function toNumber(name: string, text: string | undefined, otherwise: number, most: number) {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > most)
    throw usageError(`--${name} must be a number from 0 to ${most}, not ${text}.`);
  return value;
}

/**
 * Returns an address without the angle brackets of a Return-Path, and without single quotes, which the command
 * line of Windows passes on.
 */
export const bareAddress = (text: string): string =>
  text.replace(/^'(.*)'$/, '$1').replace(/^<(.*)>$/, '$1');

const RETRY_FOR = 60;

const isOpenToOthers = (url: string): boolean =>
  /^http:\/\/(?!(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$))/i.test(url);

/**
 * Returns the service to use. Its URL comes from the option, from the file of the test, or from the
 * environment.
 */
export function toService(
  values: ValuesOf<typeof serviceOptions>,
  { env, note }: CommandConsole,
  test?: KnownTest,
): ServiceOptions & { readonly url: string } {
  const url = values.service || test?.service || env.DELIVERABILITY_URL;
  if (!url) throw usageError('No service was given: add --service URL, or set DELIVERABILITY_URL.');
  if (isOpenToOthers(url))
    note(
      'The service is called without TLS, so others on the path can read the token. Use an https URL.',
    );
  const retryFor = toNumber('retry-for', values['retry-for'], RETRY_FOR, LONGEST_WAIT_SECONDS);
  return { url, call: httpCall(url), retryFor, note };
}

const DEFAULT_PRICE = '0.05';
const DEFAULT_NETWORK = 'eip155:8453';

function toLimits(values: ValuesOf<typeof paymentOptions>): PaymentLimits {
  const { network = DEFAULT_NETWORK, 'max-price': price = DEFAULT_PRICE } = values;
  knownAsset(network);
  const payTo = values['pay-to'] ?? null;
  if (payTo !== null && !/^0x[0-9a-fA-F]{40}$/.test(payTo))
    throw usageError(`--pay-to must be an address, 0x and 40 hex digits, not ${payTo}.`);
  const maxAmount = toAtomic('--max-price', price);
  return { maxAmount, network, payTo };
}

export const toPurse = (
  values: ValuesOf<typeof paymentOptions>,
  { env }: CommandConsole,
): Purse => ({
  key: readKey(values['key-file'], env),
  limits: toLimits(values),
});

/** A test from the file that `new --save` wrote, or an id with the token from the environment. */
interface KnownTest {
  readonly testId: string;
  /** The read token; empty if it is unknown. */
  readonly readToken: string;
  /** URL of the service at which the test was created, if the file states it. */
  readonly service?: string | undefined;
}

/**
 * Returns the test that a command is about. TEST is either an id, with the token in
 * DELIVERABILITY_READ_TOKEN, or the path of a file that `new --save` wrote. A token is never on the command
 * line, because others could see it there.
 */
export function toTest(test: string, { env }: CommandConsole): KnownTest {
  if (isTestId(test)) return { testId: test, readToken: env.DELIVERABILITY_READ_TOKEN ?? '' };
  const { test_id, read_token, service } = readJsonFile(test) as Record<string, unknown>;
  if (typeof test_id !== 'string' || !isTestId(test_id) || typeof read_token !== 'string')
    throw usageError(
      `${test} is neither a test id nor a file that \`deliverability new --save\` wrote.`,
    );
  return {
    testId: test_id,
    readToken: read_token,
    service: typeof service === 'string' ? service : undefined,
  };
}

/**
 * Returns the test if its token is known, or if it is the sample, which needs none.
 * @throws CommandError if the token is unknown
 */
export function requireToken(test: KnownTest): KnownTest {
  if (test.readToken === '' && test.testId !== SAMPLE_ID)
    throw usageError('The read token is missing: set DELIVERABILITY_READ_TOKEN.');
  return test;
}

/**
 * Reads a JSON object from a file.
 * @throws CommandError if the file cannot be read, or does not contain a JSON object
 */
export function readJsonFile(path: string): object {
  const value = parseJson(readOwnFile(path).toString());
  if (typeof value !== 'object' || value === null)
    throw usageError(`${path} does not contain a JSON object.`);
  return value;
}
