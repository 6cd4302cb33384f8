/** The pictures of the Studio's catalog, which the build of the dashboard draws. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pictured } from '../../../../dashboard/pages/playground/pictured.ts';
import { drawStudioPictures } from '../../../../infra/local/dashboard/studio-pictures.ts';
import { defaultStudio } from '../../../../shared/catalog/studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-pictures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every mode, hook and setting of the default Studio catalog has a small picture that the playground shows', async () => {
  const { modes, hooks, settings } = defaultStudio;
  const ids = [...modes.map(({ slug }) => slug), ...[...hooks, ...settings].map(({ id }) => id)];
  await drawStudioPictures(folder);
  const files = readdirSync(folder);
  expect(files).toEqual(ids.map((id) => `studio-${id}.webp`).toSorted());
  expect(pictured.toSorted()).toEqual(ids.toSorted());
  for (const file of files) expect(statSync(join(folder, file)).size, file).toBeLessThan(10_000);
});
