import type { Finding, Severity } from '../domain/report/report.ts';
import { followAlias, renderStep, type Step, wordsStep } from './advice/actions.ts';
import { commonValues, fill, type Values } from './advice/fill.ts';
import { type CheckRow, catalogue, findCheckRow, type State } from './catalogue.ts';
import type { Facts } from './facts.ts';
import { entryOf, type LookupResult } from './lookup-result.ts';
import { isFreemail } from './names/freemail.ts';
import { isProviderDomain } from './names/shared-pools.ts';

/** A state's severity and when it holds. Its place in the ladder is its place in the catalogue. */
export type Rung<S> = readonly [
  severity: Exclude<Severity, 'pass'>,
  holds: (subject: S, facts: Facts) => boolean,
];

/** A fix that only somebody else can make, in words to the reader. */
export interface Others {
  readonly owner: Step['owner'];
  readonly text: string;
}

export interface Definition<S> {
  readonly id: string;
  /** What is judged; `undefined`: the check does not apply to this mail. */
  readonly subject: (facts: Facts) => LookupResult<S> | undefined;
  /** Worst first, one rung for each state but the last: when none holds, the check passes. */
  readonly ladder: readonly Rung<S>[];
  /** The value measured and the limit. */
  readonly detail?: (subject: S, facts: Facts) => string;
  /** Which of the row's `fixes` hold here, in their order, `fix` for its own; none: its `fix`. */
  readonly fixes?: (subject: S, facts: Facts) => readonly string[];
  /** The check whose fix comes first: without it this one's cannot be followed. */
  readonly waitsFor?: (subject: S, facts: Facts) => string | undefined;
  /**
   * What to do, as data, behind the catalogue's sentence that says why; the text is rendered from both.
   * None: the sentence is all there is to do.
   */
  readonly steps?: (subject: S, facts: Facts) => readonly Step[] | undefined;
  /** The fix where it is somebody else's to make; `undefined`: the reader's own. */
  readonly others?: (subject: S, facts: Facts) => Others | undefined;
  /** What is to be put right: findings with one cause go with one fix. None: the check's own. */
  readonly cause?: (subject: S, facts: Facts) => string;
  /** For the braces of the fix, besides the names that all checks share. */
  readonly values?: (subject: S, facts: Facts) => Values;
}

/** The result of one check, before its gate is asked. */
export interface Verdict {
  readonly row: CheckRow;
  /** The state that holds; null: unknown. */
  readonly state: State | null;
  readonly points: number;
  readonly cap: number | null;
  readonly finding: Finding;
  /** The check whose fix comes first. */
  readonly waitsFor?: string;
  /** A line for `partial_errors`, when unknown. */
  readonly error?: string;
}

export interface Check {
  readonly id: string;
  readonly ladder: readonly Severity[];
  run(facts: Facts): Verdict | undefined;
}

/** Longest detail, in characters: a record is 4 KiB at most and stands in the report already. */
const MAX_DETAIL = 600;

const cut = (text: string) =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text;

/** What only the provider of a domain can change; null: the sender's own. */
function providersFix({ area }: CheckRow, facts: Facts): string | null {
  const { from, envelope } = catalogue.provider_domain_fixes;
  if (from.areas.includes(area) && isFreemail(facts.names.fromDomain)) return from.fix;
  const isProviders = isProviderDomain(facts.names.envelopeDomain);
  return envelope.areas.includes(area) && isProviders ? envelope.fix : null;
}

/** The catalogue's words for a case, or for several at once. */
function templateOf({ fix, fixes = {} }: CheckRow, cases: readonly string[]): string {
  const all: Readonly<Record<string, string>> = { ...fixes, fix };
  const own = cases.flatMap((name) => entryOf(all, name) ?? []);
  return own.length > 0 ? own.join(' ') : fix;
}

/** Where the instruction of a check that has no steps of its own is followed. */
const KINDS: Readonly<Record<string, Step['kind']>> = {
  headers: 'header',
  unsubscribe: 'header',
  content: 'content',
  links: 'content',
};

/** What to do, in words and as the steps that the words are of. */
function toFix<S>(definition: Definition<S>, row: CheckRow, value: S, facts: Facts) {
  const { id, fixes, values, steps, cause } = definition;
  const all = { ...commonValues(facts), ...values?.(value, facts) };
  const words = (template: string) => fill(template, all).replace(/ {2,}/g, ' ').trim();
  const providers = providersFix(row, facts);
  const others: Others | undefined =
    providers === null
      ? definition.others?.(value, facts)
      : { owner: 'platform', text: words(providers) };
  const why = others?.text ?? words(templateOf(row, fixes?.(value, facts) ?? []));
  const plain = wordsStep(others ? 'ask' : (KINDS[row.area] ?? 'server'), why, others?.owner);
  const own = others ? undefined : steps?.(value, facts);
  const done = own?.flatMap((step) => followAlias(step, facts)) ?? [];
  const isPlain = done.length === 0;
  return {
    fix: isPlain ? why : `${why} ${done.map(renderStep).join('\n')}`,
    cause: cause?.(value, facts) ?? id,
    actions: (isPlain ? [plain] : done).map((step) => ({ ...step, points: 0 })),
  };
}

/** A check: a ladder over facts. Title, fixes, points and caps are the catalogue's. */
export function defineCheck<S>(definition: Definition<S>): Check {
  const { id, subject, ladder, detail, waitsFor } = definition;
  const row = findCheckRow(id);
  if (!row) throw new Error(`findings.json has no check ${id}`);
  const { area, title } = row;

  return {
    id,
    ladder: [...ladder.map(([severity]) => severity), 'pass'],
    run(facts) {
      const lookup = subject(facts);
      if (!lookup) return undefined;

      if (lookup.status === 'unknown') {
        const { severity, points, cap } = catalogue.unknown;
        const finding = { id, area, severity, title, detail: cut(`Not known: ${lookup.error}.`) };
        return { row, state: null, points, cap, finding, error: lookup.error };
      }

      const { value } = lookup;
      const rung = ladder.findIndex(([, holds]) => holds(value, facts));
      const state = row.states.at(rung);
      if (!state) throw new Error(`findings.json has no state ${rung} of ${id}`);

      const toDo = state.severity === 'fail' || state.severity === 'warn' || state.suggest;
      const finding: Finding = {
        id,
        area,
        severity: state.severity,
        title,
        ...(detail && { detail: cut(detail(value, facts)) }),
        ...(toDo && toFix(definition, row, value, facts)),
      };
      const first = waitsFor?.(value, facts);
      return {
        row,
        state,
        points: state.points,
        cap: state.cap,
        finding,
        ...(first !== undefined && { waitsFor: first }),
      };
    },
  };
}
