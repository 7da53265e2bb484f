/** The person's terminal or pipe, handed in so that tests can play it. */
export interface CommandConsole {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns of the terminal. */
  readonly columns: number;
  readonly colors: boolean;
  /** Results: stdout. */
  print(text: string): void;
  /** Progress, questions and warnings: stderr. */
  note(text: string): void;
  readStdin(): Promise<Uint8Array<ArrayBuffer>>;
}
