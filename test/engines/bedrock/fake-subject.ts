/** The fake of Bedrock, started for a test, and the AWS SDK's own client for it. */
import sharp from 'sharp';
import { type BedrockFake, startBedrockFake } from '../../../fakes/bedrock/bedrock-fake.ts';

export const core = 'stability.stable-image-core-v1:1';
export const removeBackground = 'us.stability.stable-image-remove-background-v1:0';
export const fastUpscale = 'us.stability.stable-fast-upscale-v1:0';

const opened: { close(): Promise<void> }[] = [];

/** The fake closes at the end of the test. */
export const open = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => {
  opened.push(thing);
  return thing;
};

export const closeAll = async (): Promise<void> => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
};

export const startFake = async (): Promise<BedrockFake> => open(await startBedrockFake());

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A plain opaque image. */
export const image = (size: Size, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png'): Promise<Buffer> =>
  sharp({ create: { ...size, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer();

export const base64Image = async (...given: Parameters<typeof image>): Promise<string> =>
  (await image(...given)).toString('base64');
