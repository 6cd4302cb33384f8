/** A request that creates a file or one of the Studio's resources, and what its idempotency key makes of it. */
import { registry } from '../../../shared/contracts/registry.ts';
import { idempotencyDigest } from '../../../shared/domain/idempotency/idempotency.ts';
import type { TestResponse } from '../../support/test-service.ts';
import { ensure } from '../oracle/ensure.ts';
import { responseName } from '../oracle/studio-snapshot.ts';
import type { Act } from './command.ts';
import type { ModelAccount } from './model.ts';
import { askingOnce } from './request-commands.ts';
import { codeOf } from './request-limit.ts';

export interface StudioRequest {
  readonly account: ModelAccount;
  readonly operationId: 'createFile' | 'createStudioProduct' | 'createStudioAvatar';
  readonly key?: string | undefined;
  readonly body: object;
  /** What the model says against it, at the moment of the request. */
  readonly isRejected?: () => boolean;
}

/** `made` succeeded now, `repeated` at an earlier request, and `nothing` was done for any other reason. */
export type StudioResponse =
  | { readonly status: 'made' | 'repeated'; readonly id: string; readonly data: unknown }
  | { readonly status: 'nothing' | 'unknown' };

export const nameOf = ({ account, operationId, key }: StudioRequest): string | undefined =>
  key === undefined ? undefined : responseName(account.accountId, operationId, idempotencyDigest(key));

/** What stands under the request's key. A claim counts as dead: the request that made it is over. */
function standing({ model, world }: Act, request: StudioRequest) {
  const name = nameOf(request);
  const found = name === undefined ? undefined : model.seen.studio.responses.get(name);
  return found && found.validUntil > world.clock.now() ? found : undefined;
}

/** Waits until the lease on the key is over, if a request that failed in every way still holds it. */
function outlive(act: Act, request: StudioRequest): void {
  const { leaseUntil, body } = standing(act, request) ?? { leaseUntil: 0, body: undefined };
  const { clock } = act.world;
  if (body === undefined) clock.advance(Math.max(0, leaseUntil - clock.now()));
}

export const posting =
  ({ world }: Act, { operationId, key, body }: StudioRequest) =>
  (token: string): Promise<TestResponse> =>
    world.host.call(operationId, { token, body, headers: { ...(key !== undefined && { 'idempotency-key': key }) } });

/** An internal error, or one of the storage, is allowed only after a fault that outlasts all retries. */
const isExcused = ({ world }: Act, response: TestResponse): boolean =>
  world.faults.disturbed && (response.status >= 500 || codeOf(response) === 'GENERATION_FAILED');

const idIn = ({ body }: TestResponse): string => {
  const { id, fileId } = body.data as { id?: string; fileId?: string };
  return id ?? fileId ?? '';
};

/** Sends it once, and checks the response. */
export async function requestingOnce(act: Act, request: StudioRequest): Promise<StudioResponse> {
  outlive(act, request);
  const earlier = standing(act, request);
  const isRepeat = earlier?.body !== undefined;
  const expected = request.isRejected?.() ? 'VALIDATION_ERROR' : String(registry[request.operationId].success.status);
  const response = await askingOnce(act, request.account, posting(act, request));
  if (!response) return { status: 'nothing' };
  if (isExcused(act, response)) return { status: 'unknown' };
  if (isRepeat) {
    ensure(response.text === earlier.body, 'a repeated request gets the first response', { response, earlier });
    ensure(response.headers['idempotent-replayed'] === 'true', 'a repeated response says so', response.headers);
    return { status: 'repeated', id: idIn(response), data: response.body.data };
  }
  ensure(codeOf(response) === expected, 'a resource is created as the model says', { expected, response });
  return response.status < 300
    ? { status: 'made', id: idIn(response), data: response.body.data }
    : { status: 'nothing' };
}
