/** How long the two forms of a PIX code may be: what is longer can neither be accepted from a gateway nor be shown. */
export const pixCodeLimits = { qrCode: 1024, qrCodeBase64: 200_000 } as const;
