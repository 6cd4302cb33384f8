/**
 * What drills work with: the stage on the emulator, the commands of the documentation page that is rehearsed, and
 * customers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { client } from '../../../client/client.ts';
import { findDeployment } from '../../../infra/cli/deployed-service.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import type { EmulatedStage } from '../../../infra/emulator/emulated-stage.ts';
import { runCdk } from '../../../infra/emulator/run-cdk.ts';
import { smoke } from '../../../infra/smoke/smoke.ts';
import { withReason } from '../../infra/cli/with-reason.ts';
import { awsCommand } from './aws-command.ts';
import { commandsIn } from './commands-in.ts';
import { type Customer, newCustomer, type Operate } from './customer.ts';
import type { Drill } from './drill.ts';
import { wordsOf } from './words-of.ts';

/** How a command on the page is run. */
interface Running {
  /** Values for the command's placeholders and examples; outputs of the stage are filled in automatically. */
  readonly values?: Readonly<Record<string, string>>;
  /** Settings of the stage that differ from those in `cdk.json`, for a command that deploys. */
  readonly settings?: object;
  /** Another command with the same purpose, if the emulator does not support the one on the page. */
  readonly instead?: string;
}

type Resources = Readonly<Record<string, { readonly Type: string }>>;

export interface Scene {
  readonly stage: EmulatedStage;
  readonly outputs: () => Promise<Readonly<Record<string, string>>>;
  /** The resources in the template of a part of the deployed stage. */
  readonly template: (part: string) => Promise<Resources>;
  /**
   * Runs the next command on the page, which must begin with `start`.
   * @throws {Error} if the page has another command there
   */
  readonly run: <Result = unknown>(start: string, running?: Running) => Promise<Result>;
  /** Runs an operator's command that is not on the page: to cause the problem, and to inspect its effects. */
  readonly operate: Operate;
  readonly aws: <Result>(command: string) => Promise<Result>;
  /** Deploys the stage as `cdk.json` describes it, with other settings, or with another version of the app. */
  readonly deploy: (settings?: object, app?: string) => Promise<void>;
  readonly customer: (credits: number) => Promise<Customer>;
  /** @throws {Error} if the condition does not hold */
  readonly check: (what: string, isSo: boolean) => void;
  /** Waits until no function uses a cached version of the catalog any more. */
  readonly untilCatalogIsRead: () => Promise<void>;
  /** @throws {Error} if commands on the page were not run */
  readonly end: () => void;
}

const say = (line: string): void => void process.stdout.write(`  ${line}\n`);

/** A little longer than functions cache the catalog. */
const catalogMs = 31_000;

/** Options that deploy without change sets: with them, the emulator ignores changes of outputs alone. */
const atOnce = ['--require-approval', 'never', '--method', 'direct'];

export function sceneOf(drill: Drill, stage: EmulatedStage): Scene {
  const left = commandsIn(drill);

  async function admin<Result>(words: readonly string[]): Promise<Result> {
    const { exitCode, stdout, stderr } = await runCommandLine([
      ...(await withReason(words)),
      '--stage',
      stage.name,
      '--json',
    ]);
    if (exitCode !== 0) throw new Error(`"admin ${words.join(' ')}" ended with ${exitCode}: ${stderr || stdout}`);
    return JSON.parse(stdout) as Result;
  }

  const operate: Operate = (command) => admin(wordsOf(command));

  const outputs: Scene['outputs'] = async () => (await findDeployment(stage.name))?.outputs ?? {};

  async function perform(command: string, settings: object | undefined): Promise<unknown> {
    const words = wordsOf(command.replace(/ (--stage |-c stage=)\w+/, ''));
    const [program = '', ...args] = words;
    if (program === 'aws') return awsCommand(stage, words);
    if (program === 'npm') return admin(args.slice(args.indexOf('--') + 1));
    if (program.startsWith('API_URL=')) {
      const [baseUrl = '', token = ''] = words.map((word) => word.slice(word.indexOf('=') + 1));
      return smoke(client({ baseUrl, token }), say, fetch);
    }
    if (program !== 'npx' || args[0] !== 'cdk') throw new Error(`Drills cannot run "${command}".`);
    const own = args.slice(1).map((arg) => arg.replace(/^GenerationService-\w+-/, `GenerationService-${stage.name}-`));
    return runCdk(stage, [...own, ...atOnce], { settings });
  }

  /** The command with values in the place of its placeholders. @throws {Error} if one is missing */
  async function filled(command: string, values: Readonly<Record<string, string>>): Promise<string> {
    const known = Object.entries(await outputs()).map(([name, value]) => [`<${name}>`, value] as const);
    const all = [...Object.entries(values), ...known];
    const whole = all.reduce((text, [from, to]) => text.replaceAll(from, to), command);
    const missing = /<\w+>/.exec(whole)?.[0];
    if (missing) throw new Error(`Nothing stands in the place of ${missing} in "${command}".`);
    return whole;
  }

  return {
    stage,
    outputs,
    operate,
    async template(part) {
      const cloudFormation = new CloudFormationClient();
      const StackName = `GenerationService-${stage.name}-${part}`;
      const { TemplateBody = '' } = await cloudFormation.send(new GetTemplateCommand({ StackName }));
      cloudFormation.destroy();
      return (JSON.parse(TemplateBody) as { Resources: Resources }).Resources;
    },
    async run<Result>(start: string, { values = {}, settings, instead }: Running = {}) {
      const next = left.shift();
      if (!next?.startsWith(start)) throw new Error(`"${drill.heading}" goes on with "${next}", not with "${start}".`);
      const command = await filled(next, values);
      say(instead === undefined ? `$ ${command}` : `$ ${instead}\n    instead of ${command}`);
      return (await perform(instead ?? command, settings)) as Result;
    },
    aws: async <Result>(command: string) => (await awsCommand(stage, wordsOf(command))) as Result,
    async deploy(settings, app) {
      say(app === undefined ? 'deploying the stage …' : 'deploying another version …');
      await runCdk(stage, ['deploy', '--all', ...atOnce], { settings, app });
    },
    customer: async (credits) => newCustomer((await outputs()).ApiUrl ?? '', operate, credits),
    check(what, isSo) {
      if (!isSo) throw new Error(`It is not so: ${what}`);
      say(`✓ ${what}`);
    },
    untilCatalogIsRead: () => sleep(catalogMs),
    end() {
      if (left.length > 0) throw new Error(`"${drill.heading}" has commands that were not run: ${left.join('; ')}`);
    },
  };
}
