/** The modes that this engine knows, by the slugs of the default catalog. */
import type { Mode } from '../mode.ts';
import { flashOffer } from './flash-offer.ts';
import { lifestyle } from './lifestyle.ts';
import { lookbook } from './lookbook.ts';
import { narrated } from './narrated.ts';
import { showcase } from './showcase.ts';
import { testimonial } from './testimonial.ts';
import { tutorial } from './tutorial.ts';
import { unboxing } from './unboxing.ts';

const modes: Readonly<Record<string, Mode>> = {
  depoimento: testimonial,
  unboxing,
  'passo-a-passo': tutorial,
  narracao: narrated,
  'oferta-relampago': flashOffer,
  vitrine: showcase,
  provador: lookbook,
  'estilo-de-vida': lifestyle,
};

/** Finds a mode; one that an operator has added uses the style of a known one. */
export const modeOf = (slug: string, hasAvatar: boolean): Mode => {
  const known = Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  return known ?? (hasAvatar ? testimonial : narrated);
};
