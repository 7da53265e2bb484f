import type { Finding } from '../../domain/report/report.ts';
import { type CheckRow, catalogue } from '../catalogue.ts';
import type { Facts } from '../facts.ts';
import { entryOf } from '../lookup-result.ts';
import { isFreemail } from '../names/freemail.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import { askStep, fitSteps, followAliases, type Others, type Step, wordsStep } from './actions.ts';
import { commonValues, fill, type Values } from './fill.ts';
import { renderStep, splitNote } from './render.ts';

/** What a check adds to its row of the catalogue, for one mail. */
export interface Remedy {
  /** The row's cases that hold, in their order. */
  readonly cases: readonly string[];
  readonly values: Values;
  /** Sentences behind the reasons. */
  readonly more: string;
  /** What to do in a case, as data; none: the catalogue's own instruction. */
  readonly steps: (name: string) => readonly Step[] | undefined;
  readonly others: Others | undefined;
}

/** Where the instruction of the catalogue is followed. */
const KINDS: Readonly<Record<string, Step['kind']>> = {
  headers: 'header',
  unsubscribe: 'header',
  content: 'content',
  links: 'content',
};

type Part = readonly [why: string, steps: readonly Step[]];

/** What only the provider of a domain can change; null: the sender's own. */
function providersFix({ area }: CheckRow, facts: Facts): 'from' | 'envelope' | null {
  const { from, envelope } = catalogue.provider_domain_fixes;
  if (from.areas.includes(area) && isFreemail(facts.names.fromDomain)) return 'from';
  const isProviders = isProviderDomain(facts.names.envelopeDomain);
  return envelope.areas.includes(area) && isProviders ? 'envelope' : null;
}

/** What to do about a finding: as data, and as the text that is rendered from it. */
export function toFix(
  row: CheckRow,
  facts: Facts,
  remedy: Remedy,
): Pick<Finding, 'fix' | 'actions'> {
  const values = { ...commonValues(facts), ...remedy.values };
  const parts = partsOf(row, facts, remedy, (template) => fill(template, values));
  const steps = parts.flatMap(([, own]) => own);
  const more = remedy.others ? '' : remedy.more;
  return {
    fix: parts
      .map(([why, own], i) => {
        const reason = i === parts.length - 1 ? [why, more] : [why];
        return [...reason, splitNote(own), own.map(renderStep).join('\n')]
          .filter(Boolean)
          .join(' ');
      })
      .join(' '),
    actions: steps.map((step) => ({ ...step, points: 0 })),
  };
}

function partsOf(
  row: CheckRow,
  facts: Facts,
  { cases, steps, others }: Remedy,
  words: (template: string) => string,
): readonly Part[] {
  const provider = providersFix(row, facts);
  if (provider !== null && !others) {
    const { fix, do: ask } = catalogue.provider_domain_fixes[provider];
    return [[words(fix), [askStep(words(ask), 'platform')]]];
  }
  if (others) return [[others.why, fitSteps([askStep(others.ask, others.owner)])]];

  const reasons: Readonly<Record<string, string>> = { fix: row.fix, ...row.fixes };
  const known = cases.filter((name) => entryOf(reasons, name) !== undefined);
  const names = known.length > 0 ? known : ['fix'];
  const done = names.map((name) => {
    const own = followAliases(steps(name) ?? [], facts);
    return fitSteps(own.length > 0 ? own : instructionOf(row, name, words));
  });
  // One record puts several cases right: it stands behind the last of them.
  const later = (step: Step, at: number) =>
    done.slice(at + 1).some((rest) => rest.some((one) => isSame(one, step)));
  return names.map((name, at) => [
    words(reasons[name] ?? row.fix),
    (done[at] ?? []).filter((step) => !later(step, at)),
  ]);
}

const isSame = (one: Step, other: Step): boolean => JSON.stringify(one) === JSON.stringify(other);

function instructionOf(
  { area, header, do: instructions = {} }: CheckRow,
  name: string,
  words: (template: string) => string,
): readonly Step[] {
  const text = entryOf(instructions, name) ?? instructions.fix;
  return text === undefined
    ? []
    : [wordsStep(KINDS[area] ?? 'server', words(text), 'sender', header ?? null)];
}
