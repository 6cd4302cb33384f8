/** `npm run mutation`: plants small bugs in the product, one at a time, and counts those that the tests detect. */
import { readFileSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { textTable } from '../../../bench/text-table.ts';
import { startDatabase } from '../../../infra/local/database/database.ts';
import { equivalentMutants } from './equivalent-mutants.ts';
import { mutationTestsVariable, type Selection, selectionOf } from './selection.ts';
import {
  hasSurvived,
  isArgued,
  type Mutant,
  type MutationReport,
  mutantsOf,
  scoreOf,
  threshold,
  unfounded,
} from './verdict.ts';

/** Where the configuration writes the reports. */
const directory = 'build/mutation';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Tests every mutant of the files in a copy of the project. */
async function mutate({ files, tests }: Selection): Promise<MutationReport> {
  // Left over from an interrupted run.
  rmSync(`${directory}/sandbox`, { recursive: true, force: true });
  process.env[mutationTestsVariable] = tests.join(' ');
  const stryker = new Stryker({ configFile: 'test/verification/mutation/stryker.config.mjs', mutate: [...files] });
  await stryker.runMutationTest();
  return JSON.parse(readFileSync(`${directory}/report.json`, 'utf8')) as MutationReport;
}

const describe = ({ file, line, code, mutatorName, replacement }: Mutant): string =>
  `${file}:${line} ${mutatorName}\n  - ${code}\n  + ${replacement.replaceAll(/\s+/g, ' ')}`;

/** Prints the scores; false when one is too low, a survivor is not argued to be equivalent or an argument does not hold. */
function judge(selection: Selection, report: MutationReport): boolean {
  const mutants = mutantsOf(report);
  const scores = selection.modules.map((module) => scoreOf(module, mutants, equivalentMutants));
  const unargued = mutants.filter((mutant) => hasSurvived(mutant) && !isArgued(mutant, equivalentMutants));
  const stale = unfounded(mutants, equivalentMutants);
  for (const mutant of unargued) print(`Survived: ${describe(mutant)}`);
  for (const { file, code, replacement } of stale)
    print(`Argued to be equivalent, but did not survive: ${file}\n  - ${code}\n  + ${replacement}`);
  const columns = ['module', 'killed', 'survived', 'argued', 'invalid', 'score %'];
  const rows = scores.map(({ module, killed, survived, argued, invalid, score }) => [
    module,
    killed,
    survived,
    argued,
    invalid,
    score,
  ]);
  print(`\n${textTable({ title: `Mutants (${directory}/report.html)`, columns, rows })}\n`);
  return unargued.length + stale.length === 0 && scores.every(({ score }) => score >= threshold);
}

async function main(): Promise<void> {
  const selection = selectionOf(process.argv.slice(2));
  // One database for all mutants: one that never ends cannot close what it has opened.
  const database = await startDatabase({});
  process.env.DYNAMODB_ENDPOINT = database.url;
  try {
    if (!judge(selection, await mutate(selection))) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
