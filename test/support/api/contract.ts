import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** As much of an OpenAPI document as says what an answer may be. */
export interface Contract {
  readonly openapi: string;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly example?: unknown }>
  >;
}

/** An answer, by whatever client. */
export interface Answer {
  readonly status: number;
  /** With or without parameters. */
  readonly type: string | undefined;
  readonly body: unknown;
}

const explain = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;

/**
 * Holds answers against an OpenAPI 3.1 document, with a validator that the service does not use.
 * Formats are checked; a keyword or format that nobody knows is an error.
 */
export function contractOf(document: Contract) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['x-extensible-enum', 'paths', 'components', 'openapi', 'info', 'servers']);
  ajv.addVocabulary(['tags', 'security', 'example']);
  ajv.addSchema(document, 'api');

  /** What is wrong with a value that stands under a reference of the document. */
  function faultsOf(pointer: string, value: unknown): readonly string[] {
    const check = ajv.getSchema(`api#${pointer}`);
    if (!check) return [`the document has no ${pointer}`];
    return check(value) ? [] : (check.errors ?? []).map(explain);
  }

  /** What is wrong with the answer to an operation; nothing: it is as documented. */
  function faultsOfAnswer(path: string, method: string, answer: Answer): readonly string[] {
    const operation = document.paths[path]?.[method];
    const response = operation?.responses[answer.status];
    if (!response) return [`${method} ${path} does not document ${answer.status}`];
    if (!response.content) return answer.body === undefined ? [] : ['a body where none is'];
    const type = answer.type?.split(';', 1)[0] ?? '';
    if (!response.content[type]) return [`${answer.status} does not document ${type}`];
    const at = ['paths', path, method, 'responses', String(answer.status), 'content', type];
    return faultsOf(`/${[...at, 'schema'].map(toPointer).join('/')}`, answer.body);
  }

  return { faultsOf, faultsOfAnswer };
}

/** RFC 6901 §3, and §6 for the braces of a path. */
const toPointer = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
