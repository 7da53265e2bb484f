import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { ARRIVAL, IP } from '../../support/mail/inspection-environment.ts';
import { applyActions, NEW_SELECTOR, resign, sign, withNewKey } from './apply-actions.ts';
import { keyRecord, signature } from './keys.ts';
import { type Draft, newsletter } from './mails.ts';
import { isAlias, publish, publishAll, recordsAt, reverseName, type Situation } from './publish.ts';

/** What the sender supplies for words in capitals. */
const SUPPLIED: Readonly<Record<string, string>> = {
  'MAIL.HOST': 'mail.example.com',
  TOKEN: '1',
  UUID: 'b7',
};

const supply = (fix: string) =>
  Object.entries(SUPPLIED).reduce((text, [word, own]) => text.replaceAll(word, own), fix);

const draftOf = ({ mail = newsletter() }: Situation): Draft => mail;

const withField = (one: Situation, name: string, value: string | null): Situation => {
  const mail = draftOf(one);
  return { ...one, mail: { ...mail, fields: { ...mail.fields, [name]: value } } };
};

const withBody = (one: Situation, change: (body: string) => string): Situation => {
  const mail = draftOf(one);
  return { ...one, mail: { ...mail, body: change(mail.body) } };
};

const HEADER = /\b([A-Z][A-Za-z]*(?:-[A-Za-z]+)+): (.+?)(?= and [A-Z]|, both| and one https|\.?$)/g;

const addHeaders = (one: Situation, fix: string): Situation =>
  [...fix.matchAll(HEADER)].reduce(
    (after, [, name = '', value = '']) => withField(after, name, value),
    one,
  );

const listIn = (text = '') => text.split(/, | and /).filter(Boolean);

/** Takes hosts out of the MX of a domain, or puts others in their place. */
function changeMx(one: Situation, fix: string): Situation {
  const [, , domain = ''] = /(Take \S+ out of|In) the MX of ([^\s:]+)/.exec(fix) ?? [];
  const [, dead] = /^Take (\S+) out/.exec(fix) ?? [];
  const [, end = '', alias = ''] = /write (\S+) in place of ([^\s:]+)/.exec(fix) ?? [];
  // Beside a CNAME no record can be published.
  const own = /MX (\S+) 10/.exec(fix)?.[1] ?? '';
  if (domain === '') return isAlias(one, own) ? one : publishAll(one, fix);
  const MX = (recordsAt(one, domain).MX ?? [])
    .filter((record) => record.split(' ')[1] !== dead)
    .map((record) => record.replace(alias, end));
  return publish(one, domain, { MX });
}

/** What is known of the mail beside the fix. */
interface Known {
  /** Of the first signature that does not verify. */
  readonly reason?: string | null | undefined;
}

type Apply = (one: Situation, fix: string, known?: Known) => Situation;

const signAgain: Apply = (one) => ({
  ...publish(one, `${NEW_SELECTOR}._domainkey.example.com`, { TXT: [keyRecord] }),
  signatures: [...(one.signatures ?? [signature()]), signature({ s: NEW_SELECTOR })],
});

/** Fixes that say what to change in a signer or in a mail; of the others the records are published. */
const appliers: Readonly<Record<string, Apply>> = {
  dkim_valid: (one, _, { reason } = {}) =>
    /key/.test(reason ?? '')
      ? withNewKey(one)
      : /body_hash|bad_signature/.test(reason ?? '')
        ? { ...one, alter: (mail) => mail }
        : one,
  dkim_key_size: withNewKey,
  dkim_key_record: withNewKey,
  dkim_algorithm: signAgain,
  dmarc_alignment: (one, fix) => (/Ed25519/.test(fix) ? signAgain(one, fix) : publishAll(one, fix)),
  from_domain_mx: changeMx,
  envelope_domain_mx: changeMx,
  rdns_multiple: (one, fix) =>
    publish(one, reverseName(IP), { PTR: [/: (\S+)\.$/.exec(fix)?.[1] ?? ''] }),
  connection_tls: (one) => ({
    ...one,
    client: { ...one.client, tls: { status: 'tls', version: 'TLSv1.2', cipher: null } },
  }),
  mime_structure: addHeaders,
  date_header: (one, fix) =>
    withField(
      one,
      'Date',
      /"([^"]+)"/.exec(fix)?.[1] ?? new Date(ARRIVAL).toUTCString().replace('GMT', '+0000'),
    ),
  message_id: addHeaders,
  internal_headers_leak: (one, fix) =>
    [
      ...listIn(/Remove (.+) at/.exec(fix)?.[1]),
      ...(/Received/.test(fix) ? ['Received'] : []),
    ].reduce((after, name) => withField(after, name, null), one),
  bulk_markers: (one, fix) =>
    /^Drop the Precedence/.test(fix) ? withField(one, 'Precedence', null) : addHeaders(one, fix),
  list_unsubscribe: addHeaders,
  one_click: (one, fix) => {
    const uri = /<https:[^>]+>/.exec(fix)?.[0];
    const own = /<mailto:[^>]+>/.exec(String(draftOf(one).fields['List-Unsubscribe']))?.[0];
    const added = addHeaders(one, fix);
    return uri
      ? withField(added, 'List-Unsubscribe', [uri, own].filter(Boolean).join(', '))
      : added;
  },
  one_click_signed: (one, fix) =>
    /^Add /.test(fix) ? resign(one, sign(listIn(/^Add (.+) to the signed/.exec(fix)?.[1]))) : one,
  images_alt: (one) =>
    withBody(one, (body) => body.replace(/<img (?![^>]*\balt=)/g, '<img alt="" ')),
  link_https: (one, fix) =>
    withBody(one, (body) =>
      listIn(/of (.+)\.$/.exec(fix)?.[1]).reduce(
        (left, host) => left.replaceAll(`http://${host}`, `https://${host}`),
        body,
      ),
    ),
};

/** What is done by following a fix: its steps, else each of the ways that its words offer; none: it is words. */
export function applyFix(
  one: Situation,
  { id, fix = '', actions = [] }: Finding,
  known: Known = {},
): readonly Situation[] {
  // The sender's web server has a certificate for one name alone.
  const isServed = ({ name }: Action) =>
    !name?.includes('mta-sts.') || name.includes('mta-sts.example.com');
  if (!actions.every(isServed)) return [];
  const done = applyActions(one, actions);
  if (done !== one) return [done];
  return supply(fix)
    .split(/[,;] or /)
    .map((way) => (appliers[id] ?? publishAll)(one, way, known))
    .filter((after) => after !== one);
}
