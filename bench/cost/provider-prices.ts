/** List prices of providers for making clips, in addition to those of AWS in prices.ts. */
import type { Price } from './prices.ts';

export const clipPrices = {
  transcribedMinutes: {
    service: 'Amazon Transcribe',
    unit: 'minutes of speech',
    dollars: 0.006,
    per: 1,
    page: 'Amazon Transcribe pricing, batch',
    asOf: '2026-11',
    found: 'in a third-party list',
  },
  /** Burned-in captions need the professional tier; HD at up to 30 frames per second counts twice. */
  convertedMinutes: {
    service: 'MediaConvert',
    unit: 'normalized minutes, professional tier',
    dollars: 0.012,
    per: 1,
    page: 'AWS Elemental MediaConvert pricing',
    asOf: '2026-11',
    found: 'in a third-party list',
  },
  falTranscribedMinutes: {
    service: 'fal.ai, speech to text',
    unit: 'minutes of speech',
    dollars: 0.03,
    per: 1,
    page: 'fal.ai/models/fal-ai/elevenlabs/speech-to-text; that of its second version was not found',
    asOf: '2026-11',
    found: 'on the page',
  },
  falCalls: {
    service: 'fal.ai, trim, scale and extract',
    unit: 'calls',
    dollars: 0.0001,
    per: 1,
    page: 'fal.ai/models/fal-ai/workflow-utilities/trim-video',
    asOf: '2026-11',
    found: 'in a third-party list',
  },
  rankedTokens: {
    service: 'Language model',
    unit: 'tokens of transcript, answers included',
    dollars: 1.5,
    per: 1e6,
    page: 'Amazon Bedrock pricing, a small model',
    asOf: '2025',
    found: 'from memory',
  },
  vizardMinutes: {
    service: 'Vizard',
    unit: 'minutes of a plan',
    dollars: 29,
    per: 600,
    page: 'vizard.ai/pricing, Creator; docs.vizard.ai/docs/pricing says that minutes of the source are used up',
    asOf: '2025',
    found: 'from memory',
  },
} as const satisfies Record<string, Price>;
