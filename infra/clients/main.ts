/** `node infra/clients/main.ts <folder>`: builds the packages of the clients, with their list and checksums. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { npmPackages } from './npm-packages.ts';
import { writePackages } from './packages.ts';
import { pythonPackage } from './python-package.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to build into.');
const target = resolve(folder);
mkdirSync(target, { recursive: true });
writePackages(target, [...(await npmPackages()), pythonPackage()]);
