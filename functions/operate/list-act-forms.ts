import { operateContracts } from '../../shared/contracts/operate.ts';
import { offeredForms } from '../../shared/domain/act-forms/offered-forms.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists the acts that the pages offer, with the schemas of their inputs. */
export const listActForms: OperateOperation<'listActForms'> = async () => ({ forms: offeredForms() });

export const definition = operateLambda(operateContracts.listActForms, listActForms);
