/** The title that a provider gives a clip: one line of bounded length; none if it leads viewers elsewhere. */
import { hasContactDetails } from '../contracts/contact-details.ts';

const maxCharacters = 500;

export function clipTitle(given: string | null | undefined): string | undefined {
  const line = given?.toWellFormed().replaceAll(/\s+/g, ' ').trim() ?? '';
  const title = Array.from(line).slice(0, maxCharacters).join('');
  return title === '' || hasContactDetails(title) ? undefined : title;
}
