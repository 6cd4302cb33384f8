/** All outputs that are searched for secrets after a run. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DescribeExecutionCommand, GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { localIdentity } from '../../../infra/local/service-environment.ts';
import { stateMachineArn } from '../../../infra/local/state-machines/executions.ts';
import { storedItems } from '../../support/stored-items.ts';
import type { World } from './world.ts';

const headAndBody = ({ head, body }: { head: string; body: string }): string => `${head}\n${body}`;

/** Binary values are searched as their original bytes. */
async function database({ service, lines }: World): Promise<Buffer> {
  const items = [...(await storedItems(service.environment)).values()];
  const binaries = items.flatMap((item) => Object.values(item).flatMap(({ B }) => (B ? [Buffer.from(B)] : [])));
  return Buffer.concat([Buffer.from(JSON.stringify(items)), ...binaries, lines.database.said()]);
}

async function executions({ service }: World): Promise<string> {
  const client = new SFNClient({
    endpoint: service.environment.AWS_ENDPOINT_URL_SFN ?? '',
    region: localIdentity.AWS_REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const machine = stateMachineArn('generate');
  const found = service.executions().map(async (name) => {
    const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
    const [{ $metadata: _, ...execution }, { events }] = await Promise.all([
      client.send(new DescribeExecutionCommand({ executionArn })),
      client.send(new GetExecutionHistoryCommand({ executionArn })),
    ]);
    return { execution, events };
  });
  const all = await Promise.all(found);
  client.destroy();
  return JSON.stringify(all);
}

/** The files of the data directory, by their paths in it. */
export function filesIn({ dataDir }: World['service']): Map<string, Buffer> {
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(dataDir, path), readFileSync(path)]));
}

/** A file’s permissions in octal, such as `600`. */
export const modeOf = ({ dataDir }: World['service'], file: string): string =>
  (statSync(join(dataDir, file)).mode & 0o777).toString(8);

/**
 * Files that contain secrets on purpose, readable only by their owner: keys, the demo account, and the sandboxes'
 * records.
 */
export const isKeeper = (file: string): boolean =>
  file.startsWith('keys/') || file.startsWith('sandboxes/') || file === 'service.json' || file === 'demo-account.json';

export type Outputs = Awaited<ReturnType<typeof readOutputs>>;
export type OutputName = keyof Outputs;

export async function readOutputs(world: World) {
  const { responses, lines, printed, service } = world;
  const isPage = ({ head }: { head: string }) => /^content-type: text\/html/im.test(head);
  const [pages, others] = [responses.filter(isPage), responses.filter((response) => !isPage(response))];
  const rejections = [...others, ...pages].filter(({ status }) => status >= 400 || status === 0);
  const files = [...filesIn(service)].filter(([path]) => !isKeeper(path)).map(([, content]) => content);
  return {
    ...service.output,
    rejections: rejections.map(headAndBody).join('\n'),
    responses: others
      .filter(({ status }) => status > 0 && status < 400)
      .map(headAndBody)
      .join('\n'),
    strangers: world.strangers.map(headAndBody).join('\n'),
    headers: others.map(({ head }) => head).join('\n'),
    pages: pages
      .filter(({ status }) => status === 200)
      .map(headAndBody)
      .join('\n'),
    database: await database(world),
    files: Buffer.concat(files),
    queue: Buffer.concat([Buffer.from(JSON.stringify(service.messages)), lines.queue.said()]),
    executions: await executions(world),
    workflow: lines.workflow.said(),
    storage: lines.storage.said(),
    engine: lines.engine.said(),
    provider: lines.provider.said(),
    gateway: lines.gateway.said(),
    webhooks: lines.receiver.said(),
    printed: printed.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n'),
  };
}
