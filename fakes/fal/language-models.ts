/**
 * The fake's language models, which respond synchronously: `openrouter/router` and, with images,
 * `openrouter/router/vision`.
 */
import * as z from 'zod';
import type { Answer } from '../api-server.ts';
import { languageAnswer } from '../language-answers.ts';
import { modelFault, queueFault } from './fal-faults.ts';

const Chat = z.strictObject({
  prompt: z.string().min(1),
  model: z.string().min(1),
  system_prompt: z.string().optional(),
  reasoning: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).optional(),
});

const imageUrl = z.string().regex(/^(?:https?:\/\/|data:image\/(?:jpeg|png|webp);base64,[\w+/=]+$)/);
const Vision = Chat.extend({ image_urls: z.array(imageUrl).min(1) });

const forms: Readonly<Record<string, typeof Chat>> = {
  '/openrouter/router': Chat,
  '/openrouter/router/vision': Vision,
};

/** The fault for each word that can be in a prompt. */
const faults: Readonly<Record<string, Answer>> = {
  '[fal:500]': queueFault('internal_error'),
  '[fal:rejected]': modelFault([{ type: 'content_policy_violation', loc: ['body', 'prompt'], msg: 'rejected' }]),
  '[fal:other-form]': { status: 200, body: { choices: [] } },
  '[fal:hang]': 'hang',
};

/** The response of a language model; undefined for any other path. */
export function languageReply(path: string, body: string): Answer | undefined {
  const form = Object.hasOwn(forms, path) ? forms[path] : undefined;
  if (!form) return undefined;
  const request = form.safeParse(JSON.parse(body));
  if (!request.success) return modelFault([{ type: 'value_error', loc: ['body'], msg: request.error.message }]);
  const { prompt } = request.data;
  const fault = Object.entries(faults).find(([word]) => prompt.includes(word))?.[1];
  if (fault) return fault;
  const cost = prompt.includes('[fal:impossible-cost]') ? 1e12 : 0.0005;
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cost };
  return { status: 200, body: { output: languageAnswer(prompt), usage } };
}
