/** The offline engine with input images: a server of samples and invalid files, and decoded results. */
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import sharp from 'sharp';
import { WorkFailure } from '../../offline-engine/work-failure.ts';
import { localServer } from '../support/local-server.ts';
import { startEngine } from './engine-client.ts';
import { performOperation } from './perform-operation.ts';

/** Four bytes per pixel; `bytes` is the file as received. */
export interface SeenImage {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly hasAlpha: boolean;
  readonly pixels: Uint8Array;
}

export const seen = async (bytes: Buffer, contentType = ''): Promise<SeenImage> => {
  const { format, hasAlpha } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { bytes, contentType, width: info.width, height: info.height, format, hasAlpha, pixels: data };
};

export const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../infra/demo/samples/${name}`, import.meta.url));

/** Serves the samples by name, and other files that tests add. */
const startImageServer = async () => {
  const responses = new Map<string, RequestListener>();
  const { url, close } = await localServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const own = responses.get(name);
    if (own) return own(request, response);
    sample(name).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  return {
    url,
    close,
    /** Serves a file and returns its URL. */
    put(content: Buffer | RequestListener, ending = 'png') {
      const name = `put-${responses.size}.${ending}`;
      responses.set(name, typeof content === 'function' ? content : (_, response) => void response.end(content));
      return `${url}/${name}`;
    },
  };
};

export const startImageEngine = async () => {
  const [engine, images] = [await startEngine(), await startImageServer()];
  const submit = (operation: string, input: unknown) => engine.submit(input, { operation });
  return {
    filesDir: engine.filesDir,
    request: engine.request,
    submit,
    check: engine.check,
    ended: engine.ended,
    put: (content: Buffer | RequestListener, ending?: string) => images.put(content, ending),
    /** The URL of a sample. */
    at: (name: string) => `${images.url}/${name}`,
    /** The failure with which an operation ends. */
    failure: (operation: string, input: unknown) =>
      performOperation(operation, input, engine.filesDir).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof WorkFailure) return { code: error.code, message: error.message };
          throw error;
        },
      ),
    /** The results of an operation; fails if the reported dimensions do not match the files. */
    async makeAll(operation: string, input: unknown): Promise<readonly SeenImage[]> {
      const files = await performOperation(operation, input, engine.filesDir);
      return Promise.all(
        files.map(async ({ bytes, ...reported }) => {
          const made = await seen(bytes, reported.contentType);
          const { contentType, width, height } = made;
          if (JSON.stringify(reported) === JSON.stringify({ contentType, width, height })) return made;
          throw new Error(`It reported ${JSON.stringify(reported)} of ${contentType} ${width}x${height}`);
        }),
      );
    },
    async make(operation: string, input: unknown): Promise<SeenImage> {
      const [first] = await this.makeAll(operation, input);
      if (!first) throw new Error('there is no result');
      return first;
    },
    /** The files of a video result. */
    async makeVideo(operation: string, input: unknown): Promise<{ readonly video: Buffer; readonly poster: Buffer }> {
      const { reference } = await submit(operation, input);
      const { status, error, outputs: [output] = [] } = await engine.ended(reference);
      if (!output?.posterUrl) throw new Error(`${status}: ${error?.message}`);
      const bytesAt = async (url: string) => Buffer.from(await (await engine.request(url)).arrayBuffer());
      return { video: await bytesAt(output.url), poster: await bytesAt(output.posterUrl) };
    },
    async close() {
      await images.close();
      await engine.close();
    },
  };
};

export type ImageEngine = Awaited<ReturnType<typeof startImageEngine>>;

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const places = (image: SeenImage, { left, top, width, height }: Area): readonly number[] =>
  Array.from(
    { length: width * height },
    (_, index) => ((top + Math.floor(index / width)) * image.width + left + (index % width)) * 4,
  );

/** The share of different pixels in an area, from 0 to 1; by default in the whole image. */
export const changedShare = (one: SeenImage, other: SeenImage, area?: Area): number => {
  const all = places(one, area ?? { left: 0, top: 0, width: one.width, height: one.height });
  const [mine, others] = [one.pixels, other.pixels];
  const differs = (place: number) =>
    mine[place] !== others[place] ||
    mine[place + 1] !== others[place + 1] ||
    mine[place + 2] !== others[place + 2] ||
    mine[place + 3] !== others[place + 3];
  return all.filter(differs).length / all.length;
};

/** The mean red, green, blue and alpha of an area. */
export const meanColor = (image: SeenImage, area?: Area): readonly [number, number, number, number] => {
  const all = places(image, area ?? { left: 0, top: 0, width: image.width, height: image.height });
  const mean = (channel: number) =>
    all.reduce((sum, place) => sum + (image.pixels[place + channel] ?? 0), 0) / all.length;
  return [mean(0), mean(1), mean(2), mean(3)];
};

/** The variance of brightness minus its 3 × 3 mean. */
export const fineVariance = (image: SeenImage, area: Area): number => {
  const brightness = (place: number) =>
    0.299 * (image.pixels[place] ?? 0) +
    0.587 * (image.pixels[place + 1] ?? 0) +
    0.114 * (image.pixels[place + 2] ?? 0);
  const row = image.width * 4;
  const around = [-row - 4, -row, -row + 4, -4, 0, 4, row - 4, row, row + 4];
  const values = places(image, area).map(
    (place) => brightness(place) - around.reduce((sum, offset) => sum + brightness(place + offset), 0) / 9,
  );
  return values.reduce((sum, value) => sum + value * value, 0) / values.length;
};
