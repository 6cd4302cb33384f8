/** The formats of the audio of test mode, which are mono and whose frames do not depend on each other. */
export const audioFormat = {
  samplesPerSecond: 24_000,
  mp3: { samplesPerFrame: 576, bitsPerSecond: 32_000 },
  aac: { samplesPerFrame: 1024, bitsPerSecond: 32_000 },
} as const;
