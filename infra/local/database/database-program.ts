/** Chooses the program that serves as the local database: the first of three that is available on this machine. */
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

export interface DatabaseProgram {
  readonly command: string;
  /** The arguments of the program; without a directory, the database is in memory. */
  readonly args: (port: number, directory?: string) => readonly string[];
  /** What the program writes to stderr when it is listening; if absent, its port is tried instead. */
  readonly readyText?: string;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path of a file in an installed package. @throws if the package is not installed */
  readonly resolve: (file: string) => string;
}

const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  environment: process.env,
  resolve: createRequire(import.meta.url).resolve,
});

const packageOf = ({ platform, arch }: Machine): string => `@dynoxide/${platform}-${arch}`;

const dynoxide = (command: string): DatabaseProgram => ({
  command,
  args: (port, directory) => [
    'serve',
    '--port',
    String(port),
    ...(directory === undefined ? [] : ['--db-path', join(directory, 'database.sqlite')]),
  ],
  readyText: 'listening on',
});

/** DynamoDB Local, as unpacked from AWS's archive. */
const dynamoDbLocal = (java: string, home: string): DatabaseProgram => ({
  command: java,
  args: (port, directory) => [
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-port',
    String(port),
    ...(directory === undefined ? ['-inMemory'] : ['-sharedDb', '-dbPath', directory]),
  ],
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath({ platform, environment }: Machine, name: string): string | undefined {
  const file = platform === 'win32' ? `${name}.exe` : name;
  const paths = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return paths.map((path) => join(path, file)).find(isExecutable);
}

function fromPackage(machine: Machine): DatabaseProgram | undefined {
  try {
    const directory = dirname(machine.resolve(`${packageOf(machine)}/package.json`));
    return dynoxide(join(directory, machine.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide'));
  } catch {
    return undefined;
  }
}

function fromPath(machine: Machine): DatabaseProgram | undefined {
  const path = onPath(machine, 'dynoxide');
  return path === undefined ? undefined : dynoxide(path);
}

function fromJava(machine: Machine): DatabaseProgram | undefined {
  const home = machine.environment.DYNAMODB_LOCAL_HOME;
  if (!home) return undefined;
  if (!existsSync(join(home, 'DynamoDBLocal.jar')))
    throw new Error(`DYNAMODB_LOCAL_HOME must be a folder with DynamoDBLocal.jar, but is "${home}".`);
  const java = onPath(machine, 'java');
  if (java === undefined) throw new Error('DYNAMODB_LOCAL_HOME is set, but no java is on the PATH: install Java 17.');
  return dynamoDbLocal(java, home);
}

/** Chooses the program. @throws {Error} that lists all ways to provide a database, if there is none */
export function databaseProgram(machine: Machine = thisMachine()): DatabaseProgram {
  const program = fromPackage(machine) ?? fromPath(machine) ?? fromJava(machine);
  if (program) return program;
  throw new Error(
    [
      `There is no local database for ${machine.platform}-${machine.arch}. Provide one of these, and start again:`,
      `  npm install --no-save ${packageOf(machine)}    (if your registry has it)`,
      '  export PATH="$PATH:/path/to/dynoxide"    (the folder of the program from github.com/nubo-db/dynoxide)',
      '  export DYNAMODB_LOCAL_HOME=/path/to/dynamodb_local    (the unpacked DynamoDB Local of AWS, and Java 17)',
      '  export DYNAMODB_ENDPOINT=http://127.0.0.1:8000    (any server that speaks DynamoDB)',
    ].join('\n'),
  );
}
