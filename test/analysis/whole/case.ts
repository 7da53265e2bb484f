import type { AskFilters } from '../../../src/ports/filters.ts';
import type { ClientFacts, Inspect } from '../../../src/ports/mail.ts';
import type { DnsFault, ZoneRecords } from '../../environment/dns-zone.ts';
import type { Script } from '../../support/mail/mail-host.ts';
import type { ProviderHeaders } from '../../support/mail/provider.ts';
import type { Draft } from './mails.ts';
import type { Signature } from './sign.ts';

/** The name of a check's state; `left out` where the check does not apply. */
export type State = string;

/** A file of the sender's web server. */
export interface Page {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}

export type Names = Readonly<Record<string, ZoneRecords | null>>;

/** Nobody comes to the domain. */
export const NO_DOORS = {
  ...{ dnssec: 'left out', dane: 'left out', mx_ipv6: 'left out' },
  ...{ mx_starttls: 'left out', mx_certificate: 'left out' },
} as const;

/** What differs from the right newsletter or letter, and every state that is different for it. */
export interface Case {
  readonly about: string;
  readonly mail?: Draft;
  readonly signatures?: readonly Signature[];
  /** After signing. */
  readonly alter?: (mail: string) => string | Promise<string>;
  /** DNS names to change; `null` takes one away. */
  readonly zone?: Readonly<Record<string, Names[string] | DnsFault>>;
  /** Files by host and path; `null`: gone. */
  readonly web?: Readonly<Record<string, Page | null>>;
  /** How the mail hosts of the domain answer. */
  readonly mailHost?: Script;
  readonly client?: Partial<ClientFacts>;
  readonly from?: Parameters<Inspect>[0]['from'];
  /** Headers of an inbound provider above the mail, which is then no direct SMTP. */
  readonly provider?: Partial<Readonly<Record<keyof ProviderHeaders, string | null>>>;
  /** Lookups fail, so some findings are unknown. */
  readonly isUnanswered?: true;
  /** `false`: no web-risk service, and no list of domains. */
  readonly webRisk?: false;
  readonly askFilters?: AskFilters;
  /** Every difference from the base. Nothing else may differ. */
  readonly states: Readonly<Record<string, State>>;
}
