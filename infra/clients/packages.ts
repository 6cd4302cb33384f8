/** The files at `/clients`: each package under its versioned name and its alias, a list, and checksums. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { placeholders } from '../../shared/contracts/openapi/published.ts';

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The name of the file, which contains the version. */
  readonly file: string;
  /** Another name for the file, which stays the same in all versions; pip accepts none for a wheel. */
  readonly alias?: string;
  readonly content: Uint8Array;
}

const clientsUrl = placeholders.serverUrl + documentRoutes.getClients.path;

const digest = (algorithm: string, content: Uint8Array, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update(content).digest(encoding);

const listed = ({ name, version, description, file, alias, content }: Package) => ({
  name,
  version,
  description,
  url: `${clientsUrl}/${file}`,
  ...(alias && { latestUrl: `${clientsUrl}/${alias}` }),
  bytes: content.length,
  sha256: digest('sha256', content, 'hex'),
  integrity: `sha512-${digest('sha512', content, 'base64')}`,
});

export function writePackages(folder: string, packages: readonly Package[]): void {
  const files = packages.flatMap(({ file, alias, content }) =>
    [file, alias].flatMap((name) => (name === undefined ? [] : [{ name, content }])),
  );
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  const sums = files.map(({ name, content }) => `${digest('sha256', content, 'hex')}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ packages: packages.map(listed) }));
}
