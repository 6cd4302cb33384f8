/** The port to language models, some of which see images, and how a text is requested from one. */
import type * as z from 'zod';
import type { NoTexts, SeenImage } from './text-writer.ts';

export type Json = boolean | number | string | Json[] | { [name: string]: Json };

/** What a model is asked. Only `system` instructs it. */
export interface ModelPrompt {
  readonly system: string;
  /** Data, as JSON. */
  readonly data: string;
  readonly images: readonly SeenImage[];
  readonly maxTokens: number;
  /** The form of the answer as a JSON schema, for models that can be bound to one; `system` describes it for the others. */
  readonly schema?: Json;
}

/** A model wrote nothing usable. */
export class TextFailed extends Error {
  override readonly name = 'TextFailed';
  readonly reason: NoTexts;
  constructor(problem: string, expectation?: string) {
    super(problem);
    this.reason = { problem, ...(expectation !== undefined && { expectation }) };
  }
}

export interface LanguageModel {
  /** What the model answered, as it is. @throws {TextFailed} */
  answer(prompt: ModelPrompt, timeLimitMs: number): Promise<string>;
}

/** Models often wrap their JSON in a block of Markdown. */
const unwrapped = (text: string): string => text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1');

function parsed(text: string): unknown {
  try {
    return JSON.parse(unwrapped(text));
  } catch {
    return undefined;
  }
}

/** An answer in another form is requested once more: models do not give the same one twice. */
const attempts = 2;

/** The answer in the given form and no other, whatever the data and the images say. @throws {TextFailed} */
export async function ask<Form extends z.ZodType>(
  model: LanguageModel,
  prompt: ModelPrompt,
  form: Form,
  timeLimitMs: number,
): Promise<z.output<Form>> {
  // Timers take whole milliseconds.
  const attemptMs = Math.floor(timeLimitMs / attempts);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const written = form.safeParse(parsed(await model.answer(prompt, attemptMs)));
    if (written.success) return written.data;
  }
  throw new TextFailed('the answer is not in the required form');
}
