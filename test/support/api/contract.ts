/** Compares responses with an OpenAPI document. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The part of an OpenAPI document that says what a response may be. */
export interface Contract {
  readonly openapi: string;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    name: string;
    description: string;
    schema: { examples?: unknown[] };
  }[];
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: { readonly whole?: { readonly externalValue: string } };
}

/** A response, from any client. */
export interface Answer {
  readonly status: number;
  /** The media type, with or without parameters. */
  readonly type: string | undefined;
  readonly body: unknown;
}

const explain = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;

/**
 * Compares responses with an OpenAPI 3.1 document, with a validator that the service does not use. Formats
 * are checked, and an unknown keyword or format is an error.
 */
export function contractOf(document: Contract) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['x-extensible-enum', 'paths', 'components', 'openapi', 'info', 'servers']);
  ajv.addVocabulary(['tags', 'security', 'example']);
  ajv.addSchema(document, 'api');

  /** Returns what is wrong with a value under a reference of the document. */
  function faultsOf(pointer: string, value: unknown): readonly string[] {
    const check = ajv.getSchema(`api#${pointer}`);
    if (!check) return [`the document has no ${pointer}`];
    return check(value) ? [] : (check.errors ?? []).map(explain);
  }

  /** Returns what is wrong with the response to an operation, or nothing if it is as documented. */
  function faultsOfAnswer(path: string, method: string, answer: Answer): readonly string[] {
    const response = responseOf(document, path, method, answer.status);
    if (!response) return [`${method} ${path} does not document ${answer.status}`];
    if (!response.content) return answer.body === undefined ? [] : ['a body where none is'];
    const type = answer.type?.split(';', 1)[0] ?? '';
    const schema = response.content[type]?.schema;
    if (!schema?.$ref) return [`${answer.status} does not document ${type}`];
    return faultsOf(schema.$ref.slice(1), answer.body);
  }

  return { faultsOf, faultsOfAnswer };
}

/** Returns what an operation documents for a status, even if operations share it. */
export function responseOf(
  document: Contract,
  path: string,
  method: string,
  status: number | string,
) {
  const response = document.paths[path]?.[method]?.responses[status];
  if (!response || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''];
}
