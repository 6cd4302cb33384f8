/** The tools that describe, quote and start generations. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import contract from './contract.json' with { type: 'json' };
import type { GenerationId, Input, LimitedGenerations } from './limited-generations.ts';
import type { Answer } from './mcp-server.ts';
import type { SpendingLimit } from './spending-limit.ts';

const operations = contract.generations;
const summaries = Object.entries(operations).map(([id, { summary }]) => `- ${id}: ${summary}`);

const operation = { type: 'string', enum: Object.keys(operations), description: 'What to generate.' };
const operationSchema = fromJsonSchema<{ operation: GenerationId }>({
  type: 'object',
  properties: { operation },
  required: ['operation'],
  additionalProperties: false,
});
const generationSchema = fromJsonSchema<{ operation: GenerationId; input: Input }>({
  type: 'object',
  properties: {
    operation,
    input: { type: 'object', description: 'The input of the operation: the tool describe returns its schema.' },
  },
  required: ['operation', 'input'],
  additionalProperties: false,
});

export function addGenerationTools(
  server: McpServer,
  answer: Answer,
  { quote, generate }: LimitedGenerations,
  limit: SpendingLimit,
): void {
  server.registerTool(
    'describe',
    {
      description: `Returns what an operation does and the JSON Schema of its input. The operations:\n${summaries.join('\n')}`,
      inputSchema: operationSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (given) => answer(() => ({ operation: given.operation, ...operations[given.operation] })),
  );
  server.registerTool(
    'quote',
    {
      description:
        'Returns what a generation would cost in credits, and whether this server may still spend that. Checks the input. Costs nothing.',
      inputSchema: generationSchema,
      annotations: { readOnlyHint: true },
    },
    (given, { mcpReq }) =>
      answer(async () => {
        const { cost, balance } = await quote(given.operation, given.input, mcpReq.signal);
        const { left, maxCreditsPerCall } = limit.state();
        return { cost, balance, isWithinLimit: cost <= Math.min(left, maxCreditsPerCall ?? left) };
      }),
  );
  server.registerTool(
    'generate',
    {
      description:
        'Starts a generation and returns its taskId and price; pass the id to wait. Spends credits. If the limit of this server has no room for the price, it starts nothing and says so.',
      inputSchema: generationSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    (given, { mcpReq }) =>
      answer(async () => {
        const started = await generate(given.operation, given.input, mcpReq.signal);
        return { ...started, creditsLeft: limit.state().left };
      }),
  );
}
