/** The images of the Studio's resources: at a URL that the account provided, or kept from a file that it uploaded. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';

export type StudioImage =
  | { readonly url: string; readonly role?: string }
  /** In the results bucket. */
  | { readonly key: string; readonly role?: string };

export const StoredImage = once(() =>
  z.union([
    z.object({ url: z.string(), role: z.exactOptional(z.string()) }),
    z.object({ key: z.string(), role: z.exactOptional(z.string()) }),
  ]),
);

/** `resultsUrl` is where files are served now. */
export const addressOf = (image: StudioImage, resultsUrl: string): string =>
  'url' in image ? image.url : `${resultsUrl}/${image.key}`;
