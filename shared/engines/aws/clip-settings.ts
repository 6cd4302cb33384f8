/**
 * Builds the settings of a MediaConvert job for one clip (API of 2017-08-29, user guide of 2026-11). Assumed, because
 * it is undocumented: how MediaConvert counts the frames of a video with a variable rate, and that captions of a
 * clipped video keep the times of the whole one.
 */
import { framesOf, timecodeOf } from '../../contracts/frame-time.ts';
import type { VideoFrame } from '../../contracts/video-frame.ts';
import type { ConversionSettings } from '../../platform/media-converter.ts';
import type { ClipOrder } from './clip-order.ts';

type Output = NonNullable<NonNullable<ConversionSettings['OutputGroups']>[number]['Outputs']>[number];
type Captions = NonNullable<Output['CaptionDescriptions']>[number];

/** Two-letter codes of languages whose scripts need a font other than the Latin one. */
const scripts = {
  ar: 'ARA',
  el: 'ELL',
  he: 'HEB',
  hi: 'HIN',
  ja: 'JPN',
  ko: 'KOR',
  ru: 'RUS',
  th: 'THA',
  uk: 'UKR',
  zh: 'ZHO',
} as const;

const scriptOf = (language = ''): { LanguageCode?: (typeof scripts)[keyof typeof scripts] } => {
  const found = Object.entries(scripts).find(([code]) => code === language);
  return found ? { LanguageCode: found[1] } : {};
};

/** The font size of captions, small enough that two lines fit into the frame. */
const fontSize = ({ width, height }: VideoFrame): number => Math.round(Math.min(width * 0.061, height * 0.06));

const captionsOf = ({ captions, size }: ClipOrder): Captions[] =>
  captions
    ? [
        {
          CaptionSelectorName: 'captions',
          ...scriptOf(captions.language),
          DestinationSettings: {
            DestinationType: 'BURN_IN',
            BurninDestinationSettings: {
              Alignment: 'CENTERED',
              FontColor: 'WHITE',
              FontSize: fontSize(size),
              OutlineColor: 'BLACK',
              OutlineSize: 3,
              StylePassthrough: 'DISABLED',
            },
          },
        },
      ]
    : [];

const audioSelector = 'Audio Selector 1';

const soundOf = ({ hasSound }: ClipOrder): Pick<Output, 'AudioDescriptions'> =>
  hasSound
    ? {
        AudioDescriptions: [
          {
            AudioSourceName: audioSelector,
            CodecSettings: {
              Codec: 'AAC',
              AacSettings: { Bitrate: 128_000, CodingMode: 'CODING_MODE_2_0', SampleRate: 48_000 },
            },
          },
        ],
      }
    : {};

/** Suffixes of the output names. */
const modifiers = { clip: '-clip', poster: '-poster' } as const;

interface Cropping {
  /** Whether the visible part of the frame may follow the action. */
  readonly smartCrop: boolean;
}

/** MediaConvert supports smart cropping only for frames that are not wider than high; other frames show the center. */
const scaling = ({ width, height }: VideoFrame, { smartCrop }: Cropping) =>
  ({ Width: width, Height: height, ScalingBehavior: smartCrop && width <= height ? 'SMART_CROP' : 'FILL' }) as const;

const clipOutput = (order: ClipOrder, cropping: Cropping): Output => ({
  NameModifier: modifiers.clip,
  ContainerSettings: { Container: 'MP4', Mp4Settings: { MoovPlacement: 'PROGRESSIVE_DOWNLOAD' } },
  VideoDescription: {
    ...scaling(order.size, cropping),
    CodecSettings: {
      Codec: 'H_264',
      H264Settings: {
        RateControlMode: 'QVBR',
        QvbrSettings: { QvbrQualityLevel: 7 },
        MaxBitrate: 5_000_000,
        QualityTuningLevel: 'SINGLE_PASS_HQ',
      },
    },
  },
  ...soundOf(order),
  CaptionDescriptions: captionsOf(order),
});

/** When the second image is captured, if the clip is long enough: the first frame is often dark or blurred. */
const captureSeconds = 1;

const posterOutput = ({ span, size }: ClipOrder, cropping: Cropping): Output => ({
  NameModifier: modifiers.poster,
  ContainerSettings: { Container: 'RAW' },
  VideoDescription: {
    ...scaling(size, cropping),
    CodecSettings: {
      Codec: 'FRAME_CAPTURE',
      FrameCaptureSettings: {
        FramerateNumerator: 1,
        FramerateDenominator: captureSeconds,
        MaxCaptures: span.endSec - span.startSec > 2 * captureSeconds ? 2 : 1,
        Quality: 80,
      },
    },
  },
});

export function clipSettings(order: ClipOrder, bucket: string, cropping: Cropping): ConversionSettings {
  const { sourceKey, outputKey, span, frameRate, captions, hasSound } = order;
  const { first, end } = framesOf(span, frameRate);
  const address = (key: string) => `s3://${bucket}/${key}`;
  return {
    TimecodeConfig: { Source: 'ZEROBASED' },
    Inputs: [
      {
        FileInput: address(sourceKey),
        TimecodeSource: 'ZEROBASED',
        // MediaConvert's end time code is inclusive.
        InputClippings: [{ StartTimecode: timecodeOf(first, frameRate), EndTimecode: timecodeOf(end - 1, frameRate) }],
        VideoSelector: { Rotate: 'AUTO' },
        ...(hasSound && { AudioSelectors: { [audioSelector]: { DefaultSelection: 'DEFAULT' } } }),
        ...(captions && {
          CaptionSelectors: {
            captions: {
              SourceSettings: { SourceType: 'SRT', FileSourceSettings: { SourceFile: address(captions.key) } },
            },
          },
        }),
      },
    ],
    OutputGroups: [
      {
        OutputGroupSettings: {
          Type: 'FILE_GROUP_SETTINGS',
          FileGroupSettings: { Destination: address(outputKey) },
        },
        Outputs: [clipOutput(order, cropping), posterOutput(order, cropping)],
      },
    ],
  };
}

/** The locations of the clip and the poster that a clip job makes; undefined for other jobs. */
export function clipAddresses({ OutputGroups }: ConversionSettings): { clip: string; poster: string } | undefined {
  const [group] = OutputGroups ?? [];
  const destination = group?.OutputGroupSettings?.FileGroupSettings?.Destination;
  const captures = group?.Outputs?.[1]?.VideoDescription?.CodecSettings?.FrameCaptureSettings?.MaxCaptures;
  if (destination === undefined || captures === undefined) return undefined;
  return {
    clip: `${destination}${modifiers.clip}.mp4`,
    // MediaConvert numbers captures from 0, with seven digits.
    poster: `${destination}${modifiers.poster}.${String(captures - 1).padStart(7, '0')}.jpg`,
  };
}
