import { sameOrganization } from '../names/domain-names.ts';
import type { DkimSignatureHeader } from './parse.ts';

/** Signatures verified; each costs a key lookup and a hash of the headers. */
const MAX_EVALUATED = 10;

/** Different `l=` values: each hashes the body once more. */
const MAX_LENGTHS = 2;

/** Which signatures are verified: those of the From domain's organization first, then from the top. */
export function selectSignatures(
  signatures: readonly DkimSignatureHeader[],
  fromDomain: string | null,
): { readonly header: DkimSignatureHeader; readonly evaluate: boolean }[] {
  const isOwn = ({ domain }: DkimSignatureHeader) =>
    domain !== null && fromDomain !== null && sameOrganization(domain, fromDomain);
  const lengths = new Set<number>();
  const chosen = new Set<number>();
  for (const header of [...signatures].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    if (chosen.size === MAX_EVALUATED) break;
    const length = header.bodyLength;
    if (length !== null && !lengths.has(length) && lengths.size === MAX_LENGTHS) continue;
    if (length !== null) lengths.add(length);
    chosen.add(header.index);
  }
  return signatures.map((header) => ({ header, evaluate: chosen.has(header.index) }));
}
