// Removes unused parts of packages: Node's headers for native addons, and the browser bundles
// and source maps of TensorFlow.js; together over 140 MB.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const modules = 'node_modules';
const foldersIn = (path) => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []);
const remove = (path) => rmSync(path, { recursive: true, force: true });

for (const folder of foldersIn(modules)) {
  if (/node_modules.node-(bin-)?(linux|darwin|win)/.test(folder)) remove(join(folder, 'include'));
}

for (const library of foldersIn(join(modules, '@tensorflow'))) {
  const dist = join(library, 'dist');
  remove(join(dist, 'miniprogram'));
  for (const file of foldersIn(dist)) {
    if (file.endsWith('.map') || (/tf-[^/\\]+\.js$/.test(file) && !file.endsWith('.node.js'))) remove(file);
  }
}
