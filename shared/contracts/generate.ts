/** The generation operations, and what a task needs to know of the one that made it. */
import type * as z from 'zod';
import { audioContracts } from './generate-audio.ts';
import { imageContracts } from './generate-images.ts';
import type { Medium } from './generation.ts';
import type { OperationContract } from './operation.ts';
import type { Scope } from './scopes.ts';

export const generateContracts = {
  ...imageContracts,
  ...audioContracts,
} as const satisfies Record<string, OperationContract>;

type GenerationContract = (typeof generateContracts)[keyof typeof generateContracts];
export type TaskType = GenerationContract['taskType'];

const generations: readonly GenerationContract[] = Object.values(generateContracts);

export const taskTypes = generations.map((contract) => contract.taskType) as unknown as readonly [
  TaskType,
  ...TaskType[],
];

/** What a task needs to know of the operation that made it. */
interface GenerationKind {
  readonly operationId: string;
  readonly scope: Scope;
  readonly medium: Medium;
  readonly success: { readonly status: number };
  readonly body: z.ZodType;
}

/** The operation that makes tasks of a type. */
export const generationOf = (taskType: TaskType): GenerationKind => {
  const contract = generations.find((candidate) => candidate.taskType === taskType);
  if (!contract) throw new Error(`no operation makes tasks of type ${taskType}`);
  return contract;
};
