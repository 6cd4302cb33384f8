/**
 * Adapter to a language model on Amazon Bedrock, following the Converse API reference (2026-11). Assumed: that the
 * administrator has access to the model, a US inference profile.
 */
import * as z from 'zod';
import { InvocationFailed, type ModelRuntime } from '../../platform/model-runtime.ts';
import { type Json, type LanguageModel, type ModelPrompt, TextFailed } from '../language-model.ts';
import { statedTokens } from '../stated-use.ts';
import type { SeenImage } from '../text-writer.ts';

const modelId = 'us.amazon.nova-lite-v1:0';

/** Limits of an image in a Converse request. */
const maxImageBytes = 3.75 * 2 ** 20;
const maxSidePixels = 8000;

const Content = z.object({ text: z.string().optional(), toolUse: z.object({ input: z.unknown() }).optional() });

const Answer = z.object({
  stopReason: z.string(),
  output: z.object({ message: z.object({ content: z.array(Content) }) }),
});

/** What Bedrock counted, also for an answer that is not usable. */
const Counted = z.object({ usage: z.object({ inputTokens: statedTokens, outputTokens: statedTokens }) });

const isFitting = ({ bytes, width, height }: SeenImage): boolean =>
  bytes.length <= maxImageBytes && Math.max(width, height) <= maxSidePixels;

const imageBlock = ({ bytes, contentType }: SeenImage) => ({
  image: { format: contentType.slice('image/'.length) as 'jpeg' | 'png' | 'webp', source: { bytes } },
});

function contentOf({ data, images }: ModelPrompt) {
  const fitting = images.filter(isFitting);
  if (fitting.length === 0 && images.length > 0) {
    throw new TextFailed(
      'no image is small enough for the model',
      `at least one image must be at most 3.75 MB and ${maxSidePixels} pixels per side`,
    );
  }
  return [...fitting.map(imageBlock), { text: data }];
}

/** The name of the only tool, which the model is forced to call: the tool's input is the model's answer. */
const answerTool = 'answer';

const toolConfig = (schema: Json) => ({
  tools: [{ toolSpec: { name: answerTool, inputSchema: { json: schema } } }],
  toolChoice: { tool: { name: answerTool } },
});

const answerIn = (content: readonly z.output<typeof Content>[]): string => {
  const used = content.find(({ toolUse }) => toolUse)?.toolUse;
  return used ? JSON.stringify(used.input) : content.map(({ text = '' }) => text).join('');
};

export const bedrockLanguageModel = (runtime: Pick<ModelRuntime, 'converse'>): LanguageModel => ({
  async answer(prompt, timeLimitMs, onUse) {
    const request = {
      system: [{ text: prompt.system }],
      messages: [{ role: 'user' as const, content: contentOf(prompt) }],
      inferenceConfig: { maxTokens: prompt.maxTokens },
      ...(prompt.schema && { toolConfig: toolConfig(prompt.schema) }),
    };
    const response = await runtime.converse(modelId, request, { timeoutMs: timeLimitMs }).catch((error: unknown) => {
      throw error instanceof InvocationFailed ? new TextFailed(error.message) : error;
    });
    const usage = Counted.safeParse(response).data?.usage;
    if (usage) onUse?.({ engine: 'bedrock', readTokens: usage.inputTokens, writtenTokens: usage.outputTokens });
    const answer = Answer.safeParse(response).data;
    // Any other stop reason means that the answer was truncated or filtered.
    if (!answer || !['end_turn', 'tool_use'].includes(answer.stopReason)) {
      throw new TextFailed('the model did not finish its answer');
    }
    return answerIn(answer.output.message.content);
  },
});
