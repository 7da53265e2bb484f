/** Leaves out of the bundle what the command does not need. */

import type { Plugin } from 'esbuild';

/** Modules that the signature library loads but of which the command needs little or nothing. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  // Tables of character sets and file names, for which the analysis has its own.
  'iconv-lite': 'exports.decode = (bytes) => Buffer.from(bytes).toString();',
  'encoding-japanese': '',
  './mimetypes': 'exports.list = {}; exports.extensions = {};',
  './charsets': '',
  // The command verifies seals, and makes none.
  '../dkim/dkim-signer': 'exports.DkimSigner = null;',
  // The tools check their own arguments, and ask people nothing, whose replies the schema library would check.
  '@modelcontextprotocol/server/_shims': `
    export { default as process } from 'node:process';
    export class DefaultJsonSchemaValidator {}`,
  // Two patterns of a large schema library: base64 whose padding may be missing, and a domain in ASCII.
  joi: String.raw`
    const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/;
    const DOMAIN = /^(?=.{1,256}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
    const schema = (pattern) => () => ({
      validate: (text) => (text !== '' && pattern.test(text) ? {} : { error: new Error('schema') }),
    });
    exports.string = () => ({ base64: schema(BASE64), domain: schema(DOMAIN) });`,
};

/** Packages that are installed in several similar versions, and whose copy is used. */
const ONCE: Readonly<Record<string, string>> = {
  tldts: '',
  zod: '/node_modules/@modelcontextprotocol/server',
};

const namesOf = (table: object) => Object.keys(table).join('|').replaceAll('.', '\\.');

/**
 * Replaces large modules by the little that is needed, and several copies by one.
 * `test/client/pack.int.test.ts` compares the result with the service.
 */
export const leaveOut = (root: string): Plugin => ({
  name: 'leave out',
  setup({ onResolve, onLoad, resolve }) {
    const replaced = new RegExp(`^(?:${namesOf(REPLACEMENTS)})$`);
    onResolve({ filter: replaced }, ({ path }) => ({ path, namespace: 'left-out' }));
    onLoad({ filter: replaced, namespace: 'left-out' }, ({ path }) => ({
      contents: REPLACEMENTS[path] ?? '',
    }));
    const once = new RegExp(`^(?:${namesOf(ONCE)})(?:/|$)`);
    onResolve({ filter: once }, ({ path, kind, pluginData }) => {
      if (pluginData === ONCE) return undefined;
      const resolveDir = `${root}${ONCE[path.split('/', 1)[0] ?? ''] ?? ''}`;
      return resolve(path, { kind, resolveDir, pluginData: ONCE });
    });
  },
});
