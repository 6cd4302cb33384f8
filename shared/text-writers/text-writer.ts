/** The port to whoever writes short texts: titles, descriptions and spoken lines. */

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

/** What a line advertises, and how. */
export interface LineOrder extends ProductTexts {
  /** What the video shows: the names of its mode, hook and setting. */
  readonly scene: readonly string[];
  /** How long the line may take to say. */
  readonly seconds: number;
}

/** Nothing usable was written. The message contains neither what was sent nor what came back. */
export class TextFailed extends Error {
  override readonly name = 'TextFailed';
}

/** Everything given is data: what an image or a text says never changes what is written about or its form. */
export interface TextWriter {
  /** Plain text in Portuguese. @throws {TextFailed} */
  describeProduct(product: SeenProduct): Promise<ProductTexts>;
  /** What somebody says about a product. @throws {TextFailed} */
  writeLine(order: LineOrder): Promise<string>;
}
