/**
 * Runs `deliverability mcp`, a Model Context Protocol server on stdin and stdout that can pay for reports
 * with the user's wallet, within the user's limits.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Check } from '@sinclair/typebox/value';
import { PaymentRequirements } from '../../domain/x402.ts';
import { type Cost, createMcpServer } from '../../mcp/mcp-server.ts';
import type { BuyReport } from '../../mcp/read-report-tool.ts';
import type { ServiceAnswer } from '../../mcp/service-call.ts';
import { AnsweringTransport } from '../answer-all.ts';
import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { COMMAND_VERSION } from '../identity.ts';
import { dnsSources } from '../lint/dns-options.ts';
import { paymentOptions, readArgs, serviceOptions, toPurse, toService } from '../options.ts';
import { createBudget, formatUsd, toAtomic } from '../payment/limits.ts';
import { assertCanPay, readReport } from '../payment/read-report.ts';
import type { ServiceOptions } from '../service/service-client.ts';

const options = { ...serviceOptions, ...paymentOptions, budget: { type: 'string' } } as const;

/** Maximum time in milliseconds to wait for the price. After that, the tools are listed without it. */
const PRICE_MS = 3000;

/**
 * Returns the price of a report at this service, and whether the user's wallet or the caller of the tool pays
 * it.
 */
async function costOf({ call }: ServiceOptions, hasWallet: boolean): Promise<Cost> {
  const terms = await Promise.race([
    call('GET', '/.well-known/x402').then(termsOf, () => undefined),
    sleep(PRICE_MS, undefined, { ref: false }),
  ]);
  if (terms === null) return { sentence: 'Reading a report is free.' };
  const price = terms ? `costs ${formatUsd(BigInt(terms.amount))} once` : 'may cost money, once';
  const how = hasWallet
    ? "the user's wallet pays, within the limits that the user set."
    : 'pay in _meta["x402/payment"] (x402 version 2). No wallet is set here.';
  return { sentence: `Reading a report ${price}: ${how}`, terms };
}

/**
 * Returns the payment terms from the manifest of a service: `null` if it sells nothing, `undefined` if the
 * terms are unknown.
 */
function termsOf({ status, body }: ServiceAnswer): PaymentRequirements | null | undefined {
  if (status === 404) return null;
  const { items } = (body ?? {}) as {
    readonly items?: readonly { accepts?: readonly unknown[] }[];
  };
  const terms = items?.[0]?.accepts?.[0];
  return Check(PaymentRequirements, terms) ? terms : undefined;
}

/**
 * Serves an agent until it closes stdin, and answers what it has read by then. Reports are paid for with the user's key, within the user's limits.
 */
export async function runMcp(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values } = readArgs(args, options);
  const limited = toPurse(values, console);
  const service = toService(values, console);
  const most =
    values.budget === undefined ? limited.limits.maxAmount : toAtomic('--budget', values.budget);
  const purse = { ...limited, budget: createBudget(most) };
  const buy: BuyReport = (testId, readToken) => readReport(service, { testId, readToken }, purse);
  const ports = {
    call: service.call,
    buy: purse.key === null ? null : buy,
    ...(purse.key !== null && { assertCanPay: () => assertCanPay(service, purse) }),
    checkDomain: async (name: string, selectors: readonly string[]) => {
      const { domainReport } = await import('../domain/domain-report.ts');
      return domainReport(name, selectors, dnsSources({ resolver: 'system' }));
    },
  };
  const cost = costOf(service, purse.key !== null);
  const serve = async () =>
    createMcpServer({ ...ports, cost: await cost, version: COMMAND_VERSION });
  const transport = new AnsweringTransport();
  serveStdio(serve, {
    transport,
    onerror: ({ name }) => console.note(`A message could not be handled (${name}).`),
  });
  await transport.ended;
  return EXIT.good;
}
