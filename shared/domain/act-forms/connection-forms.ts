/** What acts on connected pages of social networks need, and who may perform them. */
import * as z from 'zod';
import { channels } from '../../contracts/channels.ts';
import { id, oneOf } from '../../contracts/fields.ts';
import type { ActForms } from './act-form.ts';

const page = () => z.strictObject({ account: id(), channel: oneOf(channels) });

export const connectionForms = {
  syncConnection: {
    name: 'syncConnection',
    role: 'support',
    summary: 'Compare the whole inbox of a page with its network now, in the background.',
    input: page,
  },
  removeConnection: {
    name: 'removeConnection',
    role: 'support',
    summary: 'Disconnect a page: its token is forgotten at once, and the copy of its inbox is erased within minutes.',
    input: page,
  },
} as const satisfies ActForms;
