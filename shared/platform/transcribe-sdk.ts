/** The parts of Amazon Transcribe's client that the service uses; imported lazily, because few tasks need it. */
export {
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
