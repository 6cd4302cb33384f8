/** The dashboard in a browser: what an owner does with tasks. These topics share a service and a browser. */
import { useDashboard } from './dashboard/dashboard-harness.ts';
import './dashboard/playground.ts';
import './dashboard/tasks.ts';
import './dashboard/many-tasks.ts';
import './dashboard/webhooks.ts';
import './dashboard/palette.ts';

useDashboard();
