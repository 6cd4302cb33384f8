/** `node site/main.ts <folder>`: builds the documentation site into a folder. */
import { resolve } from 'node:path';
import { buildSite } from './build-site.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to build into.');
const target = resolve(folder);
// Eleventy finds its files below the folder that it runs in.
process.chdir(import.meta.dirname);
await buildSite(target);
