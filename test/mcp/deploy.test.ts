/** Tests the registry entry and the skill that describe the MCP server. */

import { readFileSync } from 'node:fs';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import usage from '../../src/client/usage.json' with { type: 'json' };
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { STAGES, type TestMailAnswer } from '../../src/mcp/schemas.ts';

/** Members of the results of `test_mail` that the skill may name. */
const MEMBERS: readonly string[] = [
  'stage',
  'test_id',
  'read_token',
  'address',
  'reasons',
  'verdict',
] satisfies (keyof TestMailAnswer)[];

const read = (name: string) => readFileSync(`docs/deploy/${name}`, 'utf8');

async function listTools() {
  const call = async () => ({ status: 503, headers: new Headers(), body: undefined });
  const server = createMcpServer({
    call,
    buy: null,
    cost: { sentence: 'Free.' },
    version: '1.0.0',
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

test('the registry entry names this version, and a server that exists', () => {
  const entry = JSON.parse(read('server.json'));
  expect(entry.version).toBe(manifest.version);
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.remotes).toEqual([
    { type: 'streamable-http', url: expect.stringMatching(/^https:\/\/.+\/mcp$/) },
  ]);
});

test('the skill names existing tools, members and options', async () => {
  const skill = read('SKILL.md');
  expect(skill).toMatch(/^---\nname: [a-z-]+\ndescription: .{1,1024}\n---\n/);
  const tools = (await listTools()).map(({ name }) => name);
  const words = [...skill.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, word = '']) => word);
  const members = [...MEMBERS, ...STAGES, 'settlement_pending'];
  expect(words.filter((word) => ![...tools, ...members].includes(word))).toEqual([]);
  expect(tools).toEqual(expect.arrayContaining(['test_mail', 'delete_test', 'explain_finding']));
  const commands = [...skill.matchAll(/`deliverability (\w+)/g)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(1);
  for (const name of commands) expect(Object.keys(usage.commands)).toContain(name);
});
