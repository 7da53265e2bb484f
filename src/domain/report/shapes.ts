/**
 * Building blocks for the schemas of the API: each schema checks values and also appears, as JSON, in the
 * OpenAPI document, with its description and example. Also lists the areas that checks belong to.
 */

import {
  FormatRegistry,
  type IntegerOptions,
  Kind,
  type Static,
  type StringOptions,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';
import { Instant } from '../envelope.ts';

const WORDS = 'Words';
TypeRegistry.Set<{ enum: readonly unknown[] }>(WORDS, (schema, value) =>
  schema.enum.includes(value),
);

const NULLABLE = 'Nullable';
const INNER = Symbol('inner');
TypeRegistry.Set<{ [INNER]: TSchema }>(
  NULLABLE,
  (schema, value) => value === null || Check(schema[INNER], value),
);

// Formats only inform people who read the document. Patterns and the code that writes a value enforce the
// rules.
for (const format of ['date-time', 'email', 'ipv4', 'ipv6', 'uri'])
  FormatRegistry.Set(format, () => true);

/** Maximum number of entries of a list in a report. The member `notes` says what was cut. */
export const MAX_ITEMS = 100;

/** Maximum length of a DNS record as published, in bytes (4 KiB). */
const MAX_RECORD = 4096;

const MAX_DOMAIN = 255;

export const optional = Type.Optional;

/**
 * Declares an object that is checked and typed by its members alone. An object with a title appears once in
 * the OpenAPI document, and generated clients have a type of that name.
 */
export const object = <const P extends TProperties>(
  description: string,
  properties: P,
  title?: string,
) => Type.Object(properties, { ...(title !== undefined && { title }), description });

export const text = (description: string, example: string, options: StringOptions = {}) =>
  Type.String({ ...options, description, examples: [example] });

/** Declares a domain name, which is empty if the email has none. */
export const domain = (description: string, example = 'sender.example') =>
  text(description, example, { maxLength: MAX_DOMAIN });

/** Declares a DNS record, or a part of one, as published. */
export const published = (description: string, example: string) =>
  text(description, example, { maxLength: MAX_RECORD });

export const instant = (description: string, example = '2026-11-20T10:01:00.000Z') =>
  text(description, example, { pattern: Instant.pattern as string, format: 'date-time' });

/** Declares a time that another party stated. */
export const dateTime = (description: string, example: string) =>
  text(description, example, { format: 'date-time' });

export const uri = (description: string, example: string) =>
  text(description, example, { format: 'uri' });

export const flag = (description: string, example = true) =>
  Type.Boolean({ description, examples: [example] });

export const wholeNumber = (description: string, example: number, range: IntegerOptions = {}) =>
  Type.Integer({ ...range, description, examples: [example] });

export const count = (description: string, example: number, range: IntegerOptions = {}) =>
  wholeNumber(description, example, { minimum: 0, ...range });

/** Declares a number from 0 to 1. */
export const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });

/** Declares a closed set of words. Another word would change the meaning of those already listed. */
export const words = <const W extends readonly (string | number)[]>(
  all: W,
  description: string,
  example: W[number] = all[0] as W[number],
): TUnsafe<W[number]> =>
  Type.Unsafe({
    [Kind]: WORDS,
    type: typeof all[0] === 'number' ? 'integer' : 'string',
    enum: all,
    description,
    examples: [example],
  });

/** Declares an open set of words: the known ones are listed, and clients must cope with others. */
export const openWords = (known: readonly string[], description: string, example = known[0]) =>
  Type.String({ 'x-extensible-enum': known, description, examples: [example] });

/**
 * Declares a value that may be `null`, which means that we looked for it and it is absent. A missing member
 * was not looked for, or is unknown.
 */
export const nullable = <S extends TSchema>(schema: S): TUnsafe<Static<S> | null> =>
  Type.Unsafe({
    ...schema,
    ...(schema.enum && { enum: [...schema.enum, null] }),
    type: [schema.type, 'null'],
    [Kind]: NULLABLE,
    [INNER]: schema,
  });

/** Declares a value that may be missing (not looked for) or `null` (absent). */
export const maybe = <S extends TSchema>(schema: S) => optional(nullable(schema));

export const list = <const S extends TSchema>(
  items: S,
  description: string,
  example?: readonly unknown[],
  maxItems = MAX_ITEMS,
) => Type.Array(items, { maxItems, description, ...(example && { examples: [example] }) });

/** Declares a list of texts that needs no example for each text, because the list has one. */
export const texts = (description: string, example: readonly string[], options?: StringOptions) =>
  list(Type.String(options), description, example);

export const domains = (description: string, example: readonly string[]) =>
  texts(description, example, { maxLength: MAX_DOMAIN });

/** Declares an object with values of one kind, whose names are not known in advance. */
export const record = <const S extends TSchema>(values: S, description: string, example: object) =>
  Type.Unsafe<Record<string, Static<S>>>(
    Type.Object({}, { additionalProperties: values, description, examples: [example] }),
  );

/** The areas that checks belong to, such as `spf`. */
export const AREAS = [
  'spf',
  'dkim',
  'dmarc',
  'arc',
  'bimi',
  'connection',
  'reputation',
  'transport_policy',
  'headers',
  'unsubscribe',
  'content',
  'links',
] as const;
export type Area = (typeof AREAS)[number];
