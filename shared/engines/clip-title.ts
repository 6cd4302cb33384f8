/**
 * A provider's title for a clip, reduced to one line of limited length; undefined if it contains contact details or
 * links.
 */
import { hasContactDetails } from '../contracts/contact-details.ts';

const maxCharacters = 500;
/** How much of a title is read. */
const maxRead = 10 * maxCharacters;

export function clipTitle(given: string | null | undefined): string | undefined {
  const line = given?.slice(0, maxRead).toWellFormed().replaceAll(/\s+/g, ' ').trim() ?? '';
  const title = Array.from(line).slice(0, maxCharacters).join('');
  return title === '' || hasContactDetails(title) ? undefined : title;
}
