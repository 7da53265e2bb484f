import type {
  AccountTransfers,
  MinedTransaction,
} from '../../../adapters/chain/account-transfers.ts';
import type { LedgerEntry, ReplayedSettlement, Verified } from '../payments.ts';
import type { Progress } from '../progress.ts';

/** A settlement as a bookkeeper needs it: a row of the CSV. */
export type BookedEntry = (LedgerEntry | Verified) & {
  readonly asset: string;
  readonly decimals: number | null;
  /** The amount in the asset's own unit, for example `0.05`. */
  readonly usd: string | null;
  readonly payer: string;
  readonly payee: string;
  /** What the transaction cost, by whomever it was paid; `null` without one. */
  readonly gas_wei: string | null;
  readonly block_time: string | null;
};

type Chain = Pick<AccountTransfers, 'decimals' | 'mined'>;

/**
 * Adds what only the chain knows; one after the other, since a public RPC takes no more.
 *
 * @param chainOf `undefined` without a node: then those columns stay empty
 */
export async function book(
  settlements: readonly ReplayedSettlement[],
  entries: readonly (LedgerEntry | Verified)[],
  chainOf: ((network: string, asset: string) => Chain) | undefined,
  progress: Progress,
): Promise<readonly BookedEntry[]> {
  const booked: BookedEntry[] = [];
  const known = new Map<string, Promise<number | null>>();
  for (const [index, { entry, payment }] of settlements.entries()) {
    const { asset, payTo } = payment.requirements;
    const chain = chainOf?.(entry.network, asset);
    const key = `${entry.network} ${asset}`;
    const reading = known.get(key) ?? chain?.decimals() ?? Promise.resolve(null);
    known.set(key, reading);
    const decimals = await reading;
    const mined: MinedTransaction | undefined =
      entry.transaction === null ? undefined : await chain?.mined(entry.transaction);
    booked.push({
      ...(entries[index] ?? entry),
      asset,
      decimals,
      usd: decimals === null ? null : toUnits(BigInt(entry.amount), decimals),
      payer: payment.authorization.from,
      payee: payTo,
      gas_wei: mined ? `${mined.gasWei}` : null,
      block_time: mined?.blockTime ?? null,
    });
    if (chain) progress('booked', booked.length, () => settlements.length - booked.length);
  }
  return booked;
}

/** Exact: no number of JavaScript comes between. */
function toUnits(amount: bigint, decimals: number): string {
  const digits = `${amount}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** RFC 4180, with a header. Every value is ours: words, numbers, instants, addresses and hashes. */
export function toCsv(entries: readonly BookedEntry[]): string {
  const [first] = entries;
  if (!first) return '';
  const names = Object.keys(first) as (keyof BookedEntry)[];
  const cell = (value: unknown) => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = entries.map((entry) => names.map((name) => cell(entry[name])).join(','));
  return [names.join(','), ...rows, ''].join('\r\n');
}
