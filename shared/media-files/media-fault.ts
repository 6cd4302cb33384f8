/** Why a file cannot be measured. */

/**
 * `unreadable`: it is not a file of a known format, or a damaged one. `truncated`: it ends too early. `contradictory`: what it declares
 * is not what it contains. `excessive`: measuring it would take too much work. `scattered`: it would take too many reads. `unmeasurable`: a
 * codec whose length cannot be known. `slow`: measuring it took too long. `interrupted`: the thread that measured it ended because of another file.
 */
export type FaultKind =
  | 'unreadable'
  | 'truncated'
  | 'contradictory'
  | 'excessive'
  | 'scattered'
  | 'unmeasurable'
  | 'slow'
  | 'interrupted';

export class MediaFault extends Error {
  override readonly name = 'MediaFault';
  readonly kind: FaultKind;

  /** The reason continues a sentence that begins with the field. */
  constructor(kind: FaultKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

export const unreadable = (): MediaFault => new MediaFault('unreadable', 'is not readable');

export const truncated = (): MediaFault => new MediaFault('truncated', 'is truncated');

export const contradictory = (reason: string): MediaFault => new MediaFault('contradictory', reason);

export const excessive = (): MediaFault => new MediaFault('excessive', 'is too complex to be measured');

export const scattered = (): MediaFault =>
  new MediaFault('scattered', 'has too much in too many places to be measured before it is downloaded');

export const unmeasurable = (codec: string): MediaFault =>
  new MediaFault('unmeasurable', `contains sound in a codec whose duration cannot be measured (${codec})`);

export const slow = (): MediaFault => new MediaFault('slow', 'takes too long to measure');

export const interrupted = (): MediaFault =>
  new MediaFault('interrupted', 'was not measured to its end because of another file: try again');
