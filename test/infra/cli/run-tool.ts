/** Runs the operator's tool as npm does, in an environment without the test's own variables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ToolEnding {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const project = new URL('../../../', import.meta.url);
const script = ['--import', './infra/toolchain/require-node.mjs', 'infra/cli/main.ts'];

export async function runTool(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<ToolEnding> {
  const { PATH = '', HOME = '' } = process.env;
  const tool = spawn(process.execPath, [...script, ...args], { cwd: project, env: { PATH, HOME, ...environment } });
  tool.stdin.end(input);
  const [stdout, stderr, [exitCode]] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, 'close')]);
  return { exitCode, stdout, stderr };
}
