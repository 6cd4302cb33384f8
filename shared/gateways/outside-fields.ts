/** Fields of what outside parties send, with their bounds: what is stored of them can be stored, read and shown again. */
import * as z from 'zod';
import { outsideLine, outsideText } from '../platform/outside-text.ts';

/** Longer ids are of no gateway. */
const longestId = 512;

const idForm = /^[\x21-\x7e]+$/;

/** An id as its gateway writes it: it is sent back, so nothing in it is changed. */
export const outsideId = (most = longestId) => z.coerce.string().min(1).max(most).regex(idForm);

/** What people have written. */
export const writtenField = z.string().transform((text) => outsideText(text));

/** A name, or another text of one line. */
export const lineField = z.string().transform((text) => outsideLine(text));

/** A number of people or things; one that is out of range is as if it were not said. */
export const countField = z.int().min(0).max(1_000_000_000).nullish().catch(undefined);
