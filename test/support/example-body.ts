/** The published example of a request, adapted for tests. */
import type { MediaKind } from '../../shared/contracts/media.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { addressesIn } from '../../shared/contracts/user-addresses.ts';

/** Its files are at URLs of the test, one for each kind of media, and no webhook is sent. */
export function exampleBody(
  operationId: OperationId,
  files: Readonly<Record<MediaKind, string>>,
): Record<string, unknown> {
  const { body: schema, example }: OperationContract = registry[operationId];
  if (!schema) return {};
  const { callbackUrl: _elsewhere, ...body } = example.body ?? {};
  const urls = [...addressesIn(schema, body)].flatMap(({ path: [name], leadsTo }) =>
    leadsTo === 'receiver' ? [] : [[String(name), files[leadsTo]] as const],
  );
  const placed = urls.map(([name, url]) => [name, Array.isArray(body[name]) ? [url] : url]);
  return { ...body, ...Object.fromEntries(placed) };
}
