import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, errors, ServiceError, toProblem } from '../../domain/errors.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import type { ApiSettings } from '../options.ts';
import { errorsUrl } from '../plugins/problem.ts';
import { components } from '../schemas/components.ts';
import { EXAMPLE_URL, examples } from '../schemas/examples.ts';
import { SERVICE, summary } from './manifest.ts';
import { describeOffer } from './offer.ts';

const TAGS = [
  { name: 'tests', description: 'Create a test and ask for its status. Free.' },
  { name: 'report', description: 'Read the report of a test. Paid once.' },
  { name: 'catalogue', description: 'What reports contain and how the score is computed. Free.' },
];

interface Media {
  schema: { $ref?: string };
  example?: unknown;
  examples?: object;
}
interface Operation {
  requestBody?: { required: boolean };
  parameters?: { name: string }[];
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  servers: { url: string }[];
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

/** What every 402 shows of a purchase, in the form that registries read. */
export const paymentInfo = ({ payment }: ApiSettings) => ({
  price: { mode: 'fixed', currency: 'USD', amount: describeOffer(payment).amount },
  protocols: [{ x402: {} }],
});

/** Makes the OpenAPI from the schemas that the routes added later validate with. */
export async function addOpenapi(
  app: FastifyInstance,
  settings: ApiSettings,
): Promise<() => object> {
  const { payment, contactEmail } = settings;
  for (const schema of components) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: SERVICE,
        version: '1.0.0',
        description: summary(describeOffer(payment).price),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        ...(contactEmail !== null && { contact: { email: contactEmail } }),
      },
      tags: TAGS,
      security: [],
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  return () => finish(app.swagger() as unknown as Document, settings);
}

/** Header fields as they are written; Fastify knows them in lower case only. */
const SPELLINGS: Record<string, string> = {
  'x-read-token': 'X-Read-Token',
  'payment-signature': 'PAYMENT-SIGNATURE',
};

/** The largest example has an address of its own. */
const SAMPLE = {
  summary: 'The report of a made-up mail',
  externalValue: `${EXAMPLE_URL}/sample-report.json`,
};

/** What the generator does not do: whole examples, references of the OpenAPI, the address. */
function finish(generated: Document, settings: ApiSettings): Document {
  const document = structuredClone(generated);
  document.components = {
    schemas: Object.fromEntries(components.map(({ $id, ...schema }) => [$id ?? '', schema])),
  };
  document.servers = [{ url: EXAMPLE_URL }];
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    if (operation.requestBody) operation.requestBody.required = false;
    for (const parameter of operation.parameters ?? [])
      parameter.name = SPELLINGS[parameter.name] ?? parameter.name;
    for (const { description, content } of Object.values(operation.responses))
      for (const media of Object.values(content ?? {})) {
        const id = media.schema.$ref?.split('/').at(-1) ?? '';
        if (id === 'Problem') media.example = problemExample(description, settings);
        else if (id === 'Report') media.examples = { sample: SAMPLE };
        else media.example = examples[id];
      }
  }
  const text = JSON.stringify(document)
    .replace(/"\$ref":"(\w+)#"/g, '"$$ref":"#/components/schemas/$1"')
    .replaceAll(EXAMPLE_URL, settings.baseUrl());
  return JSON.parse(text);
}

/** The problem whose code the description names first. */
function problemExample(description: string, { payment }: ApiSettings) {
  const named = /^`(\w+)`/.exec(description)?.[1] ?? '';
  const code = named in errors ? (named as ErrorCode) : 'internal_error';
  const members = {
    ...(code === 'payment_required' && paymentRequired(EXAMPLE_URL, describeOffer(payment).terms)),
    ...(code === 'report_not_ready' && { test_status: 'processing' }),
  };
  return toProblem(new ServiceError(code, { members }), errorsUrl(EXAMPLE_URL));
}
