/** The operator's tool: `npm run admin -- …`. */
import { runCommandLine } from './run-command-line.ts';

// Whoever reads the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { exitCode, stdout, stderr } = await runCommandLine(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
