/** The published example of a request, adapted for tests. */
import type { MediaKind } from '../../shared/contracts/media.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { addressesIn } from '../../shared/contracts/user-addresses.ts';

/** Replaces the value at a path. */
function put(value: object, [step = '', ...rest]: readonly (string | number)[], text: string): void {
  const members = value as Record<string | number, unknown>;
  if (rest.length === 0) members[step] = text;
  else put(members[step] as object, rest, text);
}

/** The example with URLs of the test's own files, one for each kind of media, and without a webhook. */
export function exampleBody(
  operationId: OperationId,
  files: Readonly<Record<MediaKind, string>>,
): Record<string, unknown> {
  const { body: schema, example }: OperationContract = registry[operationId];
  if (!schema) return {};
  const { callbackUrl: _elsewhere, ...body } = structuredClone(example.body ?? {});
  for (const { path, leadsTo } of addressesIn(schema, body)) {
    if (leadsTo !== 'receiver') put(body, path, files[leadsTo]);
  }
  return body;
}
