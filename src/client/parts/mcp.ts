import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '../../mcp/mcp-server.ts';
import type { BuyReport } from '../../mcp/read-report-tool.ts';
import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { COMMAND_VERSION } from '../identity.ts';
import { dnsSources } from '../lint/dns-options.ts';
import { paymentOptions, readArgs, serviceOptions, toPurse, toService } from '../options.ts';
import { createBudget, toAtomic } from '../payment/limits.ts';
import { readReport } from '../payment/read-report.ts';

const options = { ...serviceOptions, ...paymentOptions, budget: { type: 'string' } } as const;

const PERSON_PAYS =
  'The first reading may cost money; it is paid by the wallet of the person, within the limits that they set.';

const CALLER_PAYS =
  'The first reading may cost money: pay in _meta["x402/payment"] (x402 version 2). No wallet is set here.';

/** Serves an agent until it closes stdin. Pays by the person's key, within what they allow. */
export async function runMcp(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values } = readArgs(args, options);
  const purse = toPurse(values, console);
  const service = toService(values, console);
  const most =
    values.budget === undefined ? purse.limits.maxAmount : toAtomic('--budget', values.budget);
  const spend = createBudget(most);
  const buy: BuyReport = (testId, readToken) =>
    readReport(service, { testId, readToken }, { ...purse, spend });
  const ports = {
    call: service.call,
    buy: purse.key === null ? null : buy,
    cost: purse.key === null ? CALLER_PAYS : PERSON_PAYS,
    checkDomain: async (name: string, selectors: readonly string[]) => {
      const { domainReport } = await import('../domain/domain-report.ts');
      return domainReport(name, selectors, dnsSources({ resolver: 'system' }));
    },
  };
  await new Promise<void>((resolve) => {
    const handle = serveStdio(() => createMcpServer({ ...ports, version: COMMAND_VERSION }), {
      onerror: ({ name }) => console.note(`A message could not be handled (${name}).`),
    });
    process.stdin.once('end', () => void handle.close().then(resolve));
  });
  return EXIT.good;
}
