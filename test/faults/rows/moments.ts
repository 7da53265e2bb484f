/** Lists the faults in which a process is killed between two steps of its work. */

import { SENDER } from '../../environment/sender.ts';
import { smtpClient } from '../../support/mail/smtp-client.ts';
import { type Plan, SALE, WHOLE } from '../client/plan.ts';
import { type Fault, type Moment, over, type Undo } from '../fault.ts';
import { killReplica, type Replica } from '../world/parts.ts';

/** The moment when any replica writes those bytes to the log. */
const written = (mark: string, when: 'before' | 'after', name: string): Moment => ({
  name: `${when} ${name}`,
  async come({ replicas }) {
    const replica = await Promise.race(
      replicas.map(async (one) => {
        await one.gate?.stopAt(mark, when);
        return one;
      }),
    );
    // The other replicas should not stop there, too.
    for (const { gate } of replicas) if (gate !== replica.gate) gate?.open();
    return { replica, go: () => replica.gate?.open() };
  },
});

const stored = (type: string) =>
  (['before', 'after'] as const).map((when) => written(`"type":"${type}"`, when, type));

/** Creates a moment that comes when a replica looks up a name whose servers are silent. */
const looking = (name: string, host: string): Moment => ({
  name,
  async come({ replicas, environment: { dns } }) {
    const asked = () => dns?.queries.filter((query) => query.name === host).length ?? 0;
    const before = asked();
    dns?.setFault(host, 'TIMEOUT');
    while (asked() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    return { replica: replicas[0] as Replica, go: () => dns?.setFault(host, null) };
  },
});

/** Creates a moment that comes when an SMTP session, played by hand, has reached a command. */
const session = (name: string, data: boolean): Moment => ({
  name,
  async come({ replicas }) {
    const replica = replicas[0] as Replica;
    const created = await fetch(`${replica.http()}/v1/tests`, { method: 'POST' });
    const { address } = (await created.json()) as { address: string };
    const client = await smtpClient(replica.smtp().port);
    const { ip, host, domain } = SENDER;
    await client.sendAll(
      `EHLO ${host}`,
      `XCLIENT ADDR=${ip} NAME=${host} HELO=${host}`,
      `EHLO ${host}`,
      `MAIL FROM:<orders@${domain}>`,
      `RCPT TO:<${address}>`,
    );
    if (data) {
      await client.send('DATA');
      client.write(Buffer.from('Subject: half an email\r\n'));
    }
    return { replica, go: over };
  },
});

const ofMails: readonly Moment[] = [
  ...stored('TestCreated'),
  session('after RCPT', false),
  session('in the middle of the data', true),
  looking('in the gate', `${SENDER.selector}._domainkey.${SENDER.domain}`),
  ...stored('MailArrived'),
  looking('in the analysis', `_mta-sts.${SENDER.domain}`),
  ...stored('ReportWritten'),
  ...stored('AnalysisDone'),
];

const ofMoney: readonly Moment[] = [
  written('$KV.payment_claims.', 'before', 'the claim'),
  written('$KV.payment_claims.', 'after', 'the claim'),
  ...stored('SettlementStarted'),
  ...stored('TransactionSigned'),
  {
    name: 'when the money has moved',
    come({ node, replicas, facilitator }) {
      const { promise, resolve } = Promise.withResolvers<Undo>();
      const moved = () => {
        const { promise: gone, resolve: go } = Promise.withResolvers<void>();
        resolve(go);
        return gone;
      };
      let isFirst = true;
      const once = () => {
        const was = isFirst;
        isFirst = false;
        return was;
      };
      node.fail((method) =>
        method === 'eth_sendRawTransaction' && once() ? { meanwhile: moved } : undefined,
      );
      facilitator.behave({ settle: () => (once() ? { meanwhile: moved } : 'up') });
      return promise.then((go) => ({
        replica: replicas[0] as Replica,
        go() {
          go();
          node.fail();
          facilitator.behave({ settle: 'up' });
        },
      }));
    },
  },
  ...stored('PaymentSettled'),
];

/**
 * The moments at which `npm test` kills processes: a replica before anything is stored, or after the last
 * thing; the log after something is stored. At every other moment, the log contains the same as at one of these.
 */
const SMALL = {
  replica: /^before|^after (?:TestCreated|AnalysisDone|PaymentSettled)$|data$|moved$/,
  log: /^after (?!RCPT)|data$|moved$/,
};

/**
 * At that moment, the replica or the log ends by SIGKILL. Whoever waits for the log waits until it is back.
 */
const kills = (moment: Moment, plans: readonly Plan[], small = SMALL): readonly Fault[] => [
  {
    name: `kill a replica ${moment.name}`,
    kind: 'outage',
    plans,
    attempts: 0,
    at: moment,
    isLong: !small.replica.test(moment.name),
    async apply(_world, _random, { victim }) {
      await killReplica(victim);
      return over;
    },
  },
  {
    name: `kill a nats-server ${moment.name}`,
    kind: 'outage',
    plans,
    attempts: 0,
    at: moment,
    isLong: !small.log.test(moment.name),
    async apply({ servers: [server] }) {
      await server?.kill();
      return () => server?.start();
    },
  },
];

/** `kill -9` between every two steps of an email, for the replica and for the log. */
export const momentsOfMails = ofMails.flatMap((moment) =>
  kills(moment, [{ ...WHOLE, pays: 'not' }]),
);

/** Plans of a buyer who never asks for the outcome, and of one who tries another's payment. */
const BUYERS: readonly Plan[] = [
  { ...SALE, pays: 'and leaves' },
  { ...SALE, pays: 'with the payment of another' },
];

/** Before money moves, and afterwards, a facilitator's payment is like one from our own wallet. */
const MOVED = { replica: /moved$/, log: /moved$/ };

/** Returns the faults at the moments of a payment. Transactions are in the log only if the wallet is our own. */
export const momentsOfMoney = (isOwn: boolean) =>
  ofMoney
    .filter(({ name }) => isOwn || !name.includes('TransactionSigned'))
    .flatMap((moment) => kills(moment, BUYERS, isOwn ? SMALL : MOVED));
