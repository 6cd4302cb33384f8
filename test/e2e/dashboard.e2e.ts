/** The dashboard in a browser: all its topics are in one file, so that they share a service and a browser. */
import { useDashboard } from './dashboard/dashboard-harness.ts';
import './dashboard/every-page.ts';
import './dashboard/log-ins.ts';
import './dashboard/playground.ts';
import './dashboard/tokens.ts';
import './dashboard/tasks.ts';
import './dashboard/billing.ts';
import './dashboard/connections.ts';
import './dashboard/inbox.ts';
import './dashboard/limits.ts';
import './dashboard/many-tasks.ts';
import './dashboard/deployed.ts';
import './dashboard/refusals.ts';
import './dashboard/attacks.ts';
import './dashboard/webhooks.ts';
import './dashboard/palette.ts';

useDashboard();
