import { startProbe } from '../../abuse/probe.ts';
import type { Figure } from '../figures.ts';
import { MIB, mailWithFile } from '../sized-mail.ts';
import { quantile } from '../statistics.ts';
import type { MailEnvironment } from './environment.ts';
import { asContent, openTransaction } from './transaction.ts';

/** Three sizes, to show how it grows; the last is held. */
const UPLOADS = [2, 20, 200] as const;
const HELD = 200;
const MAIL_BYTES = 10 * MIB;

/** Of the answers to a poll meanwhile, in milliseconds. */
const MOST_MS: Readonly<Record<string, number>> = { p99: 100, worst: 250 };

/** Longest wait for a reply, in milliseconds. */
const PATIENCE_MS = 300_000;

/** How long a client of the API waits while many large mails come at once, none with its SIZE. */
export async function measureUploads(environment: MailEnvironment): Promise<Figure[]> {
  const mail = await mailWithFile(MAIL_BYTES, 'anybody@in.example.net', environment.key);
  const content = asContent(mail);
  const figures: Figure[] = [];
  for (const count of UPLOADS) {
    const tests = await Promise.all(Array.from({ length: count }, environment.create));
    const probe = await startProbe(environment.statusUrl(await environment.create()));
    await Promise.all(
      tests.map(({ address }) => upload(environment.via.port, address, content).catch(() => '')),
    );
    const times = await probe.stop();
    const values = { p99: quantile(times, 0.99), worst: quantile(times, 1) };
    for (const [name, value] of Object.entries(values))
      figures.push({
        what: `a poll during ${count} uploads of 10 MiB at once, ${name}`,
        value,
        unit: 'ms',
        ...(count === HELD && { target: { most: MOST_MS[name] ?? 0 } }),
      });
  }
  return figures;
}

async function upload(port: number, to: string, content: Buffer): Promise<string> {
  const session = await openTransaction(
    { port },
    { from: 'b.example', to, patienceMs: PATIENCE_MS },
  );
  try {
    session.write(content);
    return await session.reply();
  } finally {
    session.vanish();
  }
}
