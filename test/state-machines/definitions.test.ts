/** The workflows' definition files are valid Amazon States Language; the local host runs them unchecked. */
import { globSync, readFileSync } from 'node:fs';
import validate from 'asl-validator';
import { expect, test } from 'vitest';

const files = globSync('state-machines/*.asl.json').sort();

/** The values of placeholders in resource names. */
const completed = (text: string) => text.replaceAll('${partition}', 'aws');

const problemsOf = (text: string) => validate(JSON.parse(completed(text)), { checkPaths: true }).errors;

test('a transition to a missing state is detected', () => {
  const text = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'Missing' } } });
  expect(JSON.stringify(problemsOf(text))).toContain('Missing');
});

test.each(files)('%s is valid', (file) => {
  expect(problemsOf(readFileSync(file, 'utf8'))).toEqual([]);
});
