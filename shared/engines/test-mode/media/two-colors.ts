/** The colors of an image of test mode. */
export interface Color {
  readonly rgb: readonly [red: number, green: number, blue: number];
  /** From 0 (transparent) to 255. */
  readonly alpha: number;
}

export interface TwoColors {
  readonly paper: Color;
  readonly word: Color;
}

/** The color of a text such as `#1c7ed6`, or `transparent`. */
export function colorOf(text: string): Color {
  const value = Number.parseInt(text.slice(1), 16);
  if (!/^#[0-9a-f]{6}$/i.test(text)) return { rgb: [255, 255, 255], alpha: 0 };
  return { rgb: [value >> 16, (value >> 8) & 255, value & 255], alpha: 255 };
}
