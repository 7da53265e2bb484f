import { organizationalDomain } from '../names/domain-names.ts';
import { wordSet } from '../syntax/split-words.ts';
import brands from './brands.json' with { type: 'json' };

/** A name that readers trust, and the first labels of the domains that are its owner's. */
export interface Brand {
  readonly name: string;
  readonly owners: readonly string[];
  /** A word or a name of its own: it says something beside others alone, as in "Chase Online". */
  readonly isWord?: boolean;
}

/** What is imitated most. Whose domains are many and free to choose, such as Sparkasse, is left out. */
export const BRANDS: readonly Brand[] = brands.map((brand) => ({
  ...brand,
  owners: [brand.name.toLowerCase().replace(/[^a-z0-9]/g, ''), ...brand.owners],
}));

/** Whether a domain is of the owner of a brand, who may have an ending of its own (`.dhl`). */
export function isOwners(domain: string, { owners }: Brand): boolean {
  const labels = organizationalDomain(domain).split('.');
  const ending = labels.at(-1) ?? '';
  // Endings of two letters are countries'.
  return owners.includes(labels[0] ?? '') || (ending.length > 2 && owners.includes(ending));
}

/** Whether a host belongs to the owner of any brand here. */
export const isSomeBrands = (host: string): boolean =>
  BRANDS.some((brand) => isOwners(host, brand));

/** What makes a plain word a brand that speaks: `Chase Online`, but not `UPS Service GmbH`. */
export const BRAND_ROLES: ReadonlySet<string> = wordSet(
  'support security online alert alerts account accounts billing id express delivery tracking bank fraud ' +
    'verification notification notifications refund refunds soporte seguridad sicherheit kundenservice ' +
    'kundendienst assistenza sicurezza',
);

/** What senders add to their name: with one of these it is still the brand that speaks. */
export const ROLE_WORDS: ReadonlySet<string> = wordSet(
  'account accounts admin administration alert alerts bank banking billing care center centre ' +
    'client clients com company corp corporation customer customers delivery department desk direct ' +
    'express finance fraud gmbh help helpdesk id inc info information invoice invoices limited ' +
    'llc ltd mail mailbox member members message messages no noreply notice notices notification ' +
    'notifications office official online order orders parcel pay payment payments prime refund ' +
    'refunds reply resolution review rewards secure security server service services shipping sign ' +
    'support team tracking update updates verification verify wallet 365 aktuell kundenservice ' +
    'kundendienst sicherheit konto service-client equipo equipe seguridad soporte assistenza ' +
    'servizio sicurezza clienti atendimento cliente de fr es it uk us eu international',
);
