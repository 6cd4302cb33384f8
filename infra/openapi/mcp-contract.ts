/** Generates from the OpenAPI document what the tools of the MCP server take. */
import { polledTasksLimit } from '../../shared/contracts/limits.ts';
import { type ClientDocument, nameOf, operationsOf, type Schema } from './client-document.ts';

/** A schema without references and extensions, so that it can be understood alone. */
function whole({ components }: ClientDocument, schema: unknown): unknown {
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    const members = Object.entries({ ...($ref !== undefined && components.schemas[nameOf($ref)]), ...rest });
    return Object.fromEntries(
      members.filter(([name]) => !name.startsWith('x-')).map(([name, member]) => [name, inlined(member)]),
    );
  };
  return inlined(schema);
}

/** Generates the text of `client-mcp/contract.json`. */
export function mcpContract(document: ClientDocument): string {
  const operations = operationsOf(document);
  const generations = operations
    // A batch would only be a second way to request the same.
    .filter(({ data, dryRun }) => dryRun && dryRun !== data)
    .map(({ operationId, summary, description, body }) => [
      operationId,
      { summary, description, input: whole(document, body) },
    ]);
  const list = operations.find(({ operationId }) => operationId === 'listTasks')?.query;
  const contract = {
    generations: Object.fromEntries(generations),
    listTasks: whole(document, list),
    idsPerCall: polledTasksLimit,
  };
  return `${JSON.stringify(contract, null, 2)}\n`;
}
