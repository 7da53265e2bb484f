/** The version of the npm package, as in its `package.json`. */
export const COMMAND_VERSION = '1.0.0';
