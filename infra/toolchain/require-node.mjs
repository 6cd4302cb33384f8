// Loaded before every program of this project: rejects an older Node, which could not read .ts files, and caches
// compiled code. `node:module` is imported as a default, because older versions have no such named export and would
// fail.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `The programs of this project run on its own Node 24, and this is Node ${major}.${minor}. Run "npm ci", which needs ` +
      'Node 20 or newer and installs Node 24 into node_modules, and start programs through npm ("npm start", ' +
      '"npm test"); or install Node 24.\n',
  );
  process.exit(1);
}

// Half of the start time is compilation. If the cache cannot be written, Node continues without it.
module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
