/** The field of a request that names an image. */

import { acceptedImages, fetchedLater } from './image-files.ts';
import { imageUrl } from './url-fields.ts';

/** A field for an image; `what` says what the image is for, without a period at the end. */
export const imageInput = (what: string) => imageUrl().describe(`${what}: ${acceptedImages}. ${fetchedLater}`);
