import { describe, expect, test } from 'vitest';
import { modules } from './modules.ts';
import { hasSurvived, isArgued, type MutationReport, mutantsOf, scoreOf, unfounded } from './verdict.ts';

const [file] = modules.idempotency;
const statuses = (mutatorName: string, replacement: string, ...given: string[]) =>
  given.map((status) => ({ mutatorName, replacement, status, location: { start: { line: 2, column: 3 } } }));

const report = (...given: string[]): MutationReport => ({
  files: {
    [file]: { source: 'first\n  const a = 1;\nthird', mutants: statuses('Arithmetic', '2', ...given) },
    'shared/other.ts': { source: '\n', mutants: statuses('Arithmetic', '2', 'Survived') },
  },
});
const argument = { file, code: 'const a = 1;', replacement: '2', reason: 'one is as good as two' };

test('a mutant is identified by its line of the product', () => {
  const [mutant] = mutantsOf(report('Killed'));
  const expected = {
    file,
    line: 2,
    code: 'const a = 1;',
    mutatorName: 'Arithmetic',
    replacement: '2',
    status: 'Killed',
  };
  expect(mutant).toEqual(expected);
});

describe('the mutation score', () => {
  test('is the share of killed mutants among the valid ones of the module, equivalent or not', () => {
    const mutants = mutantsOf(report('Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'RuntimeError'));
    const counted = { module: 'idempotency', killed: 3, survived: 2, invalid: 1, score: 60 };
    expect(scoreOf('idempotency', mutants, [])).toEqual({ ...counted, argued: 0 });
    expect(scoreOf('idempotency', mutants, [argument])).toEqual({ ...counted, argued: 2 });
  });

  test('without any valid mutant is 0', () => {
    expect(scoreOf('money', mutantsOf(report('Survived')), [])).toMatchObject({ killed: 0, score: 0 });
  });
});

describe('an argument that a mutant is equivalent', () => {
  test('applies only to survivors with its file, line and replacement', () => {
    const [mutant] = mutantsOf(report('Survived'));
    if (!mutant) throw new Error('the report has no mutant');
    expect(hasSurvived(mutant)).toBe(true);
    expect(isArgued(mutant, [argument])).toBe(true);
    for (const other of [{ replacement: '3' }, { code: 'const a = 0;' }, { file: 'shared/other.ts' }]) {
      expect(isArgued(mutant, [{ ...argument, ...other }])).toBe(false);
    }
  });

  test('is reported as wrong when its mutant was killed or does not exist, unless its file was not mutated', () => {
    const about = (...given: string[]) => unfounded(mutantsOf(report(...given)), [argument]);
    expect(about('Survived')).toEqual([]);
    expect(about('Timeout')).toEqual([]);
    expect(about('Killed')).toEqual([argument]);
    const elsewhere = { ...argument, code: 'const b = 1;' };
    expect(unfounded(mutantsOf(report('Survived')), [elsewhere])).toEqual([elsewhere]);
    expect(unfounded(mutantsOf(report('Killed')), [{ ...argument, file: 'shared/third.ts' }])).toEqual([]);
  });
});
