import { isTargetName } from '../analysis/spf/grammar.ts';
import type { SpfReading } from '../analysis/spf/records.ts';
import type { CheckHost, SpfSender } from '../ports/check-host.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';

/** Of a longer name labels go from the left (RFC 7208 §7.3), in octets. */
const MAX_NAME = 253;

/** Whose record is gone through, by which engine and on which answers. */
export interface SpfAbout {
  readonly checkHost: CheckHost;
  readonly ask: Resolver['ask'];
  readonly sender: SpfSender;
  /** Reads each record once for the mail. */
  readonly read: (record: string) => SpfReading;
}

export const toTxt = (record: string): DnsAnswer<readonly string[]> => ({
  status: 'found',
  records: [[record]],
  cnames: [],
});

/**
 * The name that a domain-spec makes in a record of `domain`; null: none that can be asked for. The engine
 * expands macros: it gets a record that asks for the mail servers of the name.
 */
export async function expandSpec(
  { checkHost, ask, sender }: SpfAbout,
  spec: string,
  domain: string,
): Promise<string | null> {
  if (!spec.includes('%') && spec.length <= MAX_NAME) {
    const name = spec.toLowerCase().replace(/\.$/, '');
    return isTargetName(name) ? name : null;
  }
  let target: string | null = null;
  await checkHost(sender, async (name, type) => {
    if (type === 'TXT')
      return toTxt(
        name === domain ? `v=spf1 mx:${spec}` : `v=spf1 redirect=${domain.replaceAll('%', '%%')}`,
      );
    if (type !== 'MX') return ask(name, type);
    target = name;
    return { status: 'nxdomain', cnames: [] };
  });
  return target;
}
