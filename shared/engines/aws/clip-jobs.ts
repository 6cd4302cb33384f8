/** Cuts clips with MediaConvert: one job per clip, polled until it ends. */
import { ConversionRefused, type MediaConverter } from '../../platform/media-converter.ts';
import type { EngineFailure, EngineOutcome, EngineProgress } from '../engine.ts';
import type { AwsJobs } from './aws-engine.ts';
import { ClipOrder } from './clip-order.ts';
import { clipAddresses, clipSettings } from './clip-settings.ts';

interface ClipJobsAccess {
  readonly converter: MediaConverter;
  /** The name of the bucket with sources, captions and clips. */
  readonly bucket: () => string;
  readonly smartCrop: () => boolean;
}

type Found = NonNullable<Awaited<ReturnType<MediaConverter['find']>>>;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/**
 * The error code for an input that cannot be opened because it is damaged or has an unsupported format; other codes are
 * not the video's fault.
 */
const unreadableInput = 1010;

const outcomeOf = ({ settings, video }: Found): EngineOutcome => {
  const addresses = clipAddresses(settings);
  if (!addresses) return failed('PROVIDER_ERROR');
  const { clip, poster } = addresses;
  return { status: 'done', outputs: [{ url: clip, contentType: 'video/mp4', posterUrl: poster, ...video }] };
};

const stateOf = (found: Found): EngineProgress | EngineOutcome => {
  switch (found.status) {
    case 'waiting':
      return { status: 'queued', progress: 0 };
    case 'running':
      return { status: 'running', progress: Math.min(99, Math.floor(found.percent)) };
    case 'complete':
      return outcomeOf(found);
    case 'canceled':
      return failed('PROVIDER_ERROR');
    default:
      return failed(found.errorCode === unreadableInput ? 'INPUT_INVALID' : 'PROVIDER_ERROR');
  }
};

export const clipJobs = ({ converter, bucket, smartCrop }: ClipJobsAccess): AwsJobs => ({
  async submit({ taskId, input }) {
    const settings = clipSettings(ClipOrder.parse(input), bucket(), { smartCrop: smartCrop() });
    try {
      return { status: 'accepted', id: await converter.create({ token: taskId, settings }) };
    } catch (error) {
      if (!(error instanceof ConversionRefused)) throw error;
      if (error.reason === 'busy') return { status: 'busy' };
      // A rejection is final, because the service itself builds the settings and a retry would send the same ones.
      if (error.reason === 'rejected') return failed('PROVIDER_ERROR');
      throw error;
    }
  },
  async check(id) {
    const found = await converter.find(id);
    return found ? stateOf(found) : { status: 'lost' };
  },
  cancel: (id) => converter.cancel(id),
});
