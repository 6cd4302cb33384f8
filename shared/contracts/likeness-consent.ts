/** The declaration that a person agrees to the use of their face, motion or voice. */
import { boolean } from './fields.ts';
import type { LikenessUse } from './operation.ts';

/** What a stage does with the declaration. */
export const likenessPolicies = ['ignored', 'required'] as const;

/** The field of a request with the declaration. */
export const consentField = (condition = '') => ({
  likenessConsent: boolean()
    .optional()
    .describe(
      `Extension. Declares that the person whose face, motion or voice is used has agreed to it. Some services require it${condition}: there, a request without \`true\` is rejected with 400. Elsewhere it is only stored.`,
    ),
});

/** Whether a request lacks a declaration that its stage would require. */
export function lacksConsent({ usesLikeness }: LikenessUse, body: Readonly<Record<string, unknown>>): boolean {
  if (usesLikeness === undefined || body.likenessConsent === true) return false;
  return usesLikeness === 'always' || (body[usesLikeness.with] ?? '') !== '';
}
