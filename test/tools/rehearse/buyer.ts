import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { createTransport } from 'nodemailer';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeHeader } from '../../../src/domain/x402-headers.ts';
import type { Environment } from '../../environment/environment.ts';
import { demoMail, sendMail } from '../../environment/mail.ts';
import { SENDER } from '../../environment/sender.ts';
import type { Replica } from './replica.ts';
import { Again, expectStatus, Lost, persistently, type Tally } from './retry.ts';

/** The terms have changed since: what was signed for others was not taken. */
const RESIGNED = '402, signed again';

/** A test as its buyer knows it: what was acknowledged has to be true in the end. */
export interface Bought {
  readonly id: string;
  readonly token: string;
  readonly address: string;
  /** A 250 was given to its mail. */
  analysed: boolean;
  /** What was signed and then answered with the report, in atomic units. */
  paid: bigint;
  /** The report that was paid for, as text. */
  report: string;
}

/** The calls of a buyer, each persistent, each attempt at another replica. */
export function buyer(environment: Environment, next: () => Replica, tally: Tally) {
  const { chain, env, key, client } = environment;
  const network = (env.X402_NETWORK ?? '') as `${string}:${string}`;
  const signer = new x402Client().register(
    network,
    new ExactEvmScheme(privateKeyToAccount(chain.payer.privateKey)),
  );

  const create = () =>
    persistently(tally, 'create', async (signal): Promise<Bought> => {
      const url = `${next().http()}/v1/tests`;
      const response = await expectStatus(await fetch(url, { method: 'POST', signal }), [201]);
      const body = (await response.json()) as Record<string, string>;
      const { test_id: id = '', read_token: token = '', address = '' } = body;
      return { id, token, address, analysed: false, paid: 0n, report: '' };
    });

  /** As a mail server: the same bytes until there is a final reply. */
  async function mail(bought: Bought): Promise<void> {
    const composer = createTransport({ streamTransport: true, buffer: true });
    const { message } = await composer.sendMail(demoMail(bought.address, key));
    const envelope = { from: `orders@${SENDER.domain}`, to: bought.address };
    await persistently(tally, 'mail', async () => {
      const via = { ...next().smtp(), client };
      const reply = await sendMail({ envelope, raw: message as Buffer }, via).catch(
        (error: Error & { responseCode?: number }) => {
          const { responseCode: code } = error;
          if (code && code >= 500) throw new Lost(`${code}`);
          throw new Again(code ? `SMTP ${code}` : 'no SMTP reply');
        },
      );
      if (!reply.startsWith('250 2.0.0')) throw new Lost(reply.slice(0, 9));
      bought.analysed = true;
    });
  }

  const status = (bought: Bought, replica?: Replica) =>
    persistently(tally, 'status', async (signal) => {
      const url = `${(replica ?? next()).http()}/v1/tests/${bought.id}/status`;
      const response = await expectStatus(await fetch(url, { signal }), [200]);
      return ((await response.json()) as { status: string }).status;
    });

  const read = (bought: Bought, signal: AbortSignal, replica: Replica, payment?: string) =>
    fetch(`${replica.http()}/v1/report?test_id=${bought.id}`, {
      signal,
      headers: { 'x-read-token': bought.token, ...(payment && { 'payment-signature': payment }) },
    });

  async function sign(response: Response) {
    const challenge = decodeHeader(response.headers.get('payment-required') ?? '') as {
      accepts: readonly { readonly amount: string }[];
    };
    const payload = await signer.createPaymentPayload(challenge as never);
    const amount = BigInt(challenge.accepts[0]?.amount ?? 0);
    return { header: encodePaymentSignatureHeader(payload), amount };
  }

  /** Signs what is asked for, and sends that until it is answered; a new challenge is signed again. */
  async function pay(bought: Bought): Promise<void> {
    let signed: Awaited<ReturnType<typeof sign>> | undefined;
    await persistently(tally, 'pay', async (signal) => {
      // What one replica asked for is sent to another, as a proxy does.
      const ask = async () =>
        expectStatus(await read(bought, signal, next(), signed?.header), [200, 402]);
      let response = await ask();
      if (response.status === 402) {
        if (signed) tally.retried.set(RESIGNED, (tally.retried.get(RESIGNED) ?? 0) + 1);
        signed = await sign(response);
        response = await ask();
      }
      if (response.status === 402) throw new Again('402 for what was signed');
      bought.paid = signed?.amount ?? 0n;
      bought.report = await response.text();
    });
  }

  /** What was paid for is there without a payment, at this replica. */
  const readAgain = (bought: Bought, replica: Replica) =>
    persistently(tally, 'read again', async (signal) => {
      const response = await expectStatus(await read(bought, signal, replica), [200]);
      if ((await response.text()) !== bought.report) throw new Lost('another report');
    });

  return { create, mail, status, pay, readAgain };
}

export type Buyer = ReturnType<typeof buyer>;
