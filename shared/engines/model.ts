/** Models: they map an accepted request to what a route sends its engine. */
import type { GenerationBody } from '../contracts/generate.ts';
import type { VoiceIds } from '../contracts/generate-audio.ts';
import type { AspectRatio } from '../contracts/generate-images.ts';
import type { VideoPlatform } from '../contracts/media.ts';
import type { StudioScene } from '../contracts/studio-scene.ts';
import type { TaskType } from '../contracts/task-types.ts';

/** What the inspection of the inputs adds to a request. */
interface Derived {
  readonly cortes: {
    /** Whole seconds of the video. */
    readonly seconds: number;
    readonly clipCount: number;
    /** Of a file that is no MP4, where an engine must know it. */
    readonly container?: 'mov';
    /** Of a video on a platform, whose URL is `url` in its normal form. */
    readonly link?: { readonly platform: VideoPlatform; readonly url: string };
  };
  readonly 'skin-enhance': { readonly aspectRatio: AspectRatio };
  readonly 'video-imitate': { readonly durationSec: number };
  readonly 'video-studio': StudioScene;
  readonly 'voice-change': { readonly durationSec: number };
}

/** An accepted request with defaults filled in, and its files at URLs of the service's own storage. */
export type ModelRequest<Type extends TaskType> = GenerationBody<Type> &
  (Type extends keyof Derived ? Derived[Type] : unknown);

/** Undefined members are not sent. */
export type ModelInput = Readonly<Record<string, unknown>>;

/** What the catalog says about models. */
export interface ModelTerms {
  readonly voiceIds?: VoiceIds;
}

/** The compiler demands a mapping for every task type of every route. */
export type ModelTable<Routes> = {
  readonly [Id in keyof Routes]: {
    /** The engine's own name of the model. */
    readonly model: string;
    readonly inputs: {
      readonly [Type in keyof Routes[Id] & TaskType]: (request: ModelRequest<Type>, terms: ModelTerms) => ModelInput;
    };
  };
};
