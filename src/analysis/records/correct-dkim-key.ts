/** RFC 6376 §3.6.1: the public key in base64; white space within it is allowed and says nothing. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The sender's own key record with what is wrong removed: `v=` first, no `g=`, no `h=` or `s=` that
 * turns mail away, no white space in the key. `null` when the key itself is missing or damaged: then
 * only the sender has it.
 */
export function correctKeyRecord(record: string): string | null {
  const tags = new Map(
    record.split(';').flatMap((tag) => {
      const at = tag.indexOf('=');
      return at < 0
        ? []
        : [[tag.slice(0, at).trim().toLowerCase(), tag.slice(at + 1).trim()] as const];
    }),
  );
  const key = tags.get('p')?.replace(/\s+/g, '') ?? '';
  if (!BASE64.test(key)) return null;

  const type = tags.get('k')?.toLowerCase() === 'ed25519' ? 'ed25519' : 'rsa';
  const flags = tags.get('t');
  return ['v=DKIM1', `k=${type}`, ...(flags ? [`t=${flags}`] : []), `p=${key}`].join('; ');
}
