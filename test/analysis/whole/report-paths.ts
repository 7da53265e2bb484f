import { Report } from '../../../src/domain/report/report.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** `message.mime.parts[].type`, of every member that the schema of reports names. */
function pathsIn(schema: object, path: string): string[] {
  const { properties = {}, items } = schema as Schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsIn(member, own)];
  });
  return [...members, ...(items ? pathsIn(items, `${path}[]`) : [])];
}

/** Every member a report can have. */
export const reportPaths: readonly string[] = [...new Set(pathsIn(Report, ''))];

/** The members that one value has, null ones aside: they say "absent". */
export function filledPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => filledPaths(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return member === null || member === undefined ? [] : [own, ...filledPaths(member, own)];
  });
}
