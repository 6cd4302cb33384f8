/** Images of Studio resources: at a URL that the account provided, or stored from an upload. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';

export type StudioImage =
  | { readonly url: string; readonly role?: string }
  /** A stored image, by its key in the results bucket. */
  | { readonly key: string; readonly role?: string };

export const StoredImage = once(() =>
  z.union([
    z.object({ url: z.string(), role: z.exactOptional(z.string()) }),
    z.object({ key: z.string(), role: z.exactOptional(z.string()) }),
  ]),
);

/** The URL of an image; `resultsUrl` is the base URL of stored files. */
export const addressOf = (image: StudioImage, resultsUrl: string): string =>
  'url' in image ? image.url : `${resultsUrl}/${image.key}`;
