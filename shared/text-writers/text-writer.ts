/** The port to writers of short texts: product titles and descriptions, and titles for passages of a video. */

/** An image that the text is about. */
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
  /** The product's images; at least one. */
  readonly images: readonly SeenImage[];
  /** Texts that the account has already provided, which the new ones should match. */
  readonly given: Partial<ProductTexts>;
}

/** A sentence of a video, identified by a number: writers neither receive nor return times. */
export interface NumberedSentence {
  readonly id: number;
  readonly text: string;
}

/** A part of a transcript, as consecutive sentences. */
export interface SpokenPart {
  /** The language as an ISO 639-1 code, if known. */
  readonly language?: string | undefined;
  /** The sentences in order; at least one. */
  readonly sentences: readonly NumberedSentence[];
  /** The most passages to return. */
  readonly passageCount: number;
}

/** A passage that would make a good clip. */
export interface RankedPassage {
  /** The ids of the passage's first and last sentences. */
  readonly firstSentence: number;
  readonly lastSentence: number;
  /** How well the passage is suited as a clip, from 0 to 1. */
  readonly score: number;
  /** A title: plain text of limited length, in the language of the video. */
  readonly title?: string;
  readonly hook?: string;
}

/** Why no usable text was written. */
export interface NoTexts {
  /** The reason for the log; contains neither the request nor the response. */
  readonly problem: string;
  /** What the images must be, as a message to the client, if they are the reason. */
  readonly expectation?: string;
}

/** The engines whose language models write texts. */
export type WritingEngine = 'bedrock' | 'fal';

/** What an answer of a language model took, whether it was usable or not. */
export interface TextUse {
  readonly engine: WritingEngine;
  readonly readTokens: number;
  readonly writtenTokens: number;
  /** What the provider says that it charges, in millionths of a dollar. */
  readonly statedMicros?: number;
}

/** Is told of each answer as soon as it is there, because the request may end before the texts are written. */
export type OnUse = (use: TextUse) => void;

/**
 * A writer of texts. Input is data, never instructions: what an image or a text says must not change the subject or the
 * format of the answer.
 */
export interface TextWriter {
  /** Writes texts in Portuguese. Any error is a fault of the service. */
  describeProduct(product: SeenProduct, timeLimitMs: number, onUse?: OnUse): Promise<ProductTexts | NoTexts>;
  /** Returns the passages that would make the best clips, in any order; none if none is suitable. */
  rankPassages(spoken: SpokenPart, timeLimitMs: number, onUse?: OnUse): Promise<readonly RankedPassage[] | NoTexts>;
}
