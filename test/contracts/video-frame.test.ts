/** The frame sizes in pixels for resolutions and aspect ratios. */
import { expect, test } from 'vitest';
import type { Ratio } from '../../shared/contracts/media.ts';
import { type VideoResolution, videoFrame } from '../../shared/contracts/video-frame.ts';

test.for<[VideoResolution, Ratio, number, number]>([
  ['480p', '9:16', 480, 854],
  ['480p', '16:9', 854, 480],
  ['480p', '3:4', 480, 640],
  ['720p', '9:16', 720, 1280],
  ['720p', '1:1', 720, 720],
  ['720p', '21:9', 1680, 720],
  ['1080p', '16:9', 1920, 1080],
])('a %s video of the aspect ratio %s has %i × %i pixels', ([resolution, ratio, width, height]) => {
  expect(videoFrame(resolution, ratio)).toEqual({ width, height });
});
