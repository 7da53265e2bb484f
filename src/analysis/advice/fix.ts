/**
 * Builds what a report says to do about a finding: the person who has to do it, the reason and the steps, as
 * data and as text.
 */

import type { Finding } from '../../domain/report/report.ts';
import type { Area } from '../../domain/report/shapes.ts';
import type { Case, Described } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { entryOf, ifKnown } from '../lookup-result.ts';
import { isFreemail } from '../names/domain-names.ts';
import { askStep, fitSteps, type Others, type Step, wordsStep } from './actions.ts';
import { commonValues, fill, publicFrom, type Values } from './fill.ts';
import { isOthersDomain } from './ownership.ts';
import { placeSteps } from './place.ts';
import { renderStep, splitNote } from './render.ts';

/** The contribution of a check to a fix for one email. */
interface Remedy {
  /**
   * The names of the cases that apply, in the order in which they are explained. If empty, the check's `fix`
   * applies.
   */
  readonly cases: readonly string[];
  readonly values: Values;
  /** Sentences that follow the reasons of the fix. */
  readonly more: string;
  /** Returns the steps for a case, as data. If there are none, the case's own instruction is used. */
  readonly steps: (name: string) => readonly Step[] | undefined;
  readonly others: Others | undefined;
}

/**
 * The place where an instruction is carried out, by area of the check. For all other areas, it is the server.
 */
const KINDS: Readonly<Partial<Record<Area, Step['kind']>>> = {
  headers: 'header',
  unsubscribe: 'header',
  content: 'content',
  links: 'content',
};

/**
 * The person who carries out an instruction, by area of the check. For all other areas, it is whoever runs
 * the sending system.
 */
const OWNERS: Readonly<Partial<Record<Area, Step['owner']>>> = { bimi: 'domain_owner' };

type Part = readonly [why: string, steps: readonly Step[]];

const OF_FROM_AREAS: readonly Area[] = ['dmarc', 'bimi', 'transport_policy'];

const OF_FROM = {
  why: "{from_domain} is a free email provider's domain, and only the provider can change its records.",
  do: 'Send from an address at a domain you own.',
};

const OF_PLATFORM = {
  why: 'You do not own {from_domain}, and only its provider can change its records.',
  do: OF_FROM.do,
};

const OF_ENVELOPE = {
  why: "{envelope_domain} is your provider's domain, and only the provider can change its records.",
  do: 'Ask the provider to use a return path (MAIL FROM) under your own domain.',
};

/** Returns the fix if only the provider of a domain can make it, or null if the sender can make it. */
function providersFix({ area }: Described, facts: Facts): Required<Case> | null {
  const { envelopeDomain } = facts.names;
  const from = publicFrom(facts);
  if (area === 'spf') return isOthersDomain(envelopeDomain, facts) ? OF_ENVELOPE : null;
  if (!OF_FROM_AREAS.includes(area) || from === null || !isOthersDomain(from, facts)) return null;
  return isFreemail(from) ? OF_FROM : OF_PLATFORM;
}

/** The cause shared by all header fields that count as missing because they come after a blank line. */
export const BLANK_LINE = 'blank_line';

/**
 * Returns whether the header field that a check is about comes after a blank line, which ends the header.
 */
export const isBehindBlankLine = (
  { header }: Pick<Described, 'header'>,
  { content }: Facts,
): boolean => header !== undefined && (ifKnown(content)?.fieldsBehind.includes(header) ?? false);

/** Returns the fix for a finding, both as data and as the text rendered from that data. */
export function toFix(
  check: Described,
  facts: Facts,
  remedy: Remedy,
): Pick<Finding, 'fix' | 'actions'> {
  const values = { ...commonValues(facts), ...remedy.values };
  const parts = partsOf(check, facts, remedy, (template) => fill(template, values));
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
  check: Described,
  facts: Facts,
  { cases, steps, others }: Remedy,
  words: (template: string) => string,
): readonly Part[] {
  const provider = providersFix(check, facts);
  if (provider !== null && !others) {
    return [[words(provider.why), [askStep(words(provider.do), 'platform')]]];
  }
  if (others) return [[others.why, fitSteps([askStep(others.ask, others.owner)])]];

  if (check.header !== undefined && isBehindBlankLine(check, facts))
    return [
      [
        `${check.header} comes after a blank line, which ends the header section, so receivers treat it as body text.`,
        [wordsStep('header', `Remove the blank line before ${check.header}.`)],
      ],
    ];

  const known = cases.filter((name) => entryOf(check.fixes, name) !== undefined);
  const names = known.length > 0 ? known : ['fix'];
  const done = names.map((name) => {
    const own = placeSteps(steps(name) ?? [], facts);
    return fitSteps(own.length > 0 ? own : instructionOf(check, name, words));
  });
  // If the same step fixes several cases, it is shown once, after the last of them.
  const later = (step: Step, at: number) =>
    done.slice(at + 1).some((rest) => rest.some((one) => isSame(one, step)));
  return names.map((name, at) => [
    words((check.fixes[name] ?? check.fixes.fix).why),
    (done[at] ?? []).filter((step) => !later(step, at)),
  ]);
}

const isSame = (one: Step, other: Step): boolean => JSON.stringify(one) === JSON.stringify(other);

function instructionOf(
  { area, header, fixes }: Described,
  name: string,
  words: (template: string) => string,
): readonly Step[] {
  const text = fixes[name]?.do ?? fixes.fix.do;
  return text === undefined
    ? []
    : [wordsStep(KINDS[area] ?? 'server', words(text), OWNERS[area] ?? 'sender', header ?? null)];
}
