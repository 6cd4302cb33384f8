/** The voices that requests can name: one entry each, listed in this order. */

export const genders = ['female', 'male', 'neutral'] as const;
export type Gender = (typeof genders)[number];

interface VoiceEntry {
  /** The default ElevenLabs voice id; the catalog can override it without a deployment. */
  readonly elevenLabsId: string;
  readonly gender: Gender;
  /** The language of the voice's accent, as a BCP 47 tag; every voice also speaks other languages. */
  readonly language: 'en-US' | 'en-GB';
  readonly style: string;
}

export const voices = {
  aria: { elevenLabsId: '9BWtsMINqrJLrRacOk9x', gender: 'female', language: 'en-US', style: 'expressive' },
  roger: { elevenLabsId: 'CwhRBWXzGAHq8TQ4Fs17', gender: 'male', language: 'en-US', style: 'confident' },
  sarah: { elevenLabsId: 'EXAVITQu4vr4xnSDxMaL', gender: 'female', language: 'en-US', style: 'soft' },
  laura: { elevenLabsId: 'FGY2WhTYpPnrIDTdsKH5', gender: 'female', language: 'en-US', style: 'upbeat' },
  charlie: { elevenLabsId: 'IKne3meq5aSn9XLyUdCD', gender: 'male', language: 'en-GB', style: 'natural' },
  george: { elevenLabsId: 'JBFqnCBsd6RMkjVDRZzb', gender: 'male', language: 'en-GB', style: 'warm' },
  callum: { elevenLabsId: 'N2lVS1w4EtoT3dr4eOWO', gender: 'male', language: 'en-GB', style: 'intense' },
  river: { elevenLabsId: 'SAz9YHcvj6GT2YYXdXww', gender: 'neutral', language: 'en-US', style: 'calm' },
  liam: { elevenLabsId: 'TX3LPaxmHKxFdv7VOQHJ', gender: 'male', language: 'en-US', style: 'articulate' },
  charlotte: { elevenLabsId: 'XB0fDUnXU5powFXDhCwa', gender: 'female', language: 'en-GB', style: 'sensual' },
  alice: { elevenLabsId: 'Xb7hH8MSUJpSbSDYk0k2', gender: 'female', language: 'en-GB', style: 'clear' },
  matilda: { elevenLabsId: 'XrExE9yKIg1WjnnlVkGX', gender: 'female', language: 'en-US', style: 'friendly' },
  will: { elevenLabsId: 'bIHbv24MWmeRgasZH58o', gender: 'male', language: 'en-US', style: 'relaxed' },
  jessica: { elevenLabsId: 'cgSgspJ2msm6clMCkdW9', gender: 'female', language: 'en-US', style: 'playful' },
  eric: { elevenLabsId: 'cjVigY5qzO86Huf0OWal', gender: 'male', language: 'en-US', style: 'smooth' },
  chris: { elevenLabsId: 'iP95p4xoKVk53GoZ742B', gender: 'male', language: 'en-US', style: 'casual' },
  brian: { elevenLabsId: 'nPczCjzI2devNBz1zQrb', gender: 'male', language: 'en-US', style: 'deep' },
  daniel: { elevenLabsId: 'onwK4e9ZLuTAKqWW03F9', gender: 'male', language: 'en-GB', style: 'authoritative' },
  lily: { elevenLabsId: 'pFZP5JQG7iQjIQuC4Bku', gender: 'female', language: 'en-GB', style: 'gentle' },
  bill: { elevenLabsId: 'pqHfZKP75CvOlQylNhV4', gender: 'male', language: 'en-US', style: 'trustworthy' },
} as const satisfies Readonly<Record<string, VoiceEntry>>;

export type VoiceSlug = keyof typeof voices;

export const voiceSlugs = Object.keys(voices) as [VoiceSlug, ...VoiceSlug[]];

/** The display name: the slug with a capital letter. */
export const voiceName = (slug: VoiceSlug): string => slug.charAt(0).toUpperCase() + slug.slice(1);

export type VoiceIds = Readonly<Record<VoiceSlug, string>>;

/** The default ElevenLabs voice ids, by slug. */
export const defaultVoiceIds = Object.fromEntries(
  Object.entries(voices).map(([slug, { elevenLabsId }]) => [slug, elevenLabsId]),
) as VoiceIds;
