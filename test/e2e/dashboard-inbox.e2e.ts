/** The dashboard in a browser: billing, connections and the inbox. These topics share a service and a browser. */
import { useDashboard } from './dashboard/dashboard-harness.ts';
import './dashboard/billing.ts';
import './dashboard/connections.ts';
import './dashboard/inbox.ts';

useDashboard();
