/** docs/architecture.md shows the current workflows, top-level folders and path of a request. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { workflowNames } from '../../shared/contracts/workflow.ts';
import { codeIn, pageAt } from './pages.ts';

interface State {
  readonly Next?: string;
  readonly Default?: string;
  readonly End?: true;
  readonly Catch?: readonly { readonly Next: string }[];
  readonly Choices?: readonly { readonly Next: string }[];
  readonly ItemProcessor?: Machine;
}

interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

const outside = '[*]';

/** Every transition between two states, in Mermaid's notation. */
function waysIn({ StartAt, States }: Machine): string[] {
  const ways = Object.entries(States).flatMap(([name, state]) => {
    const { Next, Default, End, Catch = [], Choices = [], ItemProcessor } = state;
    const next = [Next, Default, ...[...Catch, ...Choices].map((one) => one.Next), End && outside];
    const own = next.flatMap((to) => (to === undefined ? [] : [`${name} --> ${to}`]));
    return [...own, ...(ItemProcessor ? waysIn(ItemProcessor) : [])];
  });
  return [`${outside} --> ${StartAt}`, ...ways];
}

const page = pageAt('docs/architecture.md');
const drawn = codeIn(page, ['mermaid'])
  .filter((picture) => picture.startsWith('stateDiagram-v2'))
  .map((picture) => picture.split('\n').flatMap((line) => (line.includes('-->') ? [line.trim()] : [])));

test.each(workflowNames)('the diagram of the workflow %s shows exactly the transitions of its definition', (name) => {
  const machine = JSON.parse(readFileSync(`state-machines/${name}.asl.json`, 'utf8')) as Machine;
  const ways = [...new Set(waysIn(machine))].toSorted();
  expect(drawn.map((picture) => [...new Set(picture)].toSorted())).toContainEqual(ways);
});

test('the folders that the architecture page lists are the folders of the project', () => {
  const [, table = ''] = /\| Room \| What is in it \|\n(.*?)\n\n/s.exec(page) ?? [];
  const rooms = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  const sources = globSync([
    '{bench,client,dashboard,fakes,functions,infra,offline-engine,site,state-machines,test}',
    'shared/*',
  ]);
  expect(rooms.toSorted()).toEqual(sources.toSorted());
});

/** The table of stores on the page: every file that imports this module has access to the stores that it names. */
const storePorts = 'shared/domain/store-ports.ts';

const importedBy = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path));

test('the code of generateVoice, from the request to the 202 response, is found in at most 20 files', () => {
  const [, list = ''] = /read these files in order:\n\n(.*?)\n\n/s.exec(page) ?? [];
  const files = [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
  expect(files[0]).toBe('functions/generate/generate-voice.ts');
  expect(files.at(-1)).toBe('shared/runtime/respond.ts');
  expect(files.length).toBeLessThanOrEqual(20);
  const reached = new Set([...files, storePorts].flatMap(importedBy));
  expect(files.slice(1).filter((file) => !reached.has(file))).toEqual([]);
});
