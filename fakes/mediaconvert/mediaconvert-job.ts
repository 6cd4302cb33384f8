/** The job settings that the fake accepts: the documented settings that clips need. */
import * as z from 'zod';

const timecode = z.string().regex(/^\d{2}:[0-5]\d:[0-5]\d:\d{2}$/, 'must be HH:MM:SS:FF');
/** URLs with a query, such as presigned ones, are rejected. */
const address = z.string().regex(/^(?:s3|https?):\/\/[^?#]+$/, 'must be an address without a query');
const side = z.int().min(32).max(8192).multipleOf(2);

const Captions = z.object({
  captionSelectorName: z.string(),
  destinationSettings: z.object({
    destinationType: z.literal('BURN_IN'),
    burninDestinationSettings: z.object({ fontSize: z.int().min(0).max(96) }),
  }),
});

const FrameCapture = z.object({
  codec: z.literal('FRAME_CAPTURE'),
  frameCaptureSettings: z.object({
    framerateNumerator: z.int().min(1),
    framerateDenominator: z.int().min(1),
    maxCaptures: z.int().min(1),
  }),
});

const H264 = z.object({
  codec: z.literal('H_264'),
  h264Settings: z.object({
    rateControlMode: z.literal('QVBR'),
    maxBitrate: z.int().min(1000),
    qualityTuningLevel: z.enum(['SINGLE_PASS', 'SINGLE_PASS_HQ', 'MULTI_PASS_HQ']),
  }),
});

const Output = z.object({
  nameModifier: z.string().min(1),
  containerSettings: z.object({ container: z.enum(['MP4', 'RAW']) }),
  videoDescription: z
    .object({
      width: side,
      height: side,
      scalingBehavior: z.enum(['DEFAULT', 'FILL', 'SMART_CROP']),
      codecSettings: z.discriminatedUnion('codec', [FrameCapture, H264]),
    })
    .refine(({ scalingBehavior, width, height }) => scalingBehavior !== 'SMART_CROP' || width <= height, {
      error: 'SMART_CROP requires a width that is no greater than the height',
    }),
  audioDescriptions: z.array(z.object({ audioSourceName: z.string() })).default([]),
  captionDescriptions: z.array(Captions).default([]),
});
export type JobOutput = z.output<typeof Output>;

const selectorsOf = z.record(z.string(), z.unknown()).default({});

const Input = z.object({
  fileInput: address,
  timecodeSource: z.enum(['ZEROBASED', 'EMBEDDED', 'SPECIFIEDSTART']).default('EMBEDDED'),
  inputClippings: z.array(z.object({ startTimecode: timecode, endTimecode: timecode })).length(1),
  videoSelector: z.object({ rotate: z.enum(['AUTO', 'DEGREE_0', 'DEGREES_90']).optional() }),
  audioSelectors: selectorsOf,
  captionSelectors: z
    .record(
      z.string(),
      z.object({
        sourceSettings: z.object({
          sourceType: z.literal('SRT'),
          fileSourceSettings: z.object({ sourceFile: address }),
        }),
      }),
    )
    .default({}),
});

const isPicture = ({ videoDescription }: JobOutput) => videoDescription.codecSettings.codec === 'FRAME_CAPTURE';

export const JobSettings = z
  .object({
    inputs: z.array(Input).length(1),
    outputGroups: z
      .array(
        z.object({
          outputGroupSettings: z.object({
            type: z.literal('FILE_GROUP_SETTINGS'),
            fileGroupSettings: z.object({ destination: z.string().regex(/^s3:\/\/[^?#]+$/) }),
          }),
          outputs: z.array(Output).min(1),
        }),
      )
      .length(1),
  })
  .refine(({ outputGroups }) => outputGroups.some(({ outputs }) => outputs.some((output) => !isPicture(output))), {
    error: 'A job needs an output other than frame captures',
  })
  .superRefine(({ inputs, outputGroups }, context) => {
    const outputs = outputGroups.flatMap((group) => group.outputs);
    const [input] = inputs;
    const missing = outputs
      .flatMap((output) => output.audioDescriptions.map((audio) => audio.audioSourceName))
      .filter((name) => !Object.hasOwn(input?.audioSelectors ?? {}, name));
    const uncaptioned = outputs
      .flatMap((output) => output.captionDescriptions.map((captions) => captions.captionSelectorName))
      .filter((name) => !Object.hasOwn(input?.captionSelectors ?? {}, name));
    for (const name of [...missing, ...uncaptioned]) {
      context.addIssue({ code: 'custom', message: `There is no selector ${name}`, input: name });
    }
  });
export type JobSettings = z.output<typeof JobSettings>;

export const JobRequest = z.object({
  role: z.string().regex(/^arn:aws[\w-]*:iam::\d{12}:role\/.+$/),
  clientRequestToken: z
    .string()
    .regex(/^[\x20-\x7e]{1,64}$/)
    .optional(),
  queue: z.string().optional(),
  userMetadata: z.record(z.string().max(256), z.string().max(256)).optional(),
  settings: JobSettings,
});

export const SearchRequest = z.object({
  inputFile: z.string().max(300).optional(),
  queue: z.string().optional(),
  status: z.enum(['SUBMITTED', 'PROGRESSING', 'COMPLETE', 'CANCELED', 'ERROR']).optional(),
  order: z.enum(['ASCENDING', 'DESCENDING']).default('DESCENDING'),
  maxResults: z.coerce.number().int().min(1).max(20).default(20),
  nextToken: z.coerce.number().int().min(0).default(0),
});
