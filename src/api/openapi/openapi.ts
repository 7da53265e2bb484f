import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, errors, ServiceError, toProblem } from '../../domain/errors.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import { SERVICE, summary } from '../discovery/manifest.ts';
import { describeOffer } from '../discovery/offer.ts';
import type { ApiSettings } from '../options.ts';
import { errorsUrl } from '../plugins/problem.ts';
import { components, shared } from './components.ts';
import { exampleOf, type JsonSchema } from './document-schema.ts';

const TAGS = [
  { name: 'tests', description: 'Creating a test and asking where it stands. Free.' },
  { name: 'report', description: 'Reading the report of a test. Paid, once.' },
  { name: 'catalogue', description: 'What reports tell, and how the score comes about. Free.' },
];

interface Media {
  schema: JsonSchema;
  example?: unknown;
}
interface Operation {
  requestBody?: { required: boolean };
  parameters?: { name: string }[];
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  servers: { url: string }[];
  components: { schemas: Record<string, JsonSchema> };
  paths: Record<string, Record<string, Operation>>;
}

/** What every 402 shows of a sale, in the form that registries read. */
export const paymentInfo = ({ payment }: ApiSettings) => ({
  price: { mode: 'fixed', currency: 'USD', amount: describeOffer(payment).amount },
  protocols: [{ x402: {} }],
});

/** Makes the OpenAPI from the schemas that the routes added later validate with. */
export async function addOpenapi(
  app: FastifyInstance,
  settings: ApiSettings,
): Promise<() => object> {
  for (const schema of shared) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: SERVICE,
        version: '1.0.0',
        description: summary(describeOffer(settings.payment).price),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        ...(settings.contactEmail !== null && { contact: { email: settings.contactEmail } }),
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

/** What the generator does not do: documented schemas, an example for each answer, the address. */
function finish(generated: Document, settings: ApiSettings): Document {
  const document = structuredClone(generated);
  const schemas = components();
  document.components = { schemas };
  document.servers = [{ url: settings.baseUrl() }];
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    if (operation.requestBody) operation.requestBody.required = false;
    for (const parameter of operation.parameters ?? [])
      parameter.name = SPELLINGS[parameter.name] ?? parameter.name;
    for (const { description, content } of Object.values(operation.responses))
      for (const media of Object.values(content ?? {}))
        media.example = isProblem(media)
          ? problemExample(description, settings)
          : exampleOf(media.schema, schemas);
  }
  return document;
}

const isProblem = ({ schema }: Media) => schema.$ref === '#/components/schemas/Problem';

/** The problem whose code the description names first. */
function problemExample(description: string, { baseUrl, payment }: ApiSettings) {
  const named = /^`(\w+)`/.exec(description)?.[1] ?? '';
  const code = named in errors ? (named as ErrorCode) : 'internal_error';
  const members = {
    ...(code === 'payment_required' && paymentRequired(baseUrl(), describeOffer(payment).terms)),
    ...(code === 'report_not_ready' && { test_status: 'processing' }),
  };
  return toProblem(new ServiceError(code, { members }), errorsUrl(baseUrl()));
}
