import type { Finding } from '../../domain/report/report.ts';
import { isNotChecked, type RunOutcome } from '../outcome.ts';
import { element, xmlText } from './xml.ts';

const SUITE = 'deliverability';

/** A test case for each finding, one for the score if it is asked for; what was asked for and is not so fails. */
export function toJunit(outcome: RunOutcome): string {
  const cases = outcome.report ? reportCases(outcome) : [faultCase(outcome)];
  const count = (kind: Case['kind']) => cases.filter((one) => one.kind === kind).length;
  const totals = {
    name: SUITE,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: 0,
  };
  const suite = element('testsuite', totals, [properties(outcome), ...cases.map(({ xml }) => xml)]);
  const { skipped: _, ...all } = totals;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, [suite])}\n`;
}

interface Case {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
}

const testCase = (
  kind: Case['kind'],
  area: string,
  name: string,
  message = '',
  text = '',
): Case => {
  const inside =
    kind === 'passed'
      ? []
      : [
          kind === 'skipped'
            ? element('skipped', { message })
            : element(kind, { message, type: kind }, [xmlText(text || message)]),
        ];
  const attributes = { classname: `${SUITE}.${area}`, name, time: 0 };
  return { kind, xml: element('testcase', attributes, inside) };
};

function reportCases({ report, failures }: RunOutcome): Case[] {
  const byId = new Map(failures.map((one) => [one.id, one.message]));
  const findings = report?.findings ?? [];
  const absent = failures.filter(({ id }) => !findings.some((one) => one.id === id));
  return [
    ...absent.map(({ id, message }) => testCase('failure', 'criteria', id, message)),
    ...findings.map((finding) => findingCase(finding, byId.get(finding.id))),
  ];
}

function findingCase(finding: Finding, failure: string | undefined): Case {
  const { area, id, title, detail, fix } = finding;
  const name = `${id}: ${title}`;
  if (failure !== undefined) {
    const text = [failure, fix && `Fix: ${fix}`].filter(Boolean).join('\n\n');
    return testCase('failure', area, name, failure, text);
  }
  return isNotChecked(finding)
    ? testCase('skipped', area, name, detail)
    : testCase('passed', area, name);
}

function faultCase({ fault }: RunOutcome): Case {
  const message = fault?.message ?? 'There is no report.';
  return testCase(fault?.excused ? 'skipped' : 'error', 'run', 'report', message);
}

const properties = ({ report }: RunOutcome): string =>
  element(
    'properties',
    {},
    Object.entries(report ? { score: report.score, grade: report.grade } : { score: 'none' }).map(
      ([name, value]) => element('property', { name, value }),
    ),
  );
