const DAY_MS = 86_400_000;

/** RFC 9116 §2.5.5 asks for less than a year. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt` (RFC 9116): whom to write to about a weakness. */
export function securityTxt(baseUrl: string, contactEmail: string, now: number): string {
  // To the day, so that it is the same on every replica.
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  return [
    `Contact: mailto:${contactEmail}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
