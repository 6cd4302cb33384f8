/** JSON as a type, and the one way to read it from text. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Throws SyntaxError. */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** What would arrive on the other side of a JSON boundary; undefined becomes null. */
export const throughJson = (value: unknown): Json => parseJson(JSON.stringify(value ?? null) ?? 'null');
