/** A fixed issuer instead of the provider's URL, which may change with every start while users' identities must not. */
export const localIssuer = 'https://identity.invalid/local';
