/** The part of MediaConvert's client that is used, for those who load it only when they need it. */
export {
  CancelJobCommand,
  CreateJobCommand,
  GetJobCommand,
  MediaConvertClient,
  SearchJobsCommand,
} from '@aws-sdk/client-mediaconvert';
