/** The fake's Converse API: what a conversation may contain, and the answer of a language model. */
import * as z from 'zod';
import { languageAnswer } from '../language-answers.ts';
import { type BedrockOutcome, outcomeOf } from './bedrock-behavior.ts';
import { faultReply, InvalidInput } from './bedrock-faults.ts';

/** The limit of an image, encoded. */
const longestImage = Math.ceil((3.75 * 2 ** 20) / 3) * 4;

const Content = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({
    image: z.strictObject({
      format: z.enum(['png', 'jpeg', 'gif', 'webp']),
      source: z.strictObject({ bytes: z.base64().min(1).max(longestImage) }),
    }),
  }),
]);

const Conversation = z.strictObject({
  system: z.array(z.strictObject({ text: z.string().min(1) })).optional(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(Content).min(1) })).min(1),
  inferenceConfig: z.strictObject({ maxTokens: z.int().min(1).optional() }).optional(),
});

const languageModels = ['us.amazon.nova-lite-v1:0'];

/** By the word that ends the answer in another way than by its end. */
const stopReasons = ['max_tokens', 'content_filtered', 'guardrail_intervened'];

/** @throws InvalidInput */
export function conversation(modelId: string, body: unknown): BedrockOutcome {
  if (!languageModels.includes(modelId)) {
    return faultReply('ValidationException', 'The provided model identifier is invalid.');
  }
  const request = Conversation.safeParse(body);
  if (!request.success) throw new InvalidInput(z.prettifyError(request.error));
  const { messages } = request.data;
  const prompt = messages.flatMap(({ content }) => content.map((part) => ('text' in part ? part.text : ''))).join('');
  const stopReason = stopReasons.find((reason) => prompt.includes(`[bedrock:${reason}]`)) ?? 'end_turn';
  const text = languageAnswer(prompt);
  const message = { role: 'assistant', content: [{ text }] };
  const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 150 };
  const reply = { output: { message }, stopReason, usage, metrics: { latencyMs: 1 } };
  return outcomeOf({ prompt }) ?? { status: 200, text: JSON.stringify(reply) };
}
