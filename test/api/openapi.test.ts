import { beforeAll, describe, expect, test } from 'vitest';
import { AREAS, FINDING_IDS } from '../../src/api/catalogue.ts';
import { allReportFields } from '../../src/api/openapi/components.ts';
import type { JsonSchema } from '../../src/api/openapi/document-schema.ts';
import { describeApi } from '../../src/cli/openapi.ts';
import { isReport } from '../../src/domain/report/report.ts';
import { anApi } from './harness.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { name: string; description: string; example: unknown }[];
  readonly responses: Record<
    string,
    { description: string; content: Record<string, { schema: JsonSchema; example: unknown }> }
  >;
}

interface Document {
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
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
    '../fixtures/openapi.json',
  );
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
      for (const { example } of Object.values(content))
        expect(example, `${operationId} ${status}`).toBeDefined();
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

/** Members, items and values below a schema, each with its path. */
function parts(schema: JsonSchema, path: string): [string, JsonSchema][] {
  const {
    properties = {},
    items,
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
  };
  const below = [
    ...Object.entries(properties).map(([name, one]) => [`${path}.${name}`, one] as const),
    ...(items && ('properties' in items || 'enum' in items) ? [[`${path}[]`, items] as const] : []),
    ...(typeof additionalProperties === 'object'
      ? [[`${path}.*`, additionalProperties] as const]
      : []),
  ];
  return below.flatMap(([name, one]) => [[name, one], ...parts(one, name)]);
}

describe('every field', () => {
  test('has a description, and an example unless its parts have theirs', () => {
    for (const [name, schema] of Object.entries(document.components.schemas))
      for (const [path, field] of parts(schema, name)) {
        expect(field.description ?? field.$ref, path).toBeTruthy();
        const composed = 'properties' in field || 'items' in field || '$ref' in field;
        if (!composed) expect(field.examples, path).toBeDefined();
      }
  });

  test('that is explained is there', () => {
    const paths = parts(document.components.schemas.Report ?? {}, '').map(([path]) =>
      path.slice(1),
    );
    const explained = Object.keys(allReportFields).filter((path) => path !== '');
    expect(explained.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

test('the example of a report is a report', () => {
  const example = document.paths['/v1/report']?.get?.responses['200']?.content['application/json'];
  expect(isReport(example?.example)).toBe(true);
});

test('the words of the catalogue are listed', () => {
  const report = JSON.stringify(document.components.schemas.Report);
  expect(report).toContain(JSON.stringify(FINDING_IDS));
  expect(report).toContain(JSON.stringify(AREAS));
  expect(FINDING_IDS).toHaveLength(91);
});

test('the schema of the report stands alone', () => {
  expect(JSON.stringify(document.components.schemas.Report)).not.toContain('$ref');
  expect(document.info.version).toBe('1.0.0');
});
