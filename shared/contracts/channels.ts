/** The social networks whose pages an account can connect: one page of each, and what is kept of its messages. */
export const channels = ['instagram', 'facebook'] as const;

export type Channel = (typeof channels)[number];

/** In bytes: longer URLs of networks are left out. */
export const longestNetworkUrl = 2048;

/** Of one message; more are left out. */
export const mostAttachments = 10;

/**
 * `revoked`: the network no longer accepts the token, so that nothing can be written. `erasing`: it was disconnected,
 * and what is left of its copy is being erased.
 */
export const connectionStates = ['connected', 'revoked', 'erasing'] as const;

export type ConnectionState = (typeof connectionStates)[number];
