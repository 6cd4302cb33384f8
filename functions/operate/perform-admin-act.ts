import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import { createAccount, inviteOwner } from '../../shared/domain/operators/account-acts.ts';
import {
  changeCatalog,
  resetCatalog,
  setPrice,
  switchOperation,
  undoCatalog,
  useRoutes,
} from '../../shared/domain/operators/catalog-acts.ts';
import { approveGrant } from '../../shared/domain/operators/credit-acts.ts';
import { endOperatorSessions } from '../../shared/domain/operators/operator-acts.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import type { With } from '../../shared/runtime/context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

type Ports = 'accounts' | 'catalog';

const acts: OfferedActs<ActOfGroup<'admin'>, With<Ports>> = {
  createAccount: offered(createAccount),
  inviteOwner: offered(inviteOwner),
  approveGrant: offered(approveGrant),
  endOperatorSessions: offered(endOperatorSessions),
  changeCatalog: offered(changeCatalog),
  resetCatalog: offered(resetCatalog),
  undoCatalog: offered(undoCatalog),
  switchOperation: offered(switchOperation),
  useRoutes: offered(useRoutes),
  setPrice: offered(setPrice),
};

/** Performs an act on the catalog, or one that only administrators perform. */
export const performAdminAct: OperateOperation<'performAdminAct', Ports> = (request, context) =>
  performRequestedAct(acts, request, context);

export const definition = operateLambda(operateContracts.performAdminAct, performAdminAct, { accounts, catalog });
