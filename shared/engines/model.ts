/** Models: mappings from an accepted request to what a route sends its engine. */
import type { GenerationBody } from '../contracts/generate.ts';
import type { VoiceIds } from '../contracts/generate-audio.ts';
import type { AspectRatio } from '../contracts/image-files.ts';
import type { VideoPlatform } from '../contracts/media.ts';
import type { StudioScene } from '../contracts/studio-scene.ts';
import type { TaskType } from '../contracts/task-types.ts';

/** What inspecting the inputs adds to a request. */
interface Derived {
  readonly cortes: {
    /** The duration of the video in whole seconds. */
    readonly seconds: number;
    readonly clipCount: number;
    /** The container, if it is not MP4 and the engine must know it. */
    readonly container?: 'mov';
    /** The link to a video on a video site, in normalized form. */
    readonly link?: { readonly platform: VideoPlatform; readonly url: string };
  };
  readonly 'skin-enhance': { readonly aspectRatio: AspectRatio };
  readonly 'video-imitate': { readonly durationSec: number };
  readonly 'video-studio': StudioScene;
  readonly 'voice-change': { readonly durationSec: number };
}

/** An accepted request with defaults filled in, whose files are URLs of the service's own storage. */
export type ModelRequest<Type extends TaskType> = GenerationBody<Type> &
  (Type extends keyof Derived ? Derived[Type] : unknown);

/** The input of a model; undefined members are not sent. */
export type ModelInput = Readonly<Record<string, unknown>>;

/** The settings of the catalog that models use. */
export interface ModelTerms {
  readonly voiceIds?: VoiceIds;
}

/** The type of the tables of models, which requires a mapping for every task type of every route. */
export type ModelTable<Routes> = {
  readonly [Id in keyof Routes]: {
    /** The engine's name for the model. */
    readonly model: string;
    readonly inputs: {
      readonly [Type in keyof Routes[Id] & TaskType]: (request: ModelRequest<Type>, terms: ModelTerms) => ModelInput;
    };
  };
};
