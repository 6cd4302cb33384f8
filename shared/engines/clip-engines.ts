/** The service's engines including the one for AWS, for functions that create or stop clip jobs. */
import { mediaConverter } from '../platform/media-converter.ts';
import { objectReader } from '../platform/object-reader.ts';
import { transcriber } from '../platform/transcriber.ts';
import { awsEngine } from './aws/aws-engine.ts';
import { clipJobs } from './aws/clip-jobs.ts';
import { transcriptionJobs } from './aws/transcription-jobs.ts';
import type { Engine } from './engine.ts';
import { type EngineSource, type Engines, engines, type RareParts } from './engines.ts';

const engineOfAws = ({ settings }: EngineSource): Engine => {
  const converter = mediaConverter({
    aws: settings.aws('MEDIACONVERT'),
    role: () => settings.mediaConvertRole,
    queue: () => settings.mediaConvertQueue,
  });
  const bucket = () => settings.inputsBucket;
  const smartCrop = () => settings.clipCropping === 'smart';
  return awsEngine({
    services: {
      mediaconvert: clipJobs({ converter, bucket, smartCrop }),
      transcribe: transcriptionJobs({ transcriber: transcriber(settings.aws('TRANSCRIBE')), bucket }),
    },
    bucket,
    open: objectReader(settings.aws('S3')),
  });
};

export const clipEngines = (source: EngineSource, parts: Omit<RareParts, 'aws'> = {}): Engines =>
  engines(source, { aws: engineOfAws, ...parts });
