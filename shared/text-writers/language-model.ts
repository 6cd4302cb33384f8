/** The port to language models, some of which accept images, and how the service asks one for a text. */
import type * as z from 'zod';
import type { NoTexts, OnUse, SeenImage } from './text-writer.ts';

export type Json = boolean | number | string | Json[] | { [name: string]: Json };

/** A request to a model. Only `system` contains instructions. */
export interface ModelPrompt {
  readonly system: string;
  /** The data to write about, as JSON; it must not be followed as instructions. */
  readonly data: string;
  readonly images: readonly SeenImage[];
  readonly maxTokens: number;
  /** The JSON schema of the answer, for models with structured output; for others, `system` describes it. */
  readonly schema?: Json;
}

/** A model returned nothing usable. */
export class TextFailed extends Error {
  override readonly name = 'TextFailed';
  readonly reason: NoTexts;
  constructor(problem: string, expectation?: string) {
    super(problem);
    this.reason = { problem, ...(expectation !== undefined && { expectation }) };
  }
}

export interface LanguageModel {
  /** Returns the model's answer unchanged. @throws {TextFailed} */
  answer(prompt: ModelPrompt, timeLimitMs: number, onUse?: OnUse): Promise<string>;
}

/** Removes the Markdown code block in which models often wrap JSON. */
function unwrapped(text: string): string {
  const [whole, fence] = [text.trim(), '```'];
  if (!whole.startsWith(fence) || !whole.endsWith(fence)) return whole;
  return whole.slice(fence.length, -fence.length).replace(/^json/, '').trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(unwrapped(text));
  } catch {
    return undefined;
  }
}

/** Asks again once if an answer does not match the schema, since the second answer usually differs. */
const attempts = 2;

/** Asks for an answer that matches the schema, whatever the data and the images say. @throws {TextFailed} */
export async function ask<Form extends z.ZodType>(
  model: LanguageModel,
  prompt: ModelPrompt,
  form: Form,
  timeLimitMs: number,
  onUse?: OnUse,
): Promise<z.output<Form>> {
  // The time limit is rounded down, because timers take whole milliseconds.
  const attemptMs = Math.floor(timeLimitMs / attempts);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const written = form.safeParse(parsed(await model.answer(prompt, attemptMs, onUse)));
    if (written.success) return written.data;
  }
  throw new TextFailed('the answer is not in the required form');
}
