import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What has no business in production, by the package's name. */
const TOOLS =
  /^(typescript|@typescript\/.*|esbuild|@esbuild\/.*|@swc\/.*|@biomejs\/.*|node-gyp.*|node-addon-api|prebuild.*|vitest|@vitest\/.*|knip)$/;

const MIB = 2 ** 20;

/** A manifest, as far as it matters here. */
interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const RUN_BY_NPM = ['preinstall', 'install', 'postinstall'];

/** What one package of the image has that it should not have. */
export function checkPackage(
  { name = '', scripts = {} }: Manifest,
  files: readonly string[],
): readonly string[] {
  const binaries = files.filter((file) => /\.(node|so|dylib|dll|exe)$/.test(file));
  return [
    ...(TOOLS.test(name) ? [`image: ${name} is a tool of developers`] : []),
    ...(RUN_BY_NPM.some((script) => script in scripts)
      ? [`image: ${name} has an install script`]
      : []),
    ...binaries.map((file) => `image: ${name} holds the binary ${file}`),
  ];
}

/** The commands that make the image's files: what the last stage copies, and how packages are installed. */
export function readDockerfile(text: string) {
  const stage = text.slice(text.indexOf(' AS service'));
  const copied = [...stage.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(([, from = '']) =>
    from.split(' '),
  );
  const [, install = ''] = /^RUN (npm ci .*)$/m.exec(text) ?? [];
  return { copied, install };
}

/** Makes the image's tree, prints its size, starts what is in it, and names what should not be there. */
export async function checkTree(): Promise<readonly string[]> {
  const { copied, install } = readDockerfile(readFileSync('Dockerfile', 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    for (const name of [...copied, 'package-lock.json', '.npmrc'])
      cpSync(name, join(folder, name), { recursive: true });
    const [program = '', ...args] = install.split(' ');
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    printSizes(folder, copied);
    const main = [join(folder, 'src/main.ts'), '--check'];
    const env = { PAYMENTS: 'off', MAIL_DOMAIN: 'in.example.net' };
    if (spawnSync(process.execPath, main, { cwd: folder, env }).status !== 0)
      return ['image: what is in it does not start'];
    return globSync('node_modules/{*,@*/*}/package.json', { cwd: folder }).flatMap((file) => {
      const at = join(folder, file, '..');
      const manifest = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Manifest;
      return checkPackage(manifest, globSync('**/*', { cwd: at }));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printSizes(folder: string, copied: readonly string[]): void {
  const sizeOf = (pattern: string) =>
    globSync(pattern, { cwd: folder })
      .map((file) => statSync(join(folder, file)))
      .filter((file) => file.isFile())
      .reduce((sum, { size }) => sum + size, 0) / MIB;
  const own = copied.reduce((sum, name) => sum + sizeOf(name) + sizeOf(`${name}/**/*`), 0);
  const packages = sizeOf('node_modules/**/*');
  const count = globSync('node_modules/**/package.json', { cwd: folder }).filter((file) =>
    /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  ).length;
  console.log(
    `the image's tree: ${(own + packages).toFixed(1)} MiB, ${packages.toFixed(1)} of them in ${count} packages`,
  );
}
