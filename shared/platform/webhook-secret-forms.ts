/** How webhook tokens and signatures are written, whoever holds the keys. */

/** What a webhook token is the MAC of: no other use of the key can be mistaken for it. */
export const webhookTokenMessage = (tokenId: string): string => `webhook-token:${tokenId}`;

export const webhookTokenText = (mac: Uint8Array): string => `whk_${Buffer.from(mac).toString('hex')}`;

/** By all keys: a receiver that has kept the public keys from before a rotation still finds one that it knows. */
export const signatureHeader = (signatures: readonly Uint8Array[]): string =>
  signatures.map((signature) => `v1a,${Buffer.from(signature).toString('base64')}`).join(' ');
