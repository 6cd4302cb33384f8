/** The part of Amazon Transcribe's client that is used, for those who load it only when they need it. */
export {
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
