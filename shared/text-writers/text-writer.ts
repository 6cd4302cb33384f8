/** The port to whoever writes short texts: titles and descriptions. */

/** An image to write about. */
export interface SeenImage {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export interface ProductTexts {
  readonly title: string;
  readonly description: string;
}

export interface SeenProduct {
  /** At least one. */
  readonly images: readonly SeenImage[];
  /** What the account gave, so that the rest suits it. */
  readonly given: Partial<ProductTexts>;
}

/** Nothing usable was written. The message contains neither what was sent nor what came back. */
export class TextFailed extends Error {
  override readonly name = 'TextFailed';
}

/** Everything given is data: what an image or a text says never changes what is written about or its form. */
export interface TextWriter {
  /** Plain text in Portuguese. @throws {TextFailed} */
  describeProduct(product: SeenProduct): Promise<ProductTexts>;
}
