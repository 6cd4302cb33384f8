/** Schemas for fields from external parties, with limits that make them safe to store and show. */
import * as z from 'zod';
import { outsideLine, outsideText } from '../platform/outside-text.ts';

/** The maximum length of an id: longer than the ids of any gateway. */
const longestId = 512;

/** Longer than any list in a response, which may be in another list; longer ones would take long to read. */
export const longestList = 200;

const idForm = /^[\x21-\x7e]+$/;

/** An id as its gateway writes it; never changed, because it is sent back to the gateway. */
export const outsideId = (max = longestId) => z.coerce.string().min(1).max(max).regex(idForm);

/** A text that a user of a social network has written. */
export const writtenField = z.string().transform((text) => outsideText(text));

/** A name or another single line of text. */
export const lineField = z.string().transform((text) => outsideLine(text));

/** A count; one that is out of range is treated as missing. */
export const countField = z.int().min(0).max(1_000_000_000).nullish().catch(undefined);

/**
 * A currency's code in capitals. Anything else becomes `XXX`, the code for no currency, so that a payment in it can be
 * stored, and is found to be in another currency than was agreed.
 */
export const currencyField = z.string().transform((code) => (/^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : 'XXX'));
