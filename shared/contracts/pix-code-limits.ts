/** The longest accepted form of each PIX code: longer ones are rejected when a gateway returns them. */
export const pixCodeLimits = { qrCode: 1024, qrCodeBase64: 200_000 } as const;
