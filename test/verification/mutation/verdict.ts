/** The score of each module, computed from a mutation report, and which survivors are not argued to be equivalent. */
import type { EquivalentMutant } from './equivalent-mutants.ts';
import { type ModuleName, modules } from './modules.ts';

/** The part of Stryker's JSON report that is used here; lines and columns count from 1. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>;
}

export interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** A mutant and its place in the product. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The line on which it begins, without its indentation. */
  readonly code: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
}

export interface ModuleScore {
  readonly module: ModuleName;
  readonly killed: number;
  readonly survived: number;
  /** Mutants that did not load, or that broke a test's setup: they prove nothing. */
  readonly invalid: number;
  /** How many of the survivors are argued to be equivalent. */
  readonly argued: number;
  /** The percentage of the valid mutants that were killed; 0 without any. */
  readonly score: number;
}

/** The least score of each module, with its equivalent mutants counted as survivors. */
export const threshold = 90;

export const mutantsOf = ({ files }: MutationReport): Mutant[] =>
  Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ mutatorName, replacement = '', status, location: { start } }) => ({
      file,
      line: start.line,
      code: lines[start.line - 1]?.trim() ?? '',
      mutatorName,
      replacement,
      status,
    }));
  });

const killedStatuses = new Set(['Killed', 'Timeout']);
const survivedStatuses = new Set(['Survived', 'NoCoverage']);

export const hasSurvived = ({ status }: Mutant): boolean => survivedStatuses.has(status);

const isThat = (mutant: Mutant, equivalent: EquivalentMutant): boolean =>
  mutant.file === equivalent.file && mutant.code === equivalent.code && mutant.replacement === equivalent.replacement;

export const isArgued = (mutant: Mutant, equivalents: readonly EquivalentMutant[]): boolean =>
  equivalents.some((equivalent) => isThat(mutant, equivalent));

export function scoreOf(
  module: ModuleName,
  mutants: readonly Mutant[],
  equivalents: readonly EquivalentMutant[],
): ModuleScore {
  const files: readonly string[] = modules[module];
  const own = mutants.filter(({ file }) => files.includes(file));
  const killed = own.filter(({ status }) => killedStatuses.has(status)).length;
  const survivors = own.filter(hasSurvived);
  const valid = killed + survivors.length;
  return {
    module,
    killed,
    survived: survivors.length,
    invalid: own.length - valid,
    argued: survivors.filter((mutant) => isArgued(mutant, equivalents)).length,
    score: valid === 0 ? 0 : (killed / valid) * 100,
  };
}

/** Arguments that do not hold: their file was mutated, and their mutant was killed or does not exist. */
export function unfounded(mutants: readonly Mutant[], equivalents: readonly EquivalentMutant[]): EquivalentMutant[] {
  const files = new Set(mutants.map(({ file }) => file));
  return equivalents.filter(
    (equivalent) =>
      files.has(equivalent.file) &&
      // A mutant that timed out on a busy machine may still be equivalent.
      !mutants.some((mutant) => isThat(mutant, equivalent) && mutant.status !== 'Killed'),
  );
}
