/** The workflows' definition files are valid Amazon States Language; the local host runs them unchecked. */
import { globSync, readFileSync } from 'node:fs';
import { StateMachine } from 'aws-local-stepfunctions';
import { expect, test } from 'vitest';

const files = globSync('state-machines/*.asl.json').sort();

/** The constructor validates; `checkArn` knows no service integrations. */
const read = (text: string) => new StateMachine(JSON.parse(text), { validationOptions: { checkArn: false } });

test('a definition with a transition to a missing state is rejected', () => {
  const text = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'Missing' } } });
  expect(() => read(text)).toThrow('Missing');
});

test.each(files)('%s is valid', (file) => {
  expect(() => read(readFileSync(file, 'utf8'))).not.toThrow();
});
