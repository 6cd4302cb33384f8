/** The engines that a service has. */
import { namesIn } from '../../shared/platform/settings.ts';
import type { Service } from './service.ts';

export const enginesOf = ({ settings }: Pick<Service, 'settings'>): readonly string[] => namesIn(settings.engines);
