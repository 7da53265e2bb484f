/**
 * Collects the signs in the header of an email that suggest what kind of email it is, and tells whether an
 * address contains a person's name.
 */

import { isUnder } from '../names/domain-names.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { REPLY_OR_FORWARD } from '../syntax/reply-prefixes.ts';
import { splitWords, wordSet } from '../syntax/words.ts';
import platforms from './campaign-platforms.json' with { type: 'json' };
import type { ClassSign } from './sign.ts';

/** Domains of platforms that send only campaigns, and of the hosts that track clicks for them. */
export const CAMPAIGN_PLATFORMS: readonly string[] = platforms;

/** Maximum number of words in a person's name. Company names may be longer. */
const MAX_NAME_WORDS = 4;

/**
 * Words in local parts that stand for a role. For example, `billing@` from "Stackline Billing" does not
 * contain a person's name.
 */
const ROLES = wordSet(
  'account accounts admin alert alerts billing booking bookings bot care cart club contact digest ' +
    'editor events hello help home hotel info invoice invoices letter letters mail news newsletter ' +
    'notice notices notification notifications office offers order orders post press receipts ' +
    'reservations sales secure security service services shop store support team tickets update updates ' +
    'bestellung buchung kundenservice rechnung service commande contact facture pedidos facturas ordini',
);

/** Returns whether a local part contains a word of a person's name, as in `nora.hale` for Nora Hale. */
export function isNamedAfter(local: string, words: readonly string[]): boolean {
  const parts = local.toLowerCase().split(/[._+-]/);
  const names = words.filter((word) => word.length > 2 && !ROLES.has(word));
  return (
    // A name that consists of one word is often that of a program or a company.
    words.length > 1 &&
    words.length <= MAX_NAME_WORDS &&
    parts.some((part) => !ROLES.has(part) && names.some((name) => part.includes(name)))
  );
}

/** Header fields that campaign tools add to the email that they send. */
const CAMPAIGN = splitWords(
  'X-Campaign X-Campaign-ID X-CampaignID X-Campaign_ID X-Mailing-ID X-Newsletter-ID ' +
    'X-Bulkmail X-Mailer-Campaign X-EM-Campaign X-Mailchimp-Campaign-ID X-Mailin-Campaign ' +
    'X-MC-User X-Klaviyo-Message-ID X-HubSpot-Campaign-ID X-SFMC-Stack',
);

/** Header fields that programs for discussion lists add. */
const LIST_PROGRAM = splitWords(
  'X-BeenThere X-Mailman-Version Mailing-List X-Google-Group-Id X-Listserv-ListName ' +
    'X-Sympa-From X-Discourse-Post-Id X-Mailing-List X-Original-Mailer-List',
);

/**
 * Matches the header fields that trackers of code and errors add to their notices. Such a notice passes on
 * what people and programs write.
 */
const TRACKER_FIELD =
  /^x-(?:github|gitlab|gitea|forgejo|sentry|jira|bugzilla|redmine|gerrit|phabricator|launchpad|trac|linear|youtrack)-/;

const AUTO_REPLY = ['X-Autoreply', 'X-Autorespond', 'X-Failed-Recipients', 'X-Cron-Env'] as const;

const CAMPAIGN_MAILER =
  /mailchimp|klaviyo|hubspot|campaign monitor|createsend|sendinblue|brevo|mailerlite|constant contact|activecampaign|getresponse|cleverreach|rapidmail|phplist|sendy|aweber|convertkit|emarsys|marketo|pardot|acymailing/i;

/** Returns whether a domain belongs to a platform that sends only campaigns. */
const isCampaignPlatform = (domain: string): boolean =>
  CAMPAIGN_PLATFORMS.some((one) => isUnder(domain, one));

const MAIL_PROGRAM =
  /thunderbird|apple mail|iphone mail|ipad mail|microsoft outlook|evolution|mutt|kmail|k-9|roundcube|claws|gnus|airmail|fairemail|emclient|the bat|zimbra|open-xchange|squirrelmail/i;

/**
 * Matches local parts that send only newsletters and offers. `sales`, `shop` and `marketing` are not among
 * them, because people reply from those addresses.
 */
const CAMPAIGN_LOCAL =
  /^(?:news(?:letters?)?|nyhetsbrev|nieuwsbrief|nyhedsbrev|nyheter|uutiset|hirlevel|hirek|noutati|rundbrief|bulletin|boletim?|boletin|infolettre|lettre|novedades|novinky|nowosci|haberler|promocoes|promociones|offers|promos?|promotions?|deals?|campaigns?|digest|weekly|appeal|mailings?)(?:[._+-]|$)/i;

/** Matches local parts that send offers to many people, but also quotations and letters to one. */
const OFFER_LOCAL = /^(?:offer|ofertas?|angebote?|offres?)(?:[._+-]|$)/i;

const MACHINE_LOCAL =
  /^(?:mailer-daemon|postmaster|root|cron|daemon|monitor(?:ing)?|nagios|zabbix|alerts?|alertmanager|grafana|logwatch|prometheus|fail2ban|smartd|uptime|watchdog|bounces?|ci|jenkins|build|scanner|nobody)(?:[._+@-]|$)/i;

/** Matches local parts from which nobody writes personal email. */
const SERVICE_LOCAL =
  /^(?:(?:[a-z]+[._-]){0,3}no[._-]?reply|do[._-]?not[._-]?reply|ne[._-]?pas[._-]?repondre|nicht[._-]?antworten|notifications?|notify|orders?|receipts?|invoices?|billing|accounts?|security|alerts?|tickets?|bookings?|reservations?|shipping|tracking|delivery|service|payments?|confirmations?|verify|bestellung(?:en)?|rechnung(?:en)?|versand|buchung(?:en)?|commandes?|factur(?:es?|as?|ation)|pedidos?|ordini|reservas?|ordrer?|ikke[._-]?svar|svara[._-]?inte|objednavky|szamla|livrari|secure|securite|zamowienia|siparis|randevu|rezervasyon|bokning(?:ar)?|bestallning(?:ar)?|rezervace|rezerwacje|prenotazioni|kvitto|kvittering|reception)(?:[._+-]|$)/i;

/** Returns the domains in the Message-ID and in the DKIM signatures (`d=`) of the email. */
const sendingDomains = (block: HeaderBlock): readonly string[] => [
  ...[firstNamed(block, 'message-id') ?? ''].flatMap(
    (id) => /@([a-z0-9.-]+)>/i.exec(id)?.[1] ?? [],
  ),
  ...fieldsNamed(block, 'dkim-signature').flatMap(
    ({ value }) =>
      /(?:^|;)\s*d\s*=\s*([a-z0-9.-]+)/i.exec(value.slice(0, MAX_SIGNATURE))?.[1] ?? [],
  ),
];

/** Maximum number of characters of a DKIM signature that are searched for `d=`. */
const MAX_SIGNATURE = 1000;

/** Matches the subject prefixes of out-of-office replies in many languages. */
const AWAY =
  /^\s*(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|automatische antwort|abwesenheits(?:notiz|meldung)|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automaattinen vastaus|automatyczna odpowiedź|automatická odpově[ďd]|automatikus válasz|otomatik yanıt|автоответ|автоматический ответ|自動(?:返信|応答)|自动(?:回复|答复)|自動回覆|자동 (?:회신|응답)|رد تلقائي|الرد التلقائي)/iu;

/** Weight of a platform that sends only campaigns. This sign is enough to name the class on its own. */
export const PLATFORM_WEIGHT = 5;

interface SignContext {
  readonly nullSender: boolean;
  /** The local part of the From address, which never leaves the code that reads the email. */
  readonly local: string;
  readonly freemail: boolean;
  /** True if the local part contains the display name, as a person's address does. */
  readonly isPerson: boolean;
  /** The decoded subject, which never leaves the code that reads the email. */
  readonly subject: string;
}

/** Returns the signs that the header of an email gives. */
export function readHeaderSigns(block: HeaderBlock, context: SignContext): readonly ClassSign[] {
  const has = (name: string) => fieldsNamed(block, name.toLowerCase()).length > 0;
  const value = (name: string) => (firstNamed(block, name.toLowerCase()) ?? '').toLowerCase();
  const named = (names: readonly string[]) => names.filter(has);
  const signs: ClassSign[] = [];
  const add = (of: ClassSign['of'], weight: number, evidence: string) =>
    signs.push({ of, weight, evidence });
  /** Adds a sign that receivers and checks ask for in bulk email. */
  const addAskedFor = (weight: number, evidence: string) => {
    signs.push({ of: 'marketing', weight, evidence, isAskedFor: true });
    signs.push({ of: 'transactional', weight: 0, evidence, isAskedFor: true });
  };

  const addChangeable = (weight: number, evidence: string) =>
    signs.push({ of: 'personal', weight, evidence, isToChange: true });

  const precedence = value('precedence').trim();
  const auto = value('auto-submitted').split(/[;\s(]/, 1)[0] ?? '';
  const answers = has('In-Reply-To') || has('References');
  const mailer = `${value('x-mailer')} ${value('user-agent')}`;

  // Some newsletters give the web page of their issue here.
  const isOpenList = value('list-post').includes('mailto:');
  if (isOpenList) add('discussion_list', 5, 'List-Post header');
  for (const name of named(LIST_PROGRAM)) add('discussion_list', 5, `${name} header`);
  if (precedence === 'list') add('discussion_list', 2, 'Precedence: list');
  if (has('List-Id') && answers) add('discussion_list', 3, 'reply on a list');
  if (/-(?:bounces|owner|request|admin)\b/.test(value('sender')))
    add('discussion_list', 2, 'Sender field of a list program');

  for (const name of named(CAMPAIGN)) add('marketing', PLATFORM_WEIGHT, `${name} header`);
  if (CAMPAIGN_MAILER.test(mailer))
    add('marketing', PLATFORM_WEIGHT, 'X-Mailer of a campaign tool');
  if ((precedence === 'bulk' || precedence === 'junk') && auto === '' && !context.nullSender)
    // Receipts have this field too, so its weight is not enough to name the class.
    addAskedFor(2, `Precedence: ${precedence}`);
  if (has('List-Unsubscribe')) addAskedFor(1, 'List-Unsubscribe header');
  if (has('List-Id') && !isOpenList && precedence !== 'list' && !answers)
    addAskedFor(2, 'List-Id header of a list without replies');
  if (has('Feedback-ID')) addAskedFor(0, 'Feedback-ID header');
  if (CAMPAIGN_LOCAL.test(context.local)) add('marketing', 2, 'From address of a newsletter');
  if (OFFER_LOCAL.test(context.local))
    signs.push({
      of: 'marketing',
      weight: 2,
      evidence: 'From address for offers',
      isOfLetters: true,
    });
  if (sendingDomains(block).some(isCampaignPlatform))
    add('marketing', PLATFORM_WEIGHT, 'sent by a campaign platform');

  if (SERVICE_LOCAL.test(context.local)) add('transactional', 1, 'From address of a service');
  if (auto === 'auto-generated') add('transactional', 0, 'Auto-Submitted: auto-generated');

  if (/^multipart\/report/.test(value('content-type')))
    add('automatic', 6, 'Content-Type: multipart/report');
  if (context.nullSender) add('automatic', 4, 'empty envelope sender');
  if (auto === 'auto-replied') add('automatic', 6, 'Auto-Submitted: auto-replied');
  else if (auto !== '' && auto !== 'no') add('automatic', 3, 'Auto-Submitted header');
  if (AWAY.test(context.subject))
    signs.push({
      of: 'automatic',
      weight: 6,
      evidence: 'subject of an automatic reply',
      // If the header shows that the email is a reply, the sign is not based on words alone.
      ...(!answers && { isWord: true as const }),
    });
  if (/auto[_-]?reply/.test(precedence)) add('automatic', 4, 'Precedence: auto_reply');
  if (block.fields.some(({ name }) => TRACKER_FIELD.test(name)))
    signs.push({
      of: 'automatic',
      weight: 5,
      evidence: 'header fields of a tracker',
      passesOn: true,
    });
  for (const name of named(AUTO_REPLY)) add('automatic', 4, `${name} header`);
  if (has('X-Auto-Response-Suppress')) add('automatic', 1, 'X-Auto-Response-Suppress header');
  if (MACHINE_LOCAL.test(context.local)) add('automatic', 3, 'From address of a program');

  if (answers && !has('List-Id')) add('personal', 3, 'reply to an email');
  if (MAIL_PROGRAM.test(mailer)) addChangeable(3, 'X-Mailer of a mail program');
  const isMachine = (auto !== '' && auto !== 'no') || SERVICE_LOCAL.test(context.local);
  if (context.isPerson && !isMachine) add('personal', 2, 'From address of a person');
  if (REPLY_OR_FORWARD.test(context.subject)) add('personal', 2, 'subject of a reply');
  if (context.freemail) addChangeable(2, 'From address at a free email provider');
  return signs;
}
