/** The user's terminal or pipe, passed in so that tests can replace it. */
export interface CommandConsole {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Number of columns of the terminal. */
  readonly columns: number;
  readonly colors: boolean;
  /** Prints results, to stdout. */
  print(text: string): void;
  /** Prints progress, questions and warnings, to stderr. */
  note(text: string): void;
  readStdin(): Promise<Uint8Array<ArrayBuffer>>;
}
