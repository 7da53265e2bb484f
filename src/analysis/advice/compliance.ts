/** Derives from the findings which requirements of large mailbox providers an email meets. */

import type { Compliance, RequirementRow } from '../../domain/report/compliance.ts';
import { AS_OF, type Requirement, requirements } from '../../domain/requirements.ts';
import type { Verdict } from '../check.ts';
import { findCheck } from '../checks.ts';

type Verdicts = ReadonlyMap<string, Verdict>;
type Missing = readonly [string, ...string[]];

/**
 * The status of one requirement. If it is not shown to be met, `missing` lists the ids of the findings that
 * decide this.
 */
type Standing = { readonly status: 'met' } | Unmet;

interface Unmet {
  readonly status: 'not_met' | 'not_observable';
  readonly missing: Missing;
}

const MET: Standing = { status: 'met' };

/** The statuses of a requirement that is not shown to be met, worst first. */
const UNMET = ['not_met', 'not_observable'] as const;

const standing = (status: Unmet['status'], ids: readonly string[], or: string) => {
  const [first = or, ...rest] = new Set(ids);
  return { status, missing: [first, ...rest] } satisfies Standing;
};

type Wanted = Requirement['all'][number];

/**
 * States that do not show whether a sender meets a requirement. Either nobody observed the connection, or a
 * bounce has no sender whose SPF could pass.
 */
const LEFT_OPEN: readonly string[] = ['connection_tls/not_observable', 'spf_record/helo_absent'];

const isOpen = ({ check, state }: Verdict): boolean =>
  !state || LEFT_OPEN.includes(`${check.id}/${state.name}`);

/**
 * Judges a required check that has no finding, either because its gate is closed or because another check in
 * its family failed or warned.
 */
function withoutFinding(all: Verdicts, { id, orAbsent }: Wanted): Standing {
  if (orAbsent) return MET;
  const check = findCheck(id);
  const gate = check?.gate ? all.get(check.gate) : undefined;
  if (gate && isOpen(gate)) return standing('not_observable', [gate.check.id], id);
  if (gate && gate.state?.severity !== 'pass') return standing('not_met', [gate.check.id], id);
  const beside = [...all.values()].filter(
    ({ check: other, finding: { severity } }) =>
      other.family === check?.family && (severity === 'fail' || severity === 'warn'),
  );
  return standing(
    'not_met',
    beside.map((one) => one.check.id),
    id,
  );
}

function judgeOne(all: Verdicts, wanted: Wanted): Standing {
  const verdict = all.get(wanted.id);
  if (!verdict) return withoutFinding(all, wanted);
  if (isOpen(verdict)) return standing('not_observable', [wanted.id], wanted.id);
  return wanted.severities.includes(verdict.finding.severity)
    ? MET
    : standing('not_met', [wanted.id], wanted.id);
}

/**
 * Judges a requirement that applies only to bulk email. The finding already depends on whether the email is
 * bulk: `fail` and `warn` mean that the requirement is not met, a suggestion means that this is uncertain,
 * and in any other state nothing is required.
 */
function judgeWhereAsked(all: Verdicts, { id }: Wanted): Standing {
  const gate = findCheck(id)?.gate;
  const verdict = all.get(id) ?? (gate === undefined ? undefined : all.get(gate));
  if (!verdict) return MET;
  const { state, check } = verdict;
  if (!state || state.suggest) return standing('not_observable', [check.id], id);
  const isFault = state.severity === 'fail' || state.severity === 'warn';
  return isFault ? standing('not_met', [check.id], id) : MET;
}

/** Combines the standings that have the given status into one, and ignores all others. */
function standingOf(status: Unmet['status'], all: readonly Standing[], or: string): Standing {
  const same = all.filter((one): one is Unmet => one.status === status);
  return standing(
    status,
    same.flatMap((one) => one.missing),
    or,
  );
}

/** Returns the worst of several standings, because all of these requirements must be met. */
function sumUp(all: readonly Standing[], or: string): Standing {
  const worst = UNMET.find((status) => all.some((one) => one.status === status));
  return worst ? standingOf(worst, all, or) : MET;
}

/** Returns the best of several standings, because meeting any of the alternatives is enough. */
function bestOf(all: readonly Standing[], or: string): Standing {
  if (all.some(({ status }) => status === 'met')) return MET;
  const isOpen = all.some(({ status }) => status === 'not_observable');
  return standingOf(isOpen ? 'not_observable' : 'not_met', all, or);
}

/** Judges one requirement of a mailbox provider by the findings of the report. */
export function judgeRequirement(
  { id, all, any, bulkOnly }: Requirement,
  verdicts: Verdicts,
): Standing {
  if (all.length === 0 && !any) return standing('not_observable', [], id);
  const judge = bulkOnly ? judgeWhereAsked : judgeOne;
  const parts = all.map((wanted) => judge(verdicts, wanted));
  const choice = any?.map((wanted) => judge(verdicts, wanted));
  return sumUp(choice ? [...parts, bestOf(choice, id)] : parts, id);
}

/**
 * Returns whether an email can ever show that a requirement is met. A requirement for which this is
 * impossible is listed, but does not affect the provider's status.
 */
const isMeasurable = ({ all, any }: Requirement): boolean => all.length > 0 || any !== undefined;

const toRule = (
  { id, scope, text, source, since }: Requirement,
  judged: Standing,
): Omit<RequirementRow, 'receiver'> => ({
  id,
  applies_to: scope,
  requirement: text,
  status: judged.status,
  missing: judged.status === 'met' ? [] : [...judged.missing],
  source,
  since,
});

/**
 * Compares the email with what the large mailbox providers require of senders. The comparison is derived from
 * the findings and checks nothing itself, so it can never contradict them.
 */
export function complianceOf(verdicts: readonly Verdict[]): Compliance {
  const byId: Verdicts = new Map(verdicts.map((verdict) => [verdict.check.id, verdict]));
  const judged = requirements.map((row) => ({
    row,
    standing: judgeRequirement(row, byId),
  }));
  const sum = (receiver: Requirement['receiver'], scope: Requirement['scope']) => {
    const concerned = judged.filter(
      ({ row }) => row.receiver === receiver && row.scope === scope && isMeasurable(row),
    );
    const total = sumUp(
      concerned.map((one) => one.standing),
      scope,
    );
    if (total.status === 'met') return { status: total.status, missing: [] };
    const status = total.status === 'not_met' ? total.status : ('partly_observable' as const);
    return { status, missing: [...total.missing] };
  };
  return {
    gmail: { all_senders: sum('gmail', 'all_senders'), bulk: sum('gmail', 'bulk') },
    yahoo: { all_senders: sum('yahoo', 'all_senders'), bulk: sum('yahoo', 'bulk') },
    microsoft: { high_volume: sum('microsoft', 'high_volume') },
    apple: {
      bulk: sum('apple', 'bulk'),
      requirements: judged.flatMap(({ row, standing: how }) =>
        row.receiver === 'apple' ? [toRule(row, how)] : [],
      ),
    },
    requirements: judged.flatMap(({ row, standing: how }) =>
      row.receiver === 'apple' ? [] : [{ receiver: row.receiver, ...toRule(row, how) }],
    ),
    as_of: AS_OF,
    not_measured: ['spam_complaint_rate', 'volume'],
  };
}
