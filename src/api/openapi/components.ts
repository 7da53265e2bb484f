import { Report } from '../../domain/report/report.ts';
import { AREAS, FINDING_IDS } from '../catalogue.ts';
import { Catalogue, CatalogueEntry, Method } from '../schemas/catalogue.ts';
import { Problem } from '../schemas/problem.ts';
import { CreatedTest, TestStatus } from '../schemas/tests.ts';
import { documentSchema, type JsonSchema } from './document-schema.ts';
import { authenticationFields } from './fields/authentication.ts';
import { connectionFields } from './fields/connection.ts';
import type { Fields } from './fields/field.ts';
import { linkFields } from './fields/links.ts';
import { messageFields } from './fields/message.ts';
import { reportFields } from './fields/report.ts';

/** Every field of the report, explained. */
export const allReportFields: Fields = {
  '': ['The report on one mail. New keys may come; the version changes with a meaning.'],
  ...reportFields,
  ...messageFields,
  ...connectionFields,
  ...authenticationFields,
  ...linkFields,
};

/** Schemas that answers refer to by name; the OpenAPI shows them documented. */
export const shared = [
  { ...Report, $id: 'Report' },
  Problem,
  CreatedTest,
  TestStatus,
  CatalogueEntry,
  Catalogue,
  Method,
];

/** The words that the catalogue fixes, where the report's schema leaves them open. */
const WORDS: Record<string, readonly string[]> = {
  'top_fixes.id': FINDING_IDS,
  'suggestions.id': FINDING_IDS,
  'findings.id': FINDING_IDS,
  'findings.area': AREAS,
};

interface ReportSchema extends JsonSchema {
  readonly properties: Record<string, { items: { properties: Record<string, object> } }>;
}

function documentReport(): JsonSchema {
  const schema = structuredClone({ ...Report }) as unknown as ReportSchema;
  for (const [path, words] of Object.entries(WORDS)) {
    const [list = '', member = ''] = path.split('.');
    const members = schema.properties[list]?.items.properties ?? {};
    members[member] = { type: 'string', enum: words };
  }
  return documentSchema(schema, allReportFields);
}

/** The documented schemas by name; each can be used alone, but for `Catalogue`. */
export function components(): Record<string, JsonSchema> {
  const documented = shared.map(
    (schema) => [schema.$id, documentSchema(plain(schema))] as [string, JsonSchema],
  );
  return { ...Object.fromEntries(documented), Report: documentReport() };
}

/** Without TypeBox's symbols, and with references as the OpenAPI writes them. */
const plain = (schema: object): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replace(/"\$ref":"(\w+)#"/g, '"$$ref":"#/components/schemas/$1"'),
  );
