/** What a model is sent: the mapped input, with the pictures themselves where it has their addresses. */
import { storedFile } from './stored-file.ts';

type Input = Readonly<Record<string, unknown>>;

/** The fields in which Stability's models take a picture, as base64. */
const pictureFields = ['image', 'mask'] as const;

/** Larger ones were not taken in. */
const maxBytes = 10 * 2 ** 20;
const longestMs = 20_000;

const encoded = async (field: string, address: unknown, limitMs: number): Promise<readonly [string, string]> => {
  const url = URL.parse(String(address));
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`the mapping gives no address in the field ${field}`);
  const file = await storedFile(url.href, { timeLimitMs: Math.min(longestMs, limitMs), maxBytes });
  return [field, Buffer.from(file).toString('base64')];
};

/** Throws StoredFileTooLarge, or an Error when a picture can not be read within the limit, or 20 s. */
export const modelBody = async (input: Input, limitMs: number): Promise<Input> => {
  const given = pictureFields.filter((field) => input[field] !== undefined);
  const pictures = await Promise.all(given.map((field) => encoded(field, input[field], limitMs)));
  return { ...input, ...Object.fromEntries(pictures) };
};
