/** The generation operations, by the type of task that they create. */
import type * as z from 'zod';
import { audioContracts } from './generate-audio.ts';
import { cortesContracts } from './generate-cortes.ts';
import { imageContracts } from './generate-images.ts';
import { studioVideoContracts } from './generate-studio-video.ts';
import { videoContracts } from './generate-videos.ts';
import { voiceChangeContracts } from './generate-voice-change.ts';
import type { GenerationContract } from './generation-contract.ts';

export const generateContracts = {
  ...imageContracts,
  ...audioContracts,
  ...videoContracts,
  ...studioVideoContracts,
  ...cortesContracts,
  ...voiceChangeContracts,
} as const satisfies Record<string, GenerationContract>;

type ProductContract = (typeof generateContracts)[keyof typeof generateContracts];
export type TaskType = ProductContract['taskType'];

/** The input of tasks of a type, with defaults filled in. */
export type GenerationBody<Type extends TaskType> = Readonly<
  z.output<Extract<ProductContract, { readonly taskType: Type }>['body']>
>;

const productContracts: readonly ProductContract[] = Object.values(generateContracts);

export const taskTypes = productContracts.map((contract) => contract.taskType) as unknown as readonly [
  TaskType,
  ...TaskType[],
];

const contracts = new Map<string, GenerationContract>(
  productContracts.map((contract) => [contract.taskType, contract]),
);

/** Registers an operation, for hosts that serve more than the product's own. */
export const addGeneration = (contract: GenerationContract): void => void contracts.set(contract.taskType, contract);

/** Whether this host has an operation that creates tasks of this type. */
export const isTaskType = (text: string): text is TaskType => contracts.has(text);

/** The operation that creates tasks of this type. */
export const generationOf = (taskType: TaskType): GenerationContract => {
  const contract = contracts.get(taskType);
  if (!contract) throw new Error(`no operation creates tasks of type ${taskType}`);
  return contract;
};

/** The longest time limit of any generation operation of the product. */
export const longestTimeLimitSeconds = Math.max(...productContracts.map(({ timeLimitSeconds }) => timeLimitSeconds));
