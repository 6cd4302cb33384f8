/**
 * `cortes`: clips of a long video, cut in pauses and at scene changes, and rated by how much is said and how
 * loudly. The visible part of the frame follows faces.
 */
import * as z from 'zod';
import { clipAspectRatios, clipSource, clipStages as stages } from '../../shared/contracts/generate-cortes.ts';
import { ratioValue } from '../../shared/contracts/media.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { alignClips } from '../clips/align-clips.ts';
import { analyzeSource } from '../clips/analyze-source.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import { facesInClip, samplesPerSecond } from '../clips/clip-faces.ts';
import { type ClipRate, clipRate, fileRate } from '../clips/clip-rate.ts';
import { cropPath, cropSize, offsetExpression } from '../clips/crop-path.ts';
import { cutClip } from '../clips/cut-clip.ts';
import { invalidFile } from '../fetch-file.ts';
import { type FaceFinder, openFaceFinder } from '../image/face-finder.ts';
import { ImageUrl } from '../image/image-url.ts';
import { type OutputFile, operation, type WorkContext } from '../operation.ts';
import { type FetchedVideo, fetchVideo } from '../video/fetch-video.ts';
import { inWorkFolder } from '../video/work-folder.ts';

const Input = z.object({
  videoUrl: ImageUrl,
  aspectRatio: z.enum(clipAspectRatios).default('9:16'),
  /** The duration that the client pays for. */
  seconds: z.int().min(0).max(clipSource.maxSeconds),
  clipCount: z.int().min(1).max(20),
});
type Input = z.output<typeof Input>;

/** The time limit is shorter than the operation's hour, and that of the download even more, so that the client gets the reason. */
const timeLimitSeconds = 3500;
const downloadSeconds = 1200;

/** The tolerance of durations, because containers and probes round them. */
const toleratedSeconds = 2;
/** The shortest video per clip: a few frames. */
const minClipSeconds = 0.1;

const requireLength = ({ field, framesSeconds: seconds }: FetchedVideo, input: Input): void => {
  if (seconds >= input.seconds + toleratedSeconds) {
    throw invalidFile(field, `is ${Math.floor(seconds)} seconds long, and was ${input.seconds}`, 'too-long');
  }
  if (seconds < input.clipCount * minClipSeconds) throw invalidFile(field, 'is too short', 'too-short');
};

interface Cutting {
  readonly video: FetchedVideo;
  readonly finder: FaceFinder;
  readonly rate: ClipRate;
  readonly aspectRatio: Input['aspectRatio'];
  readonly folder: string;
  readonly context: WorkContext;
}

/** If the aspect ratios differ less than this, nothing is cropped. */
const minCropped = 0.01;

/** A margin for rounded times, so that the visible part does not jump a frame late. */
const roundingSeconds = 0.002;

const cut = async (
  { video, finder, rate, aspectRatio, folder, context }: Cutting,
  clip: ChosenClip,
  position: number,
): Promise<OutputFile> => {
  const crop = cropSize(video.width / video.height, ratioValue(aspectRatio));
  const side = crop.width < 1 ? 'width' : 'height';
  const isCropped = 1 - crop[side] > minCropped;
  const seen = isCropped ? await facesInClip(finder, video, { span: clip, side, folder }) : undefined;
  const { sightings = [], scenes: changes = [] } = seen ?? {};
  const scenes = changes.map((scene) => scene - roundingSeconds - clip.start);
  const path = cropPath({ sightings, stepSeconds: 1 / samplesPerSecond, scenes }, crop[side]);
  const size = videoFrame('720p', aspectRatio);
  return cutClip(video, { clip, position, size, rate, crop, offset: offsetExpression(path) }, folder, context);
};

export const cortes = operation(
  Input,
  (input, context) =>
    inWorkFolder(context, async (folder) => {
      const progress = (from: number, to: number) => (share: number) =>
        context.progress(from + (to - from) * Math.min(1, share));
      const { download, analysis: downloaded, cuts, end } = stages;
      const source = { url: input.videoUrl, field: 'videoUrl', maxBytes: clipSource.maxBytes } as const;
      const onProgress = progress(download, downloaded);
      const video = await fetchVideo(
        { ...source, limitSeconds: downloadSeconds, isElsewhere: true, onProgress },
        folder,
      );
      requireLength(video, input);
      await context.startWorking();
      const analysis = await analyzeSource(video, progress(downloaded, cuts));
      const pauses = video.hasSound ? analysis.pauses : [{ start: 0, end: analysis.seconds }];
      const clips = await alignClips(video, chooseClips(analysis, input.clipCount), pauses);
      const rate = clipRate(await fileRate(video.path));
      const finder = await openFaceFinder();
      try {
        const cutting = { ...input, video, finder, rate, folder, context };
        const files: OutputFile[] = [];
        for (const [index, clip] of clips.entries()) {
          progress(cuts, end)(index / clips.length);
          files.push(await cut(cutting, clip, index + 1));
        }
        return files;
      } finally {
        finder.close();
      }
    }),
  { timeLimitSeconds, downloadsFirst: true },
);
