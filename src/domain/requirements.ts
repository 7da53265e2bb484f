import type { RequirementRow } from './report/compliance.ts';
import type { Classification } from './report/message.ts';

type Receiver = RequirementRow['receiver'];
type Scope = RequirementRow['applies_to'];

/** A check whose finding must be at one of the severities. */
interface Wanted {
  readonly id: string;
  readonly severities: readonly string[];
  /** The check may not apply to this mail, and is then not in the way. */
  readonly orAbsent?: true;
}

/** One published rule of a receiver, and the checks that decide it. */
export interface Requirement {
  readonly id: string;
  readonly receiver: Receiver;
  readonly scope: Scope;
  readonly text: string;
  readonly source: string;
  /** Day from which the receiver applies it. */
  readonly since: string;
  /** All must hold. None: one mail cannot show it. */
  readonly all: readonly Wanted[];
  /** One of them is enough, besides `all`. */
  readonly any?: readonly Wanted[];
  /** Asked of some classes of mail only; of mail of an unknown class nobody can say. */
  readonly classes?: readonly Classification['class'][];
}

const pass = (id: string): Wanted => ({ id, severities: ['pass'] });
const noFail = (id: string): Wanted => ({ id, severities: ['pass', 'info', 'warn'] });
const noFault = (id: string): Wanted => ({ ...noFail(id), orAbsent: true });

const GMAIL = 'https://support.google.com/mail/answer/81126';
const YAHOO = 'https://senders.yahooinc.com/best-practices/';
const MICROSOFT =
  'https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730';

const SPF = [pass('spf_result')];
// Its `warn` and `info` are about further signatures. A key that many receivers ignore does not count.
const DKIM = [
  noFail('dkim_valid'),
  noFault('dkim_key_size'),
  { ...noFault('dkim_algorithm'), severities: ['pass', 'info'] },
];
const DMARC = [pass('dmarc_record'), noFail('dmarc_record_valid')];
const ALIGNED = [noFail('dmarc_alignment')];
/** RFC 5321 and RFC 5322, as far as receivers refuse what breaks them. */
const FORMAT = [
  'from_header',
  'duplicate_headers',
  'mime_structure',
  'line_length',
  'bare_newlines',
  'date_header',
  'message_id',
].map(noFault);
const ONE_CLICK = ['list_unsubscribe', 'one_click', 'one_click_signed'].map(pass);

const rowsOf =
  (receiver: Receiver, source: string) =>
  (
    scope: Scope,
    since: string,
    id: string,
    text: string,
    all: readonly Wanted[],
    more: Partial<Requirement> = {},
  ): Requirement => ({ id, receiver, scope, text, source, since, all, ...more });

const gmail = rowsOf('gmail', GMAIL);
const yahoo = rowsOf('yahoo', YAHOO);
const microsoft = rowsOf('microsoft', MICROSOFT);

const FEB_2024 = '2024-02-01';
const JUNE_2024 = '2024-06-01';
const MAY_2025 = '2025-05-05';

const marketing = { classes: ['marketing'] } as const;
const either = { any: [pass('spf_result'), noFail('dkim_valid')] };

/** What the large mailbox providers publish, as of `AS_OF`: a row a requirement. */
export const requirements: readonly Requirement[] = [
  gmail('all_senders', FEB_2024, 'spf_or_dkim', 'SPF or DKIM passes.', [], either),
  gmail(
    'all_senders',
    FEB_2024,
    'reverse_dns',
    'The sending address has a name that leads back to it.',
    [pass('rdns_fcrdns')],
  ),
  gmail('all_senders', FEB_2024, 'tls', 'The mail is sent over TLS.', [noFail('connection_tls')]),
  gmail('all_senders', FEB_2024, 'message_format', 'The message follows RFC 5322.', FORMAT),
  gmail(
    'all_senders',
    FEB_2024,
    'own_from',
    'The From address is not one of another mail provider, and misleads nobody.',
    ['from_domain_freemail', 'impersonation'].map(noFault),
  ),
  gmail(
    'all_senders',
    FEB_2024,
    'complaints',
    'Fewer than 0.3 % of the mails are reported as spam.',
    [],
  ),
  gmail('bulk', FEB_2024, 'spf', 'SPF passes.', SPF),
  gmail('bulk', FEB_2024, 'dkim', 'DKIM passes with an RSA key of 1024 bits or more.', DKIM),
  gmail('bulk', FEB_2024, 'dmarc', 'The From domain has a DMARC record.', DMARC),
  gmail('bulk', FEB_2024, 'alignment', 'SPF or DKIM is aligned with the From domain.', ALIGNED),
  gmail(
    'bulk',
    JUNE_2024,
    'one_click',
    'Marketing mail can be unsubscribed with one click (RFC 8058).',
    ONE_CLICK,
    marketing,
  ),
  gmail(
    'bulk',
    JUNE_2024,
    'body_unsubscribe',
    'Marketing mail has a visible unsubscribe link.',
    [pass('body_unsubscribe')],
    marketing,
  ),
  yahoo('all_senders', FEB_2024, 'spf_or_dkim', 'SPF or DKIM passes.', [], either),
  yahoo(
    'all_senders',
    FEB_2024,
    'reverse_dns',
    'The sending address has a name that leads back to it.',
    [pass('rdns_fcrdns')],
  ),
  yahoo(
    'all_senders',
    FEB_2024,
    'message_format',
    'The message follows RFC 5321 and RFC 5322.',
    FORMAT,
  ),
  yahoo(
    'all_senders',
    FEB_2024,
    'complaints',
    'Fewer than 0.3 % of the mails are reported as spam.',
    [],
  ),
  yahoo('bulk', FEB_2024, 'spf', 'SPF passes.', SPF),
  yahoo('bulk', FEB_2024, 'dkim', 'DKIM passes.', DKIM),
  yahoo('bulk', FEB_2024, 'dmarc', 'The From domain has a DMARC record that passes.', DMARC),
  yahoo('bulk', FEB_2024, 'alignment', 'SPF or DKIM is aligned with the From domain.', ALIGNED),
  yahoo(
    'bulk',
    JUNE_2024,
    'one_click',
    'Marketing mail can be unsubscribed with one click (RFC 8058).',
    ONE_CLICK,
    marketing,
  ),
  yahoo(
    'bulk',
    FEB_2024,
    'body_unsubscribe',
    'Marketing mail has a visible unsubscribe link.',
    [pass('body_unsubscribe')],
    marketing,
  ),
  microsoft('high_volume', MAY_2025, 'spf', 'SPF passes.', SPF),
  microsoft('high_volume', MAY_2025, 'dkim', 'DKIM passes.', DKIM),
  microsoft('high_volume', MAY_2025, 'dmarc', 'The From domain has a DMARC record.', DMARC),
  microsoft(
    'high_volume',
    MAY_2025,
    'alignment',
    'SPF or DKIM is aligned with the From domain.',
    ALIGNED,
  ),
];

/** The newest rule in the table is of this day. */
export const AS_OF = MAY_2025;
