import {
  type ConnectionFacts,
  type LookupResult,
  type Names,
  type SpfFacts,
  unknown,
} from '../analysis/facts.ts';
import type { Resolver } from '../ports/dns.ts';
import type { ClientFacts, EnvelopeFrom } from '../ports/mail.ts';
import type { EvaluateSpf } from '../ports/reading.ts';
import type { Blocklists } from './blocklists.ts';
import { lookUpHelo, lookUpReverse, type ReverseFacts } from './connection.ts';
import { isDomainName, orElse, within } from './deadlines.ts';
import { lookUpMailHosts } from './from-domain.ts';
import { lookUpMxHosts } from './mx.ts';
import { lookUpSpf } from './spf.ts';

/** Milliseconds after which a part is unknown. */
const REVERSE_MS = 5000;
const LIST_MS = 2000;
const SPF_MS = 10_000;
const MX_MS = 5000;

/** What can be learnt before the mail is there. */
export interface Early {
  readonly reverse: Promise<ReverseFacts>;
  readonly heloAddresses: Promise<ConnectionFacts['heloAddresses']>;
  readonly spf: Promise<LookupResult<SpfFacts>>;
  /** null: the null sender, or one at an address literal. */
  readonly envelopeMx: Promise<Names['envelopeMx']>;
  readonly envelopeMxHosts: Promise<Names['mxHosts']>;
  readonly spamcop: Promise<ConnectionFacts['spamcop']>;
  readonly blocklists: Promise<readonly ConnectionFacts['blocklists'][number][]>;
}

/** Begins everything that needs only the connection and the envelope, side by side. */
export function beginEarly(
  ports: {
    readonly resolver: Resolver;
    readonly evaluateSpf: EvaluateSpf;
    readonly blocklists: Blocklists;
    readonly refusalBlocklists: readonly string[];
  },
  client: ClientFacts,
  from: EnvelopeFrom,
): Early {
  const { resolver, evaluateSpf, blocklists } = ports;
  const { ip, helo } = client;
  const late = unknown('dns: reverse names of the sending IP: no answer in time');
  const noLists = ports.refusalBlocklists.map((list) => ({
    list,
    status: 'unavailable' as const,
    codes: [],
    removal_url: null,
  }));
  const envelopeMx: Early['envelopeMx'] = isDomainName(from.domain)
    ? within('dns: MX of the envelope domain', MX_MS, lookUpMailHosts(resolver, from.domain))
    : Promise.resolve(null);
  return {
    reverse: orElse(REVERSE_MS, lookUpReverse(resolver, ip), { ptr: late, forward: late }),
    heloAddresses: within('dns: addresses of HELO', REVERSE_MS, lookUpHelo(resolver, client)),
    spf:
      ip === null
        ? Promise.resolve(unknown('connection: the sending IP is not known'))
        : within(
            'dns: SPF',
            SPF_MS,
            lookUpSpf(resolver, evaluateSpf, {
              ip,
              helo,
              localPart: from.localPart,
              domain: from.domain,
            }),
          ),
    envelopeMx,
    envelopeMxHosts: orElse(
      MX_MS,
      envelopeMx.then((mailHosts) => lookUpMxHosts(resolver, mailHosts)),
      {},
    ),
    spamcop: within('spamcop', LIST_MS, blocklists.spamcop(resolver, ip)),
    blocklists: orElse(LIST_MS, blocklists.refusing(resolver, ip), noLists),
  };
}
