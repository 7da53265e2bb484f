/** Compares the findings of the packed command with those of the service. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allCases } from '../../analysis/whole/all-cases.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { startCaseService } from '../../client/lint/serve-case.ts';
import { writeZoneFile } from '../../client/lint/write-zone-file.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';

const run = promisify(execFile);

const MAX_OUTPUT = 10_000_000;

/** Returns the path of the first difference between two values, or an empty text if there is none. */
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

/** Returns the report of the packed file on a case, with a Node.js of any version. */
async function lint(node: string, file: string, one: Case, folder: string): Promise<unknown> {
  const { bytes, client, from } = await arrive(one);
  const [mail, zone] = [join(folder, 'mail.eml'), join(folder, 'zone')];
  await writeFile(mail, bytes);
  await writeFile(zone, writeZoneFile(zoneWith(one.zone)));
  const sender = from.domain === '' ? '<>' : `${from.localPart}@${from.domain}`;
  const { stdout } = await run(
    node,
    [
      ...[file, 'lint', mail, `--dns=${zone}`, `--from=${sender}`, `--at=${ARRIVAL}`],
      `--to=${about.testId}@${about.mailDomain}`,
      ...(client.ip === null ? [] : [`--ip=${client.ip}`]),
      ...(client.helo === null ? [] : [`--helo=${client.helo}`]),
      ...(from.smtputf8 ? ['--smtputf8'] : []),
      ...['--format', 'json', '--fail-on', 'never'],
    ],
    // An empty folder, so that nothing beside the file can help.
    { cwd: folder, env: {}, maxBuffer: MAX_OUTPUT },
  );
  return JSON.parse(stdout);
}

/** Removes what the command adds, and the id, which comes from the file. */
const comparable = (found: unknown): unknown => {
  if (typeof found !== 'object' || found === null) return found;
  const { judgement: _, ...report } = found as Record<string, unknown>;
  return { ...report, test_id: about.testId };
};

/** A case of a complete email, and the service's report on that email. */
interface Served {
  readonly name: string;
  readonly one: Case;
  readonly report: unknown;
}

/** The DNS server has one zone at a time, so the service goes first, one case after another. */
async function serveAll(areas: readonly string[]): Promise<Served[]> {
  const service = await startCaseService();
  const served: Served[] = [];
  for (const [area, cases] of Object.entries(allCases))
    for (const one of areas.length === 0 || areas.includes(area) ? cases : []) {
      const report = await service.serveBySmtp(one);
      const name = `${area}: ${one.about}`;
      served.push({ name, one, report: JSON.parse(JSON.stringify(report)) });
    }
  await service.stop();
  return served;
}

/**
 * Compares the packed file's findings on each complete case with the service's on the same email from the
 * same connection, and passes on each case with its differences. Resolves to their number.
 */
export async function compareWithService(
  file: string,
  { nodes, areas }: { readonly nodes: readonly string[]; readonly areas: readonly string[] },
  onCase: (differences: readonly string[]) => void,
): Promise<number> {
  const left = await serveAll(areas);
  let count = 0;
  const lane = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compare-'));
    for (let next = left.shift(); next; next = left.shift()) {
      const { name, one, report } = next;
      const differences: string[] = [];
      for (const node of nodes) {
        const found = await lint(node, file, one, folder).catch((error: Error) => error.message);
        const difference = differenceOf(report, comparable(found));
        if (difference !== '') differences.push(`${node}: ${name}: ${difference}`);
      }
      count += differences.length;
      onCase(differences);
    }
    await rm(folder, { recursive: true });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return count;
}
