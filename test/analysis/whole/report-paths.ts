/**
 * Lists the paths of all members that a report can have, and of those that a given report fills.
 */

import { Report } from '../../../src/domain/report/report.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Returns the path of every member that the schema of reports names, such as `message.mime.parts[].type`.
 */
function pathsIn(schema: object, path: string): string[] {
  const { properties = {}, items } = schema as Schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsIn(member, own)];
  });
  return [...members, ...(items ? pathsIn(items, `${path}[]`) : [])];
}

/** The paths of all members that a report can have. */
export const reportPaths: readonly string[] = [...new Set(pathsIn(Report, ''))];

/** Returns the paths of the members that a value has, except null ones, which mean "absent". */
export function filledPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => filledPaths(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return member === null || member === undefined ? [] : [own, ...filledPaths(member, own)];
  });
}
