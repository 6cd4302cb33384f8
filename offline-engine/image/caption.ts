/** The caption of a drawn image, on a dark gradient at its lower edge. */
import type { OverlayOptions } from 'sharp';
import type { FrameSize } from './frame-size.ts';
import { at, labelLayer, labelSize, textLayer } from './text-layer.ts';

interface CaptionOptions {
  readonly label: string;
  /** The font size relative to the image's shorter side. */
  readonly letters: number;
  readonly lines: number;
}

const shade = ({ width, height }: FrameSize, top: number): OverlayOptions => {
  const gradient = `<linearGradient id="shade" x2="0" y2="1"><stop stop-color="#05060a" stop-opacity="0"/><stop offset="0.5" stop-color="#05060a" stop-opacity="0.5"/><stop offset="1" stop-color="#05060a" stop-opacity="0.82"/></linearGradient>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height - top}">${gradient}<rect width="100%" height="100%" fill="url(#shade)"/></svg>`;
  return { input: Buffer.from(svg), left: 0, top };
};

/** The layers: the text, truncated to its lines, above the engine's label. */
export const captionOn = async (
  size: FrameSize,
  text: string,
  options: CaptionOptions,
): Promise<readonly OverlayOptions[]> => {
  const unit = Math.min(size.width, size.height);
  const margin = Math.round(unit * 0.05);
  const label = await labelLayer(options.label, labelSize(size));
  const style = { size: Math.round(unit * options.letters), width: size.width - 2 * margin, lines: options.lines };
  const letters = await textLayer({ ...style, text, weight: 'semibold' });
  const labelTop = size.height - margin - label.height;
  const textTop = labelTop - (letters?.height ?? 0) - Math.round(unit * 0.023);
  return [
    shade(size, Math.max(0, textTop - Math.round(unit * 0.1))),
    ...(letters ? [at(letters, margin, textTop)] : []),
    at(label, margin, labelTop),
  ];
};
