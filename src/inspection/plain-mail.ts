/** One field of a header, in Latin-1, so that nothing of its bytes is lost. */
export interface PlainField {
  /** Lower case. */
  readonly name: string;
  /** As it stands, without its last line end. */
  readonly raw: string;
}

export interface PlainMail {
  readonly fields: readonly PlainField[];
  readonly body: Buffer;
}

/** A name directly before its colon (RFC 5322 §2.2). */
const FIELD = /^([!-9;-~]+):/;

/**
 * The fields and the body of a mail about whose structure nobody can differ: every line of its header
 * begins a field or continues one, and ends in CRLF. null: it is not so plain.
 */
export function readPlainMail(mail: Buffer): PlainMail | null {
  const end = mail.indexOf('\r\n\r\n', 0, 'latin1');
  if (end < 0) return null;
  const fields: { name: string; raw: string }[] = [];
  for (const line of mail.toString('latin1', 0, end).split('\r\n')) {
    if (line.includes('\r') || line.includes('\n')) return null;
    const last = fields.at(-1);
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (!last) return null;
      last.raw += `\r\n${line}`;
      continue;
    }
    const [, name] = FIELD.exec(line) ?? [];
    if (name === undefined) return null;
    fields.push({ name: name.toLowerCase(), raw: line });
  }
  return { fields, body: mail.subarray(end + 4) };
}
