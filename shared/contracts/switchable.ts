/** What can be switched off: task types, and operations that create no tasks. */
import { generationOf } from './generate.ts';
import type { OperationContract } from './operation.ts';
import { studioContracts } from './studio.ts';
import { isTaskType, taskTypes } from './task-types.ts';

/** Operations without a task type that declare an error for when they are switched off. */
const otherOperations = Object.values<OperationContract>(studioContracts)
  .filter((contract) => !('taskType' in contract) && contract.whenSwitchedOff)
  .map(({ operationId }) => operationId);

export const switchable = [...taskTypes, ...otherOperations];

/** The operation that an operator names by its task type. */
export const operationOf = (name: string): string => (isTaskType(name) ? generationOf(name).operationId : name);

/** How operators name an operation. */
export const switchNameOf = (operationId: string): string =>
  taskTypes.find((type) => generationOf(type).operationId === operationId) ?? operationId;

export const isSwitchable = (operationId: string): boolean =>
  switchable.some((name) => operationOf(name) === operationId);
