/** The default catalog of the Studio; the catalog's STUDIO row replaces its lists without a deployment. */
import type { avatarPolicies, StudioResolution, speechPolicies } from '../contracts/studio-catalog.ts';
import { defaultHooks } from './studio-hooks.ts';
import { defaultModes } from './studio-modes.ts';
import { defaultSettings } from './studio-settings.ts';

interface StudioEntry {
  /** The display name, in Portuguese. */
  readonly name: string;
  readonly description: string;
  /** The instruction to the video model, in English; never published. */
  readonly direction: string;
}

export interface StudioMode extends StudioEntry {
  readonly slug: string;
  /** The price of 15 seconds of video, in credits. */
  readonly costsByResolution: Readonly<Record<StudioResolution, number>>;
  readonly speechPolicy: (typeof speechPolicies)[number];
  readonly avatarPolicy: (typeof avatarPolicies)[number];
}

export interface StudioHook extends StudioEntry {
  readonly id: string;
  /** The title that opens a video, in Portuguese. */
  readonly title: string;
}

export interface StudioSetting extends StudioEntry {
  readonly id: string;
}

export interface StudioCatalog {
  readonly modes: readonly StudioMode[];
  readonly hooks: readonly StudioHook[];
  readonly settings: readonly StudioSetting[];
}

export const defaultStudio: StudioCatalog = {
  modes: defaultModes,
  hooks: defaultHooks,
  settings: defaultSettings,
};
