/** Tests that the OpenAPI document is complete: names, descriptions, examples and errors. */

import { beforeAll, expect, test } from 'vitest';
import { checks } from '../../src/analysis/checks.ts';
import { componentsOf } from '../../src/api/schemas/components.ts';
import { examplePayment } from '../../src/api/schemas/examples.ts';
import { readPaymentPayload } from '../../src/domain/payment-payload.ts';
import { AREAS } from '../../src/domain/report/shapes.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { describeApi } from '../lab/openapi/openapi.ts';
import { type Contract, contractOf, responseOf } from '../support/api/contract.ts';
import { anApi, BASE_URL } from './harness.ts';

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface Document extends Contract {
  readonly info: { version: string };
  readonly components: Contract['components'] & { schemas: Record<string, JsonSchema> };
}

const components = componentsOf(true);

let document: Document;
beforeAll(async () => {
  document = (await describeApi()) as Document;
});

/** Returns every documented response of every operation. */
const answers = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => {
        const { description, content = {} } = responseOf(document, path, method, status) ?? {};
        return { path, method, status, description, content, at: `${method} ${path} ${status}` };
      }),
    ),
  );

test('the document that is served differs only by its settings', async () => {
  const { app } = await anApi();
  const served = (await app.inject('/openapi.json')).json();
  expect(served.paths['/v1/tests']).toEqual(document.paths['/v1/tests']);
  expect(served.servers).toEqual([{ url: 'https://mailtest.example' }]);
  expect(served.components.schemas).toEqual(document.components.schemas);
});

test('every operation has its own name, and explains itself and its parameters', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(names.sort()).toEqual([
    'createTest',
    'deleteTest',
    'getFinding',
    'getMethod',
    'getSampleReport',
    'getTestStatus',
    'listFindings',
    'readReport',
  ]);
  for (const { operationId, description, parameters = [] } of operations) {
    expect(description, operationId).toBeTruthy();
    for (const parameter of parameters) {
      expect(parameter.description, parameter.name).toBeTruthy();
      expect(parameter.schema.examples, parameter.name).toBeDefined();
    }
  }
});

test('every response has a description and a complete example, or says where there is one', () => {
  for (const { at, description, content } of answers()) {
    expect(description, at).toBeTruthy();
    expect(description, at).not.toBe('Default Response');
    // A problem without members of its own consists of its code and title, which the description contains.
    for (const { schema, example, examples } of Object.values(content))
      if (!schema.$ref?.endsWith('/Problem')) expect(example ?? examples, at).toBeDefined();
  }
});

test('every documented problem has the status under which it is listed', () => {
  for (const { at, status, content } of answers()) {
    const example = content['application/problem+json']?.example as { status?: number };
    if (example) expect(String(example.status), at).toBe(status);
  }
});

/** Returns the members, items and values below a schema, each with its JSON pointer. */
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

test('every field has a description, and in the source an example unless its parts have one', () => {
  for (const schema of components)
    for (const [path, field] of fields(schema, `${schema.$id}`)) {
      expect(field.description ?? field.$ref, path).toBeTruthy();
      const composed = 'properties' in field || 'items' in field || '$ref' in field;
      if (!composed) expect(field.examples, path).toBeDefined();
    }
});

test('every example of a response is a valid response', async () => {
  const { app } = await anApi();
  const contract = contractOf(document);
  for (const { at, path, method, status, content } of answers())
    for (const [type, { example, examples }] of Object.entries(content)) {
      if (!example && !examples) continue;
      const url = examples?.whole?.externalValue.slice(BASE_URL.length);
      const body = url === undefined ? example : (await app.inject(url)).json();
      const faults = contract.faultsOfAnswer(path, method, { status: Number(status), type, body });
      expect(faults, at).toEqual([]);
    }
});

test('every example of a field is valid for the field', () => {
  const source = Object.fromEntries(components.map(({ $id, ...schema }) => [$id, schema]));
  const text = JSON.stringify({ ...document, components: { schemas: source } });
  const contract = contractOf(
    JSON.parse(text.replace(/"\$ref":"(\w+)#"/g, '"$$ref":"#/components/schemas/$1"')),
  );
  for (const schema of components)
    for (const [pointer, { examples = [] }] of fields(schema, `/components/schemas/${schema.$id}`))
      for (const example of examples as unknown[])
        expect(contract.faultsOf(pointer, example), pointer).toEqual([]);
});

test('the example of a payment is one that the service can read', () => {
  expect(readPaymentPayload(decodeHeader(examplePayment))).not.toHaveProperty('fault');
  expect(JSON.stringify(document)).toContain(examplePayment);
});

test('the words of the catalogue are listed', () => {
  const finding = JSON.stringify(document.components.schemas.Finding);
  expect(finding).toContain(`"x-extensible-enum":${JSON.stringify(checks.map(({ id }) => id))}`);
  expect(finding).toContain(`"x-extensible-enum":${JSON.stringify(AREAS)}`);
});

test('schemas that reports use repeatedly are defined once, with a name for clients', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Action', 'Finding', 'Fix', 'Reason', 'Requirement']),
  );
  const report = schemas.Report as { properties: Record<string, { items: object }> };
  for (const list of ['top_fixes', 'suggestions'])
    expect(report.properties[list]?.items).toEqual({ $ref: '#/components/schemas/Fix' });
});

test('the schema of the report is complete without other documents', async () => {
  const { app } = await anApi();
  expect((await app.inject('/schemas/report-2.json')).body).not.toContain('$ref');
  expect(document.info.version).toBe('1.0.0');
});
