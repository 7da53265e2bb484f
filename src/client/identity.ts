/** Of the package, as `package.json` has it. */
export const COMMAND_VERSION = '1.0.0';
