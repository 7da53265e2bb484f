import { Type } from '@sinclair/typebox';
import { Severity } from '../../domain/report/report.ts';
import { AREAS, FINDING_IDS } from '../catalogue.ts';

/** A set of words that the catalogue fixes. */
const oneOf = (words: readonly string[], description: string, example?: string) =>
  Type.Unsafe<string>({
    type: 'string',
    enum: words,
    description,
    examples: [example ?? words[0]],
  });

const State = Type.Object(
  {
    severity: Type.Unsafe({ ...Severity, description: 'How it is told.', examples: ['fail'] }),
    points: Type.Integer({ description: 'What it costs.', examples: [15] }),
    score_cap: Type.Optional(
      Type.Integer({ description: 'The highest score there can be with it.', examples: [74] }),
    ),
    when: Type.String({ description: 'When it holds.', examples: ['no SPF record'] }),
  },
  { description: 'One state of a check; exactly one holds.' },
);

/** One row of the catalogue. */
export const CatalogueEntry = Type.Object(
  {
    id: oneOf(FINDING_IDS, 'As in `findings[].id` of a report.', 'spf_record'),
    area: oneOf(AREAS, 'What the check is about.', 'spf'),
    family: Type.String({ description: 'Whose cap its points share.', examples: ['spf'] }),
    only_after: Type.Optional(
      oneOf(FINDING_IDS, 'The finding that has to be in order before this one is looked at.'),
    ),
    title: Type.String({
      description: 'What is checked.',
      examples: ['SPF record of the envelope domain'],
    }),
    fix: Type.String({
      description: 'What to do; braces are filled from the mail, capitals are for you to fill.',
      examples: ['Publish TXT {envelope_domain} "v=spf1 {sender_term} -all".'],
    }),
    fixes: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({
          description: 'What to do.',
          examples: ['Delete the record of type SPF (99) at {envelope_domain}.'],
        }),
        {
          description: 'What to do instead where more is known of the fault, by case.',
          examples: [{ type99: 'Delete the record of type SPF (99) at {envelope_domain}.' }],
        },
      ),
    ),
    reference: Type.String({ description: 'Where the rule is from.', examples: ['RFC 7208 §3'] }),
    states: Type.Array(State, { description: 'Its states, worst first.' }),
    url: Type.String({
      description: 'Where it is explained.',
      examples: ['https://mailtest.example/findings/spf_record'],
    }),
  },
  { $id: 'CatalogueEntry', description: 'One finding of the catalogue.' },
);

export const Catalogue = Type.Object(
  {
    version: Type.String({ description: 'Version of the catalogue.', examples: ['1'] }),
    areas: Type.Array(oneOf(AREAS, 'An area.'), { description: 'All areas.' }),
    findings: Type.Array(Type.Unsafe({ $ref: 'CatalogueEntry#' }), {
      description: 'All findings, in the order of reports.',
    }),
  },
  { $id: 'Catalogue', description: 'Every finding a report may have.' },
);

const Points = (description: string, name: string, points: number) =>
  Type.Record(Type.String(), Type.Integer({ description: 'A number.', examples: [points] }), {
    description,
    examples: [{ [name]: points }],
  });

export const Method = Type.Object(
  {
    version: Type.String({ description: 'Version of the catalogue.', examples: ['1'] }),
    steps: Type.Array(Type.String(), {
      description: 'How the score comes about.',
      examples: [['A finding costs the points of its state.']],
    }),
    grades: Points('Lowest score of each grade.', 'A', 90),
    any_fail_cap: Type.Integer({
      description: 'The highest score with a finding of severity fail.',
      examples: [89],
    }),
    family_caps: Points('The most that the findings of a family cost.', 'spf', 15),
    findings_url: Type.String({
      description: 'The findings.',
      examples: ['https://mailtest.example/findings'],
    }),
  },
  { $id: 'Method', description: 'How the score is computed.' },
);
