/** Declares how the command can fail: its exit codes, its error codes and its error. */

import type { PublicErrorCode } from '../domain/errors.ts';

/** The exit codes of the command. Scripts rely on these numbers, so none changes its meaning. */
export const EXIT = {
  good: 0,
  /** There is a report, and it is below what was required. */
  below: 1,
  usage: 2,
  /** The email was refused, or never arrived. */
  notReceived: 3,
  /** No payment was made, or none that the service accepted. */
  payment: 4,
  /** The service could not be reached, or could not do its work. */
  serviceAway: 5,
  unknownTest: 6,
  /** The email is expected or being analysed: there is no report yet. */
  notReady: 7,
  /** A defect of this command. */
  defect: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Meanings of the exit codes in words, for `--help`. For a command that does not use the service, 5 means
 * that the DNS failed.
 */
export const MEANINGS: Readonly<Record<keyof typeof EXIT | 'resolverAway', string>> = {
  good: 'good',
  below: 'the result is below what you require',
  usage: 'a mistake in the command line',
  notReceived: 'the email was refused or did not arrive',
  payment: 'the report was not paid for',
  serviceAway: 'the service or the --resolver DNS server is unavailable',
  resolverAway: 'the DNS server does not answer',
  unknownTest: 'no test has this id',
  notReady: 'the report is not ready yet',
  defect: 'a fault in this command',
};

export const exitCodeNamed = (name: keyof typeof MEANINGS): ExitCode =>
  name === 'resolverAway' ? EXIT.serviceAway : EXIT[name];

/** Reasons for ending early that are not problems of the service. */
const OWN = {
  invalid_command: EXIT.usage,
  mail_refused: EXIT.notReceived,
  mail_not_received: EXIT.notReceived,
  /** The command of `--send` or the server of `--smtp` did not accept the email. */
  mail_not_sent: EXIT.notReceived,
  wallet_missing: EXIT.payment,
  /** The wallet holds less than a report costs. */
  wallet_empty: EXIT.payment,
  /** The service asks for an amount, network or payee that is not allowed. */
  payment_not_allowed: EXIT.payment,
  /** A payment was sent, and it is unknown whether it was made. */
  payment_unknown: EXIT.payment,
  service_unreachable: EXIT.serviceAway,
  not_a_service: EXIT.serviceAway,
  analysis_failed: EXIT.serviceAway,
  resolver_unreachable: EXIT.serviceAway,
  command_fault: EXIT.defect,
} as const satisfies Record<string, ExitCode>;

/**
 * Exit codes by the `code` of a problem in the service's catalogue. For all other codes, the service is at
 * fault.
 */
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

/** Exit codes for codes that only a newer service knows: the HTTP status says whose fault it is. */
const OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  402: EXIT.payment,
  403: EXIT.usage,
  404: EXIT.unknownTest,
  409: EXIT.notReady,
};

/** Codes of the command itself. */
export type CommandCode = keyof typeof OWN;
export const COMMAND_CODES = Object.keys(OWN) as readonly CommandCode[];

/** A code of this command, a code of the service's problems, or a code that only a newer service knows. */
export type FailureCode = CommandCode | PublicErrorCode | (string & {});

/** Details of a failure, for programs. */
export interface FailureDetails {
  readonly test_id?: string;
  /** Why the email was refused, or may not have arrived. */
  readonly reasons?: readonly { readonly code: string; readonly detail: string }[];
  /** The status of the service's response. */
  readonly http_status?: number;
  /** The state of the test, as a status of the service. */
  readonly test_status?: string;
  /** The file in which a test was kept because its report could not be read. */
  readonly kept_test?: string;
}

/** An error that the user can act on. If anything else is thrown, that is a bug in this command. */
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

/** Adds to a failure which test it is about. */
export const about =
  (test_id: string) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.code, error.message, { test_id, ...error.details });
  };

/** Converts anything that was thrown to an error with a code. */
export const toCommandError = (error: unknown): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(
        'command_fault',
        `This command has a fault: ${error instanceof Error ? error.message : 'unknown'}`,
      );

export const usageError = (message: string) => new CommandError('invalid_command', message);
