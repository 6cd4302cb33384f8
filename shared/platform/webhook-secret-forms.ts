/** The formats of webhook tokens and signatures, wherever the keys are. */

/** The input of a webhook token's MAC: no other use of the key can be confused with it. */
export const webhookTokenMessage = (tokenId: string): string => `webhook-token:${tokenId}`;

export const webhookTokenText = (mac: Uint8Array): string => `whk_${Buffer.from(mac).toString('hex')}`;

/** Signs with all keys: a receiver with public keys from before a rotation can still verify one of them. */
export const signatureHeader = (signatures: readonly Uint8Array[]): string =>
  signatures.map((signature) => `v1a,${Buffer.from(signature).toString('base64')}`).join(' ');
