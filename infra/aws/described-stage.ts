/** A stage as `cdk.json` describes it, for tools other than the CDK. */
import { readFileSync } from 'node:fs';
import { readStages, type Stage } from './stages.ts';

/** Reads a stage. @throws {Error} that says what is accepted, if the stage is missing or invalid */
export function describedStage(name: string): Stage {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
    context: { stages: unknown };
  };
  const [stage] = readStages({ stage: name, stages: context.stages });
  if (!stage) throw new Error(`cdk.json describes no stage ${name}`);
  return stage;
}
