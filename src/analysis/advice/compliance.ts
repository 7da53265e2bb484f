import type { Compliance } from '../../domain/report/message.ts';
import { findCheckRow } from '../catalogue.ts';
import type { Verdict } from '../define-check.ts';

/** How one need stands, and the findings that stand in its way. */
interface Need {
  readonly state: 'met' | 'not_met' | 'unknown';
  readonly missing: readonly string[];
}

type Verdicts = ReadonlyMap<string, Verdict>;

/**
 * What the large mailbox providers ask of senders. Derived from the findings, so that the two can
 * never disagree; checks nothing again.
 *
 * @param isBulk whether the mail says of itself that it is bulk; `undefined`: not known
 */
export function complianceOf(
  verdicts: readonly Verdict[],
  isBulk: boolean | undefined,
): Compliance {
  const all: Verdicts = new Map(verdicts.map((verdict) => [verdict.row.id, verdict]));
  const spf = hasState(all, 'spf_result', ['pass']);
  // Its `warn` and `info` are about further signatures: one passes.
  const dkim = hasState(all, 'dkim_valid', ['pass', 'info', 'warn']);
  const record = both(
    hasState(all, 'dmarc_record', ['pass']),
    hasState(all, 'dmarc_record_valid', ['pass', 'info', 'warn']),
  );
  const aligned = hasState(all, 'dmarc_alignment', ['pass', 'info', 'warn']);

  const reverse = hasState(all, 'rdns_fcrdns', ['pass']);
  const structure = noFail(all, ({ row }) => row.family === 'structure');
  const ownDomain = noFail(all, ({ row }) => row.id === 'from_domain_freemail');
  const everybody = [either(spf, dkim), reverse, structure];
  const bulk = [spf, dkim, record, aligned, ...(isBulk === false ? [] : marketing(all))];

  return {
    gmail: { all_senders: sum([...everybody, ownDomain, tls(all)]), bulk: sum(bulk) },
    yahoo: { all_senders: sum(everybody), bulk: sum(bulk) },
    microsoft: { high_volume: sum([spf, dkim, record, aligned]) },
    not_measured: ['spam_complaint_rate', 'volume'],
  };
}

/** Asked of marketing mail only. */
const marketing = (all: Verdicts): readonly Need[] =>
  ['one_click', 'one_click_signed', 'body_unsubscribe'].map((id) => hasState(all, id, ['pass']));

/** Whether TLS was seen is not always ours to say. */
function tls(all: Verdicts): Need {
  const need = hasState(all, 'connection_tls', ['pass', 'warn']);
  return all.get('connection_tls')?.state?.severity === 'info'
    ? { state: 'unknown', missing: need.missing }
    : need;
}

function hasState(all: Verdicts, id: string, wanted: readonly string[]): Need {
  const verdict = all.get(id);
  if (!verdict) return behindGate(all, id);
  if (!verdict.state) return { state: 'unknown', missing: [id] };
  return wanted.includes(verdict.state.severity)
    ? { state: 'met', missing: [] }
    : { state: 'not_met', missing: [id] };
}

/** A check that has no finding: its gate stands in the way, else what failed beside it. */
function behindGate(all: Verdicts, id: string): Need {
  const row = findCheckRow(id);
  const gate = row?.gate ? all.get(row.gate) : undefined;
  if (gate && !gate.state) return { state: 'unknown', missing: [gate.row.id] };
  if (gate && gate.state?.severity !== 'pass') return { state: 'not_met', missing: [gate.row.id] };

  const beside = [...all.values()].filter(
    (one) => one.row.family === row?.family && one.finding.severity === 'fail',
  );
  return { state: 'not_met', missing: beside.map((one) => one.row.id) };
}

function noFail(all: Verdicts, concerns: (verdict: Verdict) => boolean): Need {
  const concerned = [...all.values()].filter(concerns);
  const failed = concerned.filter(({ state }) => state?.severity === 'fail');
  if (failed.length > 0) return { state: 'not_met', missing: failed.map(({ row }) => row.id) };
  const open = concerned.filter(({ state }) => state === null);
  return { state: open.length > 0 ? 'unknown' : 'met', missing: open.map(({ row }) => row.id) };
}

const both = (one: Need, two: Need): Need => (one.state === 'met' ? two : one);

/** One of two is enough. */
function either(one: Need, two: Need): Need {
  if (one.state === 'met' || two.state === 'met') return { state: 'met', missing: [] };
  const state = one.state === 'unknown' || two.state === 'unknown' ? 'unknown' : 'not_met';
  return { state, missing: [...one.missing, ...two.missing] };
}

function sum(needs: readonly Need[]): Compliance['gmail']['bulk'] {
  const states = needs.map(({ state }) => state);
  const missing = [...new Set(needs.flatMap((need) => need.missing))];
  if (states.includes('not_met')) return { status: 'not_met', missing };
  return { status: states.includes('unknown') ? 'partly_observable' : 'met', missing };
}
