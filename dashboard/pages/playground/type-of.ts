/** Tells the type of a file that a person chose. */
import { type MediaType, mediaTypes } from '../../../shared/contracts/media.ts';

const extensionOf = (name: string): string => (name.split('.').at(-1) ?? '').toLowerCase().replace('jpeg', 'jpg');

/** The name and type of a file, as the browser states them. */
interface Named {
  readonly name: string;
  readonly type: string;
}

/** The type of a file by its extension, among those that a field accepts: browsers name types differently. */
export const typeOf = ({ name, type }: Named, accepted: readonly MediaType[]) =>
  accepted.find((one) => mediaTypes[one].extension === extensionOf(name)) ?? accepted.find((one) => one === type);
