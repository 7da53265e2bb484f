/** Defines what a sending mail server must be able to do in these trials. */

/** An email as it is given to the sending program. */
export interface Outgoing {
  readonly from: string;
  readonly to: string;
  /** The email with LF at its line ends, as a local program gives it to sendmail(1). */
  readonly raw: string;
}

/** The address at which the service accepts email. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A program that sends email, ready to do so. */
export interface Sender {
  /** Resolves when the program has accepted the email, or with the server's reply. */
  send(mail: Outgoing): Promise<void>;
  /** Returns the number of emails in its queue. */
  queued(): Promise<number>;
  /** Returns the end of its log. */
  lastWords(): Promise<string>;
  stop(): Promise<void>;
}

/** A kind of program: what it needs, and how it is started in a folder of its own. */
export interface Kind {
  readonly name: string;
  /** Debian packages, of which the table names the first. Empty if it comes with the project. */
  readonly packages: readonly string[];
  start(folder: string, target: Target, hostname: string): Promise<Sender>;
}
