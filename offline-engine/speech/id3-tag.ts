/** Writes the ID3 2.3 tag of an MP3 file, because ffmpeg cannot write a proper comment frame. */

export interface Mp3Tag {
  readonly title: string;
  readonly artist: string;
  /** An ISO 639-2 code, such as `por`. */
  readonly language: string;
  readonly comment: string;
}

const latin1 = 0;

const frame = (id: string, ...parts: readonly (string | number)[]) => {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part, 'latin1'))),
  );
  const head = Buffer.alloc(10);
  head.write(id, 'latin1');
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
};

/** A size with seven bits per byte, so that it cannot look like the start of audio. */
const synchsafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** The bytes to put before the audio; texts are encoded as Latin-1. */
export const id3Tag = ({ title, artist, language, comment }: Mp3Tag): Buffer => {
  const frames = Buffer.concat([
    frame('TIT2', latin1, title),
    frame('TPE1', latin1, artist),
    frame('TLAN', latin1, language),
    frame('COMM', latin1, 'eng', latin1, comment),
  ]);
  return Buffer.concat([Buffer.from('ID3'), Buffer.of(3, 0, 0), synchsafe(frames.length), frames]);
};
