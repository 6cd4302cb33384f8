/** Makes the recordings with which voices introduce themselves, by the service's own engine and in its own storage. */
import { routesOf } from '../shared/catalog/engines.ts';
import { type VoiceSlug, voiceName, voiceSlugs, voices } from '../shared/catalog/voices.ts';
import { routesRow } from '../shared/domain/catalog/routes-row.ts';
import { voicePreviewsRow } from '../shared/domain/catalog/voice-previews-row.ts';
import { voicesRow } from '../shared/domain/catalog/voices-row.ts';
import { inputsFolder } from '../shared/domain/tasks/task.ts';
import type { Engine, EngineJob, EngineOutput } from '../shared/engines/engine.ts';
import type { Engines } from '../shared/engines/engines.ts';
import { modelRequest } from '../shared/engines/model-request.ts';
import type { EngineRoute } from '../shared/engines/route.ts';
import { inputsBucket, resultsBucket } from '../shared/platform/bucket.ts';
import { timestamp } from '../shared/platform/clock.ts';
import { collectBytes } from '../shared/platform/limit-bytes.ts';
import { NotCertified } from '../shared/platform/not-certified.ts';
import { pause } from '../shared/platform/pause.ts';
import { contentCredentials } from '../shared/provenance/content-credentials.ts';
import type { Provenance } from '../shared/provenance/provenance.ts';
import type { FullContext } from '../shared/runtime/full-context.ts';

type Needs = Pick<FullContext, 'catalog' | 'clock' | 'ids' | 'settings'> & { readonly engines: Engines };

/** What a voice says, in the language of its accent. */
const introductions: Readonly<Record<(typeof voices)[VoiceSlug]['language'], (name: string) => string>> = {
  'en-US': (name) => `Hello! My name is ${name}, and this is my voice.`,
  'en-GB': (name) => `Hello! My name is ${name}, and this is my voice.`,
};

const checkMs = 250;
const timeLimitMs = 120_000;

async function jobFor(needs: Needs, { engine, id }: EngineRoute, slug: VoiceSlug): Promise<EngineJob> {
  const { catalog, ids, settings } = needs;
  const taskId = ids.next();
  const request = { text: introductions[voices[slug].language](voiceName(slug)), voice: slug };
  const terms = engine === 'elevenlabs' ? { voiceIds: await catalog.read(voicesRow) } : {};
  return {
    taskId,
    taskType: 'voice',
    ...modelRequest(id, 'voice', { ...request, stability: 0.5, similarityBoost: 0.75 }, terms),
    // An address of no job, whose reports are rejected: the job is polled. Operators may not read the key of addresses.
    callbackUrl: `${settings.apiUrl}/inbound/engines/${engine}/${taskId}`,
    async keep({ bytes, contentType }) {
      const inputs = inputsBucket(needs);
      const inputKey = `${inputsFolder(taskId)}made-${ids.next()}`;
      await inputs.write(inputKey, { body: [bytes], contentType });
      return inputs.addressOf(inputKey, timeLimitMs / 1000);
    },
  };
}

/** The recording that the engine makes. @throws {Error} if there is none within two minutes */
async function recordingOf(engine: Engine, job: EngineJob, { clock }: Needs): Promise<EngineOutput> {
  const until = clock.now() + timeLimitMs;
  let state: Awaited<ReturnType<Engine['submit'] | Engine['check']>> = await engine.submit(job);
  for (let reference: string | undefined; clock.now() < until; state = await engine.check(reference)) {
    const [output] = state.status === 'done' ? state.outputs : [];
    if (output) return output;
    if (state.status === 'accepted') reference = state.reference;
    if (reference === undefined || state.status === 'failed') break;
    await pause(checkMs);
  }
  throw new Error(`The engine did not make a recording of the voice: ${state.status}.`);
}

/** A recording as it is published: marked as made with AI, unless nothing is, or the key has no certificate yet. */
async function published(recording: Uint8Array, route: EngineRoute, { clock }: Needs, provenance: Provenance) {
  if (provenance.maxBytes === 0) return recording;
  const made = { digitalSourceType: 'trainedAlgorithmicMedia', softwareAgent: route.id, inputs: [] } as const;
  try {
    return (await provenance.mark(recording, 'audio/mpeg', { ...made, at: timestamp(clock.now()) })).bytes;
  } catch (error) {
    if (error instanceof NotCertified) return recording;
    throw error;
  }
}

/** The largest recording of a sentence. */
const maxBytes = 5 * 2 ** 20;

/**
 * Makes the missing recordings, or all of them, one after the other, and returns the names of their voices. Each costs
 * what the engine charges for its sentence.
 */
export async function makeVoicePreviews(needs: Needs, { again = false } = {}): Promise<readonly VoiceSlug[]> {
  const { voice } = await needs.catalog.read(routesRow);
  const [route] = routesOf(voice, 'voice');
  const engine = route && needs.engines.named(route.engine);
  if (!engine) return [];
  const { stored } = await needs.catalog.show(voicePreviewsRow);
  const provenance = contentCredentials(needs);
  const missing = voiceSlugs.filter((slug) => again || !stored.includes(slug));
  for (const slug of missing) {
    const output = await recordingOf(engine, await jobFor(needs, route, slug), needs);
    const { body } = await engine.download(output);
    const key = `voices/${slug}-${needs.ids.next()}.mp3`;
    const recording = await published(await collectBytes(body, maxBytes), route, needs, provenance);
    await resultsBucket(needs).write(key, { body: [recording], contentType: 'audio/mpeg' });
    await needs.catalog.change(voicePreviewsRow.name, { [slug]: key });
  }
  return missing;
}
