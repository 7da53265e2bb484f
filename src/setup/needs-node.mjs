// Ends the process with a sentence if Node.js is too old for the service, which would otherwise fail with
// the first thing that Node.js lacks. It is plain JavaScript, so that Node.js 20 can run it.
import { isAtLeast, MINIMUM_NODE } from './process.mjs';

if (!isAtLeast(process.version, MINIMUM_NODE)) {
  const { execPath, version } = process;
  process.stderr.write(
    `${execPath} is Node.js ${version}. The service needs ${MINIMUM_NODE} or newer: install that, or run it with \`npm start\`.\n`,
  );
  process.exit(1);
}
