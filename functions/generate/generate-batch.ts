import { batchContracts } from '../../shared/contracts/generate-batch.ts';
import { batchLambda } from '../../shared/runtime/batch-lambda.ts';
import { generations } from '../generations.ts';

/** Sends many generation requests at once, each of which is answered as if it were sent alone. */
export const definition = batchLambda(batchContracts.generateBatch, generations);
