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
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that the person can act on. Anything else that is thrown is a defect of ours. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** By its name: each part of the bundle has a class of its own. */
export const isCommandError = (error: unknown): error is CommandError =>
  error instanceof Error && error.name === 'CommandError' && 'exitCode' in error;

export const usageError = (message: string) => new CommandError(EXIT.usage, message);
