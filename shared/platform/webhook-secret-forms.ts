/** The formats of webhook tokens and signatures, wherever their keys are stored. */

/**
 * The message whose MAC is the webhook token; it has a prefix, so that no other use of the key produces the same MAC.
 */
export const webhookTokenMessage = (tokenId: string): string => `webhook-token:${tokenId}`;

export const webhookTokenText = (mac: Uint8Array): string => `whk_${Buffer.from(mac).toString('hex')}`;

/**
 * Signs with every key: during a rotation, a receiver that knows only the older public key can still verify one
 * signature.
 */
export const signatureHeader = (signatures: readonly Uint8Array[]): string =>
  signatures.map((signature) => `v1a,${Buffer.from(signature).toString('base64')}`).join(' ');
