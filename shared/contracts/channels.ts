/** The social networks whose pages an account can connect (one page each), and limits of what is stored from them. */
export const channels = ['instagram', 'facebook'] as const;

export type Channel = (typeof channels)[number];

/** The longest stored URL, in bytes; longer URLs from a social network are dropped. */
export const longestNetworkUrl = 2048;

/** The most attachments stored per message; further ones are dropped. */
export const maxAttachments = 10;

/**
 * `revoked`: the social network no longer accepts the token, so nothing can be written. `erasing`: the page was
 * disconnected, and its stored copy is being erased.
 */
export const connectionStates = ['connected', 'revoked', 'erasing'] as const;

export type ConnectionState = (typeof connectionStates)[number];
