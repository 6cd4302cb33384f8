/** What a generated text may be: plain text of a limited length, without contact details or markup. */
import * as z from 'zod';
import { countCodePoints } from '../contracts/code-points.ts';
import { hasContactDetails } from '../contracts/contact-details.ts';
import { once } from '../contracts/once.ts';

export const titleLength = 80;
export const descriptionLength = 600;
export const hookLength = 160;

/** Tags, Markdown emphasis, and characters that are not text. */
const forbidden = /[<>{}[\]`*_|\\#\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;

const isPlain = (text: string, maximum: number): boolean =>
  text !== '' && countCodePoints(text) <= maximum && !forbidden.test(text) && !hasContactDetails(text);

/** A schema for plain text; lines are joined before the text is checked. */
export const plainText = (maximum: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
    .refine((text) => isPlain(text, maximum));

export const WrittenProduct = once(() =>
  z.strictObject({ title: plainText(titleLength), description: plainText(descriptionLength) }),
);
