/** Builds the text of a PIX QR code: EMV's merchant-presented format, as profiled by the Banco Central do Brasil. */

const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

interface PixCode {
  /** The receiver's random PIX key. */
  readonly key: string;
  readonly cents: number;
  /** The transaction's id: at most 25 letters and digits. */
  readonly transaction: string;
}

export function pixCode({ key, cents, transaction }: PixCode): string {
  const fields = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', (cents / 100).toFixed(2)),
    field('58', 'BR'),
    field('59', 'Generation Service'),
    field('60', 'SAO PAULO'),
    field('62', field('05', transaction)),
  ].join('');
  return `${fields}6304${crc16(`${fields}6304`)}`;
}
