/** Parses conversations and messages of the Graph API, which are the same on both channels. */
import * as z from 'zod';
import { lineField, longestList, outsideId, writtenField } from '../outside-fields.ts';
import type { NetworkAttachment, NetworkConversation, NetworkMessage } from '../social-network.ts';
import { Moment } from './graph-time.ts';
import { webUrlIn } from './web-url.ts';

/** Meta's id of a person, passed on unchanged. */
export const personId = outsideId(128);

const text = z.string().nullish();
const name = lineField.nullish();
const Participant = z.object({ id: personId, username: name, name });

const Conversation = z.object({
  id: outsideId(),
  updated_time: Moment,
  participants: z.object({ data: z.array(Participant).max(longestList) }),
});

export const conversationFields = 'id,updated_time,participants';

export const conversationReader =
  (pageId: string, now: number) =>
  (value: unknown): NetworkConversation | undefined => {
    const { data } = Conversation.safeParse(value);
    const participant = data?.participants.data.find(({ id }) => id !== pageId);
    if (!data || !participant) return undefined;
    const { id, username = null, name: ownName = null } = participant;
    return {
      id: data.id,
      participant: { id, username, name: ownName, avatarUrl: null },
      updatedAt: data.updated_time.pastBy(now) ?? now,
    };
  };

const Profile = z.object({ username: name, name, profile_pic: text });

export const profileFields = { instagram: 'name,username,profile_pic', facebook: 'name,profile_pic' } as const;

export const ParticipantProfile = Profile.transform(
  ({ username = null, name: ownName = null, profile_pic: image }) => ({
    username,
    name: ownName,
    avatarUrl: webUrlIn(image),
  }),
);

const media = z.object({ url: z.string() }).nullish();
const Attachment = z.object({ mime_type: text, image_data: media, video_data: media, file_url: text });
const Share = z.object({ link: z.string() });

const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item).max(longestList) }).nullish();

/** Old messages have only an id and a time. */
const Message = z.object({
  id: outsideId(),
  created_time: Moment,
  from: z.object({ id: outsideId() }),
  message: writtenField.nullish(),
  attachments: listOf(Attachment),
  shares: listOf(Share),
});

export const messageFields = 'id,created_time,from,message,attachments,shares';

const kindOf = (mimeType: string | null | undefined): string =>
  /^(image|video|audio)\//.exec(mimeType ?? '')?.[1] ?? 'file';

function attachmentOf({
  mime_type: mimeType,
  image_data: image,
  video_data: video,
  file_url: file,
}: z.infer<typeof Attachment>) {
  if (image) return { type: 'image', url: image.url };
  if (video) return { type: 'video', url: video.url };
  return { type: kindOf(mimeType), url: file };
}

/** Attachments with a URL that a browser can open. */
export const openable = (all: readonly { type: string; url: string | null | undefined }[]): NetworkAttachment[] =>
  all.flatMap(({ type, url }) => {
    const webUrl = webUrlIn(url);
    return webUrl === null ? [] : [{ type, url: webUrl }];
  });

/** Parses messages. Their delivery status is unknown, and an impossible time is replaced by the current one. */
export const messageReader =
  (pageId: string, now: number) =>
  (value: unknown): NetworkMessage | undefined => {
    const { data } = Message.safeParse(value);
    if (!data) return undefined;
    const shares = (data.shares?.data ?? []).map(({ link }) => ({ type: 'share', url: link }));
    const files = (data.attachments?.data ?? []).map(attachmentOf);
    const isOwn = data.from.id === pageId;
    return {
      id: data.id,
      direction: isOwn ? 'outbound' : 'inbound',
      text: data.message || null,
      attachments: openable([...files, ...shares]),
      status: isOwn ? 'sent' : 'delivered',
      createdAt: data.created_time.pastBy(now) ?? now,
    };
  };

export const Sent = z.object({ message_id: outsideId() });
