/** The terminal or pipe through which the command talks to its user. Tests pass in their own. */
export interface CommandConsole {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal in columns. */
  readonly columns: number;
  readonly colors: boolean;
  /**
   * Prints results to stdout. Resolves to false if the reader, such as `head`, has closed the pipe.
   *
   * @throws CommandError if stdout cannot be written
   */
  print(text: string): Promise<boolean>;
  /** Prints progress, questions and warnings to stderr. */
  note(text: string): void;
  readStdin(): Promise<Uint8Array<ArrayBuffer>>;
}
