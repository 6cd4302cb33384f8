/** The field of a request that names an image. */
import { imageUrl } from './fields.ts';
import { acceptedImages, fetchedLater } from './image-files.ts';

/** Its description begins with what the image is for, without a full stop. */
export const imageInput = (what: string) => imageUrl().describe(`${what}: ${acceptedImages}. ${fetchedLater}`);
