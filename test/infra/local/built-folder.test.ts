/** Folders that are built from sources. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bringUpToDate } from '../../../infra/local/built-folder.ts';

function folderOfSources() {
  const root = mkdtempSync(join(tmpdir(), 'built-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [sources, folder] = [join(root, 'sources'), join(root, 'build', 'pages')];
  mkdirSync(sources);
  const [source, other] = [join(sources, 'a.txt'), join(sources, 'b.txt')];
  for (const file of [source, other]) writeFileSync(file, 'one');
  let builds = 0;
  const build = async (made: string) => {
    builds += 1;
    if (readFileSync(source, 'utf8') === 'wrong') throw new Error('a page is wrong');
    writeFileSync(join(made, 'page.html'), `${builds}`);
  };
  const bring = () => bringUpToDate({ folder, sources: [`${sources}/*.txt`], build });
  return { source, other, root, bring, page: () => readFileSync(join(folder, 'page.html'), 'utf8') };
}

test('a folder is built once, even for concurrent callers, and again when one of its sources changes or disappears', async () => {
  const { source, other, bring, page } = folderOfSources();
  await Promise.all([bring(), bring()]);
  expect(page()).toBe('1');
  writeFileSync(source, 'two');
  await bring();
  expect(page()).toBe('2');
  rmSync(other);
  await bring();
  await bring();
  expect(page()).toBe('3');
});

test('a failed build keeps the folder as it was, leaves no files behind and is repeated by the next caller', async () => {
  const { source, root, bring, page } = folderOfSources();
  await bring();
  writeFileSync(source, 'wrong');
  await expect(bring()).rejects.toThrow('a page is wrong');
  expect(page()).toBe('1');
  expect(readdirSync(join(root, 'build')).toSorted()).toEqual(['pages', 'pages.lock', 'pages.made-from']);
  writeFileSync(source, 'right');
  await bring();
  expect(page()).toBe('3');
});
