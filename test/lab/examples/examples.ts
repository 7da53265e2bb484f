import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareNodes } from '../cluster/nodes.ts';
import { allBlocks, type Block } from './blocks.ts';
import { makePlace, startDemo } from './place.ts';
import { runBlocks, runServing } from './run-blocks.ts';

/**
 * Runs `npm run lab -- examples`: the blocks that README and docs mark as runnable. Resolves to the exit
 * code.
 */
export async function runExamples(args: readonly string[]): Promise<number> {
  const blocks = allBlocks();
  const faults = await runAll(args.includes('--short') ? blocks.filter(isShort) : blocks);
  for (const fault of faults) console.error(fault);
  console.log(`${blocks.length} blocks are marked, ${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
}

export const isShort = ({ way }: Block) => way === '' || way === 'serves';

/** Runs these blocks, page by page. Returns a text for each that failed. */
export async function runAll(blocks: readonly Block[]): Promise<readonly string[]> {
  const place = makePlace();
  const faults: string[] = [];
  const note = (what: string, fault: string | undefined) => {
    if (fault !== undefined) faults.push(`${what}:\n${fault}`);
  };
  const rest = blocks.filter(({ way }) => way === '' || way === 'long');
  try {
    const demo = rest.length > 0 ? await startDemo() : undefined;
    try {
      for (const [page, ofPage] of Map.groupBy(rest, ({ page }) => page))
        note(
          page,
          await runBlocks(ofPage, { ...place, ...demo, env: { ...place.env, ...demo?.env } }),
        );
    } finally {
      await demo?.stop();
    }
    for (const block of blocks) {
      const { page, line, way } = block;
      const ports = { HTTP_PORT: '0', SMTP_PORT: '0', METRICS_PORT: '0' };
      if (way === 'serves')
        note(
          `${page}:${line}`,
          await runServing(block, { ...place, env: { ...place.env, ...ports } }),
        );
      if (way === 'cluster') note(`${page}:${line}`, await onCluster(block, place));
    }
    return faults;
  } finally {
    place.remove();
  }
}

async function onCluster(block: Block, place: ReturnType<typeof makePlace>) {
  const home = await mkdtemp(join(tmpdir(), 'examples-nodes-'));
  const { nodes, operator, secrets } = await prepareNodes({ home, onEnd: () => {} });
  try {
    await symlink(secrets, join(place.folder, 'secrets'));
    await Promise.all(nodes.map(({ server }) => server.start()));
    const { NATS_USER: _, NATS_PASSWORD_FILE: __, ...env } = operator;
    return await runBlocks([block], { ...place, env: { ...place.env, ...env } });
  } finally {
    await Promise.all(nodes.map(({ server }) => server.stop()));
    await rm(home, { recursive: true, force: true });
  }
}
