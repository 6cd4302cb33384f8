/** The MCP server, with a few tools for agents. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { failureText } from './failure-text.ts';
import { addGenerationTools } from './generation-tools.ts';
import type { LimitedGenerations } from './limited-generations.ts';
import manifest from './package.json' with { type: 'json' };
import type { SpendingLimit } from './spending-limit.ts';
import { addTaskTools } from './task-tools.ts';

const instructions =
  'Generates media with AI, paid with credits. Choose an operation with describe, see its price with quote, start it with generate, and get its files with wait.';

/** Converts what an action returns or throws to the result of a tool. */
export type Answer = (act: () => unknown) => Promise<CallToolResult>;

const answering =
  (token: string): Answer =>
  async (act) => {
    try {
      return { content: [{ type: 'text', text: JSON.stringify(await act()) }] };
    } catch (error) {
      return { content: [{ type: 'text', text: failureText(error, token) }], isError: true };
    }
  };

export function mcpServer(generations: LimitedGenerations, limit: SpendingLimit, token: string): McpServer {
  const server = new McpServer({ name: manifest.name, version: manifest.version }, { instructions });
  const answer = answering(token);
  addGenerationTools(server, answer, generations, limit);
  addTaskTools(server, answer, generations.api, limit);
  return server;
}
