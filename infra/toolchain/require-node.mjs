// Loaded before every program of this project: an older Node would die on the first .ts file with a riddle.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `This project needs Node 24 and runs on ${major}.${minor}. Run "npm ci" (it installs Node 24 into node_modules) ` +
      'and start it through npm ("npm start", "npm test"), or install Node 24.\n',
  );
  process.exit(1);
}
