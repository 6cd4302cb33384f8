/**
 * Adapter to the language models that fal.ai offers through OpenRouter, following its model API reference
 * (vision-api/openrouter-router, 2026-11) and its client's types: `POST https://fal.run/openrouter/router/vision`, and
 * `…/openrouter/router` for prompts without images, respond with `{ output, usage }`. Assumed, because the reference
 * does not say: that images may be data URIs, as elsewhere at fal.ai, and how large a request may be.
 */
import * as z from 'zod';
import { headersWith } from '../../engines/fal/fal-queue.ts';
import { boundedExchange } from '../../platform/bounded-exchange.ts';
import { jsonIn } from '../../platform/json-in.ts';
import { type LanguageModel, type ModelPrompt, TextFailed } from '../language-model.ts';
import { statedDollars, statedTokens } from '../stated-use.ts';
import type { SeenImage, TextUse } from '../text-writer.ts';

export interface FalLanguageAccess {
  /** The base URL, `https://fal.run`; the key is sent nowhere else. */
  readonly runUrl: string;
  /** The key, `id:secret`, is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
}

const model = 'google/gemini-2.5-flash';

const maxAnswerBytes = 256 * 1024;

/** The limit of all images together, before encoding; images beyond it are left out. */
const maxImageBytes = 12 * 2 ** 20;

const Answer = z.object({ output: z.string(), error: z.string().nullish() });

/** What was counted, also for an answer that is not usable, and what it costs in dollars. */
const Counted = z.object({
  usage: z.object({ prompt_tokens: statedTokens, completion_tokens: statedTokens, cost: statedDollars }),
});

function useIn(response: unknown): TextUse | undefined {
  const usage = Counted.safeParse(response).data?.usage;
  if (!usage) return undefined;
  const { prompt_tokens: readTokens, completion_tokens: writtenTokens, cost } = usage;
  const stated = typeof cost === 'number' ? { statedMicros: Math.round(cost * 1_000_000) } : {};
  return { engine: 'fal', readTokens, writtenTokens, ...stated };
}

const dataUri = ({ contentType, bytes }: SeenImage): string =>
  `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;

/** Selects as many images as fit into the limit, in order. */
function fitting(images: readonly SeenImage[]): readonly SeenImage[] {
  let left = maxImageBytes;
  return images.filter(({ bytes }) => {
    const fits = bytes.length <= left;
    if (fits) left -= bytes.length;
    return fits;
  });
}

const bodyOf = ({ system, data, images, maxTokens }: ModelPrompt) => ({
  model,
  system_prompt: system,
  prompt: data,
  max_tokens: maxTokens,
  reasoning: false,
  ...(images.length > 0 && { image_urls: fitting(images).map(dataUri) }),
});

export const falLanguageModel = ({ runUrl, key }: FalLanguageAccess): LanguageModel => ({
  async answer(prompt, timeLimitMs, onUse) {
    const headers = headersWith(await key());
    const url = `${runUrl}/openrouter/router${prompt.images.length > 0 ? '/vision' : ''}`;
    const request = { url, method: 'POST', headers, body: JSON.stringify(bodyOf(prompt)) } as const;
    const bounds = { timeLimitMs, maxBytes: maxAnswerBytes };
    const { status, text } = await boundedExchange('fal.ai', request, bounds).catch((error: Error) => {
      throw new TextFailed(error.message);
    });
    if (status !== 200) throw new TextFailed(`fal.ai responded with ${status}`);
    const response = jsonIn(text);
    const use = useIn(response);
    if (use) onUse?.(use);
    const answer = Answer.safeParse(response).data;
    if (!answer || answer.error) throw new TextFailed('the response of fal.ai has no output');
    return answer.output;
  },
});
