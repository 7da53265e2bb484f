/** Defines the steps of an SMTP client in a session. */

/** The next action of a client. Text is Latin-1: a character is an octet. */
export type Step =
  /** Lines sent together, each a command. `DATA` and `STARTTLS` are separate steps. */
  | { readonly do: 'say'; readonly lines: readonly string[] }
  /** `ends` says whether the dot is sent; `next` contains commands sent together with it. */
  | {
      readonly do: 'data';
      readonly content: string;
      readonly ends: boolean;
      readonly next: readonly string[];
    }
  /** `smuggled` is sent in plaintext right after the command. */
  | { readonly do: 'tls'; readonly smuggled: string }
  /** The client leaves without a word. */
  | { readonly do: 'vanish' };

export interface Session {
  /** Text that is sent before the greeting. */
  readonly early: string | null;
  readonly steps: readonly Step[];
  /** Octets per packet. Null if everything is sent at once. */
  readonly packet: number | null;
}

/** Sends each command separately, once the previous one has its reply. */
export const say = (...lines: readonly string[]): readonly Step[] =>
  lines.map((line) => ({ do: 'say', lines: [line] }));

/** Sends all commands together. */
export const pipeline = (...lines: readonly string[]): Step => ({ do: 'say', lines });

export const data = (content: string, ...next: readonly string[]): Step => ({
  do: 'data',
  content,
  ends: true,
  next,
});
