/** Renders a QR code as a PNG image. */
import sharp from 'sharp';
import { encode } from 'uqr';

const pixelsPerModule = 4;
const quietModules = 4;

export async function qrImage(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules });
  const pixels = Buffer.from(data.flatMap((row) => row.map((isDark) => (isDark ? 0 : 255))));
  const side = size * pixelsPerModule;
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(side, side, { kernel: 'nearest' })
    .png({ palette: true, colors: 2 })
    .toBuffer();
}
