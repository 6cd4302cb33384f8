/** The generation operations, by the type of task that they create. */
import type * as z from 'zod';
import { audioContracts } from './generate-audio.ts';
import { cortesContracts } from './generate-cortes.ts';
import { imageContracts } from './generate-images.ts';
import { studioVideoContracts } from './generate-studio-video.ts';
import { videoContracts } from './generate-videos.ts';
import { voiceChangeContracts } from './generate-voice-change.ts';
import type { GenerationContract } from './generation-contract.ts';
import type { TaskType } from './task-types.ts';

export const generateContracts = {
  ...imageContracts,
  ...audioContracts,
  ...videoContracts,
  ...studioVideoContracts,
  ...cortesContracts,
  ...voiceChangeContracts,
} as const satisfies Record<string, GenerationContract>;

type AnyGeneration = (typeof generateContracts)[keyof typeof generateContracts];

type ByType = { readonly [Contract in AnyGeneration as Contract['taskType']]: Contract };

/** The input of tasks of a type, with defaults filled in. */
export type GenerationBody<Type extends TaskType> = Readonly<z.output<ByType[Type]['body']>>;

/** The compiler reports a task type that no operation creates. */
const byType: Readonly<Record<TaskType, GenerationContract>> = Object.fromEntries(
  Object.values(generateContracts).map((contract) => [contract.taskType, contract]),
) as ByType;

/** The operation that creates tasks of a type. */
export const generationOf = (taskType: TaskType): GenerationContract => byType[taskType];
