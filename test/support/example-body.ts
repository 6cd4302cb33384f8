/** The published example of a request, adapted for tests. */
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { addressesIn } from '../../shared/contracts/user-addresses.ts';

/** Its images are at a URL of the test, and no webhook is sent. */
export function exampleBody(operationId: OperationId, imageUrl: string): Record<string, unknown> {
  const { body: schema, example }: OperationContract = registry[operationId];
  if (!schema) return {};
  const { callbackUrl: _elsewhere, ...body } = example.body ?? {};
  const images = [...addressesIn(schema, body)].map(({ path: [name] }) => [String(name), imageUrl]);
  return { ...body, ...Object.fromEntries(images) };
}
