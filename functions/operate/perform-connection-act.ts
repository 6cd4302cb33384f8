import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import { removeConnection, syncConnection } from '../../shared/domain/operators/connection-acts.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { With } from '../../shared/runtime/context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

type Ports = 'inboxQueue' | 'secretBox' | 'socialNetwork';
type Needs = With<Ports> & { readonly connections: ReturnType<typeof connectionStore> };

const acts: OfferedActs<ActOfGroup<'connection'>, Needs> = {
  syncConnection: offered(syncConnection),
  removeConnection: offered(removeConnection),
};

/** Performs an act on a connected page. */
export const performConnectionAct: OperateOperation<'performConnectionAct', Ports> = (request, context) =>
  performRequestedAct(acts, request, { ...context, connections: connectionStore(context.table) });

export const definition = operateLambda(operateContracts.performConnectionAct, performConnectionAct, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
