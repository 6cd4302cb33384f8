/** Fields that contain URLs of clients: of media files to read, and of receivers of webhooks. */
import * as z from 'zod';
import { expecting } from './fields.ts';
import { type InputLimits, inputLimits, type MediaKind } from './media.ts';

/** What a client's URL refers to: a file within limits, or a receiver of webhooks. */
export type UrlTarget =
  | { readonly leadsTo: 'receiver' }
  | {
      readonly leadsTo: MediaKind;
      readonly limits: InputLimits;
      /** The URL is passed to the engine as it is: the file is too large to be copied when the task begins. */
      readonly isRemote?: true;
    };

/** Marks schemas of URLs that clients provide: the runtime checks these against the service's URL policy. */
export const userUrls = z.registry<UrlTarget>();

/** Every rejected URL gets the same message, so that it reveals nothing about what is behind the URL. */
export const urlExpectation = 'must be an https URL of a public host, at most 2048 characters when percent-encoded';

/** An https URL of a public host; the URL policy decides which hosts are public. */
const userUrl = (target: UrlTarget) =>
  z
    .string({ error: expecting(urlExpectation) })
    .refine((value) => value.length <= 2048 && URL.canParse(value), { error: urlExpectation })
    .meta({ format: 'uri', pattern: '^https://', maxLength: 2048 })
    .register(userUrls, target);

/** The URL to which the service sends webhooks. */
export const receiverUrl = () => userUrl({ leadsTo: 'receiver' });

/** The URL of a media file; a field may override some limits of its kind. */
const mediaUrl =
  (leadsTo: MediaKind) =>
  (limits: Partial<InputLimits> = {}) =>
    userUrl({ leadsTo, limits: { ...inputLimits[leadsTo], ...limits } });

/** The URL of a JPEG, PNG or WebP image, identified by its content, not its name. */
export const imageUrl = mediaUrl('image');

/**
 * The URL of an audio file, identified by its content, not its name: MP3, WAV, M4A or Ogg unless the field overrides
 * the types.
 */
export const audioUrl = mediaUrl('audio');

/** The URL of a video, identified by its content, not its name: MP4 unless the field overrides the types. */
export const videoUrl = mediaUrl('video');

/** The URL of a video that engines download themselves. */
export const remoteVideoUrl = (limits: Partial<InputLimits>) =>
  userUrl({ leadsTo: 'video', limits: { ...inputLimits.video, ...limits }, isRemote: true });
