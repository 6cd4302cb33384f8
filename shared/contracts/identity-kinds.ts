/** How an account's owner logs in: with a password, or through another provider, such as Google. */
export const identityKinds = ['password', 'social'] as const;
export type IdentityKind = (typeof identityKinds)[number];
