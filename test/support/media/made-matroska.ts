/** Matroska files with one audio track, with any packets at any times. */

export function element(id: string, ...content: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(5, 8);
  const whole = Buffer.concat(content);
  size.writeUInt32BE(whole.length, 1);
  return Buffer.concat([Buffer.from(id, 'hex'), size, whole]);
}

export const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
};

export interface Sound {
  readonly codec: string;
  readonly setup: Buffer;
  readonly rate: number;
  /** Further elements of the track and of its audio description. */
  readonly track?: readonly Buffer[];
  readonly audio?: readonly Buffer[];
  /** Further tracks, and elements between the tracks and the cluster. */
  readonly others?: readonly Buffer[];
  readonly between?: readonly Buffer[];
}

export interface Block {
  readonly atMs: number;
  readonly packets: readonly Buffer[];
}

/** Sizes with seven bits per byte, and as many bytes as needed. */
function xiphSizes(packets: readonly Buffer[]): Buffer {
  const sizes = packets.slice(0, -1).map(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255]);
  return Buffer.from([packets.length - 1, ...sizes.flat()]);
}

/** Several packets in one block are laced. */
export function blockOf({ atMs, packets }: Block): Buffer {
  const isLaced = packets.length > 1;
  const head = Buffer.from([0x81, atMs >> 8, atMs & 255, isLaced ? 0x82 : 0x80]);
  return element('a3', head, ...(isLaced ? [xiphSizes(packets)] : []), ...packets);
}

export const clusterTime = (milliseconds: number): Buffer => element('e7', number(milliseconds));

/** A file whose cluster has the given content, as bytes. */
export function matroskaOf(sound: Sound, ...cluster: readonly Buffer[]): Buffer {
  const { codec, setup, rate, track: further = [], audio = [], others = [], between = [] } = sound;
  const track = element(
    'ae',
    element('d7', hex('01')),
    element('83', hex('02')),
    element('86', Buffer.from(codec)),
    element('63a2', setup),
    element('e1', element('b5', float(rate)), element('9f', hex('01')), ...audio),
    ...further,
  );
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska'))),
    element('18538067', element('1654ae6b', track, ...others), ...between, element('1f43b675', ...cluster)),
  ]);
}
