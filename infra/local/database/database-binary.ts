/** Finds the database program that was installed for a platform. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute path of the program; without one, throws a sentence that says what to do. */
export function databaseBinary(platform: string = process.platform, arch: string = process.arch): string {
  const packageName = `@dynoxide/${platform}-${arch}`;
  try {
    const directory = dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
    return join(directory, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    throw new Error(
      `The local database for ${platform}-${arch} is not installed. Try "npm install --no-save ${packageName}"; if there ` +
        'is no such package, run any DynamoDB-compatible server and start again with its address, for example ' +
        'DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
      { cause },
    );
  }
}
