/** The parts of MediaConvert's client that the service uses; imported lazily, because few tasks need it. */
export {
  CancelJobCommand,
  CreateJobCommand,
  GetJobCommand,
  MediaConvertClient,
  SearchJobsCommand,
} from '@aws-sdk/client-mediaconvert';
