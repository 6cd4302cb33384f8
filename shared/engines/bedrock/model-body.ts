/** Builds the body of an invocation: the mapped input, with URLs replaced by images. */
import { collectBytes } from '../../platform/limit-bytes.ts';
import { openStoredFile } from '../stored-file.ts';

type Input = Readonly<Record<string, unknown>>;

/** Fields of Stability's models that contain an image in base64. */
const imageFields = ['image', 'mask'] as const;

/** The most bytes to read per image; larger ones are already rejected before they are copied to storage. */
const maxBytes = 10 * 2 ** 20;
const longestMs = 20_000;

const encoded = async (field: string, address: unknown, limitMs: number): Promise<readonly [string, string]> => {
  const url = URL.parse(String(address));
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`the field ${field} of the model's input is not a URL`);
  const stream = await openStoredFile(url.href, Math.min(longestMs, limitMs));
  return [field, (await collectBytes(stream, maxBytes)).toString('base64')];
};

/** Builds the body. @throws TooManyBytes, or an Error if an image cannot be read within 20 s. */
export const modelBody = async (input: Input, limitMs: number): Promise<Input> => {
  const given = imageFields.filter((field) => input[field] !== undefined);
  const images = await Promise.all(given.map((field) => encoded(field, input[field], limitMs)));
  return { ...input, ...Object.fromEntries(images) };
};
