/** The file types that each engine accepts, typed by hand from its provider's documentation. */
import { expect, test } from 'vitest';
import { allRoutesOf } from '../../shared/catalog/engines.ts';
import { generationOf } from '../../shared/contracts/generate.ts';
import { type MediaType, mediaTypes } from '../../shared/contracts/media.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { addressesIn } from '../../shared/contracts/user-addresses.ts';
import { problemsOf } from '../../shared/domain/generation/choose-route.ts';

const films = ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'];
const ofCameras = ['video/mp4', 'video/quicktime'];
const sounds = ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/ogg'];
const recordings = [...sounds, 'audio/flac', 'audio/webm', 'audio/x-matroska'];

const taken: readonly (readonly [TaskType, field: string, Readonly<Record<string, readonly string[]>>])[] = [
  [
    'voice-change',
    'audioUrl',
    {
      'offline/voice-change': [...recordings, ...films],
      'fal/elevenlabs-voice-changer': sounds,
      'elevenlabs/multilingual-sts-v2': sounds,
    },
  ],
  [
    'video-imitate',
    'motionVideo',
    {
      'offline/video-imitate': films,
      'fal/kling-2.6-motion-standard': ofCameras,
      'fal/kling-2.6-motion-pro': ofCameras,
      'fal/kling-3.0-motion-standard': ofCameras,
      'fal/kling-3.0-motion-pro': ofCameras,
    },
  ],
  [
    'cortes',
    'videoUrl',
    {
      'offline/cortes': films,
      'klap/video-to-shorts': ['video/mp4'],
      'vizard/project': ofCameras,
      'clips/fal': ['video/mp4'],
      'clips/aws-scribe': ofCameras,
      'clips/aws': ['video/mp4'],
    },
  ],
];

test.for(taken)('the engines for %s accept exactly the declared file types in %s', ([taskType, field, routes]) => {
  const [address] = addressesIn(generationOf(taskType).body, { [field]: 'https://example.com/file' });
  if (!address || address.leadsTo === 'receiver') throw new Error(`${field} is no file`);
  const accepted = (Object.keys(mediaTypes) as MediaType[]).filter((type) => address.limits.types.includes(type));
  const isTaken = (route: ReturnType<typeof allRoutesOf>[number]) => (contentType: MediaType) => {
    const problems = problemsOf(route, { body: {}, files: new Map([[field, { contentType }]]) });
    return !problems.some((problem) => problem.startsWith(`${field} must be a`));
  };
  const found = allRoutesOf(taskType).map((route) => [route.id, accepted.filter(isTaken(route)).toSorted()]);
  const sorted = Object.entries(routes).map(([id, types]) => [id, types.toSorted()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(sorted));
});
