import { readFileSync } from 'node:fs';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import usage from '../../src/client/usage.json' with { type: 'json' };
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { TestMailOutput } from '../../src/mcp/schemas.ts';

const read = (name: string) => readFileSync(`docs/deploy/${name}`, 'utf8');

async function listTools() {
  const call = async () => ({ status: 503, headers: new Headers(), body: undefined });
  const server = createMcpServer({ call, buy: null, cost: 'Free.', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

test('the entry for the registry names this version, and a server that is there', () => {
  const entry = JSON.parse(read('server.json'));
  expect(entry.version).toBe(manifest.version);
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.remotes).toEqual([
    { type: 'streamable-http', url: expect.stringMatching(/^https:\/\/.+\/mcp$/) },
  ]);
});

test('the skill names tools, members and options that are there', async () => {
  const skill = read('SKILL.md');
  expect(skill).toMatch(/^---\nname: [a-z-]+\ndescription: .{1,1024}\n---\n/);
  const tools = (await listTools()).map(({ name }) => name);
  const words = [...skill.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, word = '']) => word);
  const members = [...Object.keys(TestMailOutput.properties), 'settlement_pending', 'no_report'];
  expect(words.filter((word) => ![...tools, ...members].includes(word))).toEqual([]);
  expect(tools).toEqual(expect.arrayContaining(['test_mail', 'delete_test', 'explain_finding']));
  const stages = TestMailOutput.properties.stage.anyOf.map((one) => one.const);
  for (const stage of ['ready', 'refused', 'no_report']) expect(stages).toContain(stage);
  const commands = [...skill.matchAll(/`deliverability (\w+)/g)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(1);
  for (const name of commands) expect(Object.keys(usage.commands)).toContain(name);
});

test('every tool says what it answers, member by member', async () => {
  for (const { name, outputSchema } of await listTools()) {
    const members = Object.values(outputSchema?.properties ?? {});
    expect([name, outputSchema?.type, members.length > 0]).toEqual([name, 'object', true]);
    // No library of a client knows the marks and the references of ours.
    expect(JSON.stringify(outputSchema)).not.toMatch(/\$ref|\$id/);
  }
});
