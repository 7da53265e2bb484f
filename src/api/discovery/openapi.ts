/**
 * Generates the OpenAPI document from the schemas of all routes, and adds shared responses, whole examples
 * and the price of a report.
 */

import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, errors, ServiceError, toProblem } from '../../domain/errors.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import type { PaymentSettings } from '../../domain/payment-terms.ts';
import type { ApiSettings } from '../options.ts';
import { errorsUrl } from '../plugins/problem.ts';
import { RATE_LIMITS } from '../schemas/answers.ts';
import { componentsOf } from '../schemas/components.ts';
import { EXAMPLE_URL, examples } from '../schemas/examples.ts';
import { clientSchemas } from './client-schemas.ts';
import { COMPATIBILITY, describeOffer, SERVICE, summary } from './manifest.ts';

const tagsOf = (sells: boolean) => [
  { name: 'tests', description: 'Create a test and ask for its status. Free.' },
  { name: 'report', description: `Read the report of a test. ${sells ? 'Paid once.' : 'Free.'}` },
  { name: 'catalogue', description: 'What reports contain and how the score is computed. Free.' },
];

/** Describes the whole procedure of a test in a few sentences, as guidance for agents. */
const guidance = (sells: boolean) =>
  `POST /v1/tests, have one real email sent to \`address\`, then GET the status with \`Prefer: wait=30\` until it is \`ready\`, then GET /v1/report with the test's \`X-Read-Token\`${sells ? ' and pay when it responds with 402' : ''}. /llms.txt has every step.`;

interface Media {
  schema: { $ref?: string };
}
interface Answer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}
interface Operation {
  security: [];
  requestBody?: { required: boolean };
  parameters?: { name: string; example?: unknown; schema: { examples?: unknown[] } }[];
  responses: Record<string, Answer | { $ref: string }>;
}
interface Document {
  info: Record<string, unknown>;
  servers: { url: string }[];
  components: {
    schemas: Record<string, object>;
    headers: Record<string, object>;
    responses: Record<string, Answer>;
  };
  paths: Record<string, Record<string, Operation>>;
}

/** Returns the facts about a purchase that every 402 shows, in the form that registries read. */
export const paymentInfo = (payment: PaymentSettings) => ({
  price: { mode: 'fixed', currency: 'USD', amount: describeOffer(payment).amount },
  protocols: [{ x402: {} }],
});

/**
 * Prepares the OpenAPI document, which is generated from the schemas of all routes that are added later. The
 * function that it returns generates the document.
 */
export async function addOpenapi(
  app: FastifyInstance,
  settings: ApiSettings,
): Promise<() => object> {
  const { payment, contactEmail } = settings;
  for (const schema of componentsOf(payment !== null)) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: SERVICE,
        version: '1.0.0',
        description: `${summary(payment)}\n\n${COMPATIBILITY}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { url: EXAMPLE_URL, ...(contactEmail !== null && { email: contactEmail }) },
      },
      tags: tagsOf(payment !== null),
      security: [],
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  return () => finish(app.swagger() as unknown as Document, settings);
}

/** The response for errors that no route declares: an unsupported method, encoding or size of a request. */
const OTHER: Answer = {
  description: 'Any other error.',
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
};

/** Names of header fields in their usual spelling, because Fastify knows them only in lower case. */
const SPELLINGS: Record<string, string> = {
  'x-read-token': 'X-Read-Token',
  'payment-signature': 'PAYMENT-SIGNATURE',
  prefer: 'Prefer',
  'test-position': 'Test-Position',
};

/** The headers of every response that counts against a rate limit. */
const RATE_HEADERS = Object.fromEntries(
  Object.entries(RATE_LIMITS).map(([name, { description, ...schema }]) => [
    name,
    { schema, description },
  ]),
);

/**
 * Adds to the generated document what the generator leaves out: whole examples, shared responses, references,
 * and the service's address.
 */
function finish(generated: Document, settings: ApiSettings): Document {
  const document = structuredClone(generated);
  const operations = Object.values(document.paths).flatMap(Object.values<Operation>);
  for (const operation of operations) {
    const { requestBody, parameters = [], responses } = operation;
    // `security` is stated for each operation, because registries do not read the document's own.
    operation.security = [];
    responses.default = { $ref: '#/components/responses/other' };
    if (requestBody) requestBody.required = false;
    if (responses['429'])
      for (const [status, answer] of Object.entries(responses) as [string, Answer][])
        if (/^(?:2..|429)$/.test(status)) answer.headers = { ...RATE_HEADERS, ...answer.headers };
    for (const parameter of parameters) {
      parameter.name = SPELLINGS[parameter.name] ?? parameter.name;
      // Tools that build sample requests look for examples in the schema.
      parameter.schema.examples = [parameter.example];
      delete parameter.example;
    }
    for (const { description, content } of Object.values(responses) as Answer[])
      for (const media of Object.values(content ?? {})) {
        const id = media.schema.$ref?.split('/').at(-1) ?? '';
        Object.assign(media, examples[id] ?? problemExample(description, settings));
      }
  }
  document.components = {
    schemas: clientSchemas(componentsOf(settings.payment !== null)),
    headers: shareHeaders(operations),
    responses: { ...shareAnswers(operations), other: OTHER },
  };
  document.info['x-guidance'] = guidance(settings.payment !== null);
  document.servers = [{ url: EXAMPLE_URL }];
  const text = JSON.stringify(document)
    .replace(/"\$ref":"(\w+)#"/g, '"$$ref":"#/components/schemas/$1"')
    .replaceAll(EXAMPLE_URL, settings.baseUrl());
  return JSON.parse(text);
}

/** Collects the headers of all responses by name, and replaces equal headers with references. */
function shareHeaders(operations: readonly Operation[]): Record<string, object> {
  const shared: Record<string, object> = {};
  for (const { responses } of operations)
    for (const { headers = {} } of Object.values(responses) as Answer[])
      for (const [name, header] of Object.entries(headers)) {
        shared[name] ??= header;
        if (JSON.stringify(shared[name]) === JSON.stringify(header))
          headers[name] = { $ref: `#/components/headers/${name}` };
      }
  return shared;
}

/**
 * Collects the error responses by their first code, and replaces equal responses of several operations with
 * references.
 */
function shareAnswers(operations: readonly Operation[]): Record<string, Answer> {
  const shared: Record<string, Answer> = {};
  for (const { responses } of operations)
    for (const [status, answer] of Object.entries(responses) as [string, Answer][]) {
      const code = codeOf(answer.description);
      if (code === undefined) continue;
      shared[code] ??= answer;
      if (JSON.stringify(shared[code]) === JSON.stringify(answer))
        responses[status] = { $ref: `#/components/responses/${code}` };
    }
  return shared;
}

/** Returns the error code that the description of a response begins with. */
function codeOf(description: string): ErrorCode | undefined {
  const named = /^`(\w+)`/.exec(description)?.[1] ?? '';
  return named in errors ? (named as ErrorCode) : undefined;
}

function challengeOf(payment: PaymentSettings): object {
  const { terms } = describeOffer(payment);
  const { extensions: _, ...challenge } = paymentRequired(EXAMPLE_URL, terms);
  return challenge;
}

/** Returns an example of an error response. Some errors have members of their own. */
function problemExample(description: string, { payment }: ApiSettings) {
  const members: Partial<Record<ErrorCode, object>> = {
    ...(payment && { payment_required: challengeOf(payment) }),
    report_not_ready: { test_status: 'processing' },
  };
  const code = codeOf(description);
  if (!code) return {};
  const error = new ServiceError(code, { members: { ...members[code] } });
  return { example: toProblem(error, errorsUrl(EXAMPLE_URL)) };
}
