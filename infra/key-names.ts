/** The providers whose keys an operator stores: engines, YouTube, payment gateways and social networks. */
import { engineNamesWithKeys } from '../shared/engines/engine-names.ts';

const otherKeyNames = [
  'youtube',
  'mercadoPago',
  'mercadoPagoWebhooks',
  'stripe',
  'stripeWebhooks',
  'metaInstagram',
  'metaFacebook',
  'metaWebhooks',
] as const;

export const keyNames = [...engineNamesWithKeys, ...otherKeyNames] as const;

export type KeyName = (typeof keyNames)[number];

export const isEngineKey = (name: KeyName): name is (typeof engineNamesWithKeys)[number] =>
  engineNamesWithKeys.some((engine) => engine === name);

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The name of the stack output that contains the name of a key's secret. */
export const keyOutputOf = (name: KeyName): string => `${capitalized(name)}${isEngineKey(name) ? 'Engine' : ''}Secret`;
