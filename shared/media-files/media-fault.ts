/** Why a file cannot be measured. */

/**
 * `unreadable`: the format is unknown or the file damaged. `truncated`: it ends too early. `contradictory`: its content
 * differs from what it declares. `excessive`: measuring it would take too much work. `scattered`: it would take too
 * many reads. `unmeasurable`: its codec has packets of unknown duration. `slow`: the machine was too busy to measure it.
 * `interrupted`: the measuring thread ended because of another file.
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

  /** `reason` is worded to follow a field's name. */
  constructor(kind: FaultKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

export const unreadable = (): MediaFault => new MediaFault('unreadable', 'is not readable');

export const truncated = (): MediaFault => new MediaFault('truncated', 'is truncated');

export const contradictory = (reason: string): MediaFault => new MediaFault('contradictory', reason);

export const excessive = (): MediaFault =>
  new MediaFault('excessive', 'is too complex to be measured: encode it again with a usual encoder');

export const scattered = (): MediaFault =>
  new MediaFault('scattered', 'is too fragmented to be measured before it is downloaded: export it again');

export const unmeasurable = (codec: string, what: 'pictures' | 'sound' = 'sound'): MediaFault =>
  new MediaFault(
    'unmeasurable',
    `contains ${what} in a codec whose duration cannot be measured (${codec})${what === 'pictures' ? ': export it as H.264' : ''}`,
  );

export const slow = (): MediaFault => new MediaFault('slow', 'could not be measured in time: try again');

export const interrupted = (): MediaFault =>
  new MediaFault('interrupted', 'was not measured to its end because of another file: try again');
