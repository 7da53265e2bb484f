import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { DnsAnswer, Resolver } from '../../../src/ports/dns.ts';
import { evaluateSpf } from '../../support/mail/evaluate-spf.ts';
import { type Case, differs, type Suite } from './suite.ts';
import { resolverOf } from './zone-resolver.ts';

type Entry = 'TIMEOUT' | Readonly<Record<string, unknown>>;

interface Scenario {
  readonly description: string;
  readonly tests: Readonly<Record<string, Spec>>;
  readonly zonedata: Readonly<Record<string, readonly Entry[]>>;
}

interface Spec {
  readonly helo: string;
  readonly host: string;
  readonly mailfrom: string;
  readonly result: string | readonly string[];
}

/** Reads the openspf.org suite of RFC 7208, by its own rules, which has one YAML document per scenario. */
export function readOpenspf(file: string): Suite {
  const scenarios = parseAllDocuments(readFileSync(file, 'utf8'), { logLevel: 'error' }).map(
    (document) => document.toJS() as Scenario | null,
  );
  const cases = scenarios.flatMap((scenario) => (scenario ? toCases(scenario) : []));
  return { name: 'openspf, RFC 7208', cases, excepted: {} };
}

const toCases = ({ description, tests, zonedata }: Scenario): Case[] => {
  const resolver = resolverOf(askScenario(zonedata ?? {}));
  return Object.entries(tests).map(([name, { helo, host, mailfrom, result }]) => ({
    name: `${description}: ${name}`,
    run: async () => {
      const at = mailfrom.lastIndexOf('@');
      const identity = mailfrom === '' ? ['', ''] : [mailfrom.slice(0, at), mailfrom.slice(at + 1)];
      const [localPart = '', domain = ''] = identity;
      const spf = await evaluateSpf({ ip: host, helo, localPart, domain }, resolver);
      return differs(spf.result ?? '', [result].flat());
    },
  }));
};

/**
 * Answers from the scenario. `TIMEOUT` in a list means that anything the list lacks is not answered. SPF
 * records are also TXT.
 */
function askScenario(zonedata: Scenario['zonedata']): Resolver['ask'] {
  const zone = new Map(Object.entries(zonedata).map(([name, held]) => [lower(name), held]));
  const ask = async (asked: string, type: string, hops = 0): Promise<DnsAnswer<unknown>> => {
    const held = zone.get(lower(asked));
    if (!held) return { status: 'nxdomain', cnames: [] };
    const values = (wanted: string) =>
      held.flatMap((entry) => (entry !== 'TIMEOUT' && wanted in entry ? [entry[wanted]] : []));
    const own = values(type);
    const found = own.length > 0 || type !== 'TXT' ? own : values('SPF');
    const records = found.filter((value) => value !== 'NONE').map((value) => toRecord(type, value));
    if (records.length > 0) return { status: 'found', records, cnames: [] };
    if (held.includes('TIMEOUT')) return { status: 'failed', error: 'TIMEOUT' };
    const [target] = values('CNAME');
    if (target === undefined) return { status: 'nodata', cnames: [] };
    if (hops === 8) return { status: 'failed', error: 'CNAME_LIMIT' };
    return ask(String(target), type, hops + 1);
  };
  return (name, type) => ask(name, type);
}

const lower = (name: string) => name.toLowerCase().replace(/\.$/, '');

function toRecord(type: string, value: unknown): unknown {
  if (type === 'TXT' || type === 'SPF') return [value].flat().map(String);
  if (type !== 'MX') return String(value);
  const [preference, exchange] = value as readonly [number, string];
  return { preference, exchange: String(exchange) };
}
