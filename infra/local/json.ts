/** A type for JSON, and how to parse it. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** @throws {SyntaxError} */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** The value after a JSON round trip; undefined becomes null. */
export const throughJson = (value: unknown): Json => parseJson(JSON.stringify(value ?? null) ?? 'null');
