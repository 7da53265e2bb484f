/** One mail as the sending program is given it. */
export interface Outgoing {
  readonly from: string;
  readonly to: string;
  /** With LF at the line ends, as a local program hands it to sendmail(1). */
  readonly raw: string;
}

/** Where the service takes mail. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A program that sends mail, ready to do so. */
export interface Sender {
  /** Resolves when the program has taken the mail over, or with the server's reply. */
  send(mail: Outgoing): Promise<void>;
  /** Mails in its queue. */
  queued(): Promise<number>;
  /** The end of its log. */
  lastWords(): Promise<string>;
  stop(): Promise<void>;
}

/** A kind of program: what it needs, and how it is started in a folder of its own. */
export interface Kind {
  readonly name: string;
  /** Of Debian; the first one is named in the table. None: it comes with the project. */
  readonly packages: readonly string[];
  start(folder: string, target: Target, hostname: string): Promise<Sender>;
}
