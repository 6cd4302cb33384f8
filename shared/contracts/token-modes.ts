/** The modes of a token: its requests are real, or are tests, which have prepared results and cost nothing. */
export const tokenModes = ['live', 'test'] as const;

export type TokenMode = (typeof tokenModes)[number];
