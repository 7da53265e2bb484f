import { askStep, deleteStep, dnsStep, type Step } from '../advice/actions.ts';
import { isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import type { MailHosts } from '../names/facts.ts';
import { isFreemail } from '../names/freemail.ts';
import type { MxJudgement } from './mx-hosts.ts';

type Mx = Pick<MailHosts, 'mx' | 'records' | 'nullMx' | 'hasAddress'> & {
  readonly hosts: MxJudgement;
};

/**
 * What puts the MX records of a domain right: dead hosts go, an alias gives way to what it leads to.
 * Which server takes the mail only the reader knows.
 *
 * @param what mail that goes there, for readers
 */
export function mxSteps(domain: string, mx: Mx, what: string, facts: Facts): readonly Step[] {
  if (isFreemail(domain))
    return [
      askStep(
        `Only the provider of ${domain} can change that. Use an address at a domain you own.`,
        'platform',
      ),
    ];
  if (!isOwnName(domain, facts))
    return [
      askStep(
        `${domain} is not part of the domain of your From address. Ask who runs it to name a mail host (MX) there, or use a domain of your own for ${what}.`,
        'platform',
      ),
    ];
  const { dead, aliases, noneLeft } = mx.hosts;
  const recordOf = (host: string) =>
    mx.records?.find((record) => record.split(' ')[1] === host) ?? `10 ${host}`;
  if (mx.mx.length === 0 && !mx.nullMx && mx.hasAddress)
    return [dnsStep(domain, 'MX', `10 ${domain}`)];
  if (mx.mx.length === 0 || noneLeft)
    return [
      askStep(
        `Which server takes ${what} for ${domain}? Your mail provider shows its name in the set-up guide. Publish an MX record at ${domain} that names it${mx.mx.length > 0 || mx.nullMx ? ', in place of what is there' : ''}.`,
      ),
    ];
  if (dead.length > 0)
    return [
      deleteStep(
        domain,
        'MX',
        dead.map(({ host }) => recordOf(host)),
      ),
    ];
  return aliases.map(({ host, target }) => {
    const record = recordOf(host);
    return dnsStep(domain, 'MX', `${record.split(' ')[0]} ${target}`, [record]);
  });
}
