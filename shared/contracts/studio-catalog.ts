/** The Studio's catalog: the modes, hooks and settings that Studio videos can have. */
import * as z from 'zod';
import { shortText } from './fields.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';

export const studioResolutions = ['480p', '720p'] as const;
export type StudioResolution = (typeof studioResolutions)[number];

/** The most modes, hooks or settings that the catalog may list. */
export const maxStudioEntries = 50;

export const speechPolicies = ['optional', 'forbidden'] as const;
export const avatarPolicies = ['optional', 'required', 'forbidden'] as const;

/** The duration, in seconds, that a mode's costs are stated for; also the longest Studio video. */
export const studioCostSeconds = 15;

const name = () => shortText().describe('The display name, in Portuguese.');
const description = () => shortText(500).describe('Its effect on a video, in Portuguese.');

const costFor = (resolution: StudioResolution) =>
  z.int().min(1).describe(`The cost in credits of ${studioCostSeconds} seconds at ${resolution}.`);

const StudioMode = once(() =>
  z
    .object({
      slug: shortText().describe('The `mode` of a request.'),
      name: name(),
      description: description(),
      costsByResolution: z
        .object({ '480p': costFor('480p'), '720p': costFor('720p') })
        .meta({ id: 'StudioCosts' })
        .describe(`The cost of a ${studioCostSeconds}-second video; shorter videos cost proportionally less.`),
      speechPolicy: z
        .enum(speechPolicies)
        .describe('Whether the video can contain speech; if `forbidden`, `userPrompt` is ignored.'),
      avatarPolicy: z.enum(avatarPolicies).describe('Whether an `avatarId` may, must or must not be given.'),
    })
    .meta({ id: 'StudioMode', description: 'A kind of Studio video.' }),
);

const StudioHook = once(() =>
  z
    .object({ id: shortText().describe('The `hookId` of a request.'), name: name(), description: description() })
    .meta({ id: 'StudioHook', description: 'How a video captures attention in its first seconds.' }),
);

const StudioSetting = once(() =>
  z
    .object({ id: shortText().describe('The `settingId` of a request.'), name: name(), description: description() })
    .meta({ id: 'StudioSetting', description: 'Where a video takes place.' }),
);

const StudioCatalog = once(() =>
  z
    .object({
      modes: z.array(StudioMode()).max(maxStudioEntries).describe('In display order.'),
      hooks: z.array(StudioHook()).max(maxStudioEntries).describe('In display order.'),
      settings: z.array(StudioSetting()).max(maxStudioEntries).describe('In display order.'),
    })
    .meta({ id: 'StudioCatalog', description: 'The modes, hooks and settings of Studio videos.' }),
);

export const studioCatalogContracts = {
  getStudioCatalog: {
    operationId: 'getStudioCatalog',
    method: 'GET',
    path: '/api/v1/studio/catalog',
    tag: 'Studio',
    scopes: ['generate:video'],
    idempotent: false,
    dashboard: true,
    summary: 'Get the modes, hooks and settings of Studio videos',
    description:
      'The values that `mode`, `hookId` and `settingId` of a Studio video can have, and the cost of each mode. Names and descriptions are in Portuguese. The catalog can be read with any plan, and while the Studio is switched off. Changes to it take effect within 30 seconds.',
    success: {
      status: 200,
      get data() {
        return StudioCatalog();
      },
    },
    errors: [],
    example: {
      data: {
        modes: [
          {
            slug: 'depoimento',
            name: 'Depoimento',
            description: 'Uma pessoa olha para a câmera e conta por que recomenda o produto.',
            costsByResolution: { '480p': 90, '720p': 150 },
            speechPolicy: 'optional',
            avatarPolicy: 'required',
          },
        ],
        hooks: [{ id: 'pergunta-direta', name: 'Pergunta direta', description: 'Começa com uma pergunta ao público.' }],
        settings: [
          { id: 'estudio-claro', name: 'Estúdio claro', description: 'Fundo claro, luz suave e nenhuma distração.' },
        ],
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
