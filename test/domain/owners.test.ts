/** Tests the table of brands and platforms and of the domains that belong to them. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OWNED, sendingDomains } from '../../src/domain/owners.ts';
import { PLATFORMS } from '../../src/domain/platforms.ts';

interface Row {
  readonly name: string;
  readonly of?: string;
  readonly sources?: string;
  readonly domains?: string;
  readonly sends?: string;
  readonly tenants?: string;
}

const table: { readonly sources: Record<string, string>; readonly owners: readonly Row[] } =
  JSON.parse(readFileSync('src/domain/owners.json', 'utf8'));

const list = (text = '') => text.split(' ').filter(Boolean);

test('each owner has its domains with their sources, and each other name has an owner', () => {
  const owners = new Set(table.owners.filter(({ of }) => of === undefined).map(({ name }) => name));
  const faulty = table.owners.filter(({ of, sources, domains, sends }) =>
    of === undefined
      ? list(sources).length === 0 ||
        list(sources).some((letter) => table.sources[letter] === undefined) ||
        list(domains).length + list(sends).length === 0
      : !owners.has(of) || domains !== undefined || sources !== undefined,
  );
  expect(faulty).toEqual([]);
});

test('a name appears once', () => {
  const names = table.owners.map(({ name }) => name.toLowerCase());
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('domains are written as domains', () => {
  const all = table.owners.flatMap(({ domains, sends, tenants }) =>
    [domains, sends, tenants].flatMap(list),
  );
  expect(all.filter((one) => !/^(?:\.[a-z]+|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.test(one))).toEqual([]);
});

test('a platform’s hosts belong to its owner', () => {
  for (const { name, domains } of PLATFORMS)
    expect(OWNED.find((one) => one.name === name)?.domains).toEqual(
      expect.arrayContaining([...domains]),
    );
  expect(() => sendingDomains('Nobody')).toThrow('no row "Nobody"');
});
