/** What the Content Credentials of results must say, typed from the specification of each operation. */
import sharp from 'sharp';
import { expect } from 'vitest';
import type { generateContracts } from '../../shared/contracts/generate.ts';
import type { Task } from '../../shared/contracts/task.ts';
import { type Credentials, type ReadableFile, readCredentials } from './read-credentials.ts';

type Origin = readonly ['created' | 'edited', ...relationships: string[]];

/** How each operation makes the result of its example, and from how many files of the request: its parent, and others. */
export const origins: Readonly<Record<keyof typeof generateContracts, Origin>> = {
  generateImage: ['created'],
  generateVoice: ['created'],
  generateInfluencer: ['created'],
  editImage: ['edited', 'parentOf'],
  removeBackground: ['edited', 'parentOf'],
  upscaleImage: ['edited', 'parentOf'],
  enhanceSkin: ['edited', 'parentOf'],
  replaceCharacter: ['edited', 'parentOf', 'inputTo'],
  generateCreativeVideo: ['edited', 'parentOf'],
  generateUgcVideo: ['edited', 'parentOf'],
  generateStudioVideo: ['edited', 'parentOf'],
  imitateVideo: ['edited', 'parentOf', 'inputTo'],
  changeVoice: ['edited', 'parentOf'],
  generateCortes: ['edited', 'parentOf'],
};

const signedBy = 'Generation Service (local)';

const sourceTypeOf = (operation: keyof typeof origins) =>
  origins[operation][0] === 'created' ? 'trainedAlgorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia';

/** Downloads the results of a task; each must be as long as the task says. */
async function filesOf({ results = [] }: Task): Promise<readonly ReadableFile[]> {
  return Promise.all(
    results.map(async ({ url, contentType, bytes: length }) => {
      const file = await fetch(url);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, contentType]);
      const bytes = new Uint8Array(await file.arrayBuffer());
      expect(bytes.length).toBe(length);
      return { bytes, contentType };
    }),
  );
}

/**
 * A file with one flipped bit in its content, outside of the manifest: near the beginning of a WebP, whose manifest is
 * at the end, and near the end of other files.
 */
function altered({ bytes: given, contentType }: ReadableFile): ReadableFile {
  const bytes = Uint8Array.from(given);
  const at = contentType === 'image/webp' ? 30 : bytes.length - 40;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return { bytes, contentType };
}

async function expectMarkedPosters({ results = [] }: Task, sourceType: string): Promise<void> {
  for (const { posterUrl } of results) {
    if (!posterUrl) continue;
    const { xmp } = await sharp(Buffer.from(await (await fetch(posterUrl)).arrayBuffer())).metadata();
    expect(xmp?.toString()).toContain(`digitalsourcetype/${sourceType}`);
  }
}

/**
 * Checks every result of a task: its credentials must be valid, be trusted if the authorities are trusted, and say how
 * the operation made it. Returns what was read, file by file.
 */
export async function expectMarked(
  operation: keyof typeof origins,
  task: Task,
  authorities?: string,
): Promise<readonly Credentials[]> {
  const digitalSourceType = sourceTypeOf(operation);
  const files = await filesOf(task);
  expect(files.length).toBeGreaterThan(0);
  for (const { provenance } of task.results ?? [])
    expect(provenance).toEqual({ standard: 'c2pa', digitalSourceType, signedBy });
  await expectMarkedPosters(task, digitalSourceType);
  const [all, changed] = await Promise.all([
    readCredentials(files, authorities),
    readCredentials(files.map(altered), authorities),
  ]);
  for (const { state } of changed) expect(state).toBe('Invalid');
  for (const read of all) {
    expect(read).toMatchObject({ state: authorities ? 'Trusted' : 'Valid', signedBy });
    expect(read.actions.at(-1)?.digitalSourceType?.endsWith(`/${digitalSourceType}`)).toBe(true);
    expect(read.json).not.toMatch(/127\.0\.0\.1|localhost|Ana|farol|café/);
    expect(read.json).not.toContain(task.id);
  }
  return all;
}

export const relationshipsIn = ({ ingredients }: Credentials) => ingredients.map(({ relationship }) => relationship);

/** The credentials must say that the service made the file itself, from the files of the request. */
export function expectMadeHere(operation: keyof typeof origins, read: Credentials): void {
  const [kind, ...ingredients] = origins[operation];
  expect(read.actions.map(({ action }) => action)).toEqual(
    kind === 'created' ? ['c2pa.created'] : ['c2pa.opened', 'c2pa.edited'],
  );
  expect(relationshipsIn(read)).toEqual(ingredients);
}
