/** Version of the package, as in `package.json`. */
export const COMMAND_VERSION = '1.0.0';
