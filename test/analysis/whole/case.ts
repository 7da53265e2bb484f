/**
 * Defines the form of a case of a complete email: what differs from a perfect one, and which states change.
 */

import type { AskFilters } from '../../../src/ports/filters.ts';
import type { ClientFacts, Inspect } from '../../../src/ports/mail.ts';
import type { DnsFault, ZoneRecords } from '../../environment/dns-zone.ts';
import type { Script } from '../../support/mail/mail-host.ts';
import type { ProviderHeaders } from '../../support/mail/provider.ts';
import type { Draft } from './mails.ts';
import type { Signature } from './sign.ts';

/** The name of a check's state, or `left out` where the check does not apply. */
export type State = string;

/** A file of the sender's web server. */
export interface Page {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}

export type Names = Readonly<Record<string, ZoneRecords | null>>;

/** The states of a domain to whose mail hosts nobody connects. */
export const NO_DOORS = {
  ...{ dnssec: 'left out', dane: 'left out', mx_ipv6: 'left out' },
  ...{ mx_starttls: 'left out', mx_certificate: 'left out' },
} as const;

/** The differences from the perfect newsletter or letter, and every state that differs because of them. */
export interface Case {
  readonly about: string;
  readonly mail?: Draft;
  readonly signatures?: readonly Signature[];
  /** Changes the email after signing. */
  readonly alter?: (mail: string) => string | Promise<string>;
  /** DNS names to change; `null` removes a name. */
  readonly zone?: Readonly<Record<string, Names[string] | DnsFault>>;
  /** Files by host and path; `null` removes a file. */
  readonly web?: Readonly<Record<string, Page | null>>;
  /** How the mail hosts of the domain reply. */
  readonly mailHost?: Script;
  readonly client?: Partial<ClientFacts>;
  readonly from?: Parameters<Inspect>[0]['from'];
  /** Headers of an inbound provider above the email, which then does not arrive by direct SMTP. */
  readonly provider?: Partial<Readonly<Record<keyof ProviderHeaders, string | null>>>;
  /** True if lookups fail, so that some findings are unknown. */
  readonly isUnanswered?: true;
  /** False if there is neither a web-risk service nor a domain blocklist. */
  readonly webRisk?: false;
  readonly askFilters?: AskFilters;
  /** Every state that differs from the base. No other state may differ. */
  readonly states: Readonly<Record<string, State>>;
}
