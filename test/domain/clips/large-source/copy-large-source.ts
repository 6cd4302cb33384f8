/** Copies the video at `process.argv[2]`, one range after the other, and prints the memory used. */
import { copyRange, copyRangesOf, copyWhole, probeServer } from '../../../../shared/domain/clips/copy-source.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { pause } from '../../../../shared/platform/pause.ts';
import { safeOpen } from '../../../../shared/platform/safe-fetch.ts';
import { settingsOf } from '../../../../shared/platform/settings.ts';
import { workStorage } from '../../../../shared/platform/work-storage.ts';

const work = workStorage({ settings: settingsOf({ ...process.env, INPUTS_BUCKET: 'inputs' }) });
const needs = {
  clock: systemClock,
  outbound: { open: safeOpen({ policy: 'local' }) },
  work,
  isWanted: async () => true,
  pause,
};
const file = {
  url: process.argv[2] ?? '',
  limits: { types: ['video/mp4'], maxBytes: 5 * 2 ** 30 },
  deadlineAt: systemClock.now() + 600_000,
} as const;

const version = await probeServer(needs, file);
const key = 'inputs/task-1/source.mp4';
const upload = { key, uploadId: await work.begin(key, 'video/mp4') };

async function* copies() {
  if (version === 'whole') yield await copyWhole(needs, { file, upload });
  else if ('size' in version)
    for (const range of copyRangesOf(version.size)) yield await copyRange(needs, { file, upload, version }, range);
}

const copied = await Array.fromAsync(copies());
await work.complete(
  upload,
  copied.flatMap((parts) => ('problem' in parts ? [] : parts)),
);
const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ hasRanges: version !== 'whole', megabytes }));
