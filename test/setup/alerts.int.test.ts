/** Tests the Prometheus alerts and the Grafana dashboard. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { anApi } from '../api/harness.ts';
import { needs } from '../support/process/needs.ts';
import { startStack } from '../support/process/stack.ts';

const RULES = 'docs/deploy/prometheus/rules.yml';
const CASES = 'test/setup/alerts.promtool.yml';
const page = readFileSync('docs/operations.md', 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
}

const rules = (
  parse(readFileSync(RULES, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(readFileSync('docs/deploy/grafana/dashboard.json', 'utf8')) as {
  panels: readonly { title: string; targets: readonly { expr: string }[] }[];
};

const promtool = (args: readonly string[], input?: string) =>
  spawnSync('promtool', args, { encoding: 'utf8', ...(input !== undefined && { input }) });

const isThere = spawnSync('promtool', ['--version']).status === 0;
const MISSING = 'promtool is not installed (Debian package prometheus)';

/** Names that Prometheus itself creates, or that are words of its language. */
const OTHERS = new Set(['up']);

const NAME = /\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+|up)\b(?=[{\s/)[<>]|$)/g;

/**
 * Matches a selector without the job, which would also select another service's metric with the same name.
 */
const OF_ANY_JOB =
  /\b(?:(?:deliverability|nodejs|process)_\w+|up)(?!\w)(?!\{job="deliverability")/g;

async function exported(): Promise<ReadonlySet<string>> {
  const text = await createMetrics().source.metrics();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set(names);
}

const used = (expr: string) =>
  [...expr.replace(/\{[^}]*\}|by \([^)]*\)/g, '').matchAll(NAME)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(histogram_quantile)$/.test(name));

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s watches what the service exports, has its row in the docs, and a case each way',
  async (alert, { expr, labels }) => {
    const names = await exported();
    expect(used(expr).length).toBeGreaterThan(0);
    expect(used(expr).filter((name) => !names.has(name) && !OTHERS.has(name))).toEqual([]);
    expect(expr.match(OF_ANY_JOB)).toBeNull();
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(page).toMatch(new RegExp(`^\\| \`${alert}\` \\| \\S.* \\| \\S.* \\|$`, 'm'));
    const cases = readFileSync(CASES, 'utf8');
    for (const kind of ['fires', 'is quiet']) expect(cases).toContain(`name: ${alert} ${kind}\n`);
  },
);

test('the table of alerts has no row without an alert', () => {
  const [, table = ''] = page.split(/^## Alerts$|^## When the disk is full$/m);
  const entries = [...table.matchAll(/^\| `(\w+)` \|/gm)];
  expect(entries.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
});

test('every panel of the dashboard shows what the service exports', async () => {
  const names = await exported();
  for (const { targets } of dashboard.panels)
    for (const { expr } of targets) {
      expect(used(expr).length).toBeGreaterThan(0);
      expect(used(expr).filter((name) => !names.has(name))).toEqual([]);
      expect(expr.match(OF_ANY_JOB)).toBeNull();
    }
});

test('every alert fires when it should and is quiet when it should be', (context) => {
  needs(context, isThere, MISSING);
  expect(promtool(['check', 'rules', RULES])).toMatchObject({ status: 0 });
  expect(promtool(['test', 'rules', CASES])).toMatchObject({ status: 0 });
});

test('a replica that has nothing to do exports fewer than 1,000 series', async () => {
  const metrics = createMetrics();
  await anApi({ options: { metrics } });
  const text = await metrics.source.metrics();
  expect(text.match(/^\w+[{ ]/gm)?.length).toBeLessThan(1000);
});

test('a service that has just started exports every series, and promtool raises no objection', async (context) => {
  const stack = await startStack();
  try {
    const text = await (await fetch(`${stack.metrics()}/metrics`)).text();
    for (const series of [
      'deliverability_http_requests_total{method="GET",route="/v1/tests/:test_id/status",class="5xx"} 0',
      'deliverability_frozen{log="payments"} 0',
      'deliverability_smtp_replies_total{command="data",class="5xx"} 0',
      'deliverability_mails_total{outcome="blocklisted"} 0',
      'deliverability_payments_total{outcome="settled"} 0',
      'deliverability_mail_seconds_count{class="2xx"} 0',
      'deliverability_readiness{check="log_connected"} 1',
      'deliverability_stream_bytes{stream="KV_reports"}',
    ])
      expect(text).toContain(series);
    needs(context, isThere, MISSING);
    expect(promtool(['check', 'metrics'], text)).toMatchObject({ status: 0, stderr: '' });
  } finally {
    await stack.stop();
  }
});
