/**
 * Tasks through the service with the fake of each provider but fal.ai: what they cost, and that nothing that clients
 * receive reveals the provider. The handling of each outcome at a provider is tested with its adapter.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startBedrockFake } from '../../fakes/bedrock/bedrock-fake.ts';
import { type ElevenLabsOutcome, startElevenLabsFake } from '../../fakes/elevenlabs/elevenlabs-fake.ts';
import { type KlapOutcome, startKlapFake } from '../../fakes/klap/klap-fake.ts';
import { plainImage } from '../../fakes/plain-media.ts';
import { startVizardFake, type VizardOutcome } from '../../fakes/vizard/vizard-fake.ts';
import { startYoutubeFake } from '../../fakes/youtube/youtube-fake.ts';
import { failureMessage, type TaskErrorCode } from '../../shared/contracts/errors.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { elevenLabsEnvironment, elevenLabsKey } from '../support/elevenlabs-environment.ts';
import { exampleBody } from '../support/example-body.ts';
import { imageHost } from '../support/image-host.ts';
import { testService } from '../support/test-service.ts';

const key = 'secret-of-the-provider';

/**
 * Starts a fake whose first submission or invocation has the given outcome; returns the settings of a service that uses
 * it.
 */
type Start = (outcome: string) => Promise<Readonly<Record<string, string>>>;

const closing = <Fake extends { close(): Promise<void> }>(fake: Fake): Fake => {
  onTestFinished(() => fake.close());
  return fake;
};

/** A video of one minute. */
const youtube = async () => {
  const { url } = closing(await startYoutubeFake({ key, durationOf: () => 'PT1M' }));
  return { [settingVariables.youtubeUrl]: url, [settingVariables.youtubeKey]: key };
};

const starts: Readonly<Record<string, Start>> = {
  Bedrock: async () => ({
    [settingVariables.engines]: 'bedrock',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: closing(await startBedrockFake()).url,
  }),
  ElevenLabs: async (outcome) => {
    const behavior = { next: [outcome as ElevenLabsOutcome], last: 'done' as const, workMs: 0 };
    return elevenLabsEnvironment(closing(await startElevenLabsFake({ key: elevenLabsKey, behavior })));
  },
  Klap: async (outcome) => {
    const behavior = { next: [outcome as KlapOutcome], last: 'done' as const, polls: 1 };
    const { url } = closing(await startKlapFake({ key, behavior, clipSeconds: 1 }));
    const settings = { [settingVariables.klapUrl]: url, [settingVariables.klapKey]: key };
    return { [settingVariables.engines]: 'klap', ...settings, ...(await youtube()) };
  },
  Vizard: async (outcome) => {
    const behavior = { next: [outcome as VizardOutcome], last: 'done' as const, polls: 1 };
    const { url } = closing(await startVizardFake({ key, behavior, clock: systemClock, clipSeconds: 1 }));
    const settings = { [settingVariables.vizardUrl]: url, [settingVariables.vizardKey]: key };
    return { [settingVariables.engines]: 'vizard', ...settings, ...(await youtube()) };
  },
};

const { bytes } = await plainImage(96, 80, 'png');
const images = await imageHost({ 'small.png': (response) => response.end(bytes) });
afterAll(() => images.close());
const imageUrl = images.url('small.png');
const link = { videoUrl: 'https://youtu.be/aMinute____' };

type Case = [operation: OperationId, body: object, outcome: string, code?: TaskErrorCode, message?: string];

const cases: Readonly<Record<string, readonly Case[]>> = {
  Bedrock: [
    ['generateImage', { prompt: 'um farol', aspectRatio: '16:9', numImages: 1 }, 'an image'],
    ['removeBackground', { imageUrl, background: 'transparent' }, 'an image'],
    ['upscaleImage', { imageUrl, scale: 4 }, 'an image'],
    ['generateImage', { prompt: '[bedrock:filtered-prompt]', numImages: 1 }, 'a filtered prompt', 'CONTENT_REJECTED'],
  ],
  ElevenLabs: [
    ['generateVoice', {}, 'done'],
    ['changeVoice', {}, 'done'],
    ['generateVoice', {}, 'concurrent_limit_exceeded'],
    ['generateVoice', {}, 'internal_server_error'],
    ['changeVoice', {}, 'invalid_parameters', 'INPUT_INVALID'],
    ['generateVoice', { voiceId: 'unknown0000000' }, 'done', 'INPUT_INVALID'],
  ],
  Klap: [
    ['generateCortes', link, 'done'],
    ['generateCortes', link, 'busy'],
    ['generateCortes', link, 'gone'],
    ['generateCortes', link, 'too-few', 'INPUT_INVALID', 'videoUrl has too few passages for 3 clips'],
  ],
  Vizard: [
    ['generateCortes', link, 'done'],
    ['generateCortes', link, 'rate-limit'],
    ['generateCortes', link, 'small', 'PROVIDER_ERROR'],
    ['generateCortes', link, 'broken-file', 'INPUT_INVALID', 'videoUrl is damaged'],
  ],
};

describe.for(Object.entries(cases))('with %s,', ([provider, ofProvider]) => {
  test.for(ofProvider)(
    'the task of %s with %j and the outcome “%s” is charged only if it completes, and does not name the provider',
    async ([operationId, changes, outcome, code, message]) => {
      const host = await testService({ watchesEngines: true, environment: (await starts[provider]?.(outcome)) ?? {} });
      onTestFinished(() => host.close());
      const { accountId, token } = await host.account({ credits: 100, planId: 'pro' });
      const body = { ...exampleBody(operationId, host.engine.inputUrls), ...changes };
      const dry = await host.call(operationId, { token, body, headers: { 'x-dry-run': 'true' } });
      const { cost } = dry.body.data as { cost: number };
      const response = await host.call(operationId, { token, body });
      expect(response.status, response.text).toBe(202);
      const task = await host.ended(token, (response.body.data as { taskId: string }).taskId);
      expect(task.error).toEqual(code && { code, message: failureMessage(code, message) });
      expect(task).toMatchObject({ creditsUsed: cost, creditsRefunded: code ? cost : 0 });
      const stored = await host.service.context.accounts.find(accountId);
      expect(stored).toMatchObject({ balance: code ? 100 : 100 - cost, openTasks: [] });
      if (!code) expect((await fetch(task.resultUrl ?? '')).status).toBe(200);
      const { input: _input, label: _label, ...shown } = task;
      expect(JSON.stringify(shown)).not.toMatch(
        /bedrock|stability|eleven|klap|vizard|secret|request_id|folder_|viral/i,
      );
      await host.audit();
    },
  );
});
