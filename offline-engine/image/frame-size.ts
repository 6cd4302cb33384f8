/** The image size for each aspect ratio: about a megapixel. */
import * as z from 'zod';

export const AspectRatio = z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9']);

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export const frameSizes: Readonly<Record<z.output<typeof AspectRatio>, FrameSize>> = {
  '1:1': { width: 1024, height: 1024 },
  '16:9': { width: 1344, height: 768 },
  '9:16': { width: 768, height: 1344 },
  '4:3': { width: 1152, height: 864 },
  '3:4': { width: 864, height: 1152 },
  '21:9': { width: 1536, height: 640 },
};
