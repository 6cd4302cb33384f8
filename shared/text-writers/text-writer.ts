/** The port to the writers of short texts: titles and descriptions, and the passages of a video that deserve them. */

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

/** A sentence of a video. Writers never see times, and never answer with any. */
export interface NumberedSentence {
  readonly id: number;
  readonly text: string;
}

/** A part of what is said in a video. */
export interface SpokenPart {
  /** ISO 639-1, if known. */
  readonly language?: string | undefined;
  /** In order; at least one. */
  readonly sentences: readonly NumberedSentence[];
  /** How many passages at most. */
  readonly passageCount: number;
}

/** A passage that would make a good clip. */
export interface RankedPassage {
  /** The ids of its first and its last sentence. */
  readonly firstSentence: number;
  readonly lastSentence: number;
  /** From 0 to 1. */
  readonly score: number;
  /** Plain text of a bounded length, in the language of the video. */
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
  /** The passages that would make the best clips, in any order; none if no passage would make a good one. */
  rankPassages(spoken: SpokenPart, timeLimitMs: number): Promise<readonly RankedPassage[] | NoTexts>;
}
