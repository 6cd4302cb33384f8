/** The forms of all acts that the operators' pages offer: bundles contain them, not the code that makes them. */
import * as z from 'zod';
import { type ActGroup, actGroups, type OfferedAct } from '../../contracts/act-groups.ts';
import { once } from '../../contracts/once.ts';
import { accountForms } from './account-forms.ts';
import type { ActForms } from './act-form.ts';
import { billingForms } from './billing-forms.ts';
import { catalogForms } from './catalog-forms.ts';
import { connectionForms } from './connection-forms.ts';
import { creditForms } from './credit-forms.ts';
import { operatorForms } from './operator-forms.ts';
import { queueForms } from './queue-forms.ts';
import { taskForms } from './task-forms.ts';
import { tokenForms } from './token-forms.ts';

const forms = {
  ...accountForms,
  ...billingForms,
  ...catalogForms,
  ...connectionForms,
  ...creditForms,
  ...operatorForms,
  ...queueForms,
  ...taskForms,
  ...tokenForms,
} as const satisfies ActForms & Readonly<Record<OfferedAct, unknown>>;

const shown = (group: ActGroup, name: OfferedAct) => {
  const { input, name: act, role, summary } = forms[name];
  return { act, group, role, summary, input: z.toJSONSchema(input(), { io: 'input' }) as Record<string, unknown> };
};

export const offeredForms = once(() =>
  Object.entries(actGroups).flatMap(([group, names]) => names.map((name) => shown(group as ActGroup, name))),
);
