/** `node site/build-verify.ts <folder>`: builds the page that checks files into a folder, with the library it loads. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleScript } from './bundle-script.ts';

const sources = join(import.meta.dirname, 'browser', 'verify');

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Name the folder to build into.');
const folder = resolve(given);

// The library is a file of its own, which is loaded with the first file to check.
await bundleScript(join(sources, 'verify.ts'), folder);
copyFileSync(join(sources, 'page.html'), join(folder, 'page.html'));
copyFileSync(join(sources, 'verify.css'), join(folder, 'verify.css'));
// The size limit of a function's response is 6 MB; the library has 9 MB, but 3 MB when compressed.
const library = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
writeFileSync(join(folder, 'c2pa.wasm.gz'), gzipSync(library, { level: 9 }));
