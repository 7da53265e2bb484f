/** Declares the response schemas of the catalogue of findings and of the scoring method. */

import { Type } from '@sinclair/typebox';
import { severity } from '../../domain/report/report.ts';
import { object, optional, record, text, texts, uri } from '../../domain/report/shapes.ts';

const State = object('One state of a check. Exactly one applies.', {
  name: text('As in `findings[].state` of a report.', 'absent'),
  severity: severity('The severity of the finding in this state.', 'fail'),
  points: Type.Integer({ description: 'The points that it costs.', examples: [15] }),
  score_cap: optional(
    Type.Integer({ description: 'The highest score possible in this state.', examples: [74] }),
  ),
  when: text('When it applies.', 'no SPF record'),
});

const area = text('As in `findings[].area` of a report.', 'spf');

/** Schema of one finding in the catalogue. */
export const CatalogueEntry = Type.Object(
  {
    id: text('As in `findings[].id` of a report.', 'spf_record'),
    area,
    family: text('The family of checks that share a cap.', 'spf'),
    only_after: optional(text('The finding that must pass first.', 'spf_record')),
    title: text('What is checked.', 'SPF record of the envelope domain'),
    fix: text(
      'Why, and what to do. … stands for a value from the email.',
      'Your SPF record does not list your address, the address this email came from.',
    ),
    fixes: optional(
      record(
        text('Why it matters, and what to do.', 'Remove the links.'),
        'What to do instead, by case.',
        {
          type99: 'The TXT record is enough.',
        },
      ),
    ),
    reference: text('The source of the rule.', 'RFC 7208 §3'),
    states: Type.Array(State, { description: 'The states, worst first.' }),
    about: object('Explains the check to readers who are new to the subject.', {
      what: text(
        'What the check looks at.',
        'SPF is a list of the servers that may send for a domain.',
      ),
      why: text('Why it matters.', 'Without it, receivers cannot tell your servers from others.'),
      how: texts('What to do, step by step.', ['Open the DNS settings of your domain.']),
      bad: text('An example that fails.', 'example.com TXT (no record)'),
      good: text('An example that passes.', 'example.com TXT "v=spf1 mx ~all"'),
    }),
    url: uri('The page that explains it.', 'https://mailtest.example/findings/spf_record'),
  },
  { $id: 'CatalogueEntry', description: 'One finding of the catalogue.' },
);

const version = text('Version of the catalogue.', '1');

export const Catalogue = Type.Object(
  {
    version,
    areas: Type.Array(area, { description: 'All areas.' }),
    findings: Type.Array(Type.Unsafe({ $ref: 'CatalogueEntry#' }), {
      description: 'All findings, in the order of reports.',
    }),
  },
  { $id: 'Catalogue', description: 'Every finding that a report can have.' },
);

const numbers = (description: string, name: string, number: number) =>
  record(Type.Integer({ description: 'The number.', examples: [number] }), description, {
    [name]: number,
  });

export const Method = Type.Object(
  {
    version,
    steps: Type.Array(Type.String(), {
      description: 'How the score is computed.',
      examples: [['Each finding costs the points of its state.']],
    }),
    grades: numbers('Lowest score of each grade.', 'A', 90),
    any_fail_cap: Type.Integer({
      description: 'The highest score with a finding of severity fail.',
      examples: [89],
    }),
    family_caps: numbers('The most points that a family costs.', 'spf', 15),
    findings_url: uri('The catalogue of findings.', 'https://mailtest.example/findings'),
  },
  { $id: 'Method', description: 'How the score is computed.' },
);
