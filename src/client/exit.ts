import type { PublicErrorCode } from '../domain/errors.ts';

/** What the command ends with. Scripts rely on these numbers: none changes its meaning. */
export const EXIT = {
  good: 0,
  /** A report is there, and it is below what was asked for. */
  below: 1,
  usage: 2,
  /** The mail was refused, or never arrived. */
  notReceived: 3,
  /** No payment, or none that the service took. */
  payment: 4,
  /** The service could not be reached, or could not do its work. */
  serviceAway: 5,
  unknownTest: 6,
  /** The mail is awaited or analysed: there is no report yet. */
  notReady: 7,
  /** A fault of this command. */
  defect: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The same in words, for `--help`; of a command that calls no service, 5 is about the DNS alone. */
export const MEANINGS: Readonly<Record<keyof typeof EXIT | 'resolverAway', string>> = {
  good: 'good',
  below: 'below what you ask for',
  usage: 'a mistake in the command line',
  notReceived: 'the mail was refused or did not arrive',
  payment: 'no payment',
  serviceAway: 'the service, or the DNS server of --resolver, is away',
  resolverAway: 'the DNS server does not answer',
  unknownTest: 'no test has this id',
  notReady: 'the report is not ready yet',
  defect: 'a fault in this command',
};

export const exitCodeNamed = (name: keyof typeof MEANINGS): ExitCode =>
  name === 'resolverAway' ? EXIT.serviceAway : EXIT[name];

/** Why a command ends without doing what it was asked for, where no problem of the service says it. */
const OWN = {
  invalid_command: EXIT.usage,
  mail_refused: EXIT.notReceived,
  mail_not_received: EXIT.notReceived,
  /** The command of `--send` or the server of `--smtp` did not take it. */
  mail_not_sent: EXIT.notReceived,
  wallet_missing: EXIT.payment,
  /** It has less than a report costs. */
  wallet_empty: EXIT.payment,
  /** What the service asks for is not what is allowed: amount, network, payee. */
  payment_not_allowed: EXIT.payment,
  /** A payment was sent, and whether it was made is not known. */
  payment_unknown: EXIT.payment,
  service_unreachable: EXIT.serviceAway,
  not_a_service: EXIT.serviceAway,
  analysis_failed: EXIT.serviceAway,
  resolver_unreachable: EXIT.serviceAway,
  command_fault: EXIT.defect,
} as const satisfies Record<string, ExitCode>;

/** A problem's `code`, of the service's catalogue; the rest of them is the service's own. */
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

/** Of a test that has no report and will have none, by its status. */
const ENDED: Readonly<Record<string, ExitCode>> = {
  rejected_or_not_received: EXIT.notReceived,
  analysis_failed: EXIT.serviceAway,
};

/** Of a code that a later service has and this command does not know: by whose fault it is. */
const OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  402: EXIT.payment,
  403: EXIT.usage,
  404: EXIT.unknownTest,
  409: EXIT.notReady,
};

/** Codes that the command itself gives. */
export type CommandCode = keyof typeof OWN;
export const COMMAND_CODES = Object.keys(OWN) as readonly CommandCode[];

/** A code of this command, of the service's problems, or one that a later service has. */
export type FailureCode = CommandCode | PublicErrorCode | (string & {});

/** What goes with a failure, for a program. */
export interface FailureDetails {
  readonly test_id?: string;
  /** Why the mail was refused, or may not have arrived. */
  readonly reasons?: readonly { readonly code: string; readonly detail: string }[];
  /** Of the service's answer. */
  readonly http_status?: number;
  /** Where the test stands: a status of the service. */
  readonly test_status?: string;
  /** The file in which a test was kept whose report could not be read. */
  readonly kept_test?: string;
}

/** An end that the person can act on. Anything else that is thrown is a defect of ours. */
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

/** Says of what went wrong which test it is about. */
export const about =
  (test_id: string) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.code, error.message, { test_id, ...error.details });
  };

/** Anything that was thrown as an end with a code. */
export const toCommandError = (error: unknown): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(
        'command_fault',
        `A fault in this command: ${error instanceof Error ? error.message : 'unknown'}`,
      );

export const usageError = (message: string) => new CommandError('invalid_command', message);
