/** The social networks whose pages an account can connect: one page of each. */
export const channels = ['instagram', 'facebook'] as const;

export type Channel = (typeof channels)[number];
