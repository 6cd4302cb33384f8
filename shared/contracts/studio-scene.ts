/**
 * What an engine receives for a Studio video in addition to the request: texts of the catalog, the product and the
 * avatar.
 */
import * as z from 'zod';
import { aspectRatios } from './image-files.ts';
import { once } from './once.ts';
import { speechPolicies } from './studio-catalog.ts';
import { imageUrl } from './url-fields.ts';

const entry = () => ({ name: z.string(), description: z.string(), direction: z.string() });

/** The scene's images are marked as client URLs, so they are copied before an engine gets them. */
export const StudioScene = once(() =>
  z.object({
    /** The aspect ratio of the video, which replaces that of the request. */
    aspectRatio: z.enum(aspectRatios),
    scene: z.object({
      mode: z.object({ slug: z.string(), ...entry() }),
      hook: z.object({ id: z.string(), ...entry(), title: z.string() }).exactOptional(),
      setting: z.object({ id: z.string(), ...entry() }).exactOptional(),
    }),
    /** The mode's speech policy, which determines the available routes. */
    speechPolicy: z.enum(speechPolicies),
    /** The line to speak. Without it, the engine writes one unless the mode forbids speech. */
    line: z.string().exactOptional(),
    product: z.object({ title: z.string(), description: z.string(), images: z.array(imageUrl()).min(1) }),
    avatar: z.object({ name: z.string(), gender: z.string().exactOptional(), image: imageUrl() }).exactOptional(),
  }),
);
export type StudioScene = Readonly<z.output<ReturnType<typeof StudioScene>>>;
