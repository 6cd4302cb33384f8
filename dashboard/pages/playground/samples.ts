/** The code that sends a request of the playground with a token. */
import { type CodeSample, codeSamples } from '../../../shared/contracts/openapi/code-samples.ts';
import type { Request } from './request.ts';

type Sent = Pick<Request, 'body' | 'contract'>;

/** The samples of the documentation, with the request in place of its example. */
export const samplesOf = ({ contract, body }: Sent, apiUrl: string, key: string): readonly CodeSample[] =>
  codeSamples({ ...contract, example: { ...contract.example, body } }, apiUrl, key).map((sample) => ({
    ...sample,
    label: sample.label === 'Node' ? 'TypeScript' : sample.label,
  }));
