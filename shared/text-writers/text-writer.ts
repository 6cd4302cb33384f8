/** The port to the writers of short texts: titles and descriptions. */

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

/** A passage that would make a good clip. */
export interface RankedPassage {
  /** The ids of its first and its last sentence. */
  readonly firstSentence: number;
  readonly lastSentence: number;
  /** From 0 to 1. */
  readonly score: number;
  /** Both in the language of the video. */
  readonly title?: string;
  readonly hook?: string;
}

/** Why nothing usable was written. */
export interface NoTexts {
  /** For the log: contains neither what was sent nor what came back. */
  readonly problem: string;
  /** For the client: what its images must be, if they are the reason. */
  readonly expectation?: string;
}

/** Everything given is data: what an image or a text says never changes what is written about or its form. */
export interface TextWriter {
  /** Plain text in Portuguese. Any error is a fault of the service. */
  describeProduct(product: SeenProduct, timeLimitMs: number): Promise<ProductTexts | NoTexts>;
}
