import type { Recorded } from '../../ports/log.ts';

/** What stands in for a secret: the token's hash, and whatever leads to a payer. */
const substitutes: Readonly<Record<string, string>> = {
  token_sha256: '0'.repeat(64),
  claim: '',
  signature: '0x',
  raw: '0x',
  from: `0x${'0'.repeat(40)}`,
  payer: `0x${'0'.repeat(40)}`,
  nonce: `0x${'0'.repeat(64)}`,
};

/** A copy without secrets, at whatever depth. */
function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' ? (substitutes[key] ?? one) : redact(one),
    ]),
  );
}

/** A stored event as a line, with its secrets or without. */
export const printerOf =
  (name: string, unsafe: boolean) =>
  ({ id, seq, time, event }: Pick<Recorded<object>, 'id' | 'seq' | 'time' | 'event'>) => ({
    ...{ subject: `${name}.${id}`, seq, stored_at: new Date(time).toISOString() },
    ...(unsafe ? event : (redact(event) as object)),
  });
