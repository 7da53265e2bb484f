/** Declares how the command can fail: its exit codes, its error codes and its error class. */

import type { PublicErrorCode } from '../domain/errors.ts';

/** The exit codes of the command. Scripts rely on these numbers, so their meanings never change. */
export const EXIT = {
  good: 0,
  /** There is a report, and it is below what the user requires. */
  below: 1,
  usage: 2,
  /** The email was refused, or never arrived. */
  notReceived: 3,
  /** No payment was made, or the service did not accept it. */
  payment: 4,
  /** The service could not be reached or could not do its work. */
  serviceAway: 5,
  unknownTest: 6,
  /** There is no report yet, because the email has not arrived or is still being analysed. */
  notReady: 7,
  /** The command itself has a bug. */
  defect: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Meanings of the exit codes in words, for `--help`. In commands that do not use the service, code 5 means
 * that the DNS failed.
 */
export const MEANINGS: Readonly<Record<keyof typeof EXIT | 'resolverAway', string>> = {
  good: 'the result is what you require',
  below: 'the result is below what you require',
  usage: 'a mistake in the command line',
  notReceived: 'the email was refused or did not arrive',
  payment: 'the report was not paid for',
  serviceAway: 'the service or the --resolver DNS server is unavailable',
  resolverAway: 'the DNS server does not answer',
  unknownTest: 'no test has this id',
  notReady: 'the report is not ready yet',
  defect: 'a defect in this command',
};

export const exitCodeNamed = (name: keyof typeof MEANINGS): ExitCode =>
  name === 'resolverAway' ? EXIT.serviceAway : EXIT[name];

/** The command's own error codes, each with its exit code. They are not problem codes of the service. */
const OWN = {
  invalid_command: EXIT.usage,
  mail_refused: EXIT.notReceived,
  mail_not_received: EXIT.notReceived,
  /** The command of `--send` or the server of `--smtp` did not accept the email. */
  mail_not_sent: EXIT.notReceived,
  wallet_missing: EXIT.payment,
  /** The wallet has less money than a report costs. */
  wallet_empty: EXIT.payment,
  /** The service asks for an amount, network or payee that the user does not allow. */
  payment_not_allowed: EXIT.payment,
  /** A payment was sent, but it is unknown whether the money moved. */
  payment_unknown: EXIT.payment,
  service_unreachable: EXIT.serviceAway,
  not_a_service: EXIT.serviceAway,
  analysis_failed: EXIT.serviceAway,
  resolver_unreachable: EXIT.serviceAway,
  command_fault: EXIT.defect,
} as const satisfies Record<string, ExitCode>;

/** Exit codes for problem codes of the service. Any other code means that the service is at fault. */
const OF_SERVICE = {
  invalid_request: EXIT.usage,
  wrong_read_token: EXIT.usage,
  payment_required: EXIT.payment,
  payment_invalid: EXIT.payment,
  sale_closed: EXIT.payment,
  test_not_found: EXIT.unknownTest,
  report_not_ready: EXIT.notReady,
} as const satisfies Partial<Record<PublicErrorCode, ExitCode>>;

const CODES: Readonly<Record<string, ExitCode>> = { ...OF_SERVICE, ...OWN };

/** Exit codes for a test that will never have a report, by its status. */
const ENDED: Readonly<Record<string, ExitCode>> = {
  rejected_or_not_received: EXIT.notReceived,
  analysis_failed: EXIT.serviceAway,
};

/**
 * Exit codes by HTTP status, for problem codes that only a newer service knows. The status says whose fault
 * the problem is.
 */
const OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  402: EXIT.payment,
  403: EXIT.usage,
  404: EXIT.unknownTest,
  409: EXIT.notReady,
};

/** An error code of the command itself. */
export type CommandCode = keyof typeof OWN;
export const COMMAND_CODES = Object.keys(OWN) as readonly CommandCode[];

/** An error code: of this command, of the service, or one that only a newer service knows. */
export type FailureCode = CommandCode | PublicErrorCode | (string & {});

/** Details of a failure, for programs to read. */
export interface FailureDetails {
  readonly test_id?: string;
  /** Reasons why the email was refused, or may not have arrived. */
  readonly reasons?: readonly {
    readonly code: string;
    readonly detail: string;
    /** Action that fixes the reason; only for a refusal. */
    readonly remedy?: string;
    /** The DNS record to publish if there is none yet. */
    readonly record?: { readonly name: string; readonly type: string; readonly value: string };
  }[];
  /** HTTP status of the service's response. */
  readonly http_status?: number;
  /** The status of the test, in the service's own words. */
  readonly test_status?: string;
  /** Path of the file in which a test was saved because its report could not be read. */
  readonly kept_test?: string;
}

/** An error that the user can act on. Any other error that is thrown is a bug in this command. */
export class CommandError extends Error {
  override readonly name = 'DeliverabilityError';
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get exitCode(): ExitCode {
    const { test_status = '', http_status = 0 } = this.details;
    const known = ENDED[test_status] ?? CODES[this.code];
    return known ?? OF_STATUS[http_status] ?? EXIT.serviceAway;
  }
}

/** Adds the id of the test to an error. */
export const about =
  (test_id: string) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.code, error.message, { test_id, ...error.details });
  };

/** Converts anything that was thrown to an error with a code and an exit code. */
export const toCommandError = (error: unknown): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(
        'command_fault',
        `This command has a defect: ${error instanceof Error ? error.message : 'unknown'}`,
      );

export const usageError = (message: string) => new CommandError('invalid_command', message);
