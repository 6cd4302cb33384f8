/** Finds the database program installed for a platform. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The absolute path of the program. @throws {Error} that says what to do if there is none. */
export function databaseBinary(platform: string = process.platform, arch: string = process.arch): string {
  const packageName = `@dynoxide/${platform}-${arch}`;
  try {
    const directory = dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
    return join(directory, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    throw new Error(
      `The local database for ${platform}-${arch} is not installed. Try "npm install --no-save ${packageName}"; if that ` +
        'package does not exist, run any DynamoDB-compatible server and start again with its address, for example ' +
        'DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
      { cause },
    );
  }
}
