/** The target of the suite: a URL, the operator's tool, and the features of the host. */
import { runTool } from '../infra/cli/run-tool.ts';
import { withReason } from '../infra/cli/with-reason.ts';
import { type Capability, type TargetDescription, targetVariable } from './target-description.ts';

function readTarget(): TargetDescription {
  const text = process.env[targetVariable];
  if (!text) throw new Error(`${targetVariable} is not set: run the suite with "npm run test:e2e"`);
  return JSON.parse(text) as TargetDescription;
}

export const target = readTarget();

export const isCapable = (...needed: readonly Capability[]): boolean =>
  needed.every((capability) => target.capabilities.includes(capability));

/** The output of an operator's command. */
export async function operate<Result>(...command: string[]): Promise<Result> {
  const { args, environment } = target.admin;
  const { exitCode, stdout, stderr } = await runTool([...(await withReason(command)), ...args, '--json'], environment);
  if (exitCode !== 0) throw new Error(`"admin ${command.slice(0, 2).join(' ')}" ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Result;
}
