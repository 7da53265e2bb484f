import type { Finding } from '../../../src/domain/report/report.ts';
import { ARRIVAL, IP } from '../../support/mail/inspection-environment.ts';
import { keyRecord, keys, signature } from './keys.ts';
import { type Draft, newsletter } from './mails.ts';
import {
  publish,
  publishAll,
  publishText,
  recordsAt,
  reverseName,
  type Situation,
} from './publish.ts';
import type { Signature } from './sign.ts';
import { RIGHT_SPF } from './zone.ts';

const NEW_SELECTOR = 's9';

const MAIL_HOST = 'mail.example.com';

/** A place for reports of a domain that takes no mail. */
const NOWHERE = 'ADDRESS@YOUR.MAIL.DOMAIN';

/** What the sender supplies for words in capitals. */
const SUPPLIED: Readonly<Record<string, string>> = {
  PUBLICKEY: keys.rsa2048.p,
  SELECTOR: NEW_SELECTOR,
  'MAIL.HOST': MAIL_HOST,
  [NOWHERE]: `dmarc@${MAIL_HOST}`,
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

const signaturesOf = ({ signatures = [signature()] }: Situation) => signatures;

const resign = (one: Situation, change: (signed: Signature) => Signature): Situation => ({
  ...one,
  signatures: signaturesOf(one).map(change),
});

const sign = (names: readonly string[]) => (signed: Signature) => ({
  ...signed,
  h: [...signed.h, ...names.map((name) => name.toLowerCase())],
});

const without = (tag: string) => (signed: Signature) => ({
  ...signed,
  tags: Object.fromEntries(Object.entries(signed.tags).filter(([name]) => name !== tag)),
});

/** Signs with a good key at a selector of its own. */
const withNewKey = (one: Situation): Situation =>
  publishText(
    resign(one, (signed) => ({
      ...signed,
      key: keys.rsa2048.key,
      s: NEW_SELECTOR,
      a: 'rsa-sha256',
    })),
    `${NEW_SELECTOR}._domainkey.example.com`,
    keyRecord,
  );

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
  if (domain === '') return publishAll(one, fix);
  const MX = (recordsAt(one, domain).MX ?? [])
    .filter((record) => record.split(' ')[1] !== dead)
    .map((record) => record.replace(alias, end));
  return publish(one, domain, { MX });
}

type Apply = (one: Situation, fix: string) => Situation;

/** A policy is raised in two steps where the record has to be corrected first. */
function raise(one: Situation, fix: string): Situation {
  const corrected = publishAll(one, fix);
  const name = /_dmarc\.[^\s":]+/.exec(fix)?.[0] ?? '';
  const raised = /make it "(v=[^"]+)"/.exec(fix)?.[1];
  return raised ? publishText(corrected, name, raised) : corrected;
}

/** Fixes that say what to change in a signer or in a mail; of the others the records are published. */
const appliers: Readonly<Record<string, Apply>> = {
  dkim_present: (one, fix) => ({
    ...publishAll(one, fix),
    signatures: [signature({ s: NEW_SELECTOR, d: /d=(\S+)/.exec(fix)?.[1] ?? '' })],
  }),
  dkim_valid: (one, fix) => {
    if (/sign last/.test(fix)) return { ...one, alter: (mail) => mail };
    if (/drop x=/.test(fix)) return resign(one, without('x'));
    if (/[Ss]et i=|drop i=/.test(fix)) return resign(one, without('i'));
    return /below 1024|revoked|SHA-1/.test(fix) ? withNewKey(one) : publishAll(one, fix);
  },
  dkim_key_size: withNewKey,
  dkim_algorithm: (one, fix) =>
    /second signature/.test(fix)
      ? publishText(
          { ...one, signatures: [...signaturesOf(one), signature({ s: NEW_SELECTOR })] },
          `${NEW_SELECTOR}._domainkey.example.com`,
          keyRecord,
        )
      : resign(one, (signed) => ({ ...signed, a: 'rsa-sha256' })),
  dkim_expired: (one, fix) => resign(one, without(/NTP/.test(fix) ? 't' : 'x')),
  dkim_length_tag: (one) => resign(one, ({ length: _, ...signed }) => signed),
  dkim_headers_signed: (one, fix) =>
    resign(
      one,
      sign(
        listIn(
          /: ([^:]+)\.$/
            .exec(fix)?.[1]
            ?.replace('from (a second time)', 'from')
            .replace('from (twice)', 'from, from'),
        ),
      ),
    ),
  dkim_canonicalization: (one) => resign(one, (signed) => ({ ...signed, c: 'relaxed' })),
  dmarc_alignment: (one, fix) => {
    const d = /[Ss]ign with d=(\S+)/.exec(fix)?.[1];
    const key = `s1._domainkey.${d}`;
    if (d) return publishText({ ...one, signatures: [signature({ d })] }, key, keyRecord);
    const domain = /return-path (?:under|at) (\S+)/.exec(fix)?.[1];
    return domain
      ? publishText(
          { ...one, from: { localPart: 'bounce', domain, smtputf8: false } },
          domain,
          RIGHT_SPF,
        )
      : one;
  },
  dmarc_policy: raise,
  dmarc_subdomain_policy: raise,
  bimi_dmarc_ready: raise,
  // The sender's web server has a certificate for this name alone.
  mta_sts: (one, fix) => (/mta-sts\.example\.com/.test(fix) ? publishAll(one, fix) : one),
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

/** What one does who follows a fix to the letter, each of the ways that it offers; none: it is words. */
export const applyFix = (one: Situation, { id, fix = '' }: Finding): readonly Situation[] => {
  const ready = fix.includes(NOWHERE) ? publish(one, MAIL_HOST, { MX: [`10 ${MAIL_HOST}`] }) : one;
  return supply(fix)
    .split(/[,;] or /)
    .map((way) => (appliers[id] ?? publishAll)(ready, way))
    .filter((after) => after !== ready);
};
