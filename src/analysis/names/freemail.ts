import freemail from './freemail.json' with { type: 'json' };

/** Mailboxes that anybody can have: nobody owns these domains but their provider. */
const domains: ReadonlySet<string> = new Set(freemail);

export const isFreemail = (domain: string | null): boolean =>
  domain !== null && domains.has(domain);
