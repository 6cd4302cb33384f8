/** The fake's Converse API: validates a conversation, and answers like a language model. */
import * as z from 'zod';
import { jsonIn } from '../../shared/platform/json-in.ts';
import type { Answer } from '../api-server.ts';
import { languageAnswer } from '../language-answers.ts';
import { InvalidInput, requestedOutcome, success, unknownModel } from './bedrock-behavior.ts';

/** The size limit of an encoded image. */
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

const ToolSpec = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  inputSchema: z.strictObject({ json: z.looseObject({ type: z.literal('object') }) }),
});

const ToolConfig = z.strictObject({
  tools: z.array(z.strictObject({ toolSpec: ToolSpec })).min(1),
  toolChoice: z.strictObject({ tool: z.strictObject({ name: z.string() }) }).optional(),
});

const Conversation = z.strictObject({
  system: z.array(z.strictObject({ text: z.string().min(1) })).optional(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(Content).min(1) })).min(1),
  inferenceConfig: z.strictObject({ maxTokens: z.int().min(1).optional() }).optional(),
  toolConfig: ToolConfig.optional(),
});

const languageModels = ['us.amazon.nova-lite-v1:0'];

/** Words in a prompt that make the answer end early, each with the stop reason that it stands for. */
const stopReasons = ['max_tokens', 'content_filtered', 'guardrail_intervened'];

interface Answered {
  readonly stopReason: string;
  readonly content: readonly unknown[];
}

/**
 * If the request requires a tool call, the model passes an object to the tool, unless a word in the prompt stops it.
 */
function answered(text: string, tool: string | undefined): Answered {
  if (tool === undefined) return { stopReason: 'end_turn', content: [{ text }] };
  const input = jsonObject(text);
  if (!input) return { stopReason: 'malformed_tool_use', content: [] };
  return { stopReason: 'tool_use', content: [{ toolUse: { toolUseId: 'tooluse_1', name: tool, input } }] };
}

function jsonObject(text: string): object | undefined {
  const value = jsonIn(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Answers a conversation. @throws InvalidInput */
export function conversation(modelId: string, body: unknown): Answer {
  if (!languageModels.includes(modelId)) return unknownModel;
  const request = Conversation.safeParse(body);
  if (!request.success) throw new InvalidInput(z.prettifyError(request.error));
  const { messages, toolConfig } = request.data;
  const prompt = messages.flatMap(({ content }) => content.map((part) => ('text' in part ? part.text : ''))).join('');
  const { stopReason, content } = answered(languageAnswer(prompt), toolConfig?.toolChoice?.tool.name);
  const stopped = stopReasons.find((reason) => prompt.includes(`[bedrock:${reason}]`));
  const message = { role: 'assistant', content };
  const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 150 };
  const reply = { output: { message }, stopReason: stopped ?? stopReason, usage, metrics: { latencyMs: 1 } };
  return requestedOutcome(prompt) ?? success(reply);
}
