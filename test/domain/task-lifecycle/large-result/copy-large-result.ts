/** Copies one result from `process.argv[2]` into the results bucket, and prints its length and the memory used. */
import { copyResult } from '../../../../shared/domain/task-lifecycle/copy-results.ts';
import { resultWriter } from '../../../../shared/domain/task-lifecycle/write-result.ts';
import { downloadPublicOutput } from '../../../../shared/engines/public-output.ts';
import { resultsBucket } from '../../../../shared/platform/bucket.ts';
import { safeOpen } from '../../../../shared/platform/safe-fetch.ts';
import { settingsOf } from '../../../../shared/platform/settings.ts';
import { unmarkedResultNeeds } from '../../../support/result-needs.ts';

const url = process.argv[2] ?? '';
const bucket = resultsBucket({ settings: settingsOf({ RESULTS_BUCKET: 'results' }) });
const metrics = { record: () => undefined };
const task = { taskId: 'task-1', taskType: 'cortes', resultsSecret: 'secret', input: {}, route: 'clips/cut' } as const;
const outbound = { open: safeOpen({ policy: 'local' }) };
const stored = await copyResult(
  { metrics, writeResult: resultWriter({ ...unmarkedResultNeeds, bucket, metrics }, task) },
  { download: (output) => downloadPublicOutput('a provider', output, outbound) },
  {
    kind: 'video',
    task,
    output: { url, contentType: 'video/mp4' },
    position: 1,
    paidSeconds: undefined,
  },
);
const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ ...(typeof stored === 'object' && stored), megabytes }));
