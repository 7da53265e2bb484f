import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allCases } from '../../analysis/whole/all-cases.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { type CaseService, startCaseService } from '../../command/lint/serve-case.ts';
import { writeZoneFile } from '../../command/lint/write-zone-file.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';

const run = promisify(execFile);

const MAX_OUTPUT = 10_000_000;

const notObservable = { status: 'not_observable', version: null, cipher: null } as const;

/** Where two values differ first, as a path; empty: nowhere. */
export function differenceOf(left: unknown, right: unknown, path = ''): string {
  if (Object.is(left, right)) return '';
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right)
    return `${path}: ${JSON.stringify(left)} and ${JSON.stringify(right)}`;
  const [a, b] = [left, right] as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = differenceOf(a[key], b[key], `${path}/${key}`);
    if (found !== '') return found;
  }
  return '';
}

/** The report of the packed file on a case, by a Node.js of any version. */
async function lint(node: string, file: string, one: Case, folder: string): Promise<unknown> {
  const { bytes, client, from } = await arrive(one);
  const [mail, zone] = [join(folder, 'mail.eml'), join(folder, 'zone')];
  await writeFile(mail, bytes);
  await writeFile(zone, writeZoneFile(zoneWith(one.zone)));
  const sender = from.domain === '' ? '<>' : `${from.localPart}@${from.domain}`;
  const { stdout } = await run(
    node,
    [
      ...[file, 'lint', mail, '--dns', zone, '--from', sender, '--at', ARRIVAL],
      ...['--to', `${about.testId}@${about.mailDomain}`],
      ...(client.ip === null ? [] : ['--ip', client.ip]),
      ...(client.helo === null ? [] : ['--helo', client.helo]),
      ...['--format', 'json', '--fail-on', 'never'],
    ],
    // An empty folder, so that nothing beside the file can help.
    { cwd: folder, env: {}, maxBuffer: MAX_OUTPUT },
  );
  return JSON.parse(stdout);
}

/**
 * Compares what the packed file finds in each whole case with what the service finds in the same mail of
 * the same connection. Gives each difference with its case.
 */
export async function compareWithService(
  file: string,
  nodes: readonly string[],
  onCase: (count: number) => void = () => {},
): Promise<readonly string[]> {
  const service = await startCaseService();
  try {
    return await compareAll(service, file, nodes, onCase);
  } finally {
    await service.stop();
  }
}

async function compareAll(
  { serve }: CaseService,
  file: string,
  nodes: readonly string[],
  onCase: (count: number) => void,
): Promise<readonly string[]> {
  const cases = Object.entries(allCases).flatMap(([area, all]) =>
    all.map((one) => [area, one] as const),
  );
  const different: string[] = [];
  let done = 0;
  // The DNS server has one zone at a time, so the service goes first.
  const served: [string, Case, unknown][] = [];
  for (const [area, one] of cases) {
    const report = await serve(one, { block: undefined, tls: notObservable });
    served.push([`${area}: ${one.about}`, one, JSON.parse(JSON.stringify(report))]);
  }
  const lane = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compare-'));
    for (let next = served.shift(); next; next = served.shift()) {
      const [name, one, report] = next;
      for (const node of nodes) {
        const found = await lint(node, file, one, folder).catch((error: Error) => error.message);
        const difference = differenceOf(report, found);
        if (difference !== '') different.push(`${node}: ${name}: ${difference}`);
      }
      onCase(++done);
    }
    await rm(folder, { recursive: true });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return different;
}
