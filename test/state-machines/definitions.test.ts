/** The workflows' definition files are valid Amazon States Language; the local host runs them unchecked. */
import { globSync, readFileSync } from 'node:fs';
import validate from 'asl-validator';
import { expect, test } from 'vitest';

const files = globSync('state-machines/*.asl.json').sort();

/** The values of placeholders in resource names. */
const completed = (text: string) => text.replaceAll('${partition}', 'aws');

const problemsOf = (text: string) => validate(JSON.parse(completed(text)), { checkPaths: true }).errors;

test('the check of state machine definitions finds a transition to a missing state', () => {
  const text = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'Missing' } } });
  expect(JSON.stringify(problemsOf(text))).toContain('Missing');
});

test.each(files)('the state machine definition %s is valid', (file) => {
  expect(problemsOf(readFileSync(file, 'utf8'))).toEqual([]);
});

interface State {
  readonly Type: string;
  readonly Retry?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly MaxAttempts: number;
    readonly IntervalSeconds?: number;
    readonly BackoffRate?: number;
  }[];
  readonly ItemProcessor?: Machine;
}

interface Machine {
  readonly States: Readonly<Record<string, State>>;
}

/** The names of a machine's Task states, including those inside its maps. */
const tasksOf = ({ States }: Machine): [name: string, task: State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    ...(state.Type === 'Task' ? [[name, state] satisfies [string, State]] : []),
    ...(state.ItemProcessor ? tasksOf(state.ItemProcessor) : []),
  ]);

test.each(files)('every task state of %s retries while Lambda throttles, before other retry rules apply', (file) => {
  const text = readFileSync(file, 'utf8');
  const tasks = tasksOf(JSON.parse(text));
  expect(tasks).toHaveLength(text.match(/"Type": "Task"/g)?.length ?? 0);
  for (const [name, { Retry = [] }] of tasks) {
    const rule = Retry.find(({ ErrorEquals }) => ErrorEquals.includes('Lambda.TooManyRequestsException'));
    expect([name, rule]).toEqual([name, Retry[0]]);
    expect([name, rule?.MaxAttempts]).toEqual([name, 200]);
  }
});

test('the workflow of a task polls an engine that asks for that every two seconds, and others at growing intervals', () => {
  const machine = JSON.parse(readFileSync('state-machines/generate.asl.json', 'utf8')) as Machine;
  const rules = machine.States.AskEngine?.Retry?.filter(({ ErrorEquals }) =>
    String(ErrorEquals).startsWith('StillRunning'),
  );
  expect(rules).toMatchObject([
    { ErrorEquals: ['StillRunning'], IntervalSeconds: 2, BackoffRate: 1.5, MaxAttempts: 1000 },
    { ErrorEquals: ['StillRunningBriefly'], IntervalSeconds: 2, BackoffRate: 1, MaxAttempts: 1000 },
  ]);
});
