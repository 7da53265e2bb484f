import { isFreemail, organizationalDomain, sameOrganization } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { brandsAt } from './brands.ts';
import { toLatin } from './letters.ts';

/** What the notice is read from. */
interface MailboxClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  /** The text speaks of a mailbox that is full, a password that ends, mail that is held back. */
  readonly isOfMailbox: boolean;
  readonly linkHosts: readonly string[];
}

/** What a mail system and its people are called; a company has a name besides. */
const ROLES = wordSet(
  '2fa account accounts admin administration administrator administrators authenticator bank benefits center ' +
    'centre cloud company cpanel department desk docs document documents domain e efax email emails employee ' +
    'expiry fax gehalt help helpdesk hr human ict inbox info information it login lohn mail mailbox mailer ' +
    'mailserver manager message messages messaging mfa migration network notice notification notifications ' +
    'notify office online outlook password payroll personalabteilung portal post postmaster protection ' +
    'quarantine quota refund refunds registry renew renewal reply resources roundcube secure security server ' +
    'service servicedesk services settings signin storage support system systems team technical tenant und ' +
    'boite buzon casella caixa cheia pleine llena piena limiet limite limit vol cota abonnement aanmelden accesso acesso administracja administrateur administratie administrador aggiornamento aggiornamenti ' +
    'aktualizacja amministratore amministrazione assistance assistenza assistencia atualizacao autorizacion ayuda banca ' +
    'beheer beheerder beveiliging bezpieczenstwo centrum client cliente clientes clienti compte conferma conta conto ' +
    'correio correo courriel courrier cuenta dienst documenti documentos espace factures gestion gestione haslo ' +
    'helpcentrum inloggen klant klantenservice konto logowanie mensagens messagerie notificaciones notificacoes obsluga ' +
    'ondersteuning pagamenti pagamentos pagos paiement pakket poczta pomoc posta powiadomienia rekening remboursement ' +
    'rimborso securite seguranca seguridad servicio servizi servizio sicurezza skrzynka soporte suporte supporto utente ' +
    'utilizador wachtwoord weryfikacja ' +
    'update updates upgrade user users validate validation verification verify view voice voicemail web ' +
    'webaccess webadmin webmail webmaster your',
);

const wordsOf = (text: string): readonly string[] => toLatin(text).match(/\p{L}+/gu) ?? [];

/** A role, or two written as one word. */
const isRole = (word: string): boolean =>
  ROLES.has(word) ||
  [...word].some((_, at) => ROLES.has(word.slice(0, at)) && ROLES.has(word.slice(at)));

const isOfRoles = (words: readonly string[], atLeast: number): boolean =>
  words.length >= atLeast && words.every(isRole);

const labelWords = (host: string): readonly string[] =>
  (organizationalDomain(host).split('.', 1)[0] ?? '').split('-');

const isNameless = (displayName: string): boolean => isOfRoles(wordsOf(displayName), 1);

/**
 * Whether a mail is from nobody by name: a domain made of words of offices alone, or links to one, or an
 * office without a name at a free mail provider.
 */
export const isNobody = ({
  fromDomain,
  displayName,
  linkHosts,
}: Omit<MailboxClaims, 'isOfMailbox'>): boolean =>
  fromDomain !== null &&
  ([fromDomain, ...linkHosts].some((host) => isOfRoles(labelWords(host), 2)) ||
    (isNameless(displayName) && isFreemail(fromDomain)));

/**
 * Whether a mail speaks as the reader's own mail system and is from nobody who could be it: nobody by name,
 * or an office without a name whose links all lead to somebody else. A provider that writes under its own
 * name is not meant.
 */
export function speaksAsMailSystem(claims: MailboxClaims): boolean {
  const { fromDomain, displayName, isOfMailbox, linkHosts } = claims;
  if (fromDomain === null || !isOfMailbox) return false;
  const leadsAway =
    linkHosts.length > 0 &&
    // Many an office sends its readers to Microsoft or Google for a password.
    linkHosts.every((host) => !sameOrganization(host, fromDomain) && brandsAt(host).length === 0);
  return isNobody({ ...claims, linkHosts: [] }) || (isNameless(displayName) && leadsAway);
}
