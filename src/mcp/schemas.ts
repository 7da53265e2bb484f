/**
 * Declares the arguments of the MCP tools, and those shapes of results that the HTTP API does not define.
 */

import { Type } from '@sinclair/typebox';
import { SAMPLE_ID, TestId } from '../domain/ids.ts';
import type { GivenReason } from '../domain/refusal-remedy.ts';
import type { Finding } from '../domain/report/report.ts';
import { toolInput } from './tool-input.ts';

/** Longest wait of one call, in seconds. Clients give up after 60 s. */
const MAX_WAIT_SECONDS = 50;

/** Default wait of one call, in seconds. */
export const DEFAULT_WAIT_SECONDS = 25;

const test_id = Type.String({ pattern: TestId.pattern as string });
const read_token = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' });
const seconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    default: DEFAULT_WAIT_SECONDS,
    description: 'How long to wait for a change.',
  }),
);

export const NoInput = toolInput(Type.Object({}));

export const WaitInput = toolInput(Type.Object({ test_id, seconds }));

export const ReportInput = toolInput(
  Type.Object({
    test_id,
    read_token: Type.Optional({
      ...read_token,
      description: `The token that came with the test_id. Only ${SAMPLE_ID} needs none.`,
    }),
    detail: Type.Optional(
      Type.Union([Type.Literal('summary'), Type.Literal('whole')], {
        default: 'summary',
        description:
          '"summary": the score, the fixes and what is wrong. "whole": the whole report as JSON.',
      }),
    ),
  }),
);

export const TestMailInput = toolInput(
  Type.Object({
    test_id: Type.Optional(test_id),
    read_token: Type.Optional(read_token),
    seconds,
  }),
);

export const DeleteInput = toolInput(Type.Object({ test_id, read_token }));

export const DomainInput = toolInput(
  Type.Object({
    domain: Type.String({ maxLength: 255, description: 'The domain of the From addresses.' }),
    selectors: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 20,
        description: 'DKIM selectors whose keys are checked.',
      }),
    ),
  }),
);

export const FindingInput = toolInput(
  Type.Object({
    id: Type.String({ pattern: '^[a-z0-9_]{1,60}$', description: 'For example, spf_result.' }),
  }),
);

/** The content of a report, small enough for an agent to act on. */
export interface ReportVerdict {
  /** The score, from 0 to 100. */
  readonly score: number;
  /** The score if everything unknown were as bad as it can be. */
  readonly lowest_score: number;
  readonly grade: string;
  /** The things to fix first, in order. `points` is what the score gains; `actions` is the fix as data. */
  readonly fix_plan: readonly {
    readonly id: string;
    readonly title: string;
    readonly fix: string;
    readonly points: number;
    readonly actions: NonNullable<Finding['actions']>;
  }[];
  /** Every finding that fails or warns. */
  readonly wrong: readonly {
    readonly id: string;
    readonly severity: string;
    readonly title: string;
    readonly detail: string;
  }[];
  /** Findings whose result could not be found out. */
  readonly unknown: readonly string[];
}

/** The stages of a test in `test_mail`. */
export const STAGES = [
  'send_mail',
  'waiting',
  'refused',
  'analysing',
  'ready',
  'no_report',
] as const;

/** The stage of a test, and what to do next. */
export interface TestMailAnswer {
  readonly stage: (typeof STAGES)[number];
  readonly test_id: string;
  /** The read token, which is present only for a new test. */
  readonly read_token?: string;
  readonly address?: string;
  readonly send_before?: string;
  /** Why there is no report. */
  readonly reasons?: readonly GivenReason[];
  readonly verdict?: ReportVerdict;
  /** The step to take now. */
  readonly next: string;
}
