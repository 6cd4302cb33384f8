/** The tools that wait for tasks and list them, and show the credits. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { AnyRequest, Client } from '../client/client.ts';
import contract from './contract.json' with { type: 'json' };
import type { Answer } from './mcp-server.ts';
import type { SpendingLimit } from './spending-limit.ts';
import { waitForTasks } from './wait-for-tasks.ts';

/** How long one call waits: less than the 60 seconds after which many clients abandon a call. */
const defaultSeconds = 45;

const waitSchema = fromJsonSchema<{ taskIds: readonly string[]; timeoutSeconds?: number }>({
  type: 'object',
  properties: {
    taskIds: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: contract.idsPerCall,
      description: 'The ids that generate returned.',
    },
    timeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 600,
      default: defaultSeconds,
      description: 'How long to wait. Many MCP clients give up after 60 seconds.',
    },
  },
  required: ['taskIds'],
  additionalProperties: false,
});
const listSchema = fromJsonSchema<NonNullable<AnyRequest['query']>>({
  type: 'object',
  ...contract.listTasks,
  additionalProperties: false,
});
const emptySchema = fromJsonSchema({ type: 'object', properties: {}, additionalProperties: false });

const annotations = { readOnlyHint: true };

export function addTaskTools(server: McpServer, answer: Answer, api: Client, limit: SpendingLimit): void {
  server.registerTool(
    'wait',
    {
      description:
        'Waits until tasks have ended and returns them: the URLs of the files of completed tasks, and why others failed. After the time-out it returns them with hasEnded false: call it again.',
      inputSchema: waitSchema,
      annotations,
    },
    ({ taskIds, timeoutSeconds = defaultSeconds }, { mcpReq }) =>
      answer(() => waitForTasks(api, taskIds, timeoutSeconds, mcpReq)),
  );
  server.registerTool(
    'list',
    { description: 'Lists the tasks of the account, newest first.', inputSchema: listSchema, annotations },
    (query, { mcpReq }) => answer(async () => (await api.listTasks({ query, signal: mcpReq.signal })).data),
  );
  server.registerTool(
    'balance',
    {
      description:
        'Returns the credits of the account, and what this server has spent and may still spend (refunds of failed tasks do not raise that).',
      inputSchema: emptySchema,
      annotations,
    },
    (_, { mcpReq }) =>
      answer(async () => {
        const { data } = await api.listCreditHistory({ query: { limit: 1 }, signal: mcpReq.signal });
        return { balance: data.balance, spending: limit.state() };
      }),
  );
}
