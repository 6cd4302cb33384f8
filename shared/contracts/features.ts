/** The features that a plan can include. */

export const features = ['cortes', 'studio', 'piloto'] as const;
export type Feature = (typeof features)[number];
