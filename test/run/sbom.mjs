// `npm run generate -- sbom`: what runs in production, as CycloneDX JSON on stdout.
import { spawnSync } from 'node:child_process';
import { npmCli } from '../../src/setup/npm.mjs';

const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
const { status } = spawnSync(process.execPath, [npmCli(), ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
