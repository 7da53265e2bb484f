import { type Static, Type } from '@sinclair/typebox';
import { count, domain, flag, list, nullable, object, optional, text, words } from './shapes.ts';

const reported = (mechanism: string) => nullable(text(`The ${mechanism} result.`, 'pass'));

const ArcSet = object('One set.', {
  i: Type.Integer({ description: 'Its number, from 1.', examples: [1] }),
  domain: domain('The sealing domain.', 'forwarder.example'),
  selector: text('The selector.', 'arc1'),
  cv: nullable(text('The validation status (`cv=`).', 'none')),
  result: nullable(text('The result, on the newest set only.', 'pass')),
  reported: object('The results that the set reports.', {
    spf: reported('SPF'),
    dkim: reported('DKIM'),
    dmarc: reported('DMARC'),
  }),
});

/** The sender's own ARC chain (RFC 8617), without the inbound provider's seal. */
export const Arc = object("The sender's own ARC chain (RFC 8617).", {
  result: words(['none', 'pass', 'fail', 'temperror'], 'The ARC result.'),
  sets: count('Sets in the chain.', 0),
  provider_set_excluded: optional(flag("Whether the provider's own set was left out.", false)),
  chain: optional(list(ArcSet, 'The sets.', undefined, 50)),
});
export type Arc = Static<typeof Arc>;
