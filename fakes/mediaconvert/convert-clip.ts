/** Performs a job with ffmpeg: cuts and crops the source, burns in captions, and captures images. */
import { createWriteStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { FilePathSource, Input, MP4, QTFF } from 'mediabunny';
import { factsOf } from '../../offline-engine/fetch-file.ts';
import { captionFont } from '../../offline-engine/image/fonts.ts';
import { centeredCrop, cutVideo, stillOf } from '../cut-video.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { JobFailed, jobErrors } from './mediaconvert-faults.ts';
import type { JobOutput, JobSettings } from './mediaconvert-job.ts';

export interface ConvertedOutput {
  readonly durationInMs?: number;
  readonly videoDetails: { readonly widthInPx: number; readonly heightInPx: number };
}

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

const placeOf = (address: string): Place => {
  const [, Bucket, Key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(address) ?? [];
  if (Bucket === undefined || Key === undefined) throw new JobFailed(jobErrors.missingInput);
  return { Bucket, Key };
};

async function fetchObject(storage: S3Client, address: string, path: string): Promise<void> {
  const { Body } = await storage.send(new GetObjectCommand(placeOf(address))).catch((error: unknown) => {
    throw error instanceof NoSuchKey ? new JobFailed(jobErrors.missingInput) : error;
  });
  await pipeline(Body as Readable, createWriteStream(path));
}

/** The source's average frame rate, and the end of its last frame. */
async function inspected(path: string) {
  const file = await open(path);
  const { size } = await file.stat();
  const facts = await factsOf(file, size);
  await file.close();
  const isReadable = ['video/mp4', 'video/quicktime'].includes(facts?.contentType ?? '');
  if (!isReadable || !facts?.videoSec) throw new JobFailed(jobErrors.unreadableInput);
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const rate = (await track?.computePacketStats())?.averagePacketRate ?? 0;
    return { rate, seconds: facts.videoSec };
  } finally {
    input.dispose();
  }
}

/** The frame of a timecode; without drop-frame counting, a second has as many frames as the rounded rate. */
const frameOf = (timecode: string, rate: number): number => {
  const [hours = 0, minutes = 0, seconds = 0, frame = 0] = timecode.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * Math.round(rate) + frame;
};

/** A time slightly before the frame begins, because containers round the times of frames. */
const timeBefore = (frame: number, rate: number): number => Math.max(0, (frame - 0.25) / rate);

interface Work {
  readonly folder: string;
  readonly path: string;
  readonly startSec: number;
  readonly seconds: number;
  readonly subtitles: string | undefined;
}

/** The ffmpeg filter that burns in captions; their times are relative to the whole video. */
async function captionFilter({ folder, startSec, subtitles }: Work, fontSize: number, height: number) {
  if (subtitles === undefined) return [];
  await writeFile(join(folder, 'inter.ttf'), await captionFont());
  // libass measures font sizes on a canvas of 288 lines.
  const size = Math.round((fontSize * 288) / height);
  const style = `FontName=Inter,FontSize=${size},Outline=2,Shadow=0`;
  const shown = `subtitles=filename=${subtitles}:fontsdir=${folder}:force_style='${style}'`;
  return [`setpts=PTS+${startSec.toFixed(6)}/TB`, shown, 'setpts=PTS-STARTPTS'];
}

const cropOf = ({ width, height }: JobOutput['videoDescription']) => centeredCrop(width, height);

async function clipOf(work: Work, { videoDescription, captionDescriptions }: JobOutput, outputPath: string) {
  const [captions] = captionDescriptions;
  const fontSize = captions?.destinationSettings.burninDestinationSettings.fontSize;
  const burned = fontSize === undefined ? [] : await captionFilter(work, fontSize, videoDescription.height);
  const { path, startSec, seconds } = work;
  const filter = [cropOf(videoDescription), ...burned].join(',');
  await cutVideo({ path, outputPath, span: { startSec, seconds }, filter });
  return readFile(outputPath);
}

type Capture = Extract<JobOutput['videoDescription']['codecSettings'], { codec: 'FRAME_CAPTURE' }>;

/** The captures by number; there are none after the end. */
async function capturesOf(work: Work, video: JobOutput['videoDescription'], { frameCaptureSettings }: Capture) {
  const { framerateNumerator, framerateDenominator, maxCaptures } = frameCaptureSettings;
  const everySec = framerateDenominator / framerateNumerator;
  const count = Math.min(maxCaptures, Math.ceil(work.seconds / everySec));
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      stillOf({ path: work.path, atSec: work.startSec + index * everySec, filter: cropOf(video) }),
    ),
  );
}

async function makeOutput(storage: S3Client, work: Work, output: JobOutput, destination: string) {
  const { videoDescription: video, nameModifier } = output;
  const put = (suffix: string, Body: Buffer, ContentType: string) =>
    storage.send(new PutObjectCommand({ ...placeOf(`${destination}${nameModifier}${suffix}`), Body, ContentType }));
  const videoDetails = { widthInPx: video.width, heightInPx: video.height };
  if (video.codecSettings.codec === 'FRAME_CAPTURE') {
    const captures = await capturesOf(work, video, video.codecSettings);
    for (const [index, image] of captures.entries()) {
      await put(`.${String(index).padStart(7, '0')}.jpg`, image, 'image/jpeg');
    }
    return { videoDetails };
  }
  const path = join(work.folder, `output${nameModifier}.mp4`);
  const bytes = await clipOf(work, output, path).catch(() => {
    throw new JobFailed(jobErrors.unreadableInput);
  });
  await put('.mp4', bytes, 'video/mp4');
  return { videoDetails, durationInMs: Math.round(work.seconds * 1000) };
}

/** Performs a job. @throws {JobFailed} */
export async function convertClip(storage: S3Client, settings: JobSettings): Promise<readonly ConvertedOutput[]> {
  const [input] = settings.inputs;
  const [group] = settings.outputGroups;
  const [clipping] = input?.inputClippings ?? [];
  if (!input || !group || !clipping) throw new JobFailed(jobErrors.unknown);
  return inTemporaryFolder(async (folder) => {
    const path = join(folder, 'source.mp4');
    await fetchObject(storage, input.fileInput, path);
    const { rate, seconds: sourceSec } = await inspected(path);
    const startSec = timeBefore(frameOf(clipping.startTimecode, rate), rate);
    // The end timecode is inclusive.
    const endSec = Math.min(timeBefore(frameOf(clipping.endTimecode, rate) + 1, rate), sourceSec);
    if (endSec <= startSec) throw new JobFailed(jobErrors.unknown);
    const [captions] = Object.values(input.captionSelectors);
    const subtitles = captions && join(folder, 'captions.srt');
    if (captions && subtitles) {
      await fetchObject(storage, captions.sourceSettings.fileSourceSettings.sourceFile, subtitles);
    }
    const work = { folder, path, startSec, seconds: endSec - startSec, subtitles };
    const { destination } = group.outputGroupSettings.fileGroupSettings;
    const outputs: ConvertedOutput[] = [];
    for (const output of group.outputs) outputs.push(await makeOutput(storage, work, output, destination));
    return outputs;
  });
}
