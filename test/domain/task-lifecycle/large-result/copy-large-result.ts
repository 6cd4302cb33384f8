/**
 * Copies one result from `process.argv[2]` into the results bucket, marked with the key in the folder `process.argv[3]`,
 * and prints its length and the memory used.
 */
import { localContentKey } from '../../../../infra/local/content-key.ts';
import { copyResult } from '../../../../shared/domain/task-lifecycle/copy-results.ts';
import { resultWriter } from '../../../../shared/domain/task-lifecycle/write-result.ts';
import { downloadPublicOutput } from '../../../../shared/engines/public-output.ts';
import { resultsBucket } from '../../../../shared/platform/bucket.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { safeOpen } from '../../../../shared/platform/safe-fetch.ts';
import { settingsOf, settingVariables } from '../../../../shared/platform/settings.ts';
import { contentCredentials } from '../../../../shared/provenance/content-credentials.ts';
import { unmarkedResultNeeds } from '../../../support/result-needs.ts';

const [, , url = '', keysDir = ''] = process.argv;
const { key, certificates } = localContentKey(keysDir);
const provenance = contentCredentials({
  clock: systemClock,
  settings: settingsOf({
    [settingVariables.contentSigningKey]: key,
    [settingVariables.contentCertificates]: certificates,
  }),
});
const bucket = resultsBucket({ settings: settingsOf({ RESULTS_BUCKET: 'results' }) });
const metrics = { record: () => undefined };
const task = { taskId: 'task-1', taskType: 'cortes', resultsSecret: 'secret', input: {}, route: 'clips/cut' } as const;
const outbound = { open: safeOpen({ policy: 'local' }) };
const stored = await copyResult(
  { metrics, writeResult: resultWriter({ ...unmarkedResultNeeds, bucket, metrics, provenance }, task) },
  { download: (output) => downloadPublicOutput('a provider', output, outbound) },
  {
    kind: 'video',
    task,
    output: { url, contentType: 'video/mp4' },
    position: 1,
    attempt: 'attempt',
    paidSeconds: undefined,
  },
);
const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ ...(typeof stored === 'object' && stored), megabytes }));
