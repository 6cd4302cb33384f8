/**
 * Runs as a separate child process, because eSpeak NG is under the GPL and reads untrusted input. It takes an
 * EspeakOrder as JSON on stdin and writes a WAV file to stdout.
 */
import { text } from 'node:stream/consumers';
import run from 'espeak-ng';
import type { EspeakOrder } from './espeak.ts';

const voices = '/usr/local/share/espeak-ng-data/voices/!v';

// The program creates hundreds of errors while it starts, whose stack traces are not needed.
Error.stackTraceLimit = 0;

const order = JSON.parse(await text(process.stdin)) as EspeakOrder;
const said: string[] = [];

const program = await run({
  arguments: `-v ${order.language}+persona -s ${order.wordsPerMinute} -b 1 -D -f text -w speech.wav`.split(' '),
  noExitRuntime: false,
  // Writes the files before the program adds its own data next to them.
  preRun: [
    ({ FS }) => {
      FS.mkdirTree(voices);
      FS.writeFile(`${voices}/persona`, order.variant);
      FS.writeFile('text', order.text);
    },
  ],
  print: (line) => said.push(line),
  printErr: (line) => said.push(line),
});

if (said.length > 0) process.stderr.write(`${said.join('\n')}\n`);
process.stdout.write(program.FS.readFile('speech.wav'));
