/** The default prices, in credits; the catalog can override any of them without a deployment. */

export const defaultPrices = {
  image: { creditsPerImage: 4 },
  imageEdit: { credits: 5 },
  characterReplace: { credits: 6 },
  backgroundRemove: { credits: 1 },
  imageUpscale: { creditsAtTwice: 2, creditsAtFourTimes: 4 },
  influencer: { credits: 8 },
  skinEnhance: { credits: 5 },
  voice: { charactersPerCredit: 50 },
  videoCreative: { creditsPerSecondAt480p: 4, creditsPerSecondAt720p: 6, creditsPerSecondAt1080p: 10 },
  videoUgc: { credits: 60 },
  videoImitate: {
    creditsPerSecond26At720p: 5,
    creditsPerSecond26At1080p: 8,
    creditsPerSecond30At720p: 8,
    creditsPerSecond30At1080p: 12,
  },
  cortes: { creditsPerMinute: 2, creditsPerClip: 5 },
  voiceChange: { creditsPerUnit: 2, unitSeconds: 10 },
};

export type Prices = typeof defaultPrices;
