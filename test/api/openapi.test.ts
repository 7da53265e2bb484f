import { beforeAll, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { describeApi } from '../../src/cli/openapi.ts';
import { AREAS, FINDING_IDS } from '../../src/domain/report/shapes.ts';
import { contractOf } from '../support/api/contract.ts';
import { anApi } from './harness.ts';

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Record<string, { externalValue: string }>;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { name: string; description: string; example: unknown }[];
  readonly responses: Record<string, { description: string; content: Record<string, Media> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { version: string };
  readonly components: { schemas: Record<string, JsonSchema> };
  readonly paths: Record<string, Record<string, Operation>>;
}

let document: Document;
beforeAll(async () => {
  document = (await describeApi()) as Document;
});

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

/** `npx vitest run -c test/vitest.config.ts test/api/openapi.test.ts -u` approves a change. */
test('the document is the approved one', async () => {
  // Examples are held to their schemas below: a word of a finding is not a change of the contract.
  const approved = JSON.stringify(
    document,
    (key, value) => (key === 'example' ? undefined : value),
    2,
  );
  await expect(`${approved}\n`).toMatchFileSnapshot('../fixtures/openapi.json');
});

test('the document that is served differs by its settings alone', async () => {
  const { app } = await anApi();
  const served = (await app.inject('/openapi.json')).json();
  expect(served.paths['/v1/tests']).toEqual(document.paths['/v1/tests']);
  expect(served.servers).toEqual([{ url: 'https://mailtest.example' }]);
  expect(served.components).toEqual(document.components);
});

test('every operation has a name of its own, and every answer an example', () => {
  const names = operations().map(({ operationId }) => operationId);
  expect(names.sort()).toEqual([
    'createTest',
    'getFinding',
    'getMethod',
    'getSampleReport',
    'getTestStatus',
    'listFindings',
    'readReport',
  ]);
  for (const { operationId, description, parameters = [], responses } of operations()) {
    expect(description, operationId).not.toBe('');
    for (const parameter of parameters) {
      expect(parameter.description, parameter.name).toBeTruthy();
      expect(parameter.example, parameter.name).toBeDefined();
    }
    for (const [status, { description: said, content }] of Object.entries(responses)) {
      expect(said, `${operationId} ${status}`).not.toBe('Default Response');
      for (const { example, examples } of Object.values(content))
        expect(example ?? examples, `${operationId} ${status}`).toBeDefined();
    }
  }
});

test('every documented problem has the status it stands under', () => {
  for (const { operationId, responses } of operations())
    for (const [status, { content }] of Object.entries(responses)) {
      const example = content['application/problem+json']?.example as { status?: number };
      if (example) expect(String(example.status), operationId).toBe(status);
    }
});

/** Members, items and values below a schema, each with its JSON pointer. */
function fields(schema: JsonSchema, pointer: string): [string, JsonSchema][] {
  const {
    properties = {},
    items,
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
  };
  const below: [string, JsonSchema][] = Object.entries(properties).map(([name, one]) => [
    `${pointer}/properties/${name}`,
    one,
  ]);
  if (items && ('properties' in items || 'enum' in items)) below.push([`${pointer}/items`, items]);
  if (typeof additionalProperties === 'object')
    below.push([`${pointer}/additionalProperties`, additionalProperties]);
  return below.flatMap(([at, one]) => [[at, one], ...fields(one, at)]);
}

test('every field has a description, and an example unless its parts have theirs', () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const [path, field] of fields(schema, name)) {
      expect(field.description ?? field.$ref, path).toBeTruthy();
      const composed = 'properties' in field || 'items' in field || '$ref' in field;
      if (!composed) expect(field.examples, path).toBeDefined();
    }
});

test('every example of an answer is such an answer', () => {
  const contract = contractOf(document);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const [status, { content }] of Object.entries(responses))
        for (const [type, { example, examples }] of Object.entries(content)) {
          const body = examples ? sampleReport : example;
          const answer = { status: Number(status), type, body };
          expect(contract.faultsOfAnswer(path, method, answer), `${path} ${status}`).toEqual([]);
        }
});

test('every example of a field fits the field', () => {
  const contract = contractOf(document);
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const [pointer, { examples = [] }] of fields(schema, `/components/schemas/${name}`))
      for (const example of examples as unknown[])
        expect(contract.faultsOf(pointer, example), pointer).toEqual([]);
});

test('the words of the catalogue are listed', () => {
  const report = JSON.stringify(document.components.schemas.Report);
  expect(report).toContain(`"x-extensible-enum":${JSON.stringify(FINDING_IDS)}`);
  expect(report).toContain(`"x-extensible-enum":${JSON.stringify(AREAS)}`);
});

test('the schema of the report stands alone', () => {
  expect(JSON.stringify(document.components.schemas.Report)).not.toContain('$ref');
  expect(document.info.version).toBe('1.0.0');
});
