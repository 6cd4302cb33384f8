/** Not the provider's address, which may change with every start: who somebody is must not. */
export const localIssuer = 'https://identity.invalid/local';
