/** What a client does next. Text is Latin-1: a character is an octet. */
export type Step =
  /** Lines sent together; each is a command. `DATA` and `STARTTLS` are steps of their own. */
  | { readonly do: 'say'; readonly lines: readonly string[] }
  /** `ends`: with the dot; `next`: commands sent in the same breath. */
  | {
      readonly do: 'data';
      readonly content: string;
      readonly ends: boolean;
      readonly next: readonly string[];
    }
  /** `smuggled`: sent in plaintext right behind the command. */
  | { readonly do: 'tls'; readonly smuggled: string }
  /** Leaves without a word. */
  | { readonly do: 'vanish' };

export interface Session {
  /** Before the greeting. */
  readonly early: string | null;
  readonly steps: readonly Step[];
  /** Octets a packet; null: everything at once. */
  readonly packet: number | null;
}

/** Each command by itself, once the one before is answered. */
export const say = (...lines: readonly string[]): readonly Step[] =>
  lines.map((line) => ({ do: 'say', lines: [line] }));

/** All commands in one breath. */
export const pipeline = (...lines: readonly string[]): Step => ({ do: 'say', lines });

export const data = (content: string, ...next: readonly string[]): Step => ({
  do: 'data',
  content,
  ends: true,
  next,
});
