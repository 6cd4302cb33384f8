/** Longer than any form that is sent to a fake. */
const maxCharacters = 65_536;

/** The form in a body. A longer one, which would take seconds to parse, counts as empty. */
export const formIn = (body: string): URLSearchParams => new URLSearchParams(body.length > maxCharacters ? '' : body);
