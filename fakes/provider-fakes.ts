/**
 * Fakes of providers that a local service can use instead of the real ones; each is imported only when it is started.
 */
import { systemClock } from '../shared/platform/clock.ts';
import type { SettingValues } from '../shared/platform/setting-values.ts';

export interface RunningFake {
  /** Settings with which routes of the provider come first; the offline engine remains the fallback. */
  readonly settings: Partial<SettingValues>;
  close(): Promise<void>;
}

/** Starts a fake; the key has the form `id:secret`. */
type StartFake = (key: string) => Promise<RunningFake>;

const startFal: StartFake = async (key) => {
  const { startFalFake } = await import('./fal/fal-fake.ts');
  const fake = await startFalFake({ key });
  const { queueUrl, jwksUrl } = fake;
  const settings = { engines: 'fal,offline', falQueueUrl: queueUrl, falRunUrl: queueUrl, falJwksUrl: jwksUrl };
  return { settings: { ...settings, falKey: key }, close: () => fake.close() };
};

const startElevenLabs: StartFake = async (key) => {
  const { startElevenLabsFake } = await import('./elevenlabs/elevenlabs-fake.ts');
  const fake = await startElevenLabsFake({ key });
  const settings = { engines: 'elevenlabs,offline', elevenLabsUrl: fake.url, elevenLabsKey: key };
  return { settings, close: () => fake.close() };
};

/** Adds a fake of the YouTube Data API, which provides the durations of linked videos. */
async function withLinks(key: string, fake: RunningFake): Promise<RunningFake> {
  const { startYoutubeFake } = await import('./youtube/youtube-fake.ts');
  const youtube = await startYoutubeFake({ key });
  return {
    settings: { ...fake.settings, youtubeUrl: youtube.url, youtubeKey: key },
    close: async () => void (await Promise.all([fake.close(), youtube.close()])),
  };
}

const startKlap: StartFake = async (key) => {
  const { startKlapFake } = await import('./klap/klap-fake.ts');
  const fake = await startKlapFake({ key });
  const settings = { engines: 'klap,offline', klapUrl: fake.url, klapKey: key };
  return withLinks(key, { settings, close: () => fake.close() });
};

const startVizard: StartFake = async (key) => {
  const { startVizardFake } = await import('./vizard/vizard-fake.ts');
  const fake = await startVizardFake({ key, clock: systemClock });
  const settings = { engines: 'vizard,offline', vizardUrl: fake.url, vizardKey: key };
  return withLinks(key, { settings, close: () => fake.close() });
};

export const providerFakes = {
  'fal-fake': startFal,
  'elevenlabs-fake': startElevenLabs,
  'klap-fake': startKlap,
  'vizard-fake': startVizard,
} as const satisfies Readonly<Record<string, StartFake>>;

export type ProviderFakeName = keyof typeof providerFakes;
