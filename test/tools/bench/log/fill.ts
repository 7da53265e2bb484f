import { createHash, randomBytes } from 'node:crypto';
import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { isTestEvent, type TestEvent } from '../../../../src/domain/events.ts';
import { toTestId } from '../../../../src/domain/ids.ts';

/** Publishes on the way at once: as fast as one client gets, and each is acknowledged. */
const IN_FLIGHT = 512;

/** Of three tests, one waits for its mail and two have a report. */
const WAITING_EVERY = 3;

const envelope = (at: number, type: string) => ({
  v: 1,
  id: randomBytes(16).toString('hex'),
  type,
  at: new Date(at).toISOString(),
  by: 'bench',
});

const hash = () => createHash('sha256').update(randomBytes(8)).digest('hex');

/** The events of one test, as the service writes them: one for a third of them, else three. */
export function eventsOf(index: number, now: number): readonly TestEvent[] {
  const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  const created = {
    ...envelope(now, 'TestCreated'),
    data: { token_sha256: hash(), send_before: at(3_600_000), expires_at: at(86_400_000) },
  };
  const arrived = {
    ...envelope(now + 5000, 'MailArrived'),
    data: {
      attempt: 1,
      size_bytes: 12_000,
      digest: hash(),
      source: 'smtp',
      ip: '192.0.2.25',
      helo: 'mail.sender.example',
      tls: 'tls',
      envelope_domain: 'sender.example',
      header_from_domain: 'sender.example',
    },
  };
  const done = {
    ...envelope(now + 5800, 'AnalysisDone'),
    data: {
      attempt: 1,
      report_seq: index + 1,
      report_sha256: hash(),
      score: 97,
      grade: 'A',
      duration_ms: 800,
    },
  };
  const events: readonly unknown[] =
    index % WAITING_EVERY === 0 ? [created] : [created, arrived, done];
  return events.filter(isTestEvent);
}

/** Fills the stream with so many tests. Gives the number of events. */
export async function fill({ js }: LogConnection, tests: number): Promise<number> {
  const bytes = new TextEncoder();
  let index = 0;
  let events = 0;
  async function lane(): Promise<void> {
    while (index < tests) {
      const mine = index++;
      const id = toTestId(randomBytes(8));
      for (const event of eventsOf(mine, Date.now())) {
        await js.publish(`tests.${id}`, bytes.encode(JSON.stringify(event)), { timeout: 20_000 });
        events++;
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return events;
}
