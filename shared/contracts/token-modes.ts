/** What the requests of a token are: for real, or tests whose results are canned and cost nothing. */
export const tokenModes = ['live', 'test'] as const;

export type TokenMode = (typeof tokenModes)[number];
